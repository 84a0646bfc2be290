"""The report of an index: what is in a pile of documents, as one page that is read, printed and sent on."""
