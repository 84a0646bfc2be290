"""Clusters of coordinates, and how well they agree with the classes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from vicinal import cluster
from vicinal._typing import FloatArray, IntArray
from vicinal.errors import TooFewDocuments, VicinalWarning
from vicinal.metrics import clustering_accuracy, normalized_mutual_info

STARTS = 10
DIGITS = 5

#: Results of one procedure: by variant ("" where there is one only), and by metric.
Values = dict[str, dict[str, float]]


def score(y: IntArray, labels: IntArray) -> dict[str, float]:
    """Accuracy and normalised mutual information, as fractions."""
    return {"accuracy": round(clustering_accuracy(y, labels), DIGITS), "nmi": round(normalized_mutual_info(y, labels), DIGITS)}


def by_kmeans(
    Z: Any,
    y: IntArray,
    k: int,
    name: str = "",
    *,
    init: str = "k-means++",
    normalize: bool = False,
    lowest: Callable[[Any, Any], float] | None = None,
) -> Values:
    """k-means from ten starts: the start with the lowest objective, and under ``name best`` the one with the highest accuracy.

    The second needs the labels that it is judged by. No method can know it; one of the papers may have reported it. ``lowest`` is
    another objective that the start is chosen by.
    """
    starts = [_start(Z, k, seed, init, normalize) for seed in range(STARTS)]
    scores = [score(y, found.labels) for found in starts]
    objectives = [found.objective if lowest is None else lowest(Z, found) for found in starts]
    chosen = min(range(STARTS), key=objectives.__getitem__)
    return {name: scores[chosen], f"{name} best".strip(): max(scores, key=lambda each: each["accuracy"])}


def sum_of_distances(Z: FloatArray, found: Any) -> float:
    """Distances from cluster centres, not squared: what the code that the authors published later chooses a start by."""
    inside = [Z[found.labels == each] for each in np.unique(found.labels)]
    return float(sum(np.linalg.norm(each - each.mean(axis=0), axis=1).sum() for each in inside))


def _start(Z: Any, k: int, seed: int, init: str, normalize: bool) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        while True:
            try:
                return cluster(Z, k, n_init=1, init=init, normalize=normalize, random_state=seed, n_jobs=1)
            except TooFewDocuments:  # a projection may put all documents on fewer than k points
                k -= 1
