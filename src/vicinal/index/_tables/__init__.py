"""The documents, clusters and layout of an index as data frames and as files."""
