"""What every format reader takes and gives: an open file and a desk to work at, drafts of documents."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from vicinal.corpus._columns import Wishes
from vicinal.corpus._decode import SAMPLE, Tally, decode, mended, sniff
from vicinal.corpus._document import Scalar
from vicinal.corpus._files import Limits, read_whole
from vicinal.corpus._report import Report, Unreadable

#: So many bytes may be wrong in any text; where there are more, nine in ten must be right.
_FEW = 20


class Draft(NamedTuple):
    """A document before it has its final name: ``row`` is its place in the file, ``key`` the name it brings along."""

    text: str
    title: str = ""
    row: int | None = None
    key: str = ""
    label: str = ""
    metadata: Mapping[str, Scalar] | None = None


@dataclass
class Desk:
    """One file at work: its stream, its name, what was asked for, and where to report."""

    stream: BinaryIO
    source: str
    report: Report
    name: str = ""
    stem: str = ""
    by_itself: bool = True
    wishes: Wishes = field(default_factory=Wishes)
    encoding: str | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def tally(self) -> Tally:
        """Where bytes that had to be mended are counted."""
        return self.report.tally

    def skip(self, reason: str) -> None:
        """Leave out a part of this file and say why."""
        self.report.skip(self.source, reason)

    def note(self, text: str) -> None:
        """Say a guess about this file aloud."""
        self.report.note(text)

    def data(self) -> bytes:
        """All bytes of the file, within the limits."""
        return read_whole(self.stream, self.limits.document_bytes)

    def text(self, hint: Callable[[bytes], str | None] = lambda data: None) -> str:
        """All of the file as text; ``hint`` finds what it says about its own encoding."""
        data = self.data()
        before = self.tally.replaced
        text = decode(data, self.tally, self.encoding, hint(data))
        if self.tally.replaced - before > max(_FEW, len(text) // 10):
            self.tally.replaced = before
            raise Unreadable("binary, or text in an encoding that is not recognised: give encoding= if you know it")
        return text


Reader: TypeAlias = Callable[[Desk], Iterator[Draft]]


class Line(NamedTuple):
    """A line with its number from 1; one that is too long is ``cut``, and only the quotes in it are counted."""

    number: int
    text: str
    cut: bool = False
    quotes: int = 0


def lines(desk: Desk) -> Iterator[Line]:
    """Read a stream line by line, never holding more than one of them, in whatever encoding it begins."""
    stream, name = _with_encoding(desk)
    escaping = name in {"utf-8", "utf-8-sig"} and desk.encoding is None
    text = io.TextIOWrapper(stream, encoding=name, errors="surrogateescape" if escaping else "replace", newline="")
    try:
        number = 0
        while line := text.readline(desk.limits.document_bytes):
            number += 1
            if len(line) == desk.limits.document_bytes and line[-1] not in "\r\n":
                yield Line(number, "", cut=True, quotes=line.count('"') + _drained(text))
            elif escaping:
                yield Line(number, mended(line, desk.tally))
            else:
                desk.tally.replaced += line.count("\ufffd")
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


def _with_encoding(desk: Desk) -> tuple[BinaryIO, str]:
    """A stream that begins where this one did, and the encoding of its first bytes."""
    head = head_of(desk.stream)
    name = desk.encoding or sniff(head)
    if name is None:
        raise Unreadable("binary, not text")
    return _again(head, desk.stream), name


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
        return True

    def readinto(self, buffer: Any, /) -> int:
        if not self._head:
            self._head = (
                self._stream.read1(len(buffer)) if isinstance(self._stream, io.BufferedReader) else self._stream.read(len(buffer))
            )
        given = self._head[: len(buffer)]
        buffer[: len(given)] = given
        self._head = self._head[len(given) :]
        return len(given)
