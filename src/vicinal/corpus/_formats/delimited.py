"""CSV and TSV: records with a header, read one at a time, and left at the first one that cannot be trusted."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from vicinal.corpus._columns import Row, sampled
from vicinal.corpus._formats.base import Desk, Draft, Line, lines
from vicinal.corpus._formats.records import drafts
from vicinal.corpus._report import Unreadable

_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
_DECIMAL = re.compile(r"-?\d{1,15}\.\d{1,17}(?:[eE][+-]?\d{1,2})?", re.ASCII)
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_LONGEST_NAME = 200
_FIRST_LINES = 50


def csv_table(desk: Desk) -> Iterator[Draft]:
    """Read a table whose cells are parted by commas, or by the semicolon, tab or bar that its first line has more of."""
    feed = _Feed(lines(desk))
    first = next((line for line in feed.peek(_FIRST_LINES) if line.strip()), "")
    bare = Counter(_QUOTED.sub("", first))
    delimiter = max(",;\t|", key=lambda sign: bare[sign])
    if delimiter != ",":
        desk.note(f"{desk.name}: cells parted by {delimiter!r}")
    yield from _table(feed, desk, delimiter, csv.QUOTE_MINIMAL)


def tsv_table(desk: Desk) -> Iterator[Draft]:
    """Read a table whose cells are parted by tabs; quotes are signs like others unless every one encloses a cell."""
    feed = _Feed(lines(desk))
    cells = [cell for line in feed.peek(_FIRST_LINES) for cell in line.rstrip("\r\n").split("\t") if cell.startswith('"')]
    enclosing = bool(cells) and all(len(cell) > 1 and cell.endswith('"') for cell in cells)
    yield from _table(feed, desk, "\t", csv.QUOTE_MINIMAL if enclosing else csv.QUOTE_NONE)


def _table(feed: _Feed, desk: Desk, delimiter: str, quoting: Any) -> Iterator[Draft]:
    records = _records(feed, desk, delimiter, quoting)
    first = next(records, None)
    if first is None:
        return
    number, header = first
    if len(header) > desk.limits.columns:
        raise Unreadable(f"row {number:,}: {len(header):,} columns where {desk.limits.columns:,} are allowed")
    if _is_header(header):
        names = _distinct(header)
        rows = _rows(records, names, desk)
    else:
        names = [f"column {place}" for place in range(1, len(header) + 1)]
        desk.note(f"{desk.name}: the first row is no header, so the columns are called {names[0]!r} to {names[-1]!r}")
        rows = _rows(_from(first, records), names, desk)
    yield from drafts(_typed(rows, names), desk)


def _from(first: tuple[int, list[str]], rest: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    yield first
    yield from rest


def _is_header(cells: Sequence[str]) -> bool:
    """Names are short, are no numbers, and do not repeat."""
    names = [cell.strip() for cell in cells if cell.strip()]
    return (
        bool(names)
        and len(set(names)) == len(names)
        and all(len(name) <= _LONGEST_NAME and not _WHOLE.fullmatch(name) and not _DECIMAL.fullmatch(name) for name in names)
    )


def _distinct(header: Sequence[str]) -> list[str]:
    return [name.strip() or f"column {place}" for place, name in enumerate(header, start=1)]


def _rows(records: Iterator[tuple[int, list[str]]], names: list[str], desk: Desk) -> Iterator[Row]:
    for number, cells in records:
        if len(cells) > len(names):
            desk.skip(f"row {number:,}: {len(cells):,} cells where the header has {len(names):,}")
        else:
            yield Row(number, dict(zip(names, cells + [""] * (len(names) - len(cells)), strict=True)))


def _typed(rows: Iterator[Row], names: list[str]) -> Iterator[Row]:
    """Turn the cells of a column into numbers, if all that were looked at are; empty ones into nothing."""
    sample, rows = sampled(rows)
    kinds = {name: _kind([row.values[name] for row in sample if row.values[name]]) for name in names}
    for row in rows:
        yield Row(row.number, {name: _value(cell, kinds[name]) for name, cell in row.values.items()})


def _kind(cells: list[str]) -> Callable[[str], Any]:
    if cells and all(_WHOLE.fullmatch(cell) for cell in cells):
        return int
    if cells and all(_WHOLE.fullmatch(cell) or _DECIMAL.fullmatch(cell) for cell in cells):
        return float
    return str


def _value(cell: str, kind: Callable[[str], Any]) -> Any:
    if not cell:
        return None
    if kind is int and not _WHOLE.fullmatch(cell):
        return cell
    if kind is float and not (_WHOLE.fullmatch(cell) or _DECIMAL.fullmatch(cell)):
        return cell
    return kind(cell)


class _TooLong(Exception):
    """A line that was not kept."""


class _Feed:
    """Lines on their way into the csv module: remembers where the record began, and whether its quotes are paired."""

    def __init__(self, coming: Iterator[Line]) -> None:
        self._coming, self._ahead = coming, list[Line]()
        self.number, self.quotes, self.ended = 0, 0, False

    def __iter__(self) -> _Feed:
        return self

    def peek(self, count: int) -> list[str]:
        """The first lines, which will come again."""
        self._ahead = list(islice(self._coming, count))
        return [line.text for line in self._ahead]

    def __next__(self) -> str:
        line = self._ahead.pop(0) if self._ahead else next(self._coming, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self.number = line.number
        self.quotes += line.quotes if line.cut else line.text.count('"')
        if line.cut:
            raise _TooLong
        return line.text

    def finish_record(self) -> None:
        """Go on to the end of a record that is not kept: to where its quotes are paired."""
        while self.quotes % 2 and not self.ended:
            try:
                next(self)
            except _TooLong:
                continue
            except StopIteration:
                return


def _records(feed: _Feed, desk: Desk, delimiter: str, quoting: Any) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each record that is whole; what is wrong with the others goes to the desk."""
    reader = csv.reader(feed, delimiter=delimiter, quoting=quoting)
    number = 0
    while True:
        number, start, feed.quotes = number + 1, feed.number + 1, 0
        try:
            cells = _next(reader, desk.limits.document_bytes)
        except StopIteration:
            return
        except (_TooLong, csv.Error) as error:
            if quoting != csv.QUOTE_NONE:
                feed.finish_record()
            if feed.ended and feed.quotes % 2:
                cells = []
            else:
                reason = f"longer than {desk.limits.document_bytes:,} characters" if isinstance(error, _TooLong) else str(error)
                desk.skip(f"row {number:,} (line {start:,}): {reason}")
                continue
        if feed.ended:  # a record that only the end of the file could end
            desk.skip(f"row {number:,}: a quote opened on line {start:,} or after is never closed; nothing from there on was read")
            return
        if any(cell.strip() for cell in cells):
            yield number, cells


def _next(reader: Iterator[list[str]], limit: int) -> list[str]:
    """One record; the longest cell that the csv module lets through is a number of the whole process, so it is put back."""
    before = csv.field_size_limit(limit)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(before)
