"""k-means with some documents labelled: classes are the first clusters, and a labelled document never leaves its class."""

from __future__ import annotations

import numpy as np
from sklearn.cluster import kmeans_plusplus

from vicinal._centroids import class_means, half_squared_norms
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray

MAX_ROUNDS = 100


def seeded_kmeans(rows: FloatArray, known: IntArray, n_clusters: int, seed: int) -> IntArray:
    """Cluster embedded documents from the means of their classes (constrained k-means of Basu, Banerjee and Mooney, 2002).

    Parameters
    ----------
    rows : float array (documents, components)
    known : int array (documents,)
        The class of each labelled document, less than ``n_clusters``; -1 elsewhere.
    n_clusters : int
        Clusters beyond the classes start from unlabelled documents far from all of them, as in k-means++.
    seed : int
    """
    with single_threaded_libraries():
        centers = _first_centers(rows, known, n_clusters, seed)
        labels = np.full(len(rows), -1, dtype=np.int64)
        for _ in range(MAX_ROUNDS):
            nearest = np.argmax(rows @ centers.T - half_squared_norms(centers), axis=1)
            moved = np.where(known >= 0, known, nearest).astype(np.int64)
            if np.array_equal(moved, labels):
                break
            labels = moved
            occupied = np.bincount(labels, minlength=n_clusters) > 0
            centers = np.where(occupied[:, None], class_means(rows, labels, n_clusters), centers)
    return labels


def _first_centers(rows: FloatArray, known: IntArray, n_clusters: int, seed: int) -> FloatArray:
    """Means of the classes that have a labelled document here; the others by k-means++ among the documents without a label."""
    centers = class_means(rows, known, n_clusters)
    empty = np.flatnonzero(np.bincount(known[known >= 0], minlength=n_clusters) == 0)
    free = rows[known < 0] if np.any(known < 0) else rows
    if len(empty):
        drawn = kmeans_plusplus(free, min(n_clusters, len(free)), random_state=seed)[0]
        taken = centers[np.setdiff1d(np.arange(n_clusters), empty)]
        centers[empty[: len(drawn)]] = _farthest(drawn, taken)[: len(empty)]
    return centers


def _farthest(drawn: FloatArray, taken: FloatArray) -> FloatArray:
    """Candidates, those farthest from every center that is taken first."""
    if not len(taken):
        return drawn
    distances = np.min(((drawn[:, None] - taken[None]) ** 2).sum(axis=2), axis=1)
    return np.asarray(drawn[np.argsort(-distances, kind="stable")])
