"""`Engine`: the three verbs that every place to run has: place a value, call a function, get results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextvars import ContextVar, Token
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from vicinal._memory_size import bytes_of

_current: ContextVar[Engine | None] = ContextVar("current engine", default=None)


class Task(Protocol):
    """What an engine gives for a value or a call: it may be an argument of another call, and ``get`` turns it into its value."""

    def result(self) -> Any:
        """Wait for the value and return it."""


class Engine(ABC):
    """Base class of engines: three verbs, by which functions run on blocks of documents somewhere.

    Inside a ``with`` block an engine is the one that estimators use which were given none.

    Parameters
    ----------
    memory : int or str, optional
        Bytes, or a size such as "4GB", that one process should stay below; None for no limit.
    folder : path-like, optional
        Where rows that are given in memory are written for workers to load, and finished stages of a fit are kept, so that a
        rerun goes on from them. None: a temporary folder, and no stage is kept.

    Attributes
    ----------
    n_workers : int
        How many tasks run at a time.
    shares_memory : bool
        Whether tasks see what the caller holds in memory; if not, blocks must be in files.

    See Also
    --------
    engine : Makes one by its name.

    Examples
    --------
    >>> from vicinal.engines import engine
    >>> with engine("threads", n_jobs=2) as threads:
    ...     half = threads.call(sum, [1, 2, 3])
    ...     threads.get([half, threads.call(max, half, 4)])
    [6, 6]
    """

    shares_memory: bool = True

    def __init__(self, memory: int | str | None = None, folder: str | Path | None = None) -> None:
        self.memory = bytes_of(memory)
        self.folder = None if folder is None else Path(folder)
        self._tokens: list[Token[Engine | None]] = []

    @property
    @abstractmethod
    def n_workers(self) -> int:
        """How many tasks run at a time."""

    @abstractmethod
    def place(self, value: object) -> Task:
        """Put a value where every task can have it.

        Parameters
        ----------
        value : object
            An array, say, that many calls have as an argument.

        Returns
        -------
        Task
            To be given to :meth:`call` in its stead. It survives the loss of a worker.
        """

    @abstractmethod
    def call(self, function: Callable[..., Any], *arguments: object) -> Task:
        """Run a function, some time soon.

        Parameters
        ----------
        function : callable
            Of a module, so that other processes can find it; its result must depend on its arguments alone, as it may run twice.
        *arguments : object
            Its arguments; a task stands for its result.

        Returns
        -------
        Task
            Stands for the result.
        """

    @abstractmethod
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

        Raises
        ------
        EngineFailed
            The workers or the scheduler are gone. An error of a task itself is raised as it is.
        """

    def close(self) -> None:  # noqa: B027 - an engine may have nothing to end
        """End what the engine has started."""

    def __enter__(self) -> Self:
        self._tokens.append(_current.set(self))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        _current.reset(self._tokens.pop())
        self.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # a copy of an estimator runs where the estimator does


def current_engine() -> Engine | None:
    """The engine of the innermost ``with`` block, or None."""
    return _current.get()
