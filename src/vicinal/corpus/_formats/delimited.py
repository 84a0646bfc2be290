"""CSV and TSV: records with a header, read one at a time; reading stops where a quote is never closed."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Literal, TypeAlias

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input, Line, lines
from vicinal.corpus._formats.tables import Record, documents_of, sampled
from vicinal.corpus._read_report import Unreadable

_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
_DECIMAL = re.compile(r"-?\d{1,15}\.\d{1,17}(?:[eE][+-]?\d{1,2})?", re.ASCII)
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_LONGEST_NAME = 200
_FIRST_LINES = 50
_Cells: TypeAlias = tuple[int, dict[str, str]]
_CellType: TypeAlias = type[int] | type[float] | type[str]


def csv_table(file: Input) -> Iterator[Document]:
    """Read a table whose cells are separated by commas, or by the semicolon, tab or bar that its first line has more of."""
    feed = _Feed(lines(file))
    first = next((line for line in feed.peek(_FIRST_LINES) if line.strip()), "")
    bare = Counter(_QUOTED.sub("", first))
    delimiter = max(",;\t|", key=lambda character: bare[character])
    if delimiter != ",":
        file.note(f"{file.name}: cells separated by {delimiter!r}")
    yield from _table(feed, file, delimiter, csv.QUOTE_MINIMAL)


def tsv_table(file: Input) -> Iterator[Document]:
    """Read a table whose cells are separated by tabs; quotes are characters like others unless each one encloses a cell."""
    feed = _Feed(lines(file))
    cells = [cell for line in feed.peek(_FIRST_LINES) for cell in line.rstrip("\r\n").split("\t") if cell.startswith('"')]
    enclosing = bool(cells) and all(len(cell) > 1 and cell.endswith('"') for cell in cells)
    yield from _table(feed, file, "\t", csv.QUOTE_MINIMAL if enclosing else csv.QUOTE_NONE)


def _table(feed: _Feed, file: Input, delimiter: str, quoting: Literal[0, 3]) -> Iterator[Document]:
    records = _records(feed, file, delimiter, quoting)
    first = next(records, None)
    if first is None:
        return
    number, header = first
    if len(header) > file.limits.columns:
        raise Unreadable(f"row {number:,}: {len(header):,} columns where {file.limits.columns:,} are allowed")
    if _is_header(header):
        names = _distinct(header)
        rows = _rows(records, names, file)
    else:
        names = [f"column {position}" for position in range(1, len(header) + 1)]
        file.note(f"{file.name}: the first row is not a header, so the columns are called {names[0]!r} to {names[-1]!r}")
        rows = _rows(chain([first], records), names, file)
    yield from documents_of(_typed(rows, names), file)


def _is_header(cells: Sequence[str]) -> bool:
    """Whether a row can be the header: its names are short, are not numbers, and do not repeat."""
    names = [cell.strip() for cell in cells if cell.strip()]
    return (
        bool(names)
        and len(set(names)) == len(names)
        and all(len(name) <= _LONGEST_NAME and not _WHOLE.fullmatch(name) and not _DECIMAL.fullmatch(name) for name in names)
    )


def _distinct(header: Sequence[str]) -> list[str]:
    return [name.strip() or f"column {position}" for position, name in enumerate(header, start=1)]


def _rows(records: Iterator[tuple[int, list[str]]], names: list[str], file: Input) -> Iterator[_Cells]:
    for number, cells in records:
        if len(cells) > len(names):
            file.skip(f"row {number:,}: {len(cells):,} cells where the header has {len(names):,}")
        else:
            yield number, dict(zip(names, cells + [""] * (len(names) - len(cells)), strict=True))


def _typed(rows: Iterator[_Cells], names: list[str]) -> Iterator[Record]:
    """Turn the cells of a column into numbers, if all of the first rows are numbers; empty cells become None."""
    sample, rows = sampled(rows)
    types = {name: _type([cells[name] for _, cells in sample if cells[name]]) for name in names}
    for number, cells in rows:
        yield number, {name: _value(cell, types[name]) for name, cell in cells.items()}


def _type(cells: list[str]) -> _CellType:
    if cells and all(_WHOLE.fullmatch(cell) for cell in cells):
        return int
    if cells and all(_WHOLE.fullmatch(cell) or _DECIMAL.fullmatch(cell) for cell in cells):
        return float
    return str


def _value(cell: str, type: _CellType) -> str | int | float | None:
    if not cell:
        return None
    if type is int and not _WHOLE.fullmatch(cell):
        return cell
    if type is float and not (_WHOLE.fullmatch(cell) or _DECIMAL.fullmatch(cell)):
        return cell
    return type(cell)


class _TooLong(Exception):
    """A line that is longer than the limit."""


class _Feed:
    """The lines that the csv module reads: counts them, and the quotes since the record began."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines, self._ahead = lines, list[Line]()
        self.number, self.quotes, self.ended = 0, 0, False

    def __iter__(self) -> _Feed:
        return self

    def peek(self, count: int) -> list[str]:
        """The first lines; they are read again afterwards."""
        self._ahead = list(islice(self._lines, count))
        return [line.text for line in self._ahead]

    def __next__(self) -> str:
        line = self._ahead.pop(0) if self._ahead else next(self._lines, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self.number = line.number
        self.quotes += line.quotes if line.cut else line.text.count('"')
        if line.cut:
            raise _TooLong
        return line.text

    def finish_record(self) -> None:
        """Read on to the end of a record that is not kept: to where its quotes are paired."""
        while self.quotes % 2 and not self.ended:
            try:
                next(self)
            except _TooLong:
                continue
            except StopIteration:
                return


def _records(feed: _Feed, file: Input, delimiter: str, quoting: Literal[0, 3]) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each complete record; the others are skipped with a reason."""
    reader = csv.reader(feed, delimiter=delimiter, quoting=quoting)
    number = 0
    while True:
        number, start, feed.quotes = number + 1, feed.number + 1, 0
        try:
            cells = _next(reader, file.limits.document_bytes)
        except StopIteration:
            return
        except (_TooLong, csv.Error) as error:
            if quoting != csv.QUOTE_NONE:
                feed.finish_record()
            if feed.ended and feed.quotes % 2:
                cells = []
            else:
                reason = f"longer than {file.limits.document_bytes:,} characters" if isinstance(error, _TooLong) else str(error)
                file.skip(f"row {number:,} (line {start:,}): {reason}")
                continue
        if feed.ended:  # a record that only the end of the file could end
            file.skip(f"row {number:,}: a quote opened on line {start:,} or after is never closed; nothing from there on was read")
            return
        if any(cell.strip() for cell in cells):
            yield number, cells


def _next(reader: Iterator[list[str]], limit: int) -> list[str]:
    """One record; the csv module's limit on the length of a cell belongs to the whole process, so it is restored."""
    before = csv.field_size_limit(limit)
    try:
        return next(reader)
    finally:
        csv.field_size_limit(before)
