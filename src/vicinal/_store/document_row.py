"""Converts a document to a row of the table of documents, and back after its checksum was compared."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from vicinal._store.checksums import checksum, digest
from vicinal._store.statements import SqlRow
from vicinal.corpus import Document
from vicinal.corpus._document import Scalar
from vicinal.errors import BadData, DamagedIndex

#: Far below what SQLite can hold in one row (a thousand million bytes).
LONGEST_TEXT = 400_000_000
LONGEST_METADATA = 1 << 20
_WHOLE = 1 << 63
#: The title of a document that cannot be read.
DAMAGED = "(damaged)"
#: More documents, and more fits, than anybody will ever have.
LARGEST_NUMBER = 1 << 48
#: The columns of a row, in the order in which they are read.
COLUMNS = "number, generation, checksum, digest, id, title, text, source, label, metadata"


class DocumentRow(NamedTuple):
    """The columns of a document that depend on the document alone, in the order in which they are written.

    Parameters
    ----------
    id : str
    digest : bytes
        Of all other columns: it is the same for the same document.
    label, source, metadata, title, text : str
    """

    id: str
    digest: bytes
    label: str
    source: str
    metadata: str
    title: str
    text: str

    def rewritten(self, id: str, source: str) -> DocumentRow:
        """The same content under another id, from another source.

        Parameters
        ----------
        id, source : str

        Returns
        -------
        DocumentRow
        """
        same = digest(id, self.title, self.text, source, self.label, self.metadata)
        return self._replace(id=id, source=source, digest=same)


@dataclass(frozen=True)
class Stored:
    """A document with its number, which never changes, and its generation, which the index sets.

    Parameters
    ----------
    number : int
    document : Document
    generation : int
    """

    number: int
    document: Document
    generation: int


@dataclass(frozen=True)
class Lost:
    """A document that could not be read.

    Attributes
    ----------
    number : int
        Its number in the damaged index.
    id : str
        Empty where it is not known.

    Examples
    --------
    >>> from vicinal.index import Lost
    >>> print(Lost(7, "articles/wheat.txt"), Lost(8, ""), sep="; ")
    articles/wheat.txt; number 8, id not known
    """

    number: int
    id: str

    def __str__(self) -> str:
        return self.id or f"number {self.number}, id not known"


def to_row(document: Document) -> DocumentRow:
    """Turn a document into a row.

    Parameters
    ----------
    document : Document

    Returns
    -------
    DocumentRow

    Raises
    ------
    BadData
        It has no id, or a part of it is no text, cannot be written as UTF-8, or is too long.
    """
    if not isinstance(document, Document):
        raise BadData(f"documents must be of the class Document, got {type(document).__name__}. Use Document(id, text).")
    for name in ("id", "title", "text", "source", "label"):
        _check_text(getattr(document, name), f"the {name} of document {document.id!r:.80}")
    if not document.id:
        raise BadData(f"a document must have an id, got an empty one (title {document.title!r:.80}). Give it one of its own.")
    id, title, text, source, label = document.id, document.title, document.text, document.source, document.label
    metadata = _written(document.metadata, f"document {id!r:.80}")
    return DocumentRow(id, digest(id, title, text, source, label, metadata), label, source, metadata, title, text)


def _check_text(text: object, what: str) -> None:
    if not isinstance(text, str):
        raise BadData(f"{what} must be text, got {type(text).__name__}. Turn it into str.")
    if len(text) > LONGEST_TEXT // 4 and len(text.encode("utf-8", "replace")) > LONGEST_TEXT:
        raise BadData(f"{what} is too long: more than {LONGEST_TEXT:,} bytes. Split it.")
    if not encodable(text):
        raise BadData(f"{what} holds a lone surrogate, which cannot be written as UTF-8. Replace it.")


def encodable(text: str) -> bool:
    """Whether a text can be written as UTF-8.

    Parameters
    ----------
    text : str

    Returns
    -------
    bool
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _written(metadata: Mapping[str, Scalar], what: str) -> str:
    for name, value in metadata.items():
        _check_text(name, f"a metadata name of {what}")
        _check_scalar(value, f"metadata {name!r:.80} of {what}")
        if "\0" in name or (isinstance(value, str) and "\0" in value):  # SQLite's JSON would end there, and filters go wrong
            raise BadData(f"metadata {name!r:.80} of {what} holds a NUL character. Replace it.")
    written = json.dumps(dict(metadata), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    if len(written) > LONGEST_METADATA:
        raise BadData(
            f"the metadata of {what} are too long: more than {LONGEST_METADATA:,} characters. Put long text into its text."
        )
    return written


def _check_scalar(value: object, what: str) -> None:
    if isinstance(value, str):
        _check_text(value, what)
    elif isinstance(value, float) and not math.isfinite(value):
        raise BadData(f"{what} is {value}, which no comparison can find. Use None for a value that is not known.")
    elif isinstance(value, int) and not -_WHOLE <= value < _WHOLE:
        raise BadData(f"{what} is a whole number of more than 64 bits. Keep it as text.")
    elif value is not None and not isinstance(value, int | float):
        raise BadData(f"{what} must be text, a number, true, false or None, got {type(value).__name__}. Turn it into one.")


def row_checksum(number: int, generation: int, content: bytes) -> int:
    """Checksum of a whole row; the digest stands for its texts.

    Parameters
    ----------
    number, generation : int
    content : bytes
        The digest.

    Returns
    -------
    int
    """
    return checksum(number, generation, content)


def from_row(row: SqlRow) -> Stored:
    """Turn a row of `COLUMNS` back into a document, if its checksum is that of its content.

    Parameters
    ----------
    row : tuple

    Returns
    -------
    Stored

    Raises
    ------
    DamagedIndex
        It is not; the message names the document.
    """
    number, generation, check, content, *texts = row
    id, title, text, source, label, metadata = texts
    sound = all(isinstance(text, str) for text in texts) and isinstance(content, bytes)
    sound = sound and 0 < number < LARGEST_NUMBER and 0 <= generation < LARGEST_NUMBER
    if not sound or digest(*texts) != content or row_checksum(number, generation, content) != check:
        raise DamagedIndex(
            f"document {number} (id {id!r:.80}) is damaged: its checksum is not that of its content. Salvage the index."
        )
    return Stored(number, Document(id, text, title, label, source, _read(metadata, number)), generation)


def readable_row(row: SqlRow, unreadable: dict[int, Lost] | None) -> Stored:
    """As `from_row`; a damaged document is collected, where a mapping for that is given, and stands in its row by name alone.

    Parameters
    ----------
    row : tuple
    unreadable : dict from int to Lost, or None

    Returns
    -------
    Stored
    """
    try:
        return from_row(row)
    except DamagedIndex:
        if unreadable is None:
            raise
    lost = unreadable[row[0]] = Lost(row[0], row[4] if isinstance(row[4], str) else "")
    return Stored(row[0], Document(str(lost), "", DAMAGED), 0)


def _read(metadata: str, number: int) -> dict[str, Scalar]:
    """A flat object of plain values; a checksum can be forged, so this is validated in any case."""
    try:
        values = json.loads(metadata) if len(metadata) <= LONGEST_METADATA else None
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict) or not all(isinstance(value, str | int | float | None) for value in values.values()):
        raise DamagedIndex(
            f"document {number} is damaged: its metadata are not a mapping from names to plain values. Salvage the index."
        )
    return values
