"""Compaction: an index is written anew without the room that removed documents and earlier fits left, whole or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from vicinal._store.connections import STEPS_BETWEEN
from vicinal._store.journal import checkpoint
from vicinal._store.sqlite_errors import in_our_words
from vicinal._store.store import Store

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
    finally:
        checkpoint(store)
    return before, store.path.stat().st_size


def _connection(store: Store) -> sqlite3.Connection:
    """A connection of its own, since VACUUM attaches a file without a name, which those of a store may not."""
    connection = sqlite3.connect(f"{store.path.as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=_WAITS)
    connection.set_progress_handler(lambda: 0, STEPS_BETWEEN)  # Python notices Ctrl-C when it runs code of its own
    for setting in ("trusted_schema = OFF", "synchronous = FULL"):
        connection.execute(f"PRAGMA {setting}").fetchall()
    return connection
