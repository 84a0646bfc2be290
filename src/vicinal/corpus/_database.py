"""SQLite databases: a document per row of each table, read through SQLite alone and never written; an index is none of them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from vicinal._sqlite_files import header_error
from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.tables import Record, documents_of
from vicinal.corpus._report import Unreadable

ENDINGS = (".db", ".db3", ".sqlite", ".sqlite3")
#: "VICI": the application number of an index.
_INDEX = int.from_bytes(b"VICI", "big")


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database by its ending and its header, and not an index."""
    if path.suffix.lower() not in ENDINGS or not path.is_file() or not path.stat().st_size:
        return False
    if header_error(path) != sqlite3.SQLITE_OK:
        return False
    try:
        with closing(_opened(path)) as connection:
            [[application]] = connection.execute("PRAGMA application_id")
    except sqlite3.Error:
        return False
    return bool(application != _INDEX)


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{Path(os.path.abspath(path)).as_uri()}?mode=ro", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    for setting in ("query_only = ON", "trusted_schema = OFF"):
        connection.execute(f"PRAGMA {setting}")
    return connection


def tables(path: Path) -> list[str]:
    """The names of the tables, without those that SQLite and its extensions keep for themselves."""
    try:
        with closing(_opened(path)) as connection:
            rows = list(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"))
    except sqlite3.Error as error:
        raise Unreadable(f"a database that cannot be read: {error}") from error
    virtual = [name for name, sql in rows if (sql or "").upper().startswith("CREATE VIRTUAL")]
    own = [name for name, _ in rows if not name.startswith("sqlite_") and name not in virtual]
    return [name for name in own if not any(name.startswith(f"{each}_") for each in virtual)]


def table(path: Path, name: str, file: Input) -> Iterator[Document]:
    """One document per row of a table."""
    with closing(_opened(path)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, file.limits.document_bytes)
        try:
            yield from documents_of(_records(connection, name), file)
        except sqlite3.Error as error:
            raise Unreadable(f"a table that cannot be read: {error}") from error


def _records(connection: sqlite3.Connection, name: str) -> Iterator[Record]:
    quoted = name.replace('"', '""')
    found = connection.execute(f'SELECT * FROM "{quoted}"')
    names = [str(each[0]) for each in found.description]
    for number, row in enumerate(found, start=1):
        yield number, dict(zip(names, row, strict=True))
