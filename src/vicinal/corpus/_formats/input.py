"""What every format reader takes and gives: an `Input`, which is one open file, and the documents it makes of it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

from vicinal.corpus._decode import SAMPLE, Tally, clean, decode, mended, sniff
from vicinal.corpus._document import Document, Metadata, Scalar
from vicinal.corpus._files import read_whole
from vicinal.corpus._guess import GUESSED
from vicinal.corpus._read_options import Limits, ReadOptions
from vicinal.corpus._read_report import Report, Unreadable
from vicinal.corpus._unpack import without_compression

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from vicinal.corpus._formats.extraction import Extraction

#: So many bytes may be replaced in any text; where there are more, at most one in ten.
_FEW = 20
_NOTHING: Mapping[str, Scalar] = {}
#: Names such as "137", "t0" and "2024-01-31", which say nothing about a document.
_NUMBER = re.compile(r"[A-Za-z]?[\W\d_]+")


class NeedsCage(Exception):
    """A file turned out to be of a format that is read in a process with limits."""


@dataclass
class Input:
    """One file or stream at work: its bytes, its path and name, what was asked for, and the report of the reading.

    Parameters
    ----------
    stream : binary stream
    source : str
        The path, as `Document.source` has it.
    name : str
        The path from the named folder on, which ids begin with.
    by_itself : bool
        Whether the file was named itself, and not found in a folder.
    options : ReadOptions
    report : Report
    """

    stream: BinaryIO
    source: str
    name: str
    by_itself: bool = True
    options: ReadOptions = field(default_factory=ReadOptions)
    report: Report = field(default_factory=Report)
    #: The process that was started on it ahead of its turn.
    extraction: Extraction | None = None
    #: How much of it was read, from 0 to 1, where its reader knows better than the position in its bytes.
    share: float | None = None
    #: Whether this process has limits, so that what could take all time or memory may be read here.
    caged: bool = False

    @property
    def stem(self) -> str:
        """The name of the file without folders and ending: the title where there is no other; empty where it is a number."""
        stem = PurePath(without_compression(self.name)).stem
        return "" if _NUMBER.fullmatch(stem) else stem

    @property
    def limits(self) -> Limits:
        """Sizes beyond which something is skipped."""
        return self.options.limits

    @property
    def tally(self) -> Tally:
        """Where characters that had to be replaced are counted."""
        return self.report.tally

    def skip(self, reason: str) -> None:
        """Leave out this file or a part of it, and report why."""
        self.report.skip(self.source, reason)

    def note(self, text: str) -> None:
        """Report a guess about this file."""
        self.report.note(text)

    def document(
        self,
        text: str,
        title: str = "",
        *,
        row: int | None = None,
        id: str = "",
        label: str = "",
        metadata: Mapping[str, Scalar] = _NOTHING,
    ) -> Document:
        """Make a document of this file, with clean text; without an id of its own it has the file's name and ``#row``."""
        tally = self.report.tally
        values = {clean(name, tally): clean(value, tally) if isinstance(value, str) else value for name, value in metadata.items()}
        return Document(
            id=_one_line(id, tally) or (self.name if row is None else f"{self.name}#{row}"),
            text=clean(text, tally),
            title=_one_line(title, tally),
            label=clean(label, tally),
            source=self.source,
            metadata=Metadata(self._folder() | values),
        )

    def _folder(self) -> dict[str, Scalar]:
        """The folder inside the one that was named, as metadata to filter by and to take labels from."""
        inside = [] if self.by_itself else self.name.split("/")[1:-1]
        return {"folder": "/".join(inside)} if inside else {}

    def data(self) -> bytes:
        """All bytes of the file, within the limits."""
        return read_whole(self.stream, self.limits.document_bytes)

    def text(self, hint: Callable[[bytes], str | None] = lambda data: None) -> str:
        """All of the file as text; ``hint`` finds what it says about its own encoding."""
        data = self.data()
        before = self.tally.replaced
        text = decode(data, self.tally, self.options.encoding, hint(data))
        if self.tally.replaced - before > max(_FEW, len(text) // 10):
            self.tally.replaced = before
            raise Unreadable("binary, or text in an encoding that is not recognised: give encoding= if you know it")
        return text


def _one_line(text: str, tally: Tally) -> str:
    return " ".join(clean(text, tally).split())


Reader: TypeAlias = Callable[[Input], Iterator[Document]]


class Line(NamedTuple):
    """A line of a file with its number from 1; one that is too long is ``cut``, and only the quotes in it are counted."""

    number: int
    text: str
    cut: bool = False
    quotes: int = 0


def lines(file: Input) -> Iterator[Line]:
    """Read a stream line by line, never holding more than one of them, in whatever encoding it begins."""
    stream, name = _with_encoding(file)
    escaping = name in {"utf-8", "utf-8-sig"} and file.options.encoding is None
    text = io.TextIOWrapper(stream, encoding=name, errors="surrogateescape" if escaping else "replace", newline="")
    try:
        number = 0
        while line := text.readline(file.limits.document_bytes):
            number += 1
            if len(line) == file.limits.document_bytes and line[-1] not in "\r\n":
                yield Line(number, "", cut=True, quotes=line.count('"') + _drained(text))
            elif escaping:
                yield Line(number, mended(line, file.tally))
            else:
                file.tally.replaced += line.count("\ufffd")
                yield Line(number, line)
    finally:
        text.detach()


def _drained(text: io.TextIOWrapper) -> int:
    """Read to the end of a line that is not kept; the number of quotes in it."""
    quotes = 0
    while piece := text.readline(SAMPLE):
        quotes += piece.count('"')
        if piece[-1] in "\r\n":
            break
    return quotes


def _with_encoding(file: Input) -> tuple[BinaryIO, str]:
    """A stream that begins where this one did, and the encoding of its first bytes."""
    head = head_of(file.stream)
    name = file.options.encoding or sniff(head)
    if name is None:
        raise Unreadable("binary, not text")
    if file.options.encoding is None and name in GUESSED:
        file.tally.legacy = name
    return _again(head, file.stream), name


def look_ahead(file: Input) -> bytes:
    """The first bytes of a file, which are read again afterwards."""
    if file.stream.seekable():
        head = file.stream.read(SAMPLE)
        file.stream.seek(0)
    else:
        head = file.stream.read(SAMPLE)
        file.stream = _again(head, file.stream)
    return head


def head_of(stream: BinaryIO) -> bytes:
    """The first bytes that a stream has to give without waiting for more."""
    return stream.read1(SAMPLE) if isinstance(stream, io.BufferedReader) else stream.read(SAMPLE)


def _again(head: bytes, stream: BinaryIO) -> BinaryIO:
    return io.BufferedReader(_Again(head, stream), SAMPLE)


class _Again(io.RawIOBase):
    """Bytes that were read already, and then the rest of a stream, which stays open when this is closed."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head, self._stream = head, stream

    def readable(self) -> bool:
        """Return True, as io asks of what can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read into a buffer, what was looked at already first; return how many bytes."""
        target = memoryview(buffer).cast("B")
        if not self._head:
            self._head = (
                self._stream.read1(len(target)) if isinstance(self._stream, io.BufferedReader) else self._stream.read(len(target))
            )
        given = self._head[: len(target)]
        target[: len(given)] = given
        self._head = self._head[len(given) :]
        return len(given)
