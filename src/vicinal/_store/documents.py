"""The documents of an index: added in batches, each in one transaction; found by id, number or filters."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import final

import numpy as np

from vicinal._store import fulltext
from vicinal._store.batches import Counts, batches
from vicinal._store.checksums import change_tally, count_rows, counted
from vicinal._store.document_changes import Changes
from vicinal._store.document_row import (
    COLUMNS,
    DocumentRow,
    Lost,
    Stored,
    encodable,
    from_row,
    readable_row,
    row_checksum,
)
from vicinal._store.filters import Derived, Filters, condition
from vicinal._store.id_lookup import look_up
from vicinal._store.identities import Arrival, Identities
from vicinal._store.origins import Origins
from vicinal._store.store import SqlRow, Store
from vicinal._store.verified import among_all, ids_of, next_number, rising
from vicinal._typing import IntArray
from vicinal._validate import check_count
from vicinal.corpus import Document
from vicinal.errors import BadParameter

#: As many ids as any SQLite takes in one statement.
_IDS_AT_ONCE = 500


@final
class Documents:
    """The documents of a store.

    Parameters
    ----------
    store : Store
    unreadable : dict from int to Lost, optional
        Where `at` is to put damaged documents, each of which is then given without its text; else it raises an error.
    """

    def __init__(self, store: Store, unreadable: dict[int, Lost] | None = None) -> None:
        self.store = store
        self._unreadable = unreadable

    def add(
        self,
        documents: Iterable[Document],
        *,
        update: bool = True,
        generation: int = 0,
        batch_size: int = 1000,
        after_batch: Callable[[Counts], object] | None = None,
        identities: Identities | None = None,
        insert: bool = True,
        changes: Changes | None = None,
    ) -> Counts:
        """Add documents that are not there yet; one that is there with the same content is left alone.

        After an interrupt the same call goes on where it stopped. Documents are read before a batch is written, so a slow
        source keeps no other writer waiting.

        Parameters
        ----------
        documents : iterable of Document
        update : bool, default=True
            Whether a document that is there with another content gets the new one. It is counted as changed either way.
        generation : int, default=0
            Written beside each document that is added or updated.
        batch_size : int, default=1000
            Documents in one transaction, unless the caller is inside `Store.writing` already.
        after_batch : callable or None, default=None
            Called with the counts so far when a batch is on the disk.
        identities : Identities or None, default=None
            Decides which document of the store each one is; by its id alone when None.
        insert : bool, default=True
            Whether documents that are not there are added; else they are counted as absent.
        changes : Changes or None, default=None
            Notes which documents are added or replaced.

        Returns
        -------
        Counts
        """
        check_count("batch_size", batch_size)
        done, changes = Counts(), changes or Changes()
        for batch in batches(documents, batch_size):
            counts = Counts()
            with self.store.writing(), changes.followed(self.store):
                while batch:
                    arrivals, n_resolved = self._by_their_ids(batch) if identities is None else identities.resolve(batch)
                    counts += self._add_batch(arrivals, update, generation, insert, changes)
                    batch = batch[n_resolved:]
            done += counts
            if after_batch is not None:
                after_batch(done)
        return done

    def _add_batch(self, arrivals: Sequence[Arrival], update: bool, generation: int, insert: bool, changes: Changes) -> Counts:
        new = [each for each in arrivals if each.number is None]
        there = [(each.number, each) for each in arrivals if each.number is not None]
        changed = [(number, each.row) for number, each in there if each.changed and not each.moved]
        moved = [(number, each.row) for number, each in there if each.moved]
        origins = {number: each.origin for number, each in there if each.origin is not None and (update or not each.changed)}
        if update:
            self._update(changed, [generation] * len(changed))
            changes.numbers += [number for number, _ in changed]
        self._update(moved, self._generations([number for number, _ in moved]))
        if insert:
            first = next_number(self.store)
            self._insert(range(first, first + len(new)), [each.row for each in new], generation)
            changes.numbers += range(first, first + len(new))
            new_origins = {number: each.origin for number, each in enumerate(new, first) if each.origin is not None}
            Origins(self.store).put(new_origins, of_new=True)
        Origins(self.store).put(origins)
        done = len(there) - len(changed) - len(moved), len(changed), len(moved)
        return Counts(len(new), *done) if insert else Counts(0, *done, tuple(each.row.id for each in new))

    def _generations(self, numbers: Sequence[int]) -> list[int]:
        found: dict[int, int] = dict(self._at("number, generation", numbers))
        return [found[number] for number in numbers]

    def _by_their_ids(self, batch: Sequence[tuple[Document, DocumentRow]]) -> tuple[list[Arrival], int]:
        there = self._digests([row.id for _, row in batch])
        new = [Arrival(row) for _, row in batch if row.id not in there]
        known = [(row, *there[row.id]) for _, row in batch if row.id in there]
        return new + [Arrival(row, number, digest != row.digest) for row, number, digest in known], len(batch)

    def _digests(self, ids: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        return {name: (number, digest) for name, number, digest in self._by_id("id, number, digest", ids)}

    def _by_id(self, columns: str, ids: Sequence[str]) -> Iterator[SqlRow]:
        askable = [name for name in ids if isinstance(name, str) and encodable(name)]
        for start in range(0, len(askable), _IDS_AT_ONCE):
            some = askable[start : start + _IDS_AT_ONCE]
            places = ",".join("?" * len(some))
            yield from self.store.rows(f"SELECT {columns} FROM documents WHERE id IN ({places})", some)

    def _insert(self, numbers: Sequence[int], rows: Sequence[DocumentRow], generation: int) -> None:
        checks = [row_checksum(number, generation, row.digest) for number, row in zip(numbers, rows, strict=True)]
        self.store.execute_many(
            "INSERT INTO documents (number, generation, checksum, id, digest, label, source, metadata, title, text) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(number, generation, check, *row) for number, row, check in zip(numbers, rows, checks, strict=True)],
        )
        self._index(numbers, rows, checks)

    def _update(self, rows: Sequence[tuple[int, DocumentRow]], generations: Sequence[int]) -> None:
        """Under the same numbers. What was there is taken out of the full text first, while it is still known."""
        numbers = [number for number, _ in rows]
        self._forget(numbers)
        checks = [row_checksum(number, given, row.digest) for (number, row), given in zip(rows, generations, strict=True)]
        self.store.execute_many(
            "UPDATE documents SET generation = ?, checksum = ?, id = ?, digest = ?, label = ?, source = ?, metadata = ?, "
            "title = ?, text = ? WHERE number = ?",
            [(given, check, *row, number) for (number, row), given, check in zip(rows, generations, checks, strict=True)],
        )
        self._index(numbers, [row for _, row in rows], checks)

    def _index(self, numbers: Sequence[int], rows: Sequence[DocumentRow], checks: Sequence[int]) -> None:
        """Put documents into the full text and into the tally."""
        fulltext.insert(self.store, [(number, row.title, row.text) for number, row in zip(numbers, rows, strict=True)])
        change_tally(self.store, "documents", len(rows), sum(checks))

    def _forget(self, numbers: Sequence[int]) -> None:
        """Take documents out of the full text and out of the tally."""
        rows = self._at("number, title, text, checksum", numbers)
        fulltext.delete(self.store, [row[:3] for row in rows])
        change_tally(self.store, "documents", -len(rows), -sum(row[3] for row in rows))

    def remove(self, ids: Iterable[str], changes: Changes | None = None) -> int:
        """Remove documents and their labels, in one transaction; ids that are not there are ignored.

        Parameters
        ----------
        ids : iterable of str
        changes : Changes or None, default=None
            Notes which documents are removed.

        Returns
        -------
        int
            How many were removed.
        """
        changes = changes or Changes()
        with self.store.writing(), changes.followed(self.store):
            numbers = sorted(self.find(ids).values())
            changes.numbers += numbers
            damaged = self._has_damaged(numbers)
            for start in range(0, len(numbers), _IDS_AT_ONCE):
                some = numbers[start : start + _IDS_AT_ONCE]
                labels = self.store.rows(
                    "SELECT checksum FROM labels WHERE document IN (SELECT value FROM json_each(?))", (json.dumps(some),)
                )
                change_tally(self.store, "labels", -len(labels), -sum(check for (check,) in labels))
                Origins(self.store).forget(some)
                self._forget(some)
                self.store.execute_many("DELETE FROM documents WHERE number = ?", [(number,) for number in some])
            if damaged:
                fulltext.rebuild(self.store)
        return len(numbers)

    def _has_damaged(self, numbers: Sequence[int]) -> bool:
        """Whether one of some documents is damaged: the full text was given another text, and cannot take this one out again."""
        unreadable: dict[int, Lost] = {}
        for start in range(0, len(numbers), _IDS_AT_ONCE):
            Documents(self.store, unreadable).at(numbers[start : start + _IDS_AT_ONCE])
        return bool(unreadable)

    def set_generation(self, numbers: Iterable[int], generation: int, changes: Changes | None = None) -> None:
        """Write a generation beside documents, such as that of the model that embedded them.

        Parameters
        ----------
        numbers : iterable of int
        generation : int
        changes : Changes or None, default=None
            Notes that the tally of the documents changes by it.
        """
        wanted = [int(number) for number in numbers]
        with self.store.writing(), (changes or Changes()).followed(self.store):
            rows = self._at("number, digest, checksum", wanted)
            checks = [(generation, row_checksum(number, generation, digest), number) for number, digest, _ in rows]
            self.store.execute_many("UPDATE documents SET generation = ?, checksum = ? WHERE number = ?", checks)
            change_tally(self.store, "documents", 0, sum(check for _, check, _ in checks) - sum(row[2] for row in rows))

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

    def numbers(self, ids: Sequence[str] | None = None) -> IntArray:
        """Return numbers of documents, one for each id, or of all documents in their order.

        Parameters
        ----------
        ids : sequence of str or None, default=None
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
        found = self.find(ids)
        unknown = [name for name in ids if name not in found]
        if unknown:
            found |= look_up(self.store, unknown, len(ids))
        return np.array([found[name] for name in ids], dtype=np.int64)

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
        """Ids that have a pattern of SQLite's GLOB: ``*``, ``?`` and ``[…]``.

        Parameters
        ----------
        pattern : str

        Returns
        -------
        list of str
        """
        if not encodable(pattern):
            return []
        return [id for (id,) in self.store.rows("SELECT id FROM documents WHERE id GLOB ? ORDER BY number", (pattern,))]

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Documents by id, in the order asked for.

        Parameters
        ----------
        ids : sequence of str

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
