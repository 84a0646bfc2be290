"""The documents of an index: added in batches, each in one transaction, replaced and removed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import final

from vicinal._store import fulltext
from vicinal._store.batches import Counts, batches
from vicinal._store.checksums import change_tally
from vicinal._store.document_changes import Changes
from vicinal._store.document_lookup import IDS_AT_ONCE, DocumentLookup
from vicinal._store.document_row import (
    DocumentRow,
    Lost,
    row_checksum,
)
from vicinal._store.identities import Arrival, Identities
from vicinal._store.origins import Origins
from vicinal._store.verified import next_number
from vicinal._validate import check_count
from vicinal.corpus import Document

#: The generation of a document that no model has embedded yet; those of models begin with 1.
NOT_EMBEDDED = 0


@final
class Documents(DocumentLookup):
    """The documents of a store, which can be found, added, replaced and removed.

    Parameters
    ----------
    store : Store
    unreadable : dict from int to Lost, optional
        Where `at` is to put damaged documents, each of which is then given without its text; else it raises an error.
    """

    def add(
        self,
        documents: Iterable[Document],
        *,
        update: bool = True,
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
                    counts += self._add_batch(arrivals, update, insert, changes)
                    batch = batch[n_resolved:]
            done += counts
            if after_batch is not None:
                after_batch(done)
        return done

    def _add_batch(self, arrivals: Sequence[Arrival], update: bool, insert: bool, changes: Changes) -> Counts:
        new = [each for each in arrivals if each.number is None]
        there = [(each.number, each) for each in arrivals if each.number is not None]
        changed = [(number, each.row) for number, each in there if each.changed and not each.moved]
        moved = [(number, each.row) for number, each in there if each.moved]
        origins = {number: each.origin for number, each in there if each.origin is not None and (update or not each.changed)}
        if update:
            self._update(changed, [NOT_EMBEDDED] * len(changed))
            changes.numbers += [number for number, _ in changed]
        self._update(moved, self._generations([number for number, _ in moved]))
        if insert:
            first = next_number(self.store)
            self._insert(range(first, first + len(new)), [each.row for each in new])
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

    def _insert(self, numbers: Sequence[int], rows: Sequence[DocumentRow]) -> None:
        checks = [row_checksum(number, NOT_EMBEDDED, row.digest) for number, row in zip(numbers, rows, strict=True)]
        self.store.execute_many(
            "INSERT INTO documents (number, generation, checksum, id, digest, label, source, metadata, title, text) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(number, NOT_EMBEDDED, check, *row) for number, row, check in zip(numbers, rows, checks, strict=True)],
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
            for start in range(0, len(numbers), IDS_AT_ONCE):
                some = numbers[start : start + IDS_AT_ONCE]
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
        for start in range(0, len(numbers), IDS_AT_ONCE):
            Documents(self.store, unreadable).at(numbers[start : start + IDS_AT_ONCE])
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
