"""Parallel work over rows and over whole tasks in threads, with BLAS and OpenMP held to one thread.

Parallel work here goes over rows, or over tasks that do not look at each other, and each is computed whole by one thread, so
the number of threads changes no bit of a result. BLAS gives no such promise (its sums are split by thread), so it is held to one
thread wherever a result is learnt.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from numbers import Integral
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

from vicinal.errors import BadParameter

Item = TypeVar("Item")
Result = TypeVar("Result")

_lock = threading.Lock()
_this_thread = threading.local()
_inside = 0
_blas: list[Any] = []
_found: list[tuple[int, ThreadpoolController]] = []


@contextmanager
def single_threaded_libraries() -> Iterator[None]:
    """Hold BLAS and OpenMP to one thread inside the block, so that sums keep their order.

    BLAS counts its threads for the whole process, so with several blocks at once, in several threads, the first one in sets the
    limit and the last one out restores what was. OpenMP counts them per calling thread. A block inside a block of the same thread
    does nothing.
    """
    if getattr(_this_thread, "inside", False):
        yield
        return
    _enter()
    _this_thread.inside = True
    try:
        with one_openmp_thread():
            yield
    finally:
        _this_thread.inside = False
        _leave()


def one_openmp_thread() -> Any:
    """Hold OpenMP to one thread in the calling thread: until it ends, or as a context."""
    return _libraries().limit(limits=1, user_api="openmp")


def _libraries() -> ThreadpoolController:
    """The libraries that have threads of their own. To look for them takes milliseconds, and new ones come with new modules."""
    modules = len(sys.modules)
    if not _found or _found[-1][0] != modules:
        _found[:] = [(modules, ThreadpoolController())]
    return _found[-1][1]


def _enter() -> None:
    global _inside
    with _lock:
        if _inside == 0:
            _blas.append(_libraries().limit(limits=1, user_api="blas"))
        _inside += 1


def _leave() -> None:
    global _inside
    with _lock:
        _inside -= 1
        if _inside == 0:
            _blas.pop().restore_original_limits()


def count_threads(n_jobs: object) -> int:
    """How many threads ``n_jobs`` stands for: None and -1 mean every core this process may use, as -2 means all but one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    if n_jobs is None:
        return cores
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise BadParameter(f"n_jobs must be a whole number other than 0, got {n_jobs!r}. Use n_jobs=-1 for every core.")
    return int(n_jobs) if int(n_jobs) > 0 else max(1, cores + 1 + int(n_jobs))


def over_rows(task: Callable[[int, int], None], n_rows: int, n_jobs: int | None, block: int) -> None:
    """Call ``task(start, stop)`` for every block of rows, on several threads.

    The task must write only to its own rows and release the interpreter lock. Blocks are dealt out in order to whichever
    thread is free, which is safe for the bits because no block looks at another.
    """
    threads = 1 if is_task() else count_threads(n_jobs)
    starts = range(0, n_rows, block)
    if threads == 1 or len(starts) < 2:
        for start in starts:
            task(start, min(start + block, n_rows))
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(task, start, min(start + block, n_rows)) for start in starts]:
            done.result()


def over_tasks(task: Callable[[Item], Result], items: Sequence[Item], n_jobs: int | None) -> list[Result]:
    """Results of a task for each item, in order, on several threads; inside a task nothing is divided among threads once more.

    For tasks of a tenth of a second and more that do not look at each other. A task must not change the filters of warnings, which
    belong to the process.
    """
    threads = min(count_threads(n_jobs), len(items))
    with single_threaded_libraries():
        if threads < 2 or is_task():
            return [task(item) for item in items]
        with ThreadPoolExecutor(threads, initializer=_begin_tasks) as pool:
            return list(pool.map(task, items))


def _begin_tasks() -> None:
    """What holds in a thread of tasks until it ends: its libraries have one thread, and so has its work over rows."""
    one_openmp_thread()
    _this_thread.inside = _this_thread.is_task = True


def is_task() -> bool:
    """Whether the calling thread works on one of several tasks."""
    return getattr(_this_thread, "is_task", False)
