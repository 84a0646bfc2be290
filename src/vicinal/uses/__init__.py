"""What embeddings are for: clusters of documents, classes of new documents, search, and layouts to look at.

The names below are loaded when they are first used, so that what needs few of them stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal._consensus import ClusterRule
    from vicinal.uses._classifier.classifier import Classifier
    from vicinal.uses._classify import CentroidClassifier
    from vicinal.uses._cluster import Clusters, cluster
    from vicinal.uses._layout.layout import extend_layout, layout
    from vicinal.uses._search import SearchResult, search, similarities
    from vicinal.uses._topics.topics import Topics
    from vicinal.uses._tree.cut import Cut
    from vicinal.uses._tree.tree import Tree
    from vicinal.uses._tree.tree_nodes import NeighborCut, TreeNode

_HOMES = {
    "_classifier.classifier": ("Classifier",),
    "_classify": ("CentroidClassifier",),
    "_cluster": (
        "Clusters",
        "cluster",
    ),
    "_layout.layout": (
        "extend_layout",
        "layout",
    ),
    "_search": (
        "SearchResult",
        "search",
        "similarities",
    ),
    "_topics.cluster_descriptions": ("ClusterRule",),
    "_topics.topics": ("Topics",),
    "_tree.cut": ("Cut",),
    "_tree.tree": ("Tree",),
    "_tree.tree_nodes": (
        "NeighborCut",
        "TreeNode",
    ),
}

__all__ = [
    "CentroidClassifier",
    "Classifier",
    "ClusterRule",
    "Clusters",
    "Cut",
    "NeighborCut",
    "SearchResult",
    "Topics",
    "Tree",
    "TreeNode",
    "cluster",
    "extend_layout",
    "layout",
    "search",
    "similarities",
]

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
