"""`ThreadEngine`: tasks in threads of this process, a few at a time, with the blocks in memory or on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, final

from vicinal._threads import count_threads, one_openmp_thread
from vicinal.engines._engine import Engine, Task

AHEAD = 2  # tasks per thread that are under way: enough to keep threads busy, few enough to bound the memory of results


@final
class ThreadEngine(Engine):
    """Run tasks in threads of this process: the engine that needs nothing else.

    Parameters
    ----------
    n_jobs : int, optional
        Threads; by default one per core. Results do not depend on it.
    memory : int or str, optional
        Bytes, or a size such as "4GB", that blocks are made small enough for.
    folder : path-like, optional
        Where rows that are given in memory are written, and finished stages of a fit are kept.
    on_disk : bool, default=False
        Whether rows that are given in memory, or by an iterator, are written to the folder and loaded block by block.

    See Also
    --------
    engine : Makes one by its name: "threads", or "disk" for blocks on disk.

    Examples
    --------
    >>> from vicinal.engines import ThreadEngine
    >>> with ThreadEngine(n_jobs=2) as threads:
    ...     threads.get([threads.call(pow, 2, power) for power in range(4)])
    [1, 2, 4, 8]
    """

    def __init__(
        self,
        n_jobs: int | None = None,
        *,
        memory: int | str | None = None,
        folder: str | Path | None = None,
        on_disk: bool = False,
    ) -> None:
        super().__init__(memory, folder)
        self.n_jobs = count_threads(n_jobs)
        self.shares_memory = not on_disk
        self._pool: ThreadPoolExecutor | None = None
        self._under_way: set[Future[Any]] = set()

    @property
    def n_workers(self) -> int:
        """How many threads."""
        return self.n_jobs

    def place(self, value: object) -> Task:
        """Put a value where every task can have it.

        Parameters
        ----------
        value : object
            Anything.

        Returns
        -------
        Task
            To be given to :meth:`call` in its stead.
        """
        done: Future[Any] = Future()
        done.set_result(value)
        return done

    def call(self, function: Callable[..., Any], *arguments: object) -> Task:
        """Run a function in a thread; waits while enough others are under way.

        Parameters
        ----------
        function : callable
            Whose result depends on its arguments alone.
        *arguments : object
            Its arguments; a task stands for its result.

        Returns
        -------
        Task
            Stands for the result.
        """
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.n_jobs, "vicinal", initializer=one_openmp_thread)
        while len(self._under_way) >= AHEAD * self.n_jobs:
            self._under_way = set(wait(self._under_way, return_when=FIRST_COMPLETED).not_done)
        task = self._pool.submit(_run, function, arguments)
        self._under_way.add(task)
        return task

    def get(self, tasks: Sequence[Task]) -> list[Any]:
        """Wait for tasks and return their results.

        Parameters
        ----------
        tasks : sequence of Task
            What :meth:`call` or :meth:`place` returned.

        Returns
        -------
        list
            The results, in the order of the tasks.
        """
        return [task.result() for task in tasks]

    def close(self) -> None:
        """End the threads; a later call starts others."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool, self._under_way = None, set()

    def __repr__(self) -> str:
        return f"ThreadEngine({self.n_jobs} threads{'' if self.shares_memory else ', blocks on disk'})"


def _run(function: Callable[..., Any], arguments: tuple[object, ...]) -> Any:
    """Tasks among the arguments were submitted earlier, and threads take tasks in order, so waiting for them ends."""
    return function(*(each.result() if isinstance(each, Future) else each for each in arguments))
