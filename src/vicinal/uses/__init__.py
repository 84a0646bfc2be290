"""What coordinates are for: groups of documents, categories for new ones."""

from vicinal.uses.classify import CentroidClassifier
from vicinal.uses.cluster import Clusters, cluster

__all__ = ["CentroidClassifier", "Clusters", "cluster"]
