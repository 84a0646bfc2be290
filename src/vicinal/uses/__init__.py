"""What embeddings are for: clusters of documents, classes of new documents, and search."""

from vicinal.uses._classify import CentroidClassifier
from vicinal.uses._cluster import Clusters, cluster
from vicinal.uses._search import SearchResult, search, similarities
from vicinal.uses._topics import Topics

__all__ = ["CentroidClassifier", "Clusters", "SearchResult", "Topics", "cluster", "search", "similarities"]
