"""Excel: a document per row of each sheet, by python-calamine where it is installed, and else with the standard library."""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from vicinal.corpus._document import Document
from vicinal.corpus._formats.cells import cell_value, moment_of, plain_cell
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.packages import Package
from vicinal.corpus._formats.tables import documents_of, with_header
from vicinal.corpus._formats.xml import events
from vicinal.corpus._read_report import Unreadable
from vicinal.errors import BadParameter

#: Number formats of Excel that are dates or times; others are told by their letters. One is of hours that passed.
_DATES, _ELAPSED = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}, {46}
_REFERENCE = re.compile(r"([A-Z]{1,3})\d+")
#: The cells that a sheet says to have, as column and row, wherever they stand in it.
_ANY_REFERENCE = re.compile(rb"\br\s*=\s*[\"']([A-Za-z]{1,3})(\d{1,7})[\"']")
#: A table is made of a whole sheet at once if it has at most so many cells, or so many for each cell that is written.
_MOST_CELLS, _MOST_EMPTY = 1_000_000, 20
_Row = tuple[int, list[object]]


@dataclass(frozen=True)
class _Workbook:
    """What the sheets of a file have in common; ``moments`` has the styles of cells that hold dates, or hours that passed."""

    package: Package
    strings: list[str]
    moments: dict[int, str]
    is_1904: bool


def xlsx(file: Input) -> Iterator[Document]:
    """Read one document per row of each sheet; the first row has the names of the columns."""
    package = Package(file)
    quick, sheets = _calamine(package), _sheets(package)
    book = None if quick is not None else _workbook(package)
    failed: dict[str, Unreadable | BadParameter] = {}
    for name, part in sheets:
        sheet = replace(file, name=f"{file.name}/{name}") if len(sheets) > 1 else file
        try:
            rows = None if quick is None else _quick_rows(quick, name, package.part(part).getvalue(), file.limits.columns)
            if rows is None:
                book = book or _workbook(package)
                rows = _rows(book, part, sheet)
            yield from documents_of(with_header(_trimmed(rows), sheet), sheet)
        except (Unreadable, BadParameter) as error:
            failed[name] = error
    if failed and len(failed) == len(sheets):
        raise next(iter(failed.values()))
    for name, why in failed.items():
        file.skip(f"sheet {name!r}: {str(why).partition(f' (in {file.source})')[0]}")


def _trimmed(rows: Iterator[_Row]) -> Iterator[_Row]:
    """Rows without the empty cells at their ends, which have a style and no content."""
    for number, row in rows:
        while row and row[-1] is None:
            row.pop()
        yield number, row


def _calamine(package: Package) -> Any:
    """The file as python-calamine reads it; None where that is not installed, or cannot read the file."""
    try:
        calamine: Any = import_module("python_calamine")
    except ImportError:
        return None
    package.part("xl/sharedStrings.xml")  # within the limits, or it is refused here
    try:
        return calamine.CalamineWorkbook.from_filelike(io.BytesIO(package.data))
    except calamine.CalamineError:
        return None


def _quick_rows(workbook: Any, name: str, data: bytes, most_columns: int) -> Iterator[_Row] | None:
    """The rows of a sheet by python-calamine, which holds all cells at once; None where they are too many, or not readable so."""
    width, height, n_written = 0, 0, 0
    for found in _ANY_REFERENCE.finditer(data):
        width = max(width, _column(found[1].decode().upper() + "1", 0) + 1)
        height, n_written = max(height, int(found[2])), n_written + 1
    if width > most_columns or width * height > max(_MOST_CELLS, _MOST_EMPTY * n_written):
        return None
    try:
        rows = workbook.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except BaseException as error:  # a panic of its engine is not even an Exception
        if type(error).__name__ in {"CalamineError", "PanicException"}:
            return None
        raise
    return ((number, [plain_cell(value) for value in row]) for number, row in enumerate(rows, start=1))


def _workbook(package: Package) -> _Workbook:
    is_1904 = any(
        event.attributes.get("date1904") in {"1", "true"}
        for event in events(package.part("xl/workbook.xml"))
        if event.kind == "start" and event.name == "workbookPr"
    )
    return _Workbook(package, list(_strings(package)), _moment_styles(package), is_1904)


def _strings(package: Package) -> Iterator[str]:
    """The texts that cells refer to by number; how they are pronounced is left out, and so are blanks that are not to be kept."""
    pieces, outside = list[str](), 0
    text: list[str] | None = None
    keeps = False
    for event in events(package.part("xl/sharedStrings.xml")) if "xl/sharedStrings.xml" in package.names else ():
        if event.name == "rPh":
            outside += 1 if event.kind == "start" else -1
        elif event.name == "t" and not outside:
            if event.kind == "start":
                text, keeps = [], event.attributes.get("space") == "preserve"
            elif text is not None:
                pieces.append("".join(text) if keeps else "".join(text).strip())
                text = None
        elif event.kind == "end" and event.name == "si":
            yield "".join(pieces)
            pieces = []
        elif not event.kind and text is not None:
            text.append(event.text)


def _sheets(package: Package) -> list[tuple[str, str]]:
    """Names and parts of the sheets, in their order."""
    targets = {
        event.attributes.get("Id", ""): event.attributes.get("Target", "")
        for event in events(package.part("xl/_rels/workbook.xml.rels"))
        if event.kind == "start" and event.name == "Relationship"
    }
    found = []
    for event in events(package.part("xl/workbook.xml")):
        if event.kind == "start" and event.name == "sheet":
            target = targets.get(event.attributes.get("id", ""), "")
            found.append((event.attributes.get("name", ""), posixpath.normpath(posixpath.join("xl", target)).lstrip("/")))
    return [(name, part if part in package.names else part.removeprefix("xl/")) for name, part in found]


def _moment_styles(package: Package) -> dict[int, str]:
    """The styles of cells whose numbers are dates, or hours that passed."""
    custom, styles, inside = dict[int, str](), list[int](), False
    for event in events(package.part("xl/styles.xml")) if "xl/styles.xml" in package.names else ():
        if event.name == "cellXfs":
            inside = event.kind == "start"
        elif event.kind == "start" and event.name == "numFmt":
            custom[int(event.attributes.get("numFmtId", -1))] = event.attributes.get("formatCode", "")
        elif event.kind == "start" and event.name == "xf" and inside:
            styles.append(int(event.attributes.get("numFmtId", 0)))
    kinds = dict.fromkeys(_DATES, "date") | dict.fromkeys(_ELAPSED, "elapsed")
    kinds |= {number: kind for number, code in custom.items() if (kind := moment_of(code))}
    return {position: kinds[number] for position, number in enumerate(styles) if number in kinds}


def _rows(book: _Workbook, part: str, file: Input) -> Iterator[_Row]:
    """The values of each row, with its number, by the standard library."""
    row, number, cell, pieces, inside, keeps = list[object](), 0, dict[str, str](), list[str](), False, True
    for event in events(book.package.part(part)):
        if event.kind == "start" and event.name == "row":
            row, number = [], int(event.attributes.get("r", number + 1))
        elif event.kind == "start" and event.name == "c":
            cell, pieces, keeps = dict(event.attributes), [], True
        elif event.name in {"v", "t"}:
            inside = event.kind == "start"
            keeps = keeps and (event.name == "v" or event.kind != "start" or event.attributes.get("space") == "preserve")
        elif event.kind == "end" and event.name == "c":
            column = _column(cell.get("r", ""), len(row))
            if column >= file.limits.columns:
                raise Unreadable(f"row {number:,}: more than {file.limits.columns:,} columns")
            row += [None] * (column + 1 - len(row))
            text = "".join(pieces) if keeps else "".join(pieces).strip()
            row[column] = _cell(book, text, cell)
        elif event.kind == "end" and event.name == "row":
            yield number, row
        elif inside and not event.kind:
            pieces.append(event.text)


def _cell(book: _Workbook, text: str, cell: dict[str, str]) -> object:
    kind = cell.get("t", "n")
    if kind == "s":
        return (book.strings[int(text)] or None) if text.isdigit() and int(text) < len(book.strings) else None
    return cell_value(text, kind, book.moments.get(int(cell.get("s", 0)), ""), book.is_1904)


def _column(reference: str, following: int) -> int:
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return following
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - 64
    return column - 1
