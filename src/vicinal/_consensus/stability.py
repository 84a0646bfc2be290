"""Stability: how far the clusters would be others if the random seed were another, told by the answers that voted (V23).

Each of them starts from a random seed of its own; where there was one answer, each candidate for its clusters does. One that is
nearly as good as what was kept could have been it; one that is much worse could not. So they count by their quality.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from sklearn.metrics import adjusted_rand_score

from vicinal._typing import FloatArray, IntArray

TOLERANCE = 0.05  # of quality (V10) by which a candidate may be worse before it counts 1/e


@final
@dataclass(frozen=True, eq=False)
class Stability:
    """How far clusters agree with those of other starts.

    Attributes
    ----------
    clusters : float array (clusters,)
        Of each cluster with the most similar cluster of another start: documents in both over documents in either, on average.
    overall : float
        Adjusted Rand index with the clusters of another start, on average.
    """

    clusters: FloatArray
    overall: float


def stability(labels: IntArray, n_clusters: int, others: Sequence[IntArray], qualities: Sequence[float]) -> Stability:
    """Compare clusters with those of other answers, each counting by its quality (V23); without others they are stable.

    Parameters
    ----------
    labels : int array (documents,)
    n_clusters : int
    others : sequence of int array (documents,)
        The answers that voted, or the candidates that were not kept.
    qualities : sequence of float
        Theirs.
    """
    if not others:
        return Stability(np.ones(n_clusters), 1.0)
    weights = np.exp((np.asarray(qualities) - max(qualities)) / TOLERANCE)
    clusters = np.average([most_similar(labels, other, n_clusters) for other in others], axis=0, weights=weights)
    overall = np.average([adjusted_rand_score(labels, other) for other in others], weights=weights)
    return Stability(np.asarray(clusters), float(overall))


def most_similar(labels: IntArray, other: IntArray, n_clusters: int) -> FloatArray:
    """The Jaccard index of each cluster with the most similar cluster of another clustering; 0 for a cluster without documents."""
    m = max(int(other.max(initial=-1)) + 1, 1)
    known = (labels >= 0) & (other >= 0)
    both = np.bincount(labels[known] * m + other[known], minlength=n_clusters * m).reshape(n_clusters, m)
    either = both.sum(axis=1)[:, None] + both.sum(axis=0) - both
    return np.asarray(np.max(both / np.maximum(either, 1), axis=1))
