"""The documents and clusters of an index as data frames."""
