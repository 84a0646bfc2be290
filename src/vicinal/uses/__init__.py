"""What embeddings are for: clusters of documents, classes of new documents, and search."""

from vicinal.uses._classifier.classifier import Classifier
from vicinal.uses._classify import CentroidClassifier
from vicinal.uses._cluster import Clusters, cluster
from vicinal.uses._search import SearchResult, search, similarities
from vicinal.uses._topics.topics import Topics
from vicinal.uses._tree.cut import Cut
from vicinal.uses._tree.tree import Tree
from vicinal.uses._tree.tree_nodes import NeighborCut, TreeNode

__all__ = [
    "CentroidClassifier",
    "Classifier",
    "Clusters",
    "Cut",
    "NeighborCut",
    "SearchResult",
    "Topics",
    "Tree",
    "TreeNode",
    "cluster",
    "search",
    "similarities",
]
