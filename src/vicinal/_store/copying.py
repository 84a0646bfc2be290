"""A copy of an index: one state of it in a new file, made by SQLite page by page while others read and write."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from vicinal._store.checksums import count_rows
from vicinal._store.filesystem import index_path
from vicinal._store.sqlite_errors import full, in_our_words
from vicinal._store.store import Store
from vicinal.errors import BadIndex, BadParameter, DiskFull

#: What may lie beside a file that is written by SQLite or by a store.
_ENDS = ("", "-journal", "-wal", "-shm", "-commits", "-writer")


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
    with appearing(path, store.path) as unfinished:
        return _copied(store, unfinished)


@contextmanager
def appearing(path: Path, like: Path) -> Iterator[Path]:
    """The path to write a new index to, which appears at its own where no error ends the block; nothing is left of it otherwise.

    Parameters
    ----------
    path : Path
        Where it is to appear.
    like : Path
        A file that the same people may read and write.

    Raises
    ------
    BadParameter
        Something has come to be at the path.
    BadIndex
        Nothing can be made there.
    DiskFull
        The disk of the new index is full.
    """
    unfinished = _new_file(path)
    try:
        yield unfinished
        unfinished.chmod(like.stat().st_mode & 0o777)
        _appear(unfinished, path)
    except DiskFull as error:
        raise DiskFull(full(path, "Nothing was left at that path.")) from error
    finally:
        for end in _ENDS:
            unfinished.with_name(unfinished.name + end).unlink(missing_ok=True)


def _new_file(path: Path) -> Path:
    """An empty file beside a path, under a name that nobody else has."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:50]}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise BadIndex(
            f"{path} cannot be made: {error.strerror}. Check that its folder exists and that you may write there."
        ) from None
    os.close(descriptor)
    return Path(name)


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
