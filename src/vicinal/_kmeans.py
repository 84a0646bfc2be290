"""k-means from several starts in parallel: scikit-learn does the work of one, and the number of threads changes no bit."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from vicinal._matrix import small_indices
from vicinal._threads import count_threads, one_openmp_thread, single_threaded_libraries
from vicinal._typing import RandomState, Terms

if TYPE_CHECKING:
    from sklearn.cluster import KMeans


def draw_seeds(random_state: RandomState, n_init: int) -> list[int]:
    """One random seed per start, from a random state that is checked."""
    from sklearn.utils import check_random_state

    source = check_random_state(random_state)
    return [int(seed) for seed in source.randint(np.iinfo(np.int32).max, size=n_init)]


def best_start(
    rows: Terms,
    n_clusters: int,
    seeds: list[int],
    n_jobs: int | None,
    *,
    init: str = "k-means++",
    max_iter: int = 300,
    tol: float = 1e-4,
) -> KMeans:
    """Fit once per seed and return the fit with the lowest objective, the first of equals.

    OpenMP's limit belongs to a thread, BLAS's to the process: each worker sets the first, and the second surrounds all workers.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    rows = small_indices(rows)

    def fit(seed: int) -> KMeans:
        """k-means from one start."""
        return KMeans(n_clusters, init=init, n_init=1, max_iter=max_iter, tol=tol, random_state=seed).fit(rows)

    threads = min(count_threads(n_jobs), len(seeds))
    with single_threaded_libraries(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different rows than clusters: callers count them and say so
        if threads == 1:
            return min(map(fit, seeds), key=lambda each: each.inertia_)
        with ThreadPoolExecutor(threads, initializer=one_openmp_thread) as pool:
            return min(pool.map(fit, seeds), key=lambda each: each.inertia_)
