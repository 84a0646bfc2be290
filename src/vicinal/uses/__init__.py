"""What coordinates are for: groups of documents, categories for new ones, answers to a question."""

from vicinal.uses.classify import CentroidClassifier
from vicinal.uses.cluster import Clusters, cluster
from vicinal.uses.search import Hit, search, similarities

__all__ = ["CentroidClassifier", "Clusters", "Hit", "cluster", "search", "similarities"]
