"""The tables of an index, its version, and how to tell an index from any other file.

All statements that make tables are here. A file is an index when its application number in SQLite is
"VICI"; it is sound in outline when its tables are those below, to the letter, and it has no others. So neither a
missing table nor a trigger that somebody put into the file goes unnoticed.

A file of an earlier version is read as it is, and gets the tables of this one with the first change that is written to it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from vicinal.errors import BadIndex, DamagedIndex, MissingExtra, NewerIndex, NotAnIndex

#: "VICI" as SQLite's application number.
APPLICATION_ID = int.from_bytes(b"VICI", "big")
#: The version of the tables below, kept in the file as SQLite's user version.
FORMAT = 2
#: Strict tables exist since then.
OLDEST_SQLITE = (3, 37)

#: How the full text splits texts into words.
TOKENIZE = "tokenize='porter unicode61 remove_diacritics 2'"

#: Name of each table, and the statement that makes it. What filters look at stands before the long texts, which they need not read.
TABLES: Mapping[str, str] = {
    "documents": """CREATE TABLE documents (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        digest BLOB NOT NULL,
        generation INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        label TEXT NOT NULL,
        source TEXT NOT NULL,
        metadata TEXT NOT NULL,
        title TEXT NOT NULL,
        text TEXT NOT NULL
    ) STRICT""",
    "words": """CREATE VIRTUAL TABLE words USING fts5 (
        title, text, content='documents', content_rowid='number', tokenize='porter unicode61 remove_diacritics 2'
    )""",
    "labels": """CREATE TABLE labels (
        document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
        label TEXT NOT NULL,
        origin TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT""",
    "roots": """CREATE TABLE roots (
        root INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        beside TEXT NOT NULL,
        name TEXT NOT NULL UNIQUE,
        options TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT""",
    "origins": """CREATE TABLE origins (
        document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
        root INTEGER NOT NULL REFERENCES roots (root),
        path TEXT NOT NULL,
        part TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        UNIQUE (root, path, part)
    ) STRICT""",
    "arrays": """CREATE TABLE arrays (
        name TEXT NOT NULL PRIMARY KEY,
        kind TEXT NOT NULL,
        dtype TEXT NOT NULL,
        shape TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT""",
    "blocks": """CREATE TABLE blocks (
        block INTEGER PRIMARY KEY,
        name TEXT NOT NULL REFERENCES arrays (name) ON DELETE CASCADE,
        part TEXT NOT NULL,
        first_row INTEGER NOT NULL,
        n_rows INTEGER NOT NULL,
        dtype TEXT NOT NULL,
        shape TEXT NOT NULL,
        checksum INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        UNIQUE (name, part, first_row)
    ) STRICT""",
    "settings": """CREATE TABLE settings (
        name TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL,
        checksum INTEGER NOT NULL
    ) STRICT""",
    "tallies": """CREATE TABLE tallies (
        name TEXT NOT NULL PRIMARY KEY,
        n_rows INTEGER NOT NULL,
        total INTEGER NOT NULL
    ) STRICT""",
}
#: Tables whose rows are counted, and whose checksums are added up, in ``tallies``.
TALLIED = ("documents", "labels", "roots", "origins", "arrays", "blocks", "settings")
#: The version that a table came with; the others are there since the first.
SINCE: Mapping[str, int] = {"roots": 2, "origins": 2}


def tables_of(format: int) -> dict[str, str]:
    """The tables of a version, each with the statement that makes it."""
    return {name: statement for name, statement in TABLES.items() if SINCE.get(name, 1) <= format}


def tallied_in(format: int) -> tuple[str, ...]:
    """The tables of a version whose rows are counted."""
    return tuple(name for name in TALLIED if SINCE.get(name, 1) <= format)


def _add_origins(connection: sqlite3.Connection) -> None:
    """From 1 to 2: where documents came from; those of old files are looked up when documents are next added."""
    for name in ("roots", "origins"):
        connection.execute(TABLES[name])
        connection.execute("INSERT INTO tallies VALUES (?, 0, 0)", (name,))


#: From a version to the function that turns its tables into those of the next. Version 1 is the first.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: _add_origins}


def require_sqlite() -> None:
    """Raise MissingExtra where Python was built with an SQLite that is too old for these tables."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        needed = ".".join(map(str, OLDEST_SQLITE))
        raise MissingExtra(
            f"an index needs SQLite {needed} or later, got {sqlite3.sqlite_version}. Install a Python built with a newer one."
        )


def create(connection: sqlite3.Connection, format: int | None = None) -> None:
    """Make the tables of an empty file, of this version or an earlier one, inside the transaction of the caller."""
    format = format or FORMAT
    for statement in tables_of(format).values():
        connection.execute(statement)
    connection.executemany("INSERT INTO tallies VALUES (?, 0, 0)", [(name,) for name in (*tallied_in(format), "commits")])
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
    connection.execute(f"PRAGMA user_version = {format:d}")


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written into the file."""
    [[objects]] = connection.execute("SELECT count(*) FROM sqlite_schema")
    return objects == 0 and pragma(connection, "application_id") == 0


def pragma(connection: sqlite3.Connection, name: str) -> int:
    """One of SQLite's own numbers of a file."""
    [[value]] = connection.execute(f"PRAGMA {name}")
    return int(value)


def version(connection: sqlite3.Connection, path: object) -> int:
    """Return the version of an index; raise NotAnIndex for a file of others and NewerIndex for one that is not known yet."""
    owner = pragma(connection, "application_id")
    if owner != APPLICATION_ID:
        raise NotAnIndex(
            f"{path} is an SQLite file, but not an index: it belongs to application {owner}, and an index to {APPLICATION_ID}. "
            f"Check the path; the file was not changed."
        )
    found = pragma(connection, "user_version")
    if found > FORMAT:
        raise NewerIndex(
            f"{path} has format {found}, and this version of vicinal knows formats up to {FORMAT}. Install a newer vicinal."
        )
    if found < 1:
        raise DamagedIndex(f"{path} has format {found}, and formats begin at 1: its header is damaged. Restore it from a copy.")
    return found


def refuse_too_old(connection: sqlite3.Connection, path: object) -> None:
    """Raise BadIndex where there is no way from the version of a file to this one."""
    found = version(connection, path)
    missing = [each for each in range(found, FORMAT) if each not in MIGRATIONS]
    if missing:
        raise BadIndex(f"{path} has format {missing[0]}, which is too old to be brought to {FORMAT}. Build the index again.")


def migrate(connection: sqlite3.Connection, path: object) -> None:
    """Bring the tables of an older version up to this one, inside the transaction of the caller."""
    for found in range(version(connection, path), FORMAT):
        MIGRATIONS[found](connection)
        connection.execute(f"PRAGMA user_version = {found + 1:d}")


MISSING = "is missing"
#: Kind, table and statement of a table, index, trigger or view.
_Entry: TypeAlias = tuple[str, str, str | None]
#: What SQLite's ANALYZE writes.
_STATISTICS = re.compile(r"CREATE TABLE sqlite_stat[1-4]\([a-z]+(,[a-z]+)*\)")


def differences(connection: sqlite3.Connection) -> dict[str, str]:
    """What is wrong with the outline of a file, as a sentence for each table, index, trigger or view.

    The statements are compared as texts, before anything in the file is read: none of them is run.
    """
    found, expected = _outline(connection), _expected(pragma(connection, "user_version"))
    wrong = {name: f"{name} {MISSING}" for name in expected.keys() - found.keys()}
    wrong |= {name: f"{name} is not part of an index" for name in found.keys() - expected.keys()}
    wrong |= {
        name: f"{name} is not defined as in an index" for name in found.keys() & expected.keys() if found[name] != expected[name]
    }
    return dict(sorted(wrong.items()))


@cache
def _expected(format: int) -> dict[str, list[_Entry]]:
    connection = sqlite3.connect(":memory:")
    try:
        create(connection, format)
        return _outline(connection)
    finally:
        connection.close()


def _outline(connection: sqlite3.Connection) -> dict[str, list[_Entry]]:
    """Kind, table and statement of all that is in the file, by name; of the parts of the full text, which SQLite writes, the words.

    A trigger may have the name of a table, so that a name can have several. Statistics are left out where they are the table that
    SQLite makes of them: under their name, too, there could be a trigger.
    """
    found: dict[str, list[_Entry]] = {}
    for name, kind, table, sql in connection.execute("SELECT name, type, tbl_name, sql FROM sqlite_schema"):
        if kind != "table" or table != name or not _STATISTICS.fullmatch(str(sql)):
            entry = kind, table, _plain(sql) if str(name).startswith("words_") else sql
            found.setdefault(str(name), []).append(entry)
    return found


def _plain(statement: str | None) -> str | None:
    """A statement without quotes and blanks, which differ between versions of SQLite."""
    return re.sub(r"[\s'\"]", "", statement).lower() if isinstance(statement, str) else statement
