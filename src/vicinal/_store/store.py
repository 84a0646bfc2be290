"""The store of an index: one SQLite file with transactions, snapshots, one writer and any number of readers."""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import final

from vicinal._store import schema
from vicinal._store.commit_note import forget_commits, note_commits, noted_commits
from vicinal._store.connections import READER_WAITS, OpenFile, reachable
from vicinal._store.filesystem import index_path, longest_value, may_write, refuse_other_files
from vicinal._store.journal import about_lost_commits, checkpoint, what_is_kept
from vicinal._store.sqlite_errors import LITTLE, free_bytes, full, in_our_words
from vicinal._store.statements import Statements
from vicinal._store.writer_note import note
from vicinal._warn import warn
from vicinal.errors import DamagedIndex, DamagedPart, DiskFull, ReadOnlyIndex, VicinalError

#: How long a second writer waits before it gets an error, in milliseconds.
_WRITER_WAITS = 500
_READ = "BEGIN"
#: In bytes, SQLite's own limit.
_LONGEST_VALUE = 1_000_000_000


@final
class _Handle(threading.local):
    """What each thread has of its own: a connection, whether it is inside a transaction, and whether it writes."""

    opened: OpenFile | None = None
    inside: bool = False
    writes: bool = False


@final
class Store(Statements):
    """The SQLite file of an index: transactions, snapshots, and errors of `vicinal.errors`.

    Its contents are known to `Documents`, `Arrays`, `Settings` and `Labels`. Any number of threads may use one
    store, and each has its own connection.

    Parameters
    ----------
    path : Path
        Use `Store.open`, which looks at the file first.
    writable : bool
    query : str
        How SQLite is to open the file.
    """

    def __init__(self, path: Path, writable: bool, query: str) -> None:
        self.path = path
        self.writable = writable
        self._query = query
        self._mine = _Handle()
        self._all: weakref.WeakSet[OpenFile] = weakref.WeakSet()
        self._closed = False
        self._wrote = False
        #: Commits that were acknowledged and are not in the file: the journal that had them was lost or damaged.
        self.lost_commits = 0

    @classmethod
    def open(cls, path: str | os.PathLike[str], create: bool = False) -> Store:
        """Open the file of an index, or make one.

        Parameters
        ----------
        path : str or path
        create : bool, default=False
            Whether to make the file if it is not there. A file that is there is opened as it is.

        Returns
        -------
        Store
            To be closed, or used in a ``with`` statement. On a medium that cannot be written it is there for reading only.

        Raises
        ------
        BadIndex
            There is no file, or it is not an index, or of a newer version, or damaged: each is a kind of BadIndex.
        """
        store = cls.open_unchecked(path, create)
        try:
            wrong = store.differences()
            if wrong:
                raise DamagedIndex(f"{store.path} is damaged: {'; '.join(wrong.values())}. Run vicinal check.")
            if store.lost_commits:
                warn(f"{store.path} is damaged: {about_lost_commits(store)} Run vicinal check.", DamagedPart)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open_unchecked(cls, path: str | os.PathLike[str], create: bool = False) -> Store:
        """Open the file of an index of this version whose tables are not compared: `check` compares them itself.

        Parameters
        ----------
        path : str or path
        create : bool, default=False

        Returns
        -------
        Store
        """
        schema.require_sqlite()
        whole_path = index_path(path)
        refuse_other_files(whole_path, create)
        store = cls(whole_path, *reachable(whole_path, create))
        try:
            with in_our_words(whole_path):
                store._prepare(create)
        except BaseException:
            store.close()
            raise
        return store

    def _prepare(self, create: bool) -> None:
        """Make the tables, or refuse those of others; readers go on while somebody writes only with a write-ahead log."""
        connection, noted = self._connection(), noted_commits(self.path)
        if create and self.writable and schema.is_empty(connection):
            with self._transaction("BEGIN EXCLUSIVE"):
                if schema.is_empty(connection):
                    schema.create(connection)
                    forget_commits(self.path)
            noted = 0
        schema.refuse_too_old(connection, self.path)
        if self.writable:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        with suppress(VicinalError):  # where commits are not counted, the check says so
            self.lost_commits = max(0, noted - self.commits())

    def _connection(self) -> sqlite3.Connection:
        """The connection of this thread, made when it is first needed."""
        if self._closed:
            raise VicinalError(f"{self.path} was closed. Open the index again.")
        return self._opened().connection

    def _opened(self) -> OpenFile:
        mine = self._mine
        if mine.opened is None or mine.opened.inherited:
            mine.opened, mine.inside, mine.writes = OpenFile(self.path, self._query), False, False
            self._all.add(mine.opened)
        return mine.opened

    def _ready(self) -> sqlite3.Connection:
        """The connection of this thread, for a statement whose steps are counted from here on."""
        connection = self._connection()
        self._opened().watch.begin()
        if not self._mine.inside:  # else the transaction has set it
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest_value(self.path))
        return connection

    @property
    def is_writing(self) -> bool:
        """Whether this thread is inside a transaction that writes."""
        return self._mine.writes

    def close(self) -> None:
        """Close the file in all threads; what was not committed is gone, and the journal is copied into the file."""
        if self._wrote and not self._closed:
            with suppress(VicinalError):  # somebody reads an earlier state: the journal stays, and is copied later
                checkpoint(self)
        self._closed = True
        for opened in list(self._all):
            opened.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Change the index inside a ``with`` block: all changes are committed when the block ends, or none after an error.

        A block inside another is committed with the outer one, and rolled back alone when an error leaves it.

        Raises
        ------
        IndexLocked
            Another process or thread is writing; the message names it.
        ReadOnlyIndex
            The file or its folder cannot be written.
        DiskFull
            The change was undone; the message counts what the index has.
        DamagedIndex
            Commits are missing that were acknowledged: a repair goes on without them.
        """
        self._refuse_to_write()
        if self._mine.inside:
            with self._savepoint():
                yield
            return
        commits = 0
        try:
            with self._transaction("BEGIN IMMEDIATE", writes=True):
                before = self._connection().total_changes
                if self.format < schema.FORMAT:
                    self._migrate()
                yield
                if self._connection().total_changes != before:
                    self.execute("UPDATE tallies SET n_rows = n_rows + 1 WHERE name = 'commits'")
                    commits = self.commits()
        except DiskFull as error:
            raise DiskFull(f"{error}{what_is_kept(self)}") from error
        if commits:
            note_commits(self.path, commits)
            self._wrote = True

    def _refuse_to_write(self) -> None:
        """Refuse to write what is read-only, is being read as one snapshot, or has lost commits."""
        if not self.writable and may_write(self.path) and free_bytes(self.path) < LITTLE:
            raise DiskFull(full(self.path))
        if not self.writable:
            raise ReadOnlyIndex(
                f"{self.path} cannot be written: the file or its folder is read-only. Copy it to a place where you may write."
            )
        with in_our_words(self.path):
            self._connection()
        if self._mine.inside and not self._mine.writes:
            raise VicinalError(
                f"{self.path} is being read as one snapshot, and a change was asked for: the snapshot would no longer be "
                f"of one state. Leave the with block of snapshot() first, and change the index after it."
            )
        if self.lost_commits and not self._mine.inside:
            raise DamagedIndex(f"{self.path} is damaged: {about_lost_commits(self)} To go on without them: vicinal repair INDEX")

    def alone(self) -> AbstractContextManager[None]:
        """Keep others from writing inside a ``with`` block that writes nothing itself."""
        return self._transaction("BEGIN IMMEDIATE", writes=True)

    def _migrate(self) -> None:
        with in_our_words(self.path):
            schema.migrate(self._connection(), self.path)

    @property
    def format(self) -> int:
        """The version of the tables; a file of an earlier one gets those of today with the first change."""
        with in_our_words(self.path):
            return schema.pragma(self._connection(), "user_version")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read several things inside a ``with`` block from one state of the index, whatever others write meanwhile."""
        with in_our_words(self.path):
            self._connection()
        if self._mine.inside:
            yield
            return
        with self._transaction(_READ):
            self.rows("SELECT count(*) FROM sqlite_schema")  # the snapshot is taken by the first read, not by BEGIN
            yield

    @contextmanager
    def _transaction(self, begin: str, writes: bool = False) -> Iterator[None]:
        connection, mine = self._connection(), self._mine
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE if writes else longest_value(self.path))
        with in_our_words(self.path):
            self._begin(connection, begin, _WRITER_WAITS if writes else READER_WAITS)
        mine.inside, mine.writes = True, writes
        with note(self.path) if writes else nullcontext():
            try:
                yield
                if begin != _READ:  # which changed nothing, and may have met damage: it is rolled back
                    with in_our_words(self.path):
                        connection.execute("COMMIT")
            finally:
                mine.inside, mine.writes = False, False
                self._roll_back(connection)

    @staticmethod
    def _begin(connection: sqlite3.Connection, begin: str, patience: int) -> None:
        connection.execute(f"PRAGMA busy_timeout = {patience:d}").fetchall()
        try:
            connection.execute(begin)
        finally:
            connection.execute(f"PRAGMA busy_timeout = {READER_WAITS:d}").fetchall()

    def _roll_back(self, connection: sqlite3.Connection) -> None:
        """After an error: SQLite has done it already where the disk was full or the file is damaged."""
        if not self._closed and connection.in_transaction:
            with in_our_words(self.path):
                connection.execute("ROLLBACK")

    @contextmanager
    def _savepoint(self) -> Iterator[None]:
        """A block inside another; savepoints of one name are told apart by SQLite, which takes the innermost."""
        with in_our_words(self.path):
            self._connection().execute("SAVEPOINT block")
        try:
            yield
        except BaseException:
            self._inside("ROLLBACK TO block")
            raise
        finally:
            self._inside("RELEASE block")

    def _inside(self, statement: str) -> None:
        """Run a statement if SQLite has not ended the transaction itself, as it does when the disk is full."""
        connection = self._connection()
        if connection.in_transaction:
            with in_our_words(self.path):
                connection.execute(statement)

    def differences(self) -> dict[str, str]:
        """What is wrong with the tables of the file, as a sentence for each."""
        with in_our_words(self.path):
            return schema.differences(self._connection())

    def copy_to(self, connection: sqlite3.Connection) -> None:
        """Copy the whole file, as it is now, into another database.

        Parameters
        ----------
        connection : sqlite3.Connection
        """
        with in_our_words(self.path):
            # Python notices a signal when it runs code of its own, between two parts of the copy
            self._connection().backup(connection, pages=1000, progress=lambda *_: None)
