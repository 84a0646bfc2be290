"""Documents in batches, each of which is written in one transaction, and counts of what became of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from vicinal._store.document_row import DocumentRow, to_row
from vicinal.corpus import Document

#: A batch is written when it has this many characters, however few its documents.
BATCH_CHARACTERS = 1 << 24


@dataclass(frozen=True)
class Counts:
    """What adding did: documents that were new, that were there already, and that were there with another content.

    Parameters
    ----------
    added, unchanged, changed : int
    moved : int
        Documents that are there under another id now, with the same text.
    absent : tuple of str
        Ids of documents that are not there, and were not to be added.
    """

    added: int = 0
    unchanged: int = 0
    changed: int = 0
    moved: int = 0
    absent: tuple[str, ...] = ()

    @property
    def seen(self) -> int:
        """All of them."""
        return self.added + self.unchanged + self.changed + self.moved + len(self.absent)

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))


def batches(documents: Iterable[Document], size: int) -> Iterator[list[tuple[Document, DocumentRow]]]:
    """Documents with their rows. An id that comes twice ends the batch, so that the second is compared with the first in the table.

    Parameters
    ----------
    documents : iterable of Document
    size : int

    Yields
    ------
    list of (Document, DocumentRow)
    """
    batch: dict[str, tuple[Document, DocumentRow]] = {}
    characters = 0
    for document in documents:
        row = to_row(document)
        if batch and (len(batch) == size or characters > BATCH_CHARACTERS or row.id in batch):
            yield list(batch.values())
            batch, characters = {}, 0
        batch[row.id] = document, row
        characters += len(row.text) + len(row.title) + len(row.metadata)
    if batch:
        yield list(batch.values())
