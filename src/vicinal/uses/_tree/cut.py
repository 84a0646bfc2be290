"""A cut through a tree of clusters: a clustering of the documents, which can be changed by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._typing import IntArray
from vicinal._validate import check_count
from vicinal.errors import BadParameter

if TYPE_CHECKING:
    from vicinal.uses._tree.tree import Tree

SHOWN = 12  # nodes of a cut that is printed


def refuse_two_cuts(n_clusters: object, level: object, nodes: object) -> None:
    """Refuse two of the arguments that each give a cut; one that is not given is None."""
    given = {"n_clusters": n_clusters, "level": level, "nodes": nodes}
    asked = [f"{name}={value!r:.80}" for name, value in given.items() if value is not None]
    if len(asked) > 1:
        raise BadParameter(f"a cut is given by one of n_clusters, level and nodes, got {' and '.join(asked)}. Use one.")


@final
@dataclass(frozen=True, eq=False)
class Cut:
    """A clustering of the documents by nodes of a `Tree`, as `Tree.cut` makes it; it can be changed by hand, which gives another.

    Attributes
    ----------
    tree : Tree
        The tree.
    nodes : tuple of str
        The id of each cluster: the largest first, or as the fit numbers its own clusters.

    Examples
    --------
    >>> from vicinal import Topics
    >>> texts = ["red rose garden", "white rose garden", "garden rose red",
    ...          "stock market price", "market price falls", "stock price"]
    >>> cut = Topics(n_clusters=2).fit(texts).cut(n_clusters=1)
    >>> cut.labels.tolist(), cut.open(0).labels.tolist()
    ([0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0])
    """

    tree: Tree
    nodes: tuple[str, ...]

    def __repr__(self) -> str:
        shown = [f"{id} ({size:,})" for id, size in zip(self.nodes[:SHOWN], self.sizes, strict=False)]
        more = [f"{self.n_clusters - SHOWN:,} more"] if self.n_clusters > SHOWN else []
        return f"Cut({', '.join([*shown, *more])})"

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.nodes)

    @cached_property
    def labels(self) -> IntArray:
        """The cluster of each document, -1 for a document without terms."""
        cluster = np.full(len(self.tree.ids) + 1, -1, dtype=np.int64)
        for label, id in enumerate(self.nodes):
            cluster[self.tree.number(id)] = label
        for merge in range(len(self.tree.merges) - 1, -1, -1):
            above = cluster[self.tree.n_leaves + merge]
            if above >= 0:
                cluster[self.tree.merges[merge]] = above
        return np.asarray(self._as_fitted(cluster[self.tree.leaves]))

    def _as_fitted(self, labels: IntArray) -> IntArray:
        """Clusters of the fit without documents are no nodes; the numbers of the others are those of the fit."""
        numbers = np.flatnonzero(self.tree.fitted >= 0)
        if self.nodes != tuple(self.tree.ids[int(each)] for each in self.tree.fitted[numbers]):
            return labels
        return np.where(labels >= 0, numbers[np.maximum(labels, 0)], -1)

    @cached_property
    def sizes(self) -> IntArray:
        """Number of documents in each cluster."""
        return np.asarray(self.tree.sizes[[self.tree.number(id) for id in self.nodes]])

    @property
    def height(self) -> float:
        """The largest share of the information about terms that is lost by a cluster of this cut (V17)."""
        return max(self.tree.node(id).height for id in self.nodes)

    def open(self, node: str | int) -> Cut:
        """Divide one cluster into the two nodes that it is made of.

        Parameters
        ----------
        node : str or int
            The id of one of ``nodes``, or its number there.

        Returns
        -------
        Cut
            A new cut; this one is unchanged.

        Raises
        ------
        BadParameter
            It is none of ``nodes``, or a leaf.
        """
        id = self._one(node)
        children = self.tree.node(id).children
        if not children:
            raise BadParameter(f"node {id} is a leaf and has no parts. Fit with more clusters to divide it.")
        return self.tree.cut(nodes=[each for each in self.nodes if each != id] + list(children))

    def close(self, node: str) -> Cut:
        """Make one cluster of a node, of which parts are clusters now.

        Parameters
        ----------
        node : str
            The id of a node of the tree.

        Returns
        -------
        Cut
            A new cut; this one is unchanged.

        Raises
        ------
        BadParameter
            There is no such node, or a cluster of this cut holds more than the node.
        """
        number = self.tree.number(node)
        inside = {each for each in self.nodes if self._is_inside(self.tree.number(each), number)}
        if not inside:
            raise BadParameter(f"node {self.tree.ids[number]} is already part of a cluster of this cut. Open that one instead.")
        return self.tree.cut(nodes=[each for each in self.nodes if each not in inside] + [self.tree.ids[number]])

    def _is_inside(self, number: int, other: int) -> bool:
        while number >= 0 and number != other:
            number = int(self.tree.parents[number])
        return number == other

    def _one(self, node: str | int) -> str:
        if isinstance(node, str):
            id = self.tree.ids[self.tree.number(node)]
            if id in self.nodes:
                return id
        elif 0 <= check_count("node", node, 0) < len(self.nodes):
            return self.nodes[node]
        raise BadParameter(f"{node!r} is no cluster of this cut. Its nodes are {', '.join(self.nodes)}.")

    def top_terms(self, cluster: int, limit: int = 10) -> list[tuple[str, float]]:
        """Return the terms that distinguish a cluster from all documents (V13).

        Parameters
        ----------
        cluster : int
            The number of a cluster in ``nodes``.
        limit : int, default=10
            Return at most so many; ten are kept.

        Returns
        -------
        list of (str, float)
            Terms with their relevance, largest first.

        Raises
        ------
        BadParameter
            The cut has no cluster of that number, or ``limit`` is no whole number above zero.
        """
        return list(self.tree.node(self._one(cluster)).distinguishing[: check_count("limit", limit)])
