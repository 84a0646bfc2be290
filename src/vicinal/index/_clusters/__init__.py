"""The clusters of an index, as they are: numbers and descriptions, the tree, parts of a cluster, and what people decided."""
