"""Connections to SQLite files: how they are made, which are open in this process, and which it inherited by a fork."""

from __future__ import annotations

import os
import sqlite3
import weakref
from pathlib import Path
from typing import final

from vicinal._store.filesystem import file_key
from vicinal.errors import VicinalError

#: How long a reader waits while the journal is put in order, in milliseconds.
READER_WAITS = 10_000
#: The journal is cut back to this many bytes when it has been copied into the file.
_JOURNAL_BYTES = 1 << 26
_SETTINGS = (
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "foreign_keys = ON",
    "synchronous = FULL",
    "temp_store = MEMORY",
    f"journal_size_limit = {_JOURNAL_BYTES}",
)


@final
class OpenFile:
    """A connection to a file, closed when nothing refers to it any more; alone it would wait for the garbage collector.

    Parameters
    ----------
    path : Path
    query : str
        How SQLite is to open the file.

    Raises
    ------
    VicinalError
        The file was open when this process was forked from another.
    """

    def __init__(self, path: Path, query: str) -> None:
        self.connection = _connect(path, query)
        self.file = file_key(path)
        _OPEN.add(self)

    @property
    def inherited(self) -> bool:
        """Whether the connection is that of the process from which this one was forked."""
        return self in _INHERITED

    def close(self) -> None:
        """Close the connection, unless another process has made it."""
        if not self.inherited:
            self.connection.close()
            _OPEN.discard(self)

    def __del__(self) -> None:
        if hasattr(self, "connection"):
            self.connection.close()


#: The connections of this process.
_OPEN: weakref.WeakSet[OpenFile] = weakref.WeakSet()
#: Those of the process it was forked from, which must be neither used nor closed here. SQLite takes their locks for its own, so
#: these files cannot be opened anew either.
_INHERITED: set[OpenFile] = set()


def _after_fork() -> None:
    global _OPEN
    _INHERITED.update(_OPEN)
    _OPEN = weakref.WeakSet()


#: Not on Windows, where nothing is forked.
getattr(os, "register_at_fork", dict)(after_in_child=_after_fork)


def _connect(path: Path, query: str) -> sqlite3.Connection:
    if file_key(path) in {each.file for each in _INHERITED}:
        raise VicinalError(
            f"{path} was open when this process was forked, and locks do not pass to a child: changes would be lost. "
            f"Open the index after the fork alone, or start processes by spawn."
        )
    wait = READER_WAITS / 1000
    connection = sqlite3.connect(f"{path.as_uri()}?{query}", uri=True, isolation_level=None, check_same_thread=False, timeout=wait)
    for setting in _SETTINGS:
        connection.execute(f"PRAGMA {setting}").fetchall()
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    return connection
