"""Recognises SQLite files, which indexes are, through SQLite alone: opening one ourselves could drop its locks.

POSIX gives a process its locks on a file as a whole: when it closes *any* descriptor of the file, all its locks on it are
gone, and another process may delete the write-ahead log in use. SQLite postpones its own closing for this reason, so an index and
the files beside it that are locked are opened by SQLite alone; :func:`has_journal` looks into the log, which never is.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

from vicinal.errors import BadData

#: What is appended to the name of an index for the files that stand beside it while it is in use.
COMPANIONS = ("-wal", "-shm", "-journal", "-writer", "-commits")
#: The first bytes of a write-ahead log.
_LOG_BEGINS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
#: In bytes; SQLite takes a file of one byte for an empty one.
SMALLEST_PAGE = 512


def header_error(path: Path) -> int:
    """SQLite's error when it reads the header of a file: SQLITE_OK, or SQLITE_NOTADB for a file that is not its own.

    The file is opened as one that does not change: nothing is locked, and no journal beside it is looked at or applied. So the
    header of a file whose journal was not applied yet may give SQLITE_CORRUPT.
    """
    try:
        with closing(sqlite3.connect(f"{Path(os.path.abspath(path)).as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.execute("PRAGMA application_id").fetchall()
    except sqlite3.Error as error:
        return int(error.sqlite_errorcode) & 0xFF
    return sqlite3.SQLITE_OK


def has_journal(path: Path) -> bool:
    """Whether a write-ahead log with content lies beside a file: what SQLite reads is then not what the file alone holds.

    The log is opened here, and not by SQLite: that is safe, as it carries no POSIX locks (those are on the file and its ``-shm``),
    so that closing it drops none.
    """
    try:
        with path.with_name(path.name + "-wal").open("rb") as log:
            return log.read(4) in _LOG_BEGINS
    except OSError:
        return False


def belongs_to_sqlite(path: Path) -> bool:
    """Whether a file is SQLite's, or stands beside one and is part of it.

    A part is known by the file it stands beside and never looked into: the locks of readers and of the writer are on the ``-shm``,
    and SQLite itself, asked for its header, would drop them when it closes it.
    """
    return _is_part(path) or _is_sqlite(path)


def _is_part(path: Path) -> bool:
    return any(path.name.endswith(end) and _is_sqlite(path.with_name(path.name.removesuffix(end))) for end in COMPANIONS)


def refuse_sqlite(path: str | os.PathLike[str], wanted: str) -> None:
    """Refuse to open an index, or a file that is part of one, in place of what was wanted."""
    if belongs_to_sqlite(Path(path)):
        raise BadData(f"{os.fspath(path)} is an index or part of one, which is not opened as a file of text. Name {wanted}.")


def _is_sqlite(path: Path) -> bool:
    """SQLite files are whole pages long, so of most other files the size is all that is looked at."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return False
    pages = stat.S_ISREG(status.st_mode) and status.st_size > 0 and status.st_size % SMALLEST_PAGE == 0
    return pages and header_error(path) in (sqlite3.SQLITE_OK, sqlite3.SQLITE_CORRUPT)
