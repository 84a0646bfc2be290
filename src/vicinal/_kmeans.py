"""k-means with several starts side by side: scikit-learn does the work of one, and the number of threads changes no bit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state

from vicinal._matrix import small_indices
from vicinal._threads import count_threads, one_openmp_thread, single_threaded_libraries
from vicinal._typing import RandomState, Terms
from vicinal.errors import BadParameter


def draw_seeds(random_state: RandomState, n_init: int) -> list[int]:
    """One seed per start."""
    try:
        source = check_random_state(random_state)
    except ValueError:
        raise BadParameter(f"random_state must be a seed, a RandomState or None, got {random_state!r}.") from None
    return [int(seed) for seed in source.randint(np.iinfo(np.int32).max, size=n_init)]


def best_start(rows: Terms, n_clusters: int, seeds: list[int], n_jobs: int | None, **options: Any) -> Any:
    """Fit once per seed and return the fit with the lowest objective, the first of equals.

    OpenMP's limit belongs to a thread, BLAS's to the process: each worker sets the first, the second goes around all.
    """
    rows = small_indices(rows)

    def fit(seed: int) -> Any:
        return KMeans(n_clusters, n_init=1, random_state=seed, **options).fit(rows)

    threads = min(count_threads(n_jobs), len(seeds))
    with single_threaded_libraries():
        if threads == 1:
            return min(map(fit, seeds), key=lambda each: each.inertia_)
        with ThreadPoolExecutor(threads, initializer=one_openmp_thread) as pool:
            return min(pool.map(fit, seeds), key=lambda each: each.inertia_)
