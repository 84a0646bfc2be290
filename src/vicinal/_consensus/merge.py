"""Merging of clusters, one pair at a time, by the edges between them; and how loosely clusters are connected to the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal.graph import SparseGraph

TINY = float(np.finfo(float).tiny)
Linkage = Callable[[FloatArray, FloatArray], FloatArray]


def edges_between(graph: SparseGraph, labels: IntArray, n_clusters: int) -> FloatArray:
    """Share of all edge weight between each two clusters, and inside each (on the diagonal, both directions)."""
    edges = graph.weights.tocoo()
    a, b = labels[edges.row], labels[edges.col]
    known = (a >= 0) & (b >= 0)
    table = np.bincount(a[known] * n_clusters + b[known], weights=edges.data[known], minlength=n_clusters**2)
    return np.asarray(table.reshape(n_clusters, n_clusters) / max(table.sum(), TINY))


def conductances(between: FloatArray) -> FloatArray:
    """The share of the edges of each cluster that lead out of it (V9): measured against the cluster's own volume."""
    volume = between.sum(axis=1)
    return np.asarray(1.0 - np.diag(between) / np.maximum(volume, TINY))


def smaller_share(between: FloatArray, volume: FloatArray) -> FloatArray:
    """The share of its edges that the smaller of two clusters has in the other (V8).

    It is large for a part of one large cluster, and small for a small cluster of its own, whatever its size.
    """
    return np.asarray(between / np.maximum(np.minimum.outer(volume, volume), TINY))


def average(between: FloatArray, volume: FloatArray) -> FloatArray:
    """The mean weight of an edge between two clusters, relative to what their volumes lead to expect (V8)."""
    return np.asarray(between / np.maximum(np.outer(volume, volume), TINY))


def merge_path(between: FloatArray, linkage: Linkage) -> Iterator[tuple[int, int]]:
    """Which cluster is merged into which other, until one is left: pairs (kept, gone), the first of equals."""
    M = between.copy()
    alive = list(range(len(M)))
    while len(alive) > 1:
        living = np.array(alive)
        affinity = linkage(M[np.ix_(living, living)], M[living].sum(axis=1))
        np.fill_diagonal(affinity, -1.0)
        kept, gone = sorted(int(living[place]) for place in np.unravel_index(np.argmax(affinity), affinity.shape))
        add_edges(M, kept, gone)
        alive.remove(gone)
        yield kept, gone


def add_edges(between: FloatArray, kept: int, gone: int) -> None:
    """Add the edges of one cluster to those of another, in place."""
    between[kept] += between[gone]
    between[:, kept] += between[:, gone]
    between[gone] = between[:, gone] = 0.0


def without_gaps(labels: IntArray, n_kept: int = 0) -> IntArray:
    """Number clusters 0, 1, … in the order they had, leaving out those without a member after the first ``n_kept``; -1 stays."""
    known = labels >= 0
    numbers = np.full(len(labels), -1, dtype=np.int64)
    numbers[known] = np.unique(np.concatenate([np.arange(n_kept), labels[known]]), return_inverse=True)[1][n_kept:]
    return numbers


def merged(labels: IntArray, between: FloatArray, n_clusters: int, linkage: Linkage = smaller_share) -> IntArray:
    """Merge clusters until ``n_clusters`` are left and return the labels then, numbered without gaps; -1 stays."""
    target = np.arange(len(between))
    for _, (kept, gone) in zip(range(len(between) - n_clusters), merge_path(between, linkage), strict=False):
        target[target == gone] = kept
    numbers = np.unique(target, return_inverse=True)[1]
    return np.where(labels >= 0, numbers[np.maximum(labels, 0)], -1)
