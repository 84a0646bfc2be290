"""Compaction: an index is written anew without the room that removed documents and earlier fits left, whole or not at all."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from vicinal._store.connections import STEPS_BETWEEN
from vicinal._store.journal import checkpoint
from vicinal._store.sqlite_errors import free_bytes, in_our_words
from vicinal._store.store import Store
from vicinal.errors import DiskFull, VicinalError

#: How long it waits for others to end their reading or writing, in seconds.
_WAITS = 5.0


def compact_index(store: Store) -> tuple[int, int]:
    """Give back the room of what was removed.

    SQLite writes the pages in use into the journal and from there over the file: after a power cut it has all of the old pages, or
    all of the new ones. While it works nobody else can write.

    Parameters
    ----------
    store : Store

    Returns
    -------
    (int, int)
        Bytes of the file before and after.
    """
    checkpoint(store)
    before = store.path.stat().st_size
    with store.writing():
        store.execute("INSERT INTO words (words) VALUES ('optimize')")
    checkpoint(store)
    try:
        with in_our_words(store.path), closing(_connection(store)) as connection:
            connection.execute("VACUUM")
    except BaseException as error:
        with suppress(VicinalError):  # what went wrong first is told
            checkpoint(store)
        if isinstance(error, DiskFull):
            raise DiskFull(_no_room(store.path, before)) from error
        raise
    checkpoint(store)
    return before, store.path.stat().st_size


def _no_room(path: Path, size: int) -> str:
    """The sentence for a compaction without room, which may be missing on the disk of the index or on that of temporary files."""
    places = {path.parent, _temporary()}
    free = " and ".join(f"{free_bytes(place / path.name):,} in {place}" for place in sorted(places))
    return (
        f"{path} was not compacted, since a disk is full: a compaction needs up to {size:,} bytes beside the index and as many for "
        f"temporary files, and bytes that are free are {free}. The index is as it was. Make room, or name another folder for "
        f"temporary files in the variable SQLITE_TMPDIR."
    )


def _temporary() -> Path:
    """Where SQLite puts temporary files, as its documentation has it."""
    named = (os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp")
    usable = (Path(each) for each in named if each and os.path.isdir(each) and os.access(each, os.W_OK | os.X_OK))
    return next(usable, Path(tempfile.gettempdir()))


def _connection(store: Store) -> sqlite3.Connection:
    """A connection of its own, since VACUUM attaches a file without a name, which those of a store may not."""
    connection = sqlite3.connect(f"{store.path.as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=_WAITS)
    connection.set_progress_handler(lambda: 0, STEPS_BETWEEN)  # Python notices Ctrl-C when it runs code of its own
    for setting in ("trusted_schema = OFF", "synchronous = FULL"):
        connection.execute(f"PRAGMA {setting}").fetchall()
    return connection
