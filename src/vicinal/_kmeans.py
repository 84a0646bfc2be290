"""k-means from several starts in parallel: scikit-learn does the work of one, and the number of threads changes no bit."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import numpy as np

from vicinal._matrix import small_indices
from vicinal._threads import is_task, over_tasks
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
    """Fit once per seed and return the fit with the lowest objective, the first of equals."""
    from sklearn.cluster import KMeans

    rows = small_indices(rows)

    def fit(seed: int) -> KMeans:
        """k-means from one start."""
        return KMeans(n_clusters, init=init, n_init=1, max_iter=max_iter, tol=tol, random_state=seed).fit(rows)

    with nullcontext() if is_task() else fewer_clusters_allowed():
        return min(over_tasks(fit, seeds, n_jobs), key=lambda each: each.inertia_)


@contextmanager
def fewer_clusters_allowed() -> Iterator[None]:
    """Without scikit-learn's warning of fewer different rows than clusters: callers count them and say so.

    Where k-means runs in several tasks at once this surrounds all of them, since the filters of warnings belong to the process.
    """
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield
