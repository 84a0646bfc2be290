"""Labels in an index: classes learnt from them, and the documents to label next."""
