"""The tree around other clusters of the same documents, as people make them: leaves stay, unless a cluster divides them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._consensus.merge_tree import Growth, MergeTree
from vicinal._consensus.mixture import fit_mixture, likeliest
from vicinal._consensus.pieces import SMALLEST
from vicinal._consensus.views import input_of_log_counts
from vicinal._matrix import csr
from vicinal._threads import single_threaded_libraries
from vicinal._typing import BoolArray, FloatArray, IntArray, Terms
from vicinal.projection._products import Products


def regrow(leaves: IntArray, between: Terms, log_counts: Terms, labels: IntArray, n_clusters: int) -> MergeTree:
    """Grow a tree again (V15 to V18) around other clusters.

    A leaf that is divided among clusters becomes a leaf of each, with its share of the edges. A few documents that left a leaf get
    the leaf of their cluster under which their terms are likeliest, and so do documents without one.

    Parameters
    ----------
    leaves : int array (documents,)
        The leaf of each document, -1 for none.
    between : sparse (leaves, leaves)
        Share of all edges between each two leaves.
    log_counts : sparse (documents, terms)
        What the mixture over terms counts (V1).
    labels : int array (documents,)
        The cluster of each document, -1 for none.
    n_clusters : int
    """
    with single_threaded_libraries():
        parts = _leaf_parts(leaves, labels, n_clusters, between.shape[0])
        first = np.searchsorted(parts.clusters, np.arange(n_clusters + 1)).astype(np.int64)
        found = _leaves(parts, Products(log_counts), labels, first)
        data = input_of_log_counts(log_counts, log_counts, None, 0, 1)
        return Growth(data, found, first, parts.edges(between)).tree(labels)


def leaves_by_terms(counts: Products, leaves: IntArray, n_leaves: int) -> IntArray:
    """The leaves of documents: of those without one, that under which their terms are likeliest (V2)."""
    return np.where(leaves >= 0, leaves, likeliest(counts, fit_mixture(counts, leaves, n_leaves)))


@final
@dataclass(frozen=True, eq=False)
class _LeafParts:
    """The leaves of the new tree, those of the first cluster first.

    Attributes
    ----------
    of_documents : int array (documents,)
        The leaf of each document, -1 for one that is not known.
    clusters, origins, sizes : int arrays (leaves,)
        The cluster of each leaf, the leaf that it was, and how many of its documents are known.
    """

    of_documents: IntArray
    clusters: IntArray
    origins: IntArray
    sizes: IntArray

    def edges(self, between: Terms) -> FloatArray:
        """Share of all edges between the leaves: parts of one that there was share its edges by their sizes."""
        old = np.flatnonzero(self.origins < between.shape[0])  # a cluster of new documents alone has no edges
        whole = np.bincount(self.origins, weights=self.sizes)
        shares = self.sizes[old] / whole[self.origins[old]]
        parts = sp.csr_array((shares, (old, self.origins[old])), shape=(len(self.origins), between.shape[0]))
        return np.asarray((parts @ sp.csr_array(between) @ parts.T).toarray())


def _leaf_parts(leaves: IntArray, labels: IntArray, n_clusters: int, n_leaves: int) -> _LeafParts:
    """What the clusters have of each leaf: as a leaf of its own, where it is large enough."""
    known = (leaves >= 0) & (labels >= 0)
    without = np.setdiff1d(labels[labels >= 0], labels[known])
    origins = np.where(np.isin(labels, without), n_leaves + labels, np.where(known, leaves, -1))
    width, here = n_leaves + n_clusters, origins >= 0
    pairs, sizes = np.unique(labels[here] * width + origins[here], return_counts=True)
    kept = _is_kept(pairs // width, pairs % width, sizes)
    place = np.where(kept, np.cumsum(kept) - 1, -1)
    of_documents = np.full(len(labels), -1, dtype=np.int64)
    of_documents[here] = place[np.searchsorted(pairs, labels[here] * width + origins[here])]
    return _LeafParts(of_documents, pairs[kept] // width, pairs[kept] % width, sizes[kept])


def _is_kept(clusters: IntArray, origins: IntArray, sizes: IntArray) -> BoolArray:
    """Whether a part of a leaf is large enough: by itself, as the larger half of the leaf, or as the largest that a cluster has."""
    whole, largest = np.bincount(origins, weights=sizes), np.zeros(int(clusters.max(initial=-1)) + 1)
    np.maximum.at(largest, clusters, sizes)
    return np.asarray((sizes >= SMALLEST) | (2 * sizes > whole[origins]) | (sizes == largest[clusters]))


def _leaves(parts: _LeafParts, counts: Products, labels: IntArray, first: IntArray) -> IntArray:
    """The leaf of each document that is in a cluster."""
    found = parts.of_documents.copy()
    for cluster in np.unique(labels[(found < 0) & (labels >= 0)]):
        here = np.flatnonzero(labels == cluster)
        own = np.where(found[here] >= 0, found[here] - first[cluster], -1)
        inside = Products(csr(sp.csr_array(counts.X)[here]))
        found[here] = leaves_by_terms(inside, own, int(first[cluster + 1] - first[cluster])) + first[cluster]
    return found
