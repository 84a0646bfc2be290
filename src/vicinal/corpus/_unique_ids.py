"""Ids that no two documents of one reading have."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b

from vicinal.corpus._document import Document
from vicinal.corpus._read_report import Report


class UniqueIds:
    """The ids given so far, as eight bytes of a digest of each; ``by_source`` tells whether each source has its own."""

    def __init__(self, report: Report) -> None:
        self._report, self._given = report, set[bytes]()
        self._repeated: dict[bytes, int] = {}
        self.by_source = False

    def unique(self, document: Document) -> Document:
        """Return the document, with a number added to an id that was given before."""
        id, source = document.id, document.source if self.by_source else ""
        digest = given = _digest(id, source)
        number = self._repeated.get(digest, 1)
        while given in self._given:
            number += 1
            id = f"{document.id} ({number})"
            given = _digest(id, source)
        self._given.add(given)
        if number == 1:
            return document
        self._repeated[digest] = number
        self._report.note(f"the id {document.id!r} occurred before; this document is called {id!r}")
        return replace(document, id=id)


def _digest(id: str, source: str) -> bytes:
    return blake2b(f"{source}\0{id}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
