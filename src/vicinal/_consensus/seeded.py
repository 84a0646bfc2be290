"""k-means with some documents labelled: classes are the first clusters, and a labelled document never leaves its class."""

from __future__ import annotations

import numpy as np

from vicinal._centroids import class_means, nearest_by_products, squared_distances
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray

MAX_ROUNDS = 100
FARTHEST = 1e200  # the distance from no centroid at all


def seeded_kmeans(rows: FloatArray, known: IntArray, n_clusters: int, seed: int) -> IntArray:
    """Cluster embedded documents from the means of their classes (constrained k-means of Basu, Banerjee and Mooney, 2002).

    Parameters
    ----------
    rows : float array (documents, components)
    known : int array (documents,)
        The class of each labelled document, less than ``n_clusters``; -1 elsewhere.
    n_clusters : int
        Clusters beyond the classes start from unlabelled documents far from them.
    seed : int
    """
    with single_threaded_libraries():
        centroids = _first_centroids(rows, known, n_clusters, seed)
        labels = np.full(len(rows), -1, dtype=np.int64)
        for _ in range(MAX_ROUNDS):
            moved = np.where(known >= 0, known, nearest_by_products(rows, centroids)).astype(np.int64)
            if np.array_equal(moved, labels):
                break
            labels = moved
            occupied = np.bincount(labels, minlength=n_clusters) > 0
            centroids = np.where(occupied[:, None], class_means(rows, labels, n_clusters), centroids)
    return labels


def _first_centroids(rows: FloatArray, known: IntArray, n_clusters: int, seed: int) -> FloatArray:
    """Means of the classes; for each further cluster a document, the likelier the farther it lies from those (k-means++)."""
    centroids = class_means(rows, known, n_clusters)
    empty = np.bincount(known[known >= 0], minlength=n_clusters) == 0
    nearest = squared_distances(rows, centroids[~empty]).min(axis=1, initial=np.inf)
    random = np.random.RandomState(seed)
    for cluster in np.flatnonzero(empty):
        weights = np.where(known < 0, np.minimum(nearest, FARTHEST), 0.0)
        weights = weights if weights.sum() > 0 else np.ones(len(rows))
        centroids[cluster] = rows[random.choice(len(rows), p=weights / weights.sum())]
        nearest = np.minimum(nearest, squared_distances(rows, centroids[[cluster]])[:, 0])
    return centroids
