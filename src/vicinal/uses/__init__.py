"""What coordinates are for: groups of documents, categories for new ones, answers to a question."""

from vicinal.uses.classify import CentroidClassifier
from vicinal.uses.cluster import Clusters, cluster
from vicinal.uses.search import Hit, search, similarities
from vicinal.uses.topics import Topics

__all__ = ["CentroidClassifier", "Clusters", "Hit", "Topics", "cluster", "search", "similarities"]
