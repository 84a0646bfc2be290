"""Nodes of a tree of clusters, and the cuts next to that of the fit: small frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from vicinal._cluster_names import named_by_terms

TermWeights = tuple[tuple[str, float], ...]


@final
@dataclass(frozen=True)
class TreeNode:
    """A cluster of a `Tree`: a leaf, or two other nodes merged.

    Attributes
    ----------
    id : str
        Depends on the documents of the node alone, and neither on their order nor on the random seed.
    size : int
        Number of documents.
    height : float
        Share of the information about terms that is lost once this node is whole (V17); 0 for a leaf, 1 for all documents.
    parent : str
        The id of the node that it is merged into; empty for the root.
    children : tuple of str
        The ids of the two nodes that it is made of; empty for a leaf.
    terms : tuple of (str, float)
        Terms that set it apart from the node it is merged with (V18), with their relevance; for the root the most frequent.
    distinguishing : tuple of (str, float)
        Terms that distinguish it from all documents (V13), with their relevance.
    cluster : int
        The cluster of the fit that it is, -1 for none.
    given_name : str
        The name that somebody gave to that cluster; empty for none.

    References
    ----------
    .. [1] docs/maths/topics.md, "A tree of clusters" (V17, V18).

    Examples
    --------
    >>> from vicinal import Topics
    >>> texts = ["red rose garden", "white rose garden", "garden rose red",
    ...          "stock market price", "market price falls", "stock price"]
    >>> tree = Topics(n_clusters=2).fit(texts).tree_
    >>> [(node.size, node.cluster) for node in map(tree.node, tree.cut().nodes)]
    [(3, 0), (3, 1)]
    """

    id: str
    size: int
    height: float
    parent: str
    children: tuple[str, ...]
    terms: TermWeights
    distinguishing: TermWeights
    cluster: int
    given_name: str = ""

    @property
    def name(self) -> str:
        """The name that was given, or else its first terms."""
        return self.given_name or named_by_terms(self.terms)


@final
@dataclass(frozen=True)
class NeighborCut:
    """The cut with one cluster more, or one fewer, than the fit found.

    Attributes
    ----------
    n_clusters : int
        Number of clusters of that cut.
    whole : str
        The id of the node that is one cluster in the coarser of the two cuts.
    parts : tuple of str
        The ids of the two nodes that it is in the finer one.
    height : float
        Share of the information about terms that is lost at that cut (V17).
    why : str
        One sentence on the difference.

    References
    ----------
    .. [1] docs/maths/topics.md, "A tree of clusters" (V17).

    Examples
    --------
    >>> from vicinal import Topics
    >>> texts = ["red rose garden", "white rose garden", "garden rose red",
    ...          "stock market price", "market price falls", "stock price"]
    >>> Topics(n_clusters=2).fit(texts).tree_.neighbors[0].n_clusters
    1
    """

    n_clusters: int
    whole: str
    parts: tuple[str, ...]
    height: float
    why: str
