"""How fast a machine is: three short jobs, like those of a fit, timed beside the machine on which costs of stages were measured."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._threads import count_threads, single_threaded_libraries

REPEATS = 12  # of which the quickest counts: others were disturbed
#: CPU seconds of the three jobs on the machine where `python -m bench plan` measured the costs of stages.
REFERENCE = {"text": 0.0184, "lists": 0.0619, "products": 0.0150}


@final
@dataclass(frozen=True)
class MachineSpeed:
    """How long a machine takes for three kinds of work, relative to the one on which costs were measured, and its threads.

    Attributes
    ----------
    text : float
        Splitting and counting words, in Python: 2 for a machine that takes twice as long.
    lists : float
        Multiply-adds over posting lists, which wait for memory.
    products : float
        Products of sparse and dense matrices.
    n_threads : int
        Threads that a fit uses.

    See Also
    --------
    measure_speed : Measures this machine.

    Examples
    --------
    >>> from vicinal.planning import MachineSpeed, plan
    >>> slow, fast = MachineSpeed(2.0, 2.0, 2.0, 2), MachineSpeed(1.0, 1.0, 1.0, 2)
    >>> round(plan(50_000, machine=slow).seconds / plan(50_000, machine=fast).seconds, 6)
    2.0
    """

    text: float
    lists: float
    products: float
    n_threads: int


def measure_speed(n_jobs: int | None = None) -> MachineSpeed:
    """Measure how fast this machine is, by jobs of half a second in all.

    Parameters
    ----------
    n_jobs : int, optional
        Threads that a fit will use; by default one per core.

    Returns
    -------
    MachineSpeed
        By CPU time, so that what else runs on the machine counts little.

    Raises
    ------
    BadParameter
        ``n_jobs`` is no whole number, or 0.

    Examples
    --------
    >>> from vicinal.planning import measure_speed
    >>> measure_speed(n_jobs=2).n_threads
    2
    """
    text, lists, products = _relative_times()
    return MachineSpeed(text, lists, products, count_threads(n_jobs))


@cache
def _relative_times() -> tuple[float, float, float]:
    with single_threaded_libraries():
        jobs = {"text": _count_words, "lists": _add_lists(), "products": _multiply()}
        return tuple(_quickest(job) / REFERENCE[name] for name, job in jobs.items())  # type: ignore[return-value]


def _quickest(job: Callable[[], object]) -> float:
    job()
    times = []
    for _ in range(REPEATS):
        start = time.thread_time()
        job()
        times.append(time.thread_time() - start)
    return max(min(times), 1e-6)


def _count_words() -> dict[str, int]:
    """Words of a made-up text of 400,000 characters, found and counted."""
    counted: dict[str, int] = {}
    for word in re.findall(r"\w+", " ".join(f"word{number * number % 9973}" for number in range(40_000))):
        counted[word] = counted.get(word, 0) + 1
    return counted


def _made_up(n_documents: int) -> sp.csr_array:
    """Documents whose words are as unequally frequent as those of a language."""
    rng = np.random.RandomState(0)
    columns = (20_000 ** rng.uniform(0.3, 1.0, n_documents * 60)).astype(np.int64) - 1
    rows = np.repeat(np.arange(n_documents), 60)
    return sp.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n_documents, 20_000))


def _add_lists() -> Callable[[], object]:
    X = _made_up(1_500)
    across = sp.csr_array(X.T)
    return lambda: X @ across


def _multiply() -> Callable[[], object]:
    X, B = _made_up(8_000), np.ones((20_000, 64))
    return lambda: X @ B
