"""The tree of clusters, its nodes and its cuts."""
