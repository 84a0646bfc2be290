"""The tree of clusters: nodes with ids that depend on their documents alone, and cuts through it, of which each is a clustering."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar, final

import numpy as np

from vicinal._consensus.merge_tree import MergeTree, TermLists
from vicinal._content_keys import Keys, mixed
from vicinal._typing import BoolArray, FloatArray, IntArray, TermNames
from vicinal._validate import check_choice, check_count
from vicinal.errors import BadParameter
from vicinal.uses._tree.cut import Cut, refuse_two_cuts
from vicinal.uses._tree.short_ids import short_ids
from vicinal.uses._tree.tree_nodes import NeighborCut, TermWeights, TreeNode

Numbers = TypeVar("Numbers", IntArray, FloatArray, Keys)

LEVELS = ("fine", "medium", "coarse")
RATIO = 3  # clusters of one level for each of the next


@final
@dataclass(frozen=True, eq=False)
class Tree:
    """Nested clusters from fine to coarse; every cut through it is a clustering, and one of them is that of the fit.

    Below the clusters of the fit are pieces of each, above are clusters merged with each other. Nodes are numbered as SciPy does:
    leaves first, then one node per merge; people know them by their ids.

    Attributes
    ----------
    leaves : ndarray of int64, shape (n_documents,)
        The leaf of each document, -1 for a document without terms.
    merges : ndarray of int64, shape (n_leaves - 1, 2)
        The numbers of the two nodes that become one, from fine to coarse.
    heights : ndarray of float64, shape (n_leaves - 1,)
        Share of the information about terms that is lost after each merge (V17): never falls, and ends with 1.
    fitted : ndarray of int64, shape (n_clusters,)
        The number of the node that each cluster of the fit is; -1 for a cluster without documents.
    ids : tuple of str
        The id of each node.
    distinguishing : tuple of tuples of (str, float)
        Of each node, terms that distinguish it from all documents.
    apart : tuple of tuples of (str, float)
        Of each node, terms that set it apart from the node it is merged with.
    names : mapping from int to str
        Names that were given to clusters of the fit, by their numbers.

    References
    ----------
    .. [1] Slonim, N., Tishby, N. (2000). Agglomerative Information Bottleneck. NIPS 12: merges that lose least information.

    Examples
    --------
    >>> from vicinal import Topics
    >>> texts = ["red rose garden", "white rose garden", "garden rose red",
    ...          "stock market price", "market price falls", "stock price"]
    >>> tree = Topics(n_clusters=2).fit(texts).tree_
    >>> tree.cut(n_clusters=1).labels.tolist()
    [0, 0, 0, 0, 0, 0]
    >>> tree.cut().labels.tolist()
    [1, 1, 1, 0, 0, 0]
    >>> tree.linkage().shape
    (1, 4)
    """

    leaves: IntArray
    merges: IntArray
    heights: FloatArray
    fitted: IntArray
    ids: tuple[str, ...]
    distinguishing: tuple[TermWeights, ...]
    apart: tuple[TermWeights, ...]
    names: Mapping[int, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        n_documents, n_clusters = int((self.leaves >= 0).sum()), len(self._fitted_nodes)
        return f"Tree({n_documents:,} documents, {n_clusters:,} clusters, {self.n_leaves:,} leaves)"

    @property
    def n_leaves(self) -> int:
        """Number of leaves: the most clusters that a cut can have."""
        return len(self.merges) + 1

    @property
    def root(self) -> str:
        """The id of the node of all documents."""
        return self.ids[-1]

    @cached_property
    def sizes(self) -> IntArray:
        """Number of documents of each node."""
        return summed(self.merges, np.bincount(self.leaves[self.leaves >= 0], minlength=self.n_leaves).astype(np.int64))

    @cached_property
    def parents(self) -> IntArray:
        """The number of the node that each node is merged into; -1 for the root."""
        parents = np.full(len(self.ids), -1, dtype=np.int64)
        parents[self.merges.ravel()] = np.repeat(np.arange(len(self.merges)) + self.n_leaves, 2)
        return parents

    def of_documents(self, leaves: IntArray) -> Tree:
        """Return the same tree of other documents.

        Parameters
        ----------
        leaves : ndarray of int64, shape (n_documents,)
            The leaf of each of them, -1 for none.

        Returns
        -------
        Tree
            With the same nodes, of other sizes.
        """
        return replace(self, leaves=leaves)

    def node(self, id: str) -> TreeNode:
        """Describe one node.

        Parameters
        ----------
        id : str
            The id of the node, or as much of its beginning as no other has.

        Returns
        -------
        TreeNode
            The node.

        Raises
        ------
        BadParameter
            There is no such node, or several.
        """
        return self._described(self.number(id))

    def number(self, id: str) -> int:
        """Return the number of a node.

        Parameters
        ----------
        id : str
            The id of the node, or as much of its beginning as no other has.

        Returns
        -------
        int
            Leaves come first, then one node per merge.

        Raises
        ------
        BadParameter
            There is no such node, or several.
        """
        if id in self.ids:
            return self.ids.index(id)
        found = [number for number, each in enumerate(self.ids) if isinstance(id, str) and id and each.startswith(id)]
        if len(found) == 1:
            return found[0]
        several = (
            f"{len(found)} nodes begin with it: {', '.join(self.ids[each] for each in found[:5])}" if found else "no node has it"
        )
        raise BadParameter(f"a node is given by its id, got {id!r}: {several}. Ids are in Tree.ids and Cut.nodes.")

    def is_below(self, node: int) -> BoolArray:
        """Tell which leaves a node holds.

        Parameters
        ----------
        node : int
            The number of the node.

        Returns
        -------
        ndarray of bool, shape (n_leaves,)
            Whether each leaf is in the node.
        """
        below = np.zeros(len(self.ids), dtype=bool)
        below[node] = True
        for merge in range(len(self.merges) - 1, -1, -1):
            below[self.merges[merge]] |= below[self.n_leaves + merge]
        return below[: self.n_leaves]

    def cut(self, n_clusters: int | None = None, *, level: str | None = None, nodes: Iterable[str] | None = None) -> Cut:
        """Cut the tree, which gives a clustering of the documents.

        Parameters
        ----------
        n_clusters : int, optional
            Number of clusters, from 1 to ``n_leaves``.
        level : {"fine", "medium", "coarse"}, optional
            "medium" are the clusters of the fit, "fine" three times as many, and "coarse" a third.
        nodes : iterable of str, optional
            The ids of the nodes that are clusters: every document must be in exactly one of them.

        Returns
        -------
        Cut
            The clusters; those of the fit where nothing is given.

        Raises
        ------
        BadParameter
            More than one of the three is given, or the tree cannot be cut so.
        """
        refuse_two_cuts(n_clusters, level, nodes)
        if nodes is not None:
            return Cut(self, self._by_hand([nodes] if isinstance(nodes, str) else list(nodes)))
        if level is not None:
            n_clusters = self.n_clusters_at(level)
        return Cut(self, self._fitted_nodes if n_clusters is None else self._after(n_clusters))

    def n_clusters_at(self, level: str) -> int:
        """Return the number of clusters of a level.

        Parameters
        ----------
        level : {"fine", "medium", "coarse"}
            "medium" are the clusters of the fit, "fine" three times as many, and "coarse" a third.

        Returns
        -------
        int
            From 1 to ``n_leaves``.

        Raises
        ------
        BadParameter
            The level is none of these.
        """
        check_choice("level", level, LEVELS)
        medium = len(self._fitted_nodes)
        coarse = min(medium, max(2, -(-medium // RATIO)))
        return {"fine": min(RATIO * medium, self.n_leaves), "medium": medium, "coarse": coarse}[level]

    def linkage(self) -> FloatArray:
        """Return the tree in SciPy's format, for ``scipy.cluster.hierarchy``; its observations are the leaves.

        Returns
        -------
        ndarray of float64, shape (n_leaves - 1, 4)
            Of each merge the two nodes, its height, and the number of leaves in it. ``fcluster(tree.linkage(), 8, "maxclust")``
            gives a cluster to each leaf; ``tree.leaves`` has the leaf of each document.
        """
        counts = summed(self.merges, np.ones(self.n_leaves))[self.n_leaves :]
        return np.column_stack([self.merges.astype(np.float64), self.heights, counts])

    @cached_property
    def neighbors(self) -> tuple[NeighborCut, ...]:
        """The cuts with one cluster fewer and one more than the fit found, where there are such."""
        n_clusters = len(self._fitted_nodes)
        between = (n_clusters - 1, self.n_leaves - n_clusters), (n_clusters + 1, self.n_leaves - n_clusters - 1)
        return tuple(self._neighbor(number, n_clusters, merge) for number, merge in between if 0 <= merge < len(self.merges))

    def _neighbor(self, n_clusters: int, n_fitted: int, merge: int) -> NeighborCut:
        whole, parts = self.n_leaves + merge, self.merges[merge]
        height = float(self.heights[merge] if n_clusters < n_fitted else self.heights[merge - 1] if merge else 0.0)
        ids = self.by_size(int(part) for part in parts)
        one, other = (f"{node.name} ({node.size:,})" for node in map(self.node, ids))
        change = f"{one} and {other} would be one" if n_clusters < n_fitted else f"one would be divided: {one}; {other}"
        clusters = f"{n_clusters} cluster{'' if n_clusters == 1 else 's'}"
        return NeighborCut(n_clusters, self.ids[whole], (ids[0], ids[1]), height, f"With {clusters}, {change}.")

    @cached_property
    def _fitted_nodes(self) -> tuple[str, ...]:
        return tuple(self.ids[int(number)] for number in self.fitted if number >= 0)

    def _described(self, number: int) -> TreeNode:
        parent, merge = int(self.parents[number]), number - self.n_leaves
        children = tuple(self.ids[int(each)] for each in self.merges[merge]) if merge >= 0 else ()
        found = np.flatnonzero(self.fitted == number)
        cluster = int(found[0]) if len(found) else -1
        return TreeNode(
            self.ids[number],
            int(self.sizes[number]),
            float(self.heights[merge]) if merge >= 0 else 0.0,
            self.ids[parent] if parent >= 0 else "",
            children,
            self.apart[number],
            self.distinguishing[number],
            cluster,
            self.names.get(cluster, ""),
        )

    def _after(self, n_clusters: int) -> tuple[str, ...]:
        """The nodes that are left when so many are, largest first; those of the fit as the fit numbers them."""
        if check_count("n_clusters", n_clusters) > self.n_leaves:
            raise BadParameter(
                f"the tree has {self.n_leaves} leaves and cannot be cut into more clusters, got n_clusters={n_clusters}. "
                f"Use at most {self.n_leaves}, or fit again with more clusters."
            )
        if n_clusters == len(self._fitted_nodes):
            return self._fitted_nodes
        made = 2 * self.n_leaves - n_clusters  # nodes after so many merges
        return self.by_size(set(range(made)) - set(self.merges[: self.n_leaves - n_clusters].ravel().tolist()))

    def by_size(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Sort nodes as the clusters of a cut are numbered.

        Parameters
        ----------
        numbers : iterable of int
            The numbers of nodes.

        Returns
        -------
        tuple of str
            Their ids, the largest node first, of equals in the order of their ids.
        """
        return tuple(self.ids[each] for each in sorted(numbers, key=lambda each: (-self.sizes[each], self.ids[each])))

    def _by_hand(self, nodes: Sequence[str]) -> tuple[str, ...]:
        numbers = [self.number(id) for id in nodes]
        held = np.zeros(len(self.ids), dtype=np.int64)
        np.add.at(held, numbers, 1)
        for merge in range(len(self.merges) - 1, -1, -1):  # from the root down: how many of the nodes each one is in
            held[self.merges[merge]] += held[self.n_leaves + merge]
        if held[: self.n_leaves].max(initial=0) > 1:
            inside = sorted({id for id, number in zip(nodes, numbers, strict=True) if held[number] > 1})
            raise BadParameter(f"the nodes of a cut must not overlap: {', '.join(inside)} is inside another one. Leave it out.")
        missing = self.by_size(self._outside(held))
        if missing:
            raise BadParameter(f"the nodes of a cut must hold every document: {', '.join(missing)} is missing. Add it.")
        return self._fitted_nodes if set(numbers) == set(self.fitted[self.fitted >= 0].tolist()) else self.by_size(numbers)

    def _outside(self, held: IntArray) -> list[int]:
        """The largest nodes of which no leaf is held."""
        covered = summed(self.merges, (held[: self.n_leaves] > 0).astype(np.int64))
        return [n for n in np.flatnonzero(covered == 0).tolist() if self.parents[n] < 0 or covered[self.parents[n]] > 0]


def summed(merges: IntArray, of_leaves: Numbers) -> Numbers:
    """A number per node, which is the sum of those of its leaves."""
    found = np.concatenate([of_leaves, np.zeros(len(merges), dtype=of_leaves.dtype)])
    for merge, (a, b) in enumerate(merges):
        found[len(of_leaves) + merge] = found[a] + found[b]
    return found


def make_tree(found: MergeTree, keys: Keys, names: TermNames) -> Tree:
    """The public tree of what was found.

    Parameters
    ----------
    found : MergeTree
    keys : uint64 array (documents,)
        One per document, by its content or its id: the id of a node is made of those of its documents.
    names : array of str, optional
        The terms; without them, term i is named "term i".
    """
    ids = short_ids(node_keys(found.merges, found.leaves, keys))
    distinguishing, apart = (named_terms(each, names) for each in (found.distinguishing, found.apart))
    return Tree(found.leaves, found.merges, found.heights, found.fitted, ids, distinguishing, apart)


def node_keys(merges: IntArray, leaves: IntArray, keys: Keys) -> Keys:
    """A key per node: of the sum of the keys of its documents, so that their order does not matter."""
    sums = np.zeros(len(merges) + 1, dtype=np.uint64)
    np.add.at(sums, leaves[leaves >= 0], keys[leaves >= 0])
    with np.errstate(over="ignore"):  # sums modulo 2**64
        return mixed(summed(merges, sums))


def named_terms(lists: TermLists, names: TermNames) -> tuple[TermWeights, ...]:
    """The terms of each node by name; without names, term i is "term i"."""
    return tuple(
        tuple((f"term {term}" if names is None else str(names[term]), float(r)) for term, r in zip(*node, strict=True) if term >= 0)
        for node in zip(lists.terms.tolist(), lists.relevance.tolist(), strict=True)
    )
