"""Labels given to documents after they were read, with their origin.

A document has the label it was read with, which is part of its content; a label given later is in force instead of it, and reading
the document again does not take it away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import final

from vicinal._store.checksums import change_tally, checksum
from vicinal._store.document_row import encodable
from vicinal._store.statements import SqlRow
from vicinal._store.store import Store
from vicinal.errors import BadLabels, BadParameter, DamagedIndex

#: Origin of a label that a document was read with.
READ = "document"
_LONGEST = 10_000


@dataclass(frozen=True)
class Label:
    """A label in force, and where it came from.

    Attributes
    ----------
    label : str
        The class of the document.
    origin : str
        "document" for a label that it was read with, "given" for one given by id, else the column that it was taken from.

    Examples
    --------
    >>> from vicinal.index import Label
    >>> Label("farm", "given").label
    'farm'
    """

    label: str
    origin: str


@final
class Labels:
    """The labels of a store.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def give(self, labels: Mapping[int, str], origin: str) -> None:
        """Give labels to documents, all together, in place of those they had; an empty label means that none is known.

        Parameters
        ----------
        labels : mapping from number of a document to its label
        origin : str
            Where the labels come from, such as the name of a column or of a file.
        """
        rows = [(int(number), label, origin) for number, label in labels.items()]
        for _, label, _ in rows:
            _check_text("a label", label)
        _check_text("the origin of labels", origin)
        with self.store.writing():
            self._check_documents([number for number, *_ in rows])
            self.take([number for number, *_ in rows])
            checked = [(*row, checksum(*row)) for row in rows]
            self.store.execute_many("INSERT INTO labels (document, label, origin, checksum) VALUES (?, ?, ?, ?)", checked)
            change_tally(self.store, "labels", len(checked), sum(row[3] for row in checked))

    def _check_documents(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            if not self.store.rows("SELECT 1 FROM documents WHERE number = ?", (number,)):
                raise BadParameter(f"there is no document {number} to give a label to. Use numbers that the index has returned.")

    def take(self, numbers: Iterable[int]) -> None:
        """Take labels that were given away again; those that documents were read with are in force again.

        Parameters
        ----------
        numbers : iterable of int
        """
        with self.store.writing():
            for number in numbers:
                checks = self.store.rows("SELECT checksum FROM labels WHERE document = ?", (int(number),))
                self.store.execute("DELETE FROM labels WHERE document = ?", (int(number),))
                change_tally(self.store, "labels", -len(checks), -sum(check for (check,) in checks))

    def get(self) -> dict[int, Label]:
        """Labels in force, by number of the document, in their order; a document without one is left out."""
        with self.store.reading():
            read = self.store.rows("SELECT number, label FROM documents WHERE label != ''")
            given = self.given()
        in_force = {number: Label(label, READ) for number, label in read} | given
        return {number: label for number, label in sorted(in_force.items()) if label.label}

    def given(self) -> dict[int, Label]:
        """Labels that were given, by number of the document, also empty ones; those that documents were read with are left out."""
        rows = self.store.rows("SELECT document, label, origin, checksum FROM labels")
        return {row[0]: from_label_row(row) for row in rows}

    def of(self, number: int) -> Label | None:
        """The label in force of one document, without reading those of others; None where it has none.

        Parameters
        ----------
        number : int

        Returns
        -------
        Label or None
        """
        with self.store.reading():
            given = self.store.rows("SELECT document, label, origin, checksum FROM labels WHERE document = ?", (number,))
            read = self.store.rows("SELECT label FROM documents WHERE number = ?", (number,))
        found = from_label_row(given[0]) if given else Label(read[0][0], READ) if read else None
        return found if found is not None and found.label else None


def from_label_row(row: SqlRow) -> Label:
    """Turn a row (document, label, origin, checksum) into a label, if its checksum is that of its content.

    Parameters
    ----------
    row : tuple

    Returns
    -------
    Label
    """
    if checksum(*row[:3]) != row[3]:
        raise DamagedIndex(
            f"the label of document {row[0]} is damaged: its checksum is not that of its content. Salvage the index."
        )
    return Label(row[1], row[2])


def _check_text(what: str, text: object) -> None:
    if not isinstance(text, str) or len(text) > _LONGEST or not encodable(text):
        raise BadLabels(
            f"{what} must be text of at most {_LONGEST:,} characters, got {text!r:.80}. Shorten it or turn it into text."
        )
