"""The tree of a clustering: the pieces of each cluster are merged inside it, and then the clusters, down to one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from vicinal._consensus.embeddings import NeighborGraphs
from vicinal._consensus.linkage import Merge, Merging, in_order
from vicinal._consensus.merge import edges_between
from vicinal._consensus.mixture import SMOOTHING, count_terms
from vicinal._consensus.pieces import divide, members
from vicinal._consensus.views import ConsensusInput
from vicinal._matrix import csr
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.projection._products import Products

SHOWN = 10  # terms that are kept of a node


@final
@dataclass(frozen=True, eq=False)
class TermLists:
    """The terms of each node, the most relevant first; -1 where there are fewer.

    Attributes
    ----------
    terms : int array (nodes, 10)
    relevance : float array (nodes, 10)
    """

    terms: IntArray
    relevance: FloatArray


@final
@dataclass(frozen=True, eq=False)
class MergeTree:
    """Nested clusters. Nodes are numbered as SciPy does: leaves first, then one node per merge.

    Attributes
    ----------
    leaves : int array (documents,)
        The leaf of each document, -1 for none.
    merges : int array (leaves - 1, 2)
        The two nodes that become one, in order.
    heights : float array (leaves - 1,)
        Share of the information of the leaves that is lost after each merge, rising to 1 (V17).
    fitted : int array (clusters,)
        The node of each cluster of the fit, -1 for one without documents.
    distinguishing : TermLists
        The terms of each node that distinguish it from all documents (V13).
    apart : TermLists
        The terms of each node that set it apart from the node that it is merged with (V18).
    between : sparse (leaves, leaves)
        Share of all edges between each two leaves: with it, the tree can be grown again around other clusters.
    """

    leaves: IntArray
    merges: IntArray
    heights: FloatArray
    fitted: IntArray
    distinguishing: TermLists
    apart: TermLists
    between: Terms


def grow_tree(
    data: ConsensusInput,
    graphs: NeighborGraphs,
    labels: IntArray,
    Z: FloatArray,
    keys: NDArray[np.uint64],
    sample: IntArray | None = None,
) -> MergeTree:
    """Build the tree around a clustering, which is one of its cuts (V15 to V18).

    Parameters
    ----------
    data : ConsensusInput
    graphs : NeighborGraphs
        Of all documents, or of a sample of them.
    labels : int array (documents,)
    Z : float array (documents, components)
        The consensus embedding: what pieces are found by where terms cannot be counted.
    keys : uint64 array (documents,)
        Numbers that depend on the content of each document alone: they order the documents.
    sample : int array, optional
        The documents of the graphs.
    """
    with single_threaded_libraries():
        order = np.argsort(keys, kind="stable")
        pieces = divide(data, _rows(data, graphs, Z, sample), labels, order)
        leaves, first = _numbered(labels, pieces, order)
        viewed = leaves if sample is None else leaves[sample]
        between = edges_between(graphs.combined, viewed, int(first[-1]))
        return Growth(data, leaves, first, between).tree(labels)


def _rows(data: ConsensusInput, graphs: NeighborGraphs, Z: FloatArray, sample: IntArray | None) -> FloatArray:
    """The latent embedding, zero outside the sample: terms assign those documents, where terms can be counted."""
    if data.log_counts is None:
        return Z
    if sample is None:
        return graphs.latent
    rows = np.zeros((data.X.shape[0], graphs.latent.shape[1]))
    rows[sample] = graphs.latent
    return rows


def _numbered(labels: IntArray, pieces: list[IntArray], order: IntArray) -> tuple[IntArray, IntArray]:
    """The leaf of each document, and the first leaf of each cluster, with their number at the end."""
    sizes = [int(piece.max(initial=-1)) + 1 for piece in pieces]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    leaves = np.full(len(labels), -1, dtype=np.int64)
    for cluster, piece in enumerate(pieces):
        leaves[members(labels, cluster, order)] = piece + first[cluster]
    return leaves, first


@final
class Growth:
    """The nodes while they are made: merges with what each loses, and the terms of the nodes so far.

    Parameters
    ----------
    data : ConsensusInput
    leaves : int array (documents,)
        The leaf of each document, -1 for none; those of one cluster follow each other.
    first : int array (clusters + 1,)
        The first leaf of each cluster, and the number of leaves.
    between : float array (leaves, leaves)
        Share of all edges between each two leaves.
    """

    def __init__(self, data: ConsensusInput, leaves: IntArray, first: IntArray, between: FloatArray) -> None:
        self.data, self.leaves, self.first, self.between = data, leaves, first, between
        self.n_leaves, self.n_clusters = int(first[-1]), len(first) - 1
        n_nodes = max(2 * self.n_leaves - 1, 0)
        self.merges: list[tuple[int, int]] = []
        self.lost: list[float] = []
        self.lists = [TermLists(np.full((n_nodes, SHOWN), -1), np.zeros((n_nodes, SHOWN))) for _ in range(2)]

    def tree(self, labels: IntArray) -> MergeTree:
        """All merges: inside the clusters, then of the clusters."""
        present = np.flatnonzero(np.diff(self.first) > 0)
        self.clusters = self._table(self.data, labels, self.n_clusters)[present]
        self.everywhere = self.clusters.sum(axis=0)
        tops = self._merge_inside(present)
        self._merge_clusters(present, tops)
        fitted = np.full(self.n_clusters, -1, dtype=np.int64)
        fitted[present] = tops
        lost = np.cumsum(self.lost)
        heights = lost / lost[-1] if len(lost) and lost[-1] > 0 else np.arange(1.0, len(lost) + 1) / max(len(lost), 1)
        merges = np.array(self.merges, dtype=np.int64).reshape(-1, 2)
        distinguishing, apart = self.lists
        return MergeTree(self.leaves, merges, heights, fitted, distinguishing, apart, csr(sp.csr_array(self.between)))

    def _merge_inside(self, present: IntArray) -> list[int]:
        """Merge the pieces of each cluster, the cheapest pair of all clusters first; return the node of each cluster."""
        nodes = [list(range(int(self.first[cluster]), int(self.first[cluster + 1]))) for cluster in present]
        paths, terms = [], []
        for cluster in present:
            path, found = self._path_inside(int(cluster))
            paths.append(path)
            terms.append(iter(found))
        for place, merge in in_order(paths):
            self._add(nodes[place], merge, next(terms[place]))
        return [each[0] for each in nodes]

    def _path_inside(self, cluster: int) -> tuple[list[Merge], list[_MergedTerms]]:
        here = np.arange(self.first[cluster], self.first[cluster + 1])
        if len(here) < 2:
            return [], []
        documents = np.flatnonzero((self.leaves >= here[0]) & (self.leaves <= here[-1]))
        counts = self._table(_part(self.data, documents), self.leaves[documents] - here[0], len(here))
        between = self.between[np.ix_(here, here)]
        path = list(Merging(self._counted(counts), between, self.between[here].sum(axis=1)).path())
        return path, list(self._terms_along(counts, path))

    def _merge_clusters(self, present: IntArray, tops: list[int]) -> None:
        cluster_of = np.repeat(np.arange(len(present)), np.diff(self.first)[present])
        joined = np.zeros((len(present), self.n_leaves))
        joined[cluster_of, np.arange(self.n_leaves)] = 1.0
        between = joined @ self.between @ joined.T
        path = list(Merging(self._counted(self.clusters), between, between.sum(axis=1)).path())
        nodes = list(tops)
        for merge, terms in zip(path, self._terms_along(self.clusters, path), strict=True):
            self._add(nodes, merge, terms)
        if nodes:
            self._describe_root(nodes[0])

    def _add(self, nodes: list[int], merge: Merge, terms: _MergedTerms) -> None:
        """One more node; the terms of the two that it is made of are known now."""
        for node, lists in zip((nodes[merge.kept], nodes[merge.gone]), terms, strict=True):
            for kept, (best, relevance) in zip(self.lists, lists, strict=True):
                kept.terms[node, : len(best)], kept.relevance[node, : len(best)] = best, relevance
        self.merges.append((nodes[merge.kept], nodes[merge.gone]))
        self.lost.append(merge.loss)
        nodes[merge.kept] = self.n_leaves + len(self.merges) - 1

    def _describe_root(self, root: int) -> None:
        """All documents: their most frequent terms, as nothing is left to set them apart from."""
        for kept in self.lists:
            best, relevance = _largest(self.everywhere / max(float(self.everywhere.sum()), 1.0))
            kept.terms[root, : len(best)], kept.relevance[root, : len(best)] = best, relevance

    def _counted(self, table: FloatArray) -> FloatArray | None:
        return None if self.data.equal_counts is None else table

    def _table(self, data: ConsensusInput, labels: IntArray, n_clusters: int) -> FloatArray:
        """Sums of the counts of terms, or of weights where terms cannot be counted: clusters x terms."""
        products = Products(data.X, n_jobs=data.n_jobs) if data.equal_counts is None else data.equal_counts
        return np.ascontiguousarray(count_terms(products, labels, n_clusters).T)

    def _terms_along(self, counts: FloatArray, path: list[Merge]) -> Iterator[_MergedTerms]:
        """At each merge, the terms of the two nodes that become one."""
        sums = counts.copy()
        for kept, gone, *_ in path:
            a, b = sums[kept], sums[gone]
            yield (self._terms(a, b), self._terms(b, a))
            sums[kept] += sums[gone]

    def _terms(self, node: FloatArray, sibling: FloatArray) -> _NodeTerms:
        relevance = _relevance if self.data.equal_counts is not None else _difference
        return _largest(relevance(node, self.everywhere)), _largest(relevance(node, sibling))


_Terms = tuple[IntArray, FloatArray]
_NodeTerms = tuple[_Terms, _Terms]
_MergedTerms = tuple[_NodeTerms, _NodeTerms]


def _part(data: ConsensusInput, documents: IntArray) -> ConsensusInput:
    """Some documents with all terms, for the sums of their counts."""
    if data.equal_counts is None:
        return ConsensusInput(data.X[documents], None, None, None, data.random_state, data.n_jobs)
    counts = Products(csr(sp.csr_array(data.equal_counts.X)[documents]), n_jobs=data.n_jobs)
    return ConsensusInput(data.X[documents], counts, counts, None, data.random_state, data.n_jobs)


def _relevance(counts: FloatArray, others: FloatArray) -> FloatArray:
    """p ln(p / q): how much more probable each term is here than there, by its part in the divergence of the two (V13, V18)."""
    here = np.flatnonzero(counts)
    p = (counts[here] + SMOOTHING) / (counts.sum() + SMOOTHING * len(counts))
    q = (others[here] + SMOOTHING) / (others.sum() + SMOOTHING * len(others))
    relevance = np.zeros(len(counts))
    relevance[here] = p * np.log(p / q)
    return relevance


def _difference(weights: FloatArray, others: FloatArray) -> FloatArray:
    """The same where terms cannot be counted: how much larger each term's share of the weights is."""
    shares = [each / max(float(np.abs(each).sum()), np.finfo(float).tiny) for each in (weights, others)]
    return np.asarray(shares[0] - shares[1])


def _largest(relevance: FloatArray) -> _Terms:
    """The terms of largest relevance above zero, the first of equals first."""
    some = np.flatnonzero(relevance > 0)
    if len(some) > SHOWN:
        least = np.partition(relevance[some], -SHOWN)[-SHOWN]
        some = some[relevance[some] >= least]
    best = some[np.lexsort((some, -relevance[some]))][:SHOWN]
    return best, relevance[best]
