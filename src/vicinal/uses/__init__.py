"""What embeddings are for: clusters of documents, classes of new documents, and search.

The names below are loaded when they are first used, so that what needs few of them stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal.uses._classifier.classifier import Classifier
    from vicinal.uses._classify import CentroidClassifier
    from vicinal.uses._cluster import Clusters, cluster
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
    "_search": (
        "SearchResult",
        "search",
        "similarities",
    ),
    "_topics.topics": ("Topics",),
    "_tree.cut": ("Cut",),
    "_tree.tree": ("Tree",),
    "_tree.tree_nodes": (
        "NeighborCut",
        "TreeNode",
    ),
}
_HOME_OF = {name: f"vicinal.uses.{module}" for module, names in _HOMES.items() for name in names}

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


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'vicinal.uses' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
