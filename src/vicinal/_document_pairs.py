"""Pairs of documents, gone over in blocks: cosines apart by whether labels agree, and shares of a label among the nearest."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from vicinal._matrix import is_sparse
from vicinal._typing import BoolArray, FloatArray, IntArray, Terms

# Sums of products agree to about 15 digits whatever their order; at 12 digits the order cannot break a tie.
_TIE_DECIMALS = 12
# Numbers held at a time while going over pairs in blocks: 8 MB of float64.
_BLOCK_ENTRIES = 2**20


def rows_at_once(n: int) -> int:
    """How many rows of so many numbers a block has."""
    return max(1, _BLOCK_ENTRIES // n)


def _row_blocks(n: int) -> Iterator[tuple[int, int]]:
    height = rows_at_once(n)
    return ((start, min(start + height, n)) for start in range(0, n, height))


def split_pairs(unit: Terms, codes: IntArray) -> tuple[FloatArray, FloatArray]:
    """The cosines of all pairs of documents: of those with one label, and of those with two."""
    n, sizes = len(codes), np.bincount(from_zero(codes))
    n_relevant = int((sizes * (sizes - 1) // 2).sum())
    relevant, others = np.empty(n_relevant), np.empty(n * (n - 1) // 2 - n_relevant)
    r = o = 0
    for start, stop in _row_blocks(n):
        similar = -cosine_distances(unit[start:stop], unit[start:])
        later = np.arange(start, n)[None, :] > np.arange(start, stop)[:, None]
        same = codes[start:stop, None] == codes[None, start:]
        same_label, two_labels = similar[later & same], similar[later & ~same]
        relevant[r : r + len(same_label)], others[o : o + len(two_labels)] = same_label, two_labels
        r, o = r + len(same_label), o + len(two_labels)
    return relevant, others


def mean_precision(relevant: FloatArray, others: FloatArray) -> float:
    """The mean, over relevant pairs, of the share of relevant ones among pairs at least as similar; both sorted."""
    total = 0.0
    for start in range(0, len(relevant), _BLOCK_ENTRIES):
        thresholds = relevant[start : start + _BLOCK_ENTRIES]
        hits = len(relevant) - np.searchsorted(relevant, thresholds)
        misses = len(others) - np.searchsorted(others, thresholds)
        total += float(np.sum(hits / (hits + misses)))
    return total / len(relevant)


def cosine_distances(block: Terms, unit: Terms) -> FloatArray:
    """Minus the cosines of rows of unit length, rounded so that the order of a sum breaks no tie."""
    similar = block @ unit.T
    similar = similar.toarray() if is_sparse(similar) else similar
    return np.asarray(-np.round(similar, _TIE_DECIMALS))


def mean_share(rows: Terms, codes: IntArray, wanted: IntArray, distances: Callable[[Terms, Terms], FloatArray]) -> float:
    """The mean share of documents with its own label among the nearest ones of each document, as many as are wanted."""
    shares: list[float] = []
    for start, stop in _row_blocks(len(codes)):
        block = distances(rows[start:stop], rows)
        block[np.arange(stop - start), np.arange(start, stop)] = np.inf
        members = (i for i in range(start, stop) if wanted[i] > 0)
        shares += [_share_among_nearest(block[i - start], codes == codes[i], int(wanted[i])) for i in members]
    return float(np.mean(shares))


def _share_among_nearest(distances: FloatArray, same: BoolArray, wanted: int) -> float:
    edge = np.partition(distances, wanted - 1)[wanted - 1]
    inside = distances < edge
    at_edge = np.flatnonzero(distances == edge)[: wanted - int(inside.sum())]
    return float((same[inside].sum() + same[at_edge].sum()) / wanted)


def from_zero(codes: IntArray) -> IntArray:
    """Codes without -1, which is no row of a matrix."""
    # check_labels keeps -1 for "not labelled"; counting needs numbers from 0.
    return codes + 1
