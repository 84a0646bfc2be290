"""Connections to SQLite files: how they are made, which are open in this process, and which it inherited by a fork."""

from __future__ import annotations

import os
import sqlite3
import weakref
from contextlib import closing
from pathlib import Path
from typing import final

from vicinal._scripts import fold_accents
from vicinal._sqlite_files import has_journal
from vicinal._store.filesystem import as_unchanging, file_key, longest_value, may_write
from vicinal._store.schema import TABLES
from vicinal._store.sqlite_errors import LITTLE, STEPS, free_bytes, in_our_words
from vicinal.errors import DamagedIndex, DiskFull, VicinalError

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
#: What no statement of ours needs: other files, deep triggers, threads.
_LIMITS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 10,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
}
_WRITES = (sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE)
#: Steps of SQLite's machine between two looks; and how many a statement may take, for any file and for each byte of it.
STEPS_BETWEEN = 1 << 16
_FEWEST_STEPS, _STEPS_PER_BYTE = 20_000_000, 10


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
        self.watch = StepWatch(path)
        self.connection.set_progress_handler(self.watch, STEPS_BETWEEN)
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
    for limit, value in _LIMITS.items():
        connection.setlimit(limit, value)
    connection.create_function("folded", 1, _folded, deterministic=True)
    connection.set_authorizer(_authorize)
    return connection


def _folded(value: str | bytes | float | None) -> str | bytes | float | None:
    """Text as filters compare parts of it, in small letters without accents; anything else as it is."""
    return fold_accents(value) if isinstance(value, str) else value


def _authorize(action: int, one: str | None, other: str | None, database: str | None, within: str | None) -> int:
    """Refuse what a view in place of a table would read, what a trigger would write, and statements that call themselves."""
    written = within is not None and action in _WRITES
    return sqlite3.SQLITE_DENY if written or within in TABLES or action == sqlite3.SQLITE_RECURSIVE else sqlite3.SQLITE_OK


@final
class StepWatch:
    """Looks, every few thousand steps of a statement, whether a person has asked to stop, or the statement takes far too many.

    Python notices a signal when it runs code of its own, and during a statement it runs none.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.begin()

    def begin(self) -> None:
        """A statement begins."""
        self._looks, self._most = 0, 0

    def __call__(self) -> int:
        self._looks += 1
        if not self._most:
            self._most = (_FEWEST_STEPS + _STEPS_PER_BYTE * longest_value(self._path)) // STEPS_BETWEEN
        STEPS.exceeded = self._looks > self._most
        return int(STEPS.exceeded)


def reachable(path: Path, create: bool) -> tuple[bool, str]:
    """Whether a file can be written, and how SQLite is to open it.

    For writing where that is possible; else for reading, beside a journal or as a file that never changes. The last is also for a
    disk without room for what connections share: nothing is to be written, so it can still be read.

    Parameters
    ----------
    path : Path
    create : bool
        Whether the file may be missing.
    """
    if may_write(path):
        little = not create and free_bytes(path) < LITTLE and not has_journal(path)
        full = little and isinstance(_error(path, "mode=rw"), DiskFull)
        return (False, as_unchanging(path)) if full else (True, "mode=rwc")
    error = _error(path, "mode=ro")
    if error is None:
        return False, "mode=ro"
    if isinstance(error, DamagedIndex):
        raise error
    return False, as_unchanging(path)


def _error(path: Path, query: str) -> VicinalError | None:
    """The error when a file is looked into, or None."""
    try:
        with in_our_words(path), closing(_connect(path, query)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except VicinalError as error:
        return error
    return None
