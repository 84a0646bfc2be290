"""Databases: a document per row of each table or of a query; SQLite and DuckDB files by their own engines and never written.

An index, which is an SQLite file, is none of them.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, TypeAlias

from vicinal._sqlite_files import header_error
from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input, Reader
from vicinal.corpus._formats.tables import Record, documents_of
from vicinal.corpus._read_report import Unreadable
from vicinal.errors import BadParameter, MissingExtra

ENDINGS = (".db", ".db3", ".sqlite", ".sqlite3")
DUCKDB_ENDINGS = (".duckdb", ".ddb")
#: "VICI": the application number of an index.
_INDEX = int.from_bytes(b"VICI", "big")
_ROWS_AT_ONCE = 256
_ADDRESS = re.compile(r"[A-Za-z][\w+.-]*://")
_DATABASE = re.compile(
    r"(postgres\w*|mysql|mariadb|sqlite|duckdb|oracle|mssql|snowflake|bigquery|redshift)(\+\w+)?://", re.IGNORECASE
)
#: A table or a query: its name, and the reader of its rows.
Relation: TypeAlias = tuple[str, Reader]
#: The first words of statements that read rows; and the first word of a statement, behind comments and parentheses.
_READS = ("SELECT", "WITH", "VALUES", "TABLE")
_FIRST_WORD = re.compile(r"(?:\s|\(|--[^\n]*(?:\n|$)|/\*.*?\*/)*(\w*)", re.DOTALL)


@dataclass(frozen=True)
class Address:
    """The address of a database, as SQLAlchemy takes it."""

    url: str


def address_of(source: object, query: str | None) -> Address | None:
    """The address of a database, or None for any other source; BadParameter where it is not said what to read of it."""
    if not isinstance(source, str) or not _ADDRESS.match(source):
        return None
    if query is None and not _DATABASE.match(source):
        return None  # a store of files
    if query is None:
        raise BadParameter(f"query: {without_password(source)} is the address of a database. Use query='SELECT …' to read of it.")
    return Address(source)


def without_password(address: str) -> str:
    """An address as it may be printed."""
    return re.sub(r"(://[^/@:]*):[^/@]*@", r"\1:***@", address)


def _query_name(query: str) -> str:
    """The same for the same query, so that rows of another one are other documents."""
    return f"query-{blake2b(' '.join(query.split()).encode(), digest_size=4).hexdigest()}"


def has_database_ending(path: Path) -> bool:
    """Whether the name of a file is that of a database."""
    return path.suffix.lower() in (*ENDINGS, *DUCKDB_ENDINGS)


def is_database(path: Path) -> bool:
    """Whether a file is a database by its ending and its header, and not an index."""
    suffix = path.suffix.lower()
    if suffix not in (*ENDINGS, *DUCKDB_ENDINGS) or not path.is_file() or not path.stat().st_size:
        return False
    return suffix in DUCKDB_ENDINGS or _is_sqlite(path)


def _is_sqlite(path: Path) -> bool:
    if header_error(path) != sqlite3.SQLITE_OK:
        return False
    try:
        with closing(_opened(path)) as connection:
            [[application]] = connection.execute("PRAGMA application_id")
    except sqlite3.Error:
        return False
    return bool(application != _INDEX)


def relations(path: Path, query: str | None) -> list[Relation]:
    """The tables of a database file, or the query, each with a reader of its rows."""
    duckdb = path.suffix.lower() in DUCKDB_ENDINGS
    rows = partial(_duckdb_rows if duckdb else _sqlite_rows, path)
    if query is not None:
        return [(_query_name(query), partial(_documents, rows, query, True))]
    names = _duckdb_tables(path) if duckdb else tables(path)
    if not names:
        raise Unreadable("a database without tables")
    return [(name, partial(_documents, rows, f"SELECT * FROM {_quoted(name)}", False)) for name in names]


def inputs_of(path: Path, file: Input) -> list[tuple[Input, Reader]]:
    """What there is to read of a database file: an input for each table, or for the query, with its reader."""
    found = relations(path, file.options.query)
    by_itself = file.by_itself and len(found) == 1
    return [
        (replace(file, source=f"{file.source}/{name}", name=f"{file.name}/{name}", by_itself=by_itself), reader)
        for name, reader in found
    ]


def _documents(rows: Callable[[str, int], Iterator[Record]], statement: str, is_query: bool, file: Input) -> Iterator[Document]:
    """One document per row that a statement gives."""
    try:
        yield from documents_of(rows(statement, file.limits.document_bytes), file)
    except _Failed as error:
        if is_query:
            raise BadParameter(f"query: the database {file.source} says: {error}. Correct the query.") from None
        raise Unreadable(f"a table that cannot be read: {error}") from None


class _Failed(Exception):
    """What a database says about a statement."""


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


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


def _sqlite_rows(path: Path, statement: str, longest: int) -> Iterator[Record]:
    with closing(_opened(path)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
        try:
            found = connection.execute(statement)
            names = [str(each[0]) for each in found.description or ()]
            for number, row in enumerate(found, start=1):
                yield number, dict(zip(names, row, strict=True))
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise _Failed(str(error)) from error


def _duckdb_opened(path: Path) -> Any:
    try:
        library: Any = import_module("duckdb")
    except ImportError:
        raise Unreadable("databases of DuckDB need duckdb, which is not installed: pip install vicinal[sql]") from None
    try:
        return library.connect(str(path), read_only=True, config={"enable_external_access": "false"})
    except library.Error as error:
        raise Unreadable(f"a database that cannot be read: {_first_line(error)}") from None


def _duckdb_tables(path: Path) -> list[str]:
    statement = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' AND table_type = 'BASE TABLE'"
    with closing(_duckdb_opened(path)) as connection:
        return [name for (name,) in connection.execute(f"{statement} ORDER BY table_name").fetchall()]


def _duckdb_rows(path: Path, statement: str, _: int) -> Iterator[Record]:
    with closing(_duckdb_opened(path)) as connection:
        try:
            found = connection.execute(statement)
            names = [str(each[0]) for each in found.description]
            number = 0
            while rows := found.fetchmany(_ROWS_AT_ONCE):
                for number, row in enumerate(rows, start=number + 1):  # noqa: B020
                    yield number, dict(zip(names, row, strict=True))
        except import_module("duckdb").Error as error:
            raise _Failed(_first_line(error)) from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")


def input_at(address: Address, file: Input) -> tuple[Input, Reader]:
    """The query of a database at an address, with the reader of its rows; MissingExtra where a package for it is missing."""
    query, shown = str(file.options.query), without_password(address.url)
    try:
        alchemy: Any = import_module("sqlalchemy")
    except ImportError:
        raise MissingExtra(f"{shown} needs SQLAlchemy, which is not installed. Run pip install vicinal[sql].") from None
    try:
        engine = alchemy.create_engine(address.url)
    except ImportError as error:
        raise MissingExtra(f"{shown} needs a driver, which is not installed: {error}. Install it, or use another one.") from None
    except Exception as error:
        raise BadParameter(f"{shown} is no address of a database: {_first_line(error)}. Use dialect://user@host/name.") from None
    stem = PurePath(engine.url.database or engine.url.host or "database").stem
    name = f"{stem}-{_query_name(query)}"
    there = replace(file, source=f"{shown}/{name}", name=name)
    return there, partial(_documents, partial(_alchemy_rows, alchemy, engine), query, True)


def _alchemy_rows(alchemy: Any, engine: Any, statement: str, _: int) -> Iterator[Record]:
    """Rows of a query; the transaction is never committed, and what a database would commit by itself is refused."""
    _refuse_changes(statement, engine.url)
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA query_only = ON")
            found = connection.execution_options(stream_results=True).execute(alchemy.text(statement))
            names = [str(name) for name in found.keys()] if found.returns_rows else []  # noqa: SIM118
            for number, row in enumerate(found if names else (), start=1):
                yield number, {name: _plain(value) for name, value in zip(names, row, strict=True)}
    except alchemy.exc.SQLAlchemyError as error:
        raise _Failed(_first_line(error)) from None
    finally:
        engine.dispose()


def _refuse_changes(statement: str, url: Any) -> None:
    """Refuse what is no reading of rows, as databases drop tables at once, and a file of SQLite that would be made."""
    first = _FIRST_WORD.match(statement)
    if first is None or first[1].upper() not in _READS:
        raise _Failed(f"it is only read, by a statement that begins with {', '.join(_READS[:-1])} or {_READS[-1]}")
    path = url.database
    if (
        url.get_backend_name() == "sqlite"
        and path
        and path != ":memory:"
        and not path.startswith("file:")
        and not Path(path).exists()
    ):
        raise _Failed("there is no such file")


def _plain(value: Any) -> Any:
    """A value that a database has; what is no plain one, such as a UUID, as text."""
    plain = value is None or isinstance(value, str | int | float | bytes | list | dict) or hasattr(value, "isoformat")
    return value if plain else bytes(value) if isinstance(value, memoryview) else str(value)
