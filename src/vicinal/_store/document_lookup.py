"""Documents of an index, found by id, by number or by filters, and read in their order."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from vicinal._store.checksums import count_rows, counted
from vicinal._store.document_row import (
    COLUMNS,
    Lost,
    Stored,
    encodable,
    from_row,
    readable_row,
)
from vicinal._store.filters import Derived, Filters, condition
from vicinal._store.id_lookup import look_up
from vicinal._store.statements import SqlRow
from vicinal._store.store import Store
from vicinal._store.verified import among_all, ids_of, rising
from vicinal._typing import IntArray
from vicinal._validate import check_count
from vicinal.corpus import Document
from vicinal.errors import BadParameter

#: As many ids as any SQLite takes in one statement.
IDS_AT_ONCE = 500


class DocumentLookup:
    """The documents of a store as they can be found and read.

    Parameters
    ----------
    store : Store
    unreadable : dict from int to Lost, optional
        Where `at` is to put damaged documents, each of which is then given without its text; else it raises an error.
    """

    def __init__(self, store: Store, unreadable: dict[int, Lost] | None = None) -> None:
        self.store = store
        self._unreadable = unreadable

    def count(self) -> int:
        """How many documents there are."""
        return counted(self.store, "documents", count_rows(self.store, "documents"))

    def find(self, ids: Iterable[str]) -> dict[str, int]:
        """Numbers of those ids that are there.

        Parameters
        ----------
        ids : iterable of str

        Returns
        -------
        dict from id to number
        """
        return dict(self._by_id("id, number", list(ids)))

    def numbers(self, ids: Sequence[str | os.PathLike[str]] | None = None) -> IntArray:
        """Return numbers of documents, one for each id, or of all documents in their order.

        Parameters
        ----------
        ids : sequence of str or path, or None, default=None
            Ids, ends of ids that one document alone has, or paths of files on the disk.

        Returns
        -------
        ndarray of int64

        Raises
        ------
        BadParameter
            An id is not there.
        """
        if ids is None:
            return self.where(())
        names = [os.fspath(each) if isinstance(each, os.PathLike) else each for each in ids]
        found = self.find(names)
        unknown = [name for name in names if name not in found]
        if unknown:
            found |= look_up(self.store, unknown, len(names))
        return np.array([found[name] for name in names], dtype=np.int64)

    def ids(self, numbers: Iterable[int]) -> list[str]:
        """Ids of documents by number, in the order asked for; their texts are not read.

        Parameters
        ----------
        numbers : iterable of int

        Returns
        -------
        list of str
        """
        return ids_of(self.store, [int(number) for number in numbers])

    def ids_like(self, pattern: str) -> list[str]:
        """Ids that have a pattern of SQLite's GLOB: ``*``, ``?`` and ``[…]``; where there is none, ids that have it behind a slash.

        Ids of files begin with the folder that was read, and people name what is in it.

        Parameters
        ----------
        pattern : str

        Returns
        -------
        list of str
        """
        if not encodable(pattern):
            return []
        for each in (pattern, f"*/{pattern.removeprefix('./').lstrip('/')}"):
            found = [id for (id,) in self.store.rows("SELECT id FROM documents WHERE id GLOB ? ORDER BY number", (each,))]
            if found:
                return found
        return []

    def get(self, ids: Sequence[str | os.PathLike[str]]) -> list[Document]:
        """Documents by id, in the order asked for.

        Parameters
        ----------
        ids : sequence of str or path

        Returns
        -------
        list of Document
        """
        with self.store.reading():
            return [stored.document for stored in self.at(self.numbers(ids))]

    def at(self, numbers: Iterable[int]) -> list[Stored]:
        """Documents by number, in the order asked for.

        Parameters
        ----------
        numbers : iterable of int

        Returns
        -------
        list of Stored
        """
        wanted = [int(number) for number in numbers]
        found = {row[0]: readable_row(row, self._unreadable) for row in self._at(COLUMNS, wanted)}
        unknown = [number for number in wanted if number not in found]
        if unknown:
            raise BadParameter(f"there is no document {unknown[0]} in {self.store.path}. Use numbers that it has returned.")
        return [found[number] for number in wanted]

    def _at(self, columns: str, numbers: Sequence[int]) -> list[SqlRow]:
        return self.store.rows(
            f"SELECT {columns} FROM documents WHERE number IN (SELECT value FROM json_each(?))", (json.dumps(list(numbers)),)
        )

    def chunks(self, size: int = 1000, after: int = 0) -> Iterator[list[Stored]]:
        """All documents in the order of their numbers, some at a time; inside `Store.reading` they are those of one state.

        Parameters
        ----------
        size : int, default=1000
        after : int, default=0
            Begin behind this number.

        Yields
        ------
        list of Stored
        """
        for rows in self.raw_chunks(check_count("size", size), after):
            yield [from_row(row) for row in rows]

    def raw_chunks(self, size: int, after: int) -> Iterator[list[SqlRow]]:
        """Rows of `COLUMNS` in the order of their numbers, some at a time, with checksums not yet compared.

        Parameters
        ----------
        size : int
        after : int

        Yields
        ------
        list of tuple
        """
        while rows := self.store.rows(f"SELECT {COLUMNS} FROM documents WHERE number > ? ORDER BY number LIMIT ?", (after, size)):
            numbers = rising(self.store, [(after,), *rows])  # or a damaged tree could be walked in circles for ever
            yield rows
            after = int(numbers[-1])

    def where(self, filters: Filters, among: Sequence[int] | None = None, derived: Derived | None = None) -> IntArray:
        """Numbers of the documents that pass all filters, in their order.

        Parameters
        ----------
        filters : str, mapping, or sequence of (column, op, value)
            See `vicinal._store.filters`.
        among : sequence of int or None, default=None
            Of these documents only.
        derived : mapping from str to function, optional
            Columns that the table of documents does not have.

        Returns
        -------
        ndarray of int64
        """
        with self.store.reading():
            clause, values = condition(self.store, filters, derived)
            if among is None:
                return rising(self.store, among_all(self.store, clause, values))
            clause, values = f"{clause} AND number IN (SELECT value FROM json_each(?))", [*values, json.dumps(list(among))]
            rows = self.store.rows(f"SELECT number FROM documents WHERE {clause} ORDER BY number", values)
        return rising(self.store, rows)

    def _by_id(self, columns: str, ids: Sequence[str]) -> Iterator[SqlRow]:
        askable = [name for name in ids if isinstance(name, str) and encodable(name)]
        for start in range(0, len(askable), IDS_AT_ONCE):
            some = askable[start : start + IDS_AT_ONCE]
            places = ",".join("?" * len(some))
            yield from self.store.rows(f"SELECT {columns} FROM documents WHERE id IN ({places})", some)
