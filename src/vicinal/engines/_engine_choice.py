"""`engine`: the place to run by its name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vicinal.engines._engine import Engine, current_engine
from vicinal.errors import BadParameter

if TYPE_CHECKING:
    from distributed import Client

ENGINES = ("threads", "disk", "dask")


def engine(
    name: str = "threads",
    *,
    n_jobs: int | None = None,
    client: Client | None = None,
    memory: int | str | None = None,
    folder: str | Path | None = None,
) -> Engine:
    """Make an engine: where the work on blocks of documents runs.

    Parameters
    ----------
    name : str, default="threads"
        "threads" of this process; "disk", the same with the blocks in files; "dask" with a ``client``; or the address of a Dask
        scheduler, such as "tcp://scheduler:8786".
    n_jobs : int, optional
        Threads, for the first two; by default one per core. Results do not depend on it.
    client : distributed.Client, optional
        A client of a Dask cluster.
    memory : int or str, optional
        Bytes, or a size such as "4GB", that each process should stay below; blocks are made small enough for it.
    folder : path-like, optional
        Where rows that are given in memory are written for workers to load, and finished stages of a fit are kept, so that a
        rerun goes on from them.

    Returns
    -------
    Engine
        To be given to an estimator, or used in a ``with`` statement around its ``fit``.

    Raises
    ------
    BadParameter
        There is no engine of that name, or it does not take one of the parameters.
    MissingExtra
        Dask is asked for and not installed.
    EngineFailed
        No scheduler answers at the address.

    See Also
    --------
    RLPI : Its parameter ``engine`` takes one.

    Examples
    --------
    >>> import vicinal
    >>> vicinal.engine("disk", n_jobs=2, memory="1GB")
    ThreadEngine(2 threads, blocks on disk)
    """
    address = name if isinstance(name, str) and "://" in name else None
    if address is None and name not in ENGINES:
        raise BadParameter(
            f"engine must be one of {', '.join(map(repr, ENGINES))} or the address of a Dask scheduler, got {name!r}. Use "
            f"engine='threads'."
        )
    if address is not None or name == "dask":
        if n_jobs is not None:
            raise BadParameter(
                f"n_jobs is for threads, got n_jobs={n_jobs!r} for a Dask cluster, whose workers have theirs. Drop it."
            )
        from vicinal.engines._dask_engine import DaskEngine

        return DaskEngine(client, address=address, memory=memory, folder=folder)
    if client is not None:
        raise BadParameter(f"client is for the engine 'dask', got one for {name!r}. Use engine('dask', client=client).")
    from vicinal.engines._thread_engine import ThreadEngine

    return ThreadEngine(n_jobs, memory=memory, folder=folder, on_disk=name == "disk")


def engine_of(given: Engine | str | None) -> Engine | None:
    """The engine that a parameter stands for: itself, one by its name, or that of the ``with`` block around the call."""
    if given is None:
        return current_engine()
    return given if isinstance(given, Engine) else engine(given)
