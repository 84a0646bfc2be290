"""Statements of SQL on a store: rows that are asked for, rows that are changed, and errors of `vicinal.errors`."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from vicinal._store.sqlite_errors import in_our_words
from vicinal.errors import BadIndex, DamagedIndex, VicinalError

#: What a statement takes in place of a question mark.
SqlValue: TypeAlias = str | int | float | bytes | None
#: A row that SQLite gives: of the types of its columns, which in a damaged file may be others.
SqlRow: TypeAlias = tuple[Any, ...]


class Statements(ABC):
    """What can be asked and changed by SQL in one file."""

    path: Path

    @abstractmethod
    def _ready(self) -> sqlite3.Connection:
        """The connection of this thread, for a statement whose steps are counted from here on."""

    @property
    @abstractmethod
    def is_writing(self) -> bool:
        """Whether this thread is inside a transaction that writes."""

    def rows(self, statement: str, values: Sequence[SqlValue] = ()) -> list[SqlRow]:
        """All rows that a statement gives.

        Parameters
        ----------
        statement : str
            Fixed text of ours: whatever comes from outside is in ``values``.
        values : sequence, default=()

        Returns
        -------
        list of tuple
        """
        with in_our_words(self.path):
            return self._ready().execute(statement, values).fetchall()

    def readable_rows(self, statement: str, values: Sequence[SqlValue] = ()) -> list[SqlRow]:
        """The rows that a statement gives until damage ends it; all of them where there is none.

        Parameters
        ----------
        statement : str
        values : sequence, default=()

        Returns
        -------
        list of tuple
        """
        found: list[SqlRow] = []
        with suppress(BadIndex), in_our_words(self.path):
            for row in self._ready().execute(statement, values):
                found.append(row)  # noqa: PERF402 (extend would lose the rows before the damage)
        return found

    def execute(self, statement: str, values: Sequence[SqlValue] = ()) -> int:
        """Run a statement that changes rows, inside `writing`.

        Parameters
        ----------
        statement : str
        values : sequence, default=()

        Returns
        -------
        int
            How many rows it changed.
        """
        return self.execute_many(statement, [values])

    def execute_many(self, statement: str, values: Iterable[Sequence[SqlValue]]) -> int:
        """Run a statement that changes rows once for each of several values, inside `writing`.

        Parameters
        ----------
        statement : str
        values : iterable of sequences

        Returns
        -------
        int
            How many rows were changed in all.
        """
        if not self.is_writing:
            raise VicinalError(
                f"{self.path} is changed inside writing() only, got a change outside of it. Use: with store.writing()."
            )
        with in_our_words(self.path):
            return self._ready().executemany(statement, values).rowcount

    def commits(self) -> int:
        """Number of commits since the file was made: it differs between any two states of the file."""
        found = self.rows("SELECT n_rows FROM tallies WHERE name = 'commits'")
        commits = found[0][0] if found else 0
        if not isinstance(commits, int):
            raise DamagedIndex(f"{self.path} is damaged: its commits are counted as {commits!r:.40}. Run vicinal check.")
        return commits
