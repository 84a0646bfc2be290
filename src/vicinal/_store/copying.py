"""A copy of an index: one state of it in a new file, made by SQLite page by page while others read and write."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from vicinal._store.checksums import count_rows
from vicinal._store.filesystem import index_path
from vicinal._store.sqlite_errors import in_our_words
from vicinal._store.store import Store
from vicinal.errors import BadParameter


def copy_index(store: Store, to: str | os.PathLike[str]) -> int:
    """Copy an index to a path at which nothing is; there it appears when it is complete and on the disk.

    Parameters
    ----------
    store : Store
    to : str or path

    Returns
    -------
    int
        How many documents the copy has.

    Raises
    ------
    BadParameter
        Something is at the path.
    """
    path = index_path(to)
    _refuse(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:50]}.", suffix=".part", dir=path.parent)
    os.close(descriptor)
    unfinished = Path(name)
    try:
        n_documents = _copied(store, unfinished)
        unfinished.chmod(store.path.stat().st_mode & 0o777)
        _appear(unfinished, path)
    finally:
        for end in ("", "-journal", "-wal", "-shm"):
            unfinished.with_name(unfinished.name + end).unlink(missing_ok=True)
    return n_documents


def _copied(store: Store, file: Path) -> int:
    with store.reading(), in_our_words(file), closing(sqlite3.connect(file, isolation_level=None)) as connection:
        n_documents = count_rows(store, "documents")
        store.copy_to(connection)
    return n_documents


def _appear(unfinished: Path, path: Path) -> None:
    """Give a finished file its name, unless somebody else was quicker; and make the name last."""
    _synced(unfinished)
    try:
        os.link(unfinished, path)
    except FileExistsError:
        raise BadParameter(_taken(path)) from None
    except OSError:  # a file system without hard links
        _refuse(path)
        unfinished.rename(path)
    with suppress(OSError):  # a folder cannot be opened everywhere
        _synced(path.parent)


def _synced(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse(path: Path) -> None:
    if os.path.lexists(path):
        raise BadParameter(_taken(path))


def _taken(path: Path) -> str:
    return f"a copy is a new file, and {path} is there already. Give another path."
