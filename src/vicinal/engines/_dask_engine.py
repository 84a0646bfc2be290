"""`DaskEngine`: tasks on the workers of a Dask cluster, as futures; a worker that is lost loses nothing for good."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from vicinal.engines._engine import Engine, Task
from vicinal.errors import BadParameter, EngineFailed, MissingExtra

if TYPE_CHECKING:
    from distributed import Client

LARGE = "distributed.admin.large-graph-warning-threshold"  # a warning about large values in tasks, which are meant


@final
class DaskEngine(Engine):
    """Run tasks on the workers of a Dask cluster.

    Values given to ``place`` travel inside a task, so the scheduler can make them again: what is scattered and lost stays lost.

    Parameters
    ----------
    client : distributed.Client, optional
        A client of the cluster; it is not closed.
    address : str, optional
        Of the scheduler, such as "tcp://scheduler:8786", where there is no client. One of the two is needed.
    memory : int or str, optional
        Bytes, or a size such as "2GB", that blocks are made small enough for: the limit of one worker.
    folder : path-like, optional
        A folder that all workers see: where rows that are given in memory are written, and finished stages of a fit are kept.
        None: a temporary folder of this machine, which serves workers on the same machine.

    Raises
    ------
    MissingExtra
        The package ``distributed`` is not installed.
    EngineFailed
        No scheduler answers at that address.
    BadParameter
        Neither a client nor an address is given, or both are.

    See Also
    --------
    engine : Makes one by its name.

    Examples
    --------
    >>> from vicinal.engines import DaskEngine
    >>> from distributed import Client, LocalCluster
    >>> cluster = LocalCluster(1, 1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None)
    >>> with cluster, Client(cluster) as client, DaskEngine(client) as workers:
    ...     workers.get([workers.call(pow, 2, power) for power in range(4)])
    [1, 2, 4, 8]
    """

    shares_memory = False

    def __init__(
        self,
        client: Client | None = None,
        *,
        address: str | None = None,
        memory: int | str | None = None,
        folder: str | Path | None = None,
    ) -> None:
        super().__init__(memory, folder)
        if (client is None) == (address is None):
            raise BadParameter("a Dask engine needs a client or the address of a scheduler, one of them. Use client=Client(…).")
        self._own = client is None
        self._client: Client = _connected(address) if client is None else client

    @property
    def n_workers(self) -> int:
        """How many threads all workers have together, at the moment."""
        return max(1, int(sum(self._client.nthreads().values())))

    def place(self, value: object) -> Task:
        """Put a value where every task can have it.

        Parameters
        ----------
        value : object
            Anything that can be sent to a process.

        Returns
        -------
        Task
            A future; the scheduler keeps what makes the value again.
        """
        return self.call(_itself, value)

    def call(self, function: Callable[..., Any], *arguments: object) -> Task:
        """Run a function on a worker.

        Parameters
        ----------
        function : callable
            Of a module, so that the workers can find it; its result must depend on its arguments alone.
        *arguments : object
            Its arguments; a task stands for its result.

        Returns
        -------
        Task
            A future.
        """
        import dask

        with dask.config.set({LARGE: "10GB"}), _failures():
            future: Task = self._client.submit(function, *arguments, pure=False)
            return future

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
            The scheduler is gone, or one task has ended several workers.
        """
        with _failures():
            return list(self._client.gather(list(tasks)))

    def close(self) -> None:
        """Leave the cluster, where the engine has connected to it."""
        if self._own:
            self._client.close()

    def __repr__(self) -> str:
        return f"DaskEngine({self._client.scheduler.address if self._client.scheduler else 'closed'})"


def _itself(value: Any) -> Any:
    return value


def _connected(address: str | None) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtra(
            "a Dask cluster needs the package distributed, which is not installed. Use pip install 'vicinal[dask]'."
        ) from None
    with _failures(OSError):
        return Client(address)


@contextmanager
def _failures(*also: type[Exception]) -> Iterator[None]:
    """Raise EngineFailed where the cluster fails, and let errors of tasks through as they are."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ == "KilledWorker":
            raise EngineFailed(
                "a task was given up after it had ended several workers: most often they had too little memory. Use smaller blocks "
                "(memory='1GB', say) or workers with more memory; a rerun with the same folder goes on."
            ) from error
        if isinstance(error, FileNotFoundError):
            raise EngineFailed(
                f"a worker cannot see {error.filename or error}: the rows are in a folder of this machine alone. Use engine(…, "
                f"folder=…) with a folder that all workers see."
            ) from error
        if not isinstance(error, (CancelledError, *also)) and not type(error).__module__.startswith("distributed"):
            raise
        raise EngineFailed(
            f"the Dask cluster cannot be reached ({type(error).__name__}: {str(error)[:200]}). Start its scheduler and workers "
            f"again; a rerun with the same folder goes on from the last finished stage."
        ) from error
