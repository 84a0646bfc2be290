"""Long documents in parts: by page, by heading, or so many words at a time; each part names its parent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from vicinal.corpus._document import Document, Scalar
from vicinal.errors import BadParameter

#: What stands between two pages.
PAGE_BREAK = "\f"
_WORDS = re.compile(r"words:([1-9]\d{0,5})")
_HEADING = re.compile(r"^(?: {0,3}#{1,6}[ \t]+([^\n]{1,500})|([^\n]{1,200})\n(?:={3,}|-{3,})[ \t]*)$", re.MULTILINE)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class SplitRule:
    """How documents are split: by "page", "heading" or "words", of which ``size`` are in a part."""

    by: str
    size: int = 0

    def __str__(self) -> str:
        """As `checked_split` takes it."""
        return f"{self.by}:{self.size}" if self.size else self.by


def checked_split(split: str | None) -> SplitRule | None:
    """The way of splitting that a text names, or raise BadParameter."""
    if split is None or split == "none":
        return None
    if split in {"page", "heading"}:
        return SplitRule(split)
    words = _WORDS.fullmatch(split) if isinstance(split, str) else None
    if words is None:
        raise BadParameter(f"split must be 'page', 'heading' or 'words:N', got {split!r}. Use split='words:300'.")
    return SplitRule("words", int(words[1]))


def parts_of(document: Document, split: SplitRule) -> Iterator[Document]:
    """The parts of a document that have text, with its id as ``parent`` in their metadata; the document itself where it has one."""
    pieces = [piece for piece in _PIECES[split.by](document.text, split.size) if piece.text.strip()]
    if len(pieces) < 2:
        yield document
        return
    for number, piece in enumerate(pieces, start=1):
        at = piece.page if split.by == "page" else number
        name = f"page {at}" if split.by == "page" else piece.heading or f"part {at}"
        title = f"{document.title}, {name}" if document.title not in ("", name) else name
        metadata: dict[str, Scalar] = {**document.metadata, "parent": document.id}
        if PAGE_BREAK in document.text:
            metadata["page"] = piece.page
        id, text = f"{document.id}#{split.by[0]}{at}", piece.text.strip("\f\n")
        yield replace(document, id=id, text=text, title=title, metadata=metadata)


@dataclass(frozen=True)
class _SplitPiece:
    text: str
    page: int
    heading: str = ""


def _pages(text: str, _: int) -> Iterator[_SplitPiece]:
    for number, page in enumerate(text.split(PAGE_BREAK), start=1):
        yield _SplitPiece(page, number)


def _headings(text: str, _: int) -> Iterator[_SplitPiece]:
    start, heading = 0, ""
    for found in _HEADING.finditer(text):
        yield _piece(text, start, found.start(), heading)
        start, heading = found.start(), (found[1] or found[2]).strip(" \t#")
    yield _piece(text, start, len(text), heading)


def _words(text: str, size: int) -> Iterator[_SplitPiece]:
    start = 0
    for number, word in enumerate(_WORD.finditer(text)):
        if number and number % size == 0:
            yield _piece(text, start, word.start())
            start = word.start()
    yield _piece(text, start, len(text))


def _piece(text: str, start: int, end: int, heading: str = "") -> _SplitPiece:
    return _SplitPiece(text[start:end], text.count(PAGE_BREAK, 0, start) + 1, heading)


_PIECES = {"page": _pages, "heading": _headings, "words": _words}


def without_hyphens(text: str) -> str:
    """Join words that a hyphen divides at the end of a line, unless the text has them with the hyphen elsewhere."""
    whole = set(re.findall(r"\w+-\w+", text))

    def joined(found: re.Match[str]) -> str:
        """A word that was hyphenated at the end of a line, without the hyphen unless the text has it elsewhere."""
        hyphenated = f"{found[1]}-{found[2]}"
        return f"{hyphenated}\n" if hyphenated in whole else f"{found[1]}{found[2]}\n"

    return re.sub(r"(\w*[^\W\d_])[-\u00ad\u2010]\n([^\W\d_A-Z]\w*[^\w\s]*)[ \t]?", joined, text)
