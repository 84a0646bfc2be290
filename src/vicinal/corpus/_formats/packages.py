"""Documents that are zip archives of XML: OpenDocument text, EPUB, PowerPoint and Excel, read with the standard library."""

from __future__ import annotations

import datetime
import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from vicinal.corpus._document import Document
from vicinal.corpus._formats.html import visible_text
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.tables import Record, documents_of, with_header
from vicinal.corpus._formats.xml import events
from vicinal.corpus._report import Unreadable
from vicinal.corpus._unpack import Budget

_DAY_ZERO = datetime.datetime(1899, 12, 30)
#: Number formats of Excel that are dates; others are told by their letters.
_DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
#: Blanks that OpenDocument writes as elements.
_ODF_BLANKS = {"tab": "\t", "s": " ", "line-break": "\n"}
_REFERENCE = re.compile(r"([A-Z]{1,3})\d+")


class Package:
    """A zip archive whose parts are read whole, within the limits of one document and of what it may unpack to."""

    def __init__(self, file: Input) -> None:
        data = file.data()
        self._limit, self._budget = file.limits.document_bytes, Budget(len(data), file.limits)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError) as error:
            raise Unreadable(f"not a document of its type, or a damaged one: {error}") from error
        self.names = self._archive.namelist()

    def part(self, name: str) -> io.BytesIO:
        """The bytes of a part; empty where there is none."""
        if name not in self.names:
            return io.BytesIO()
        with self._archive.open(name) as stream:
            data = stream.read(self._limit + 1)
        if len(data) > self._limit:
            raise Unreadable(f"its part {name} unpacks to more than the {self._limit:,} bytes that are allowed")
        self._budget.take(len(data))
        return io.BytesIO(data)

    def paragraphs(self, name: str, paragraph: frozenset[str], text: frozenset[str] | None = None) -> Iterator[str]:
        """The paragraphs of a part: the text in elements of these names, or in all where ``text`` is None."""
        pieces, inside = list[str](), 0
        for event in events(self.part(name)) if name in self.names else ():
            if event.kind == "start":
                inside += text is not None and event.name in text
                pieces += [_ODF_BLANKS.get(event.name, "")] if text is None else []
            elif event.kind == "end":
                inside -= text is not None and event.name in text
                if event.name in paragraph:
                    yield "".join(pieces)
                    pieces = []
            elif text is None or inside:
                pieces.append(event.text)

    def title(self, name: str) -> str:
        """The title that the part with the properties of a document has."""
        path = list[str]()
        found = []
        for event in events(self.part(name)) if name in self.names else ():
            if event.kind == "start":
                path.append(event.name)
            elif event.kind == "end":
                path.pop()
            elif path and path[-1] == "title":
                found.append(event.text)
        return "".join(found)


def odt(file: Input) -> Iterator[Document]:
    """Read an OpenDocument text."""
    package = Package(file)
    lines = list(package.paragraphs("content.xml", frozenset({"p", "h"})))
    yield file.document("\n".join(lines), package.title("meta.xml"))


def pptx(file: Input) -> Iterator[Document]:
    """Read the text of the slides of a presentation, with their notes."""
    package = Package(file)
    slides = sorted(name for name in package.names if re.fullmatch(r"ppt/slides/slide\d+\.xml", name))
    pages = []
    for slide in sorted(slides, key=_number):
        notes = slide.replace("slides/slide", "notesSlides/notesSlide")
        pages.append([each for name in (slide, notes) for each in package.paragraphs(name, frozenset({"p"}), frozenset({"t"}))])
    text = "\n\n".join("\n".join(line for line in page if line.strip()) for page in pages)
    yield file.document(text, package.title("docProps/core.xml"))


def _number(name: str) -> int:
    return int(re.sub(r"\D", "", posixpath.basename(name)) or 0)


def epub(file: Input) -> Iterator[Document]:
    """Read the chapters of a book in their order, as one text."""
    package = Package(file)
    roots = (event.attributes for event in events(package.part("META-INF/container.xml")) if event.name == "rootfile")
    opf = next((each["full-path"] for each in roots if "full-path" in each), "")
    if opf not in package.names:
        raise Unreadable("not an EPUB: it names no contents")
    items, spine = dict[str, str](), list[str]()
    for event in events(package.part(opf)):
        if event.kind == "start" and event.name == "item":
            items[event.attributes.get("id", "")] = event.attributes.get("href", "")
        elif event.kind == "start" and event.name == "itemref":
            spine.append(event.attributes.get("idref", ""))
    paths = [posixpath.normpath(posixpath.join(posixpath.dirname(opf), unquote(items[id]))) for id in spine if id in items]
    chapters = [visible_text(package.part(path).read().decode("utf-8", "replace"))[0] for path in paths]
    yield file.document("\n\n".join(filter(None, chapters)), package.title(opf))


def xlsx(file: Input) -> Iterator[Document]:
    """Read one document per row of each sheet; the first row has the names of the columns."""
    package = Package(file)
    strings = list(package.paragraphs("xl/sharedStrings.xml", frozenset({"si"}), frozenset({"t"})))
    dates, sheets = _date_styles(package), _sheets(package)
    for name, part in sheets:
        sheet = replace(file, name=f"{file.name}/{name}", by_itself=file.by_itself) if len(sheets) > 1 else file
        yield from documents_of(_records(package, part, strings, dates, sheet), sheet)


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


def _date_styles(package: Package) -> set[int]:
    """The styles of cells whose numbers are dates."""
    custom, styles, inside = dict[int, str](), list[int](), False
    for event in events(package.part("xl/styles.xml")) if "xl/styles.xml" in package.names else ():
        if event.name == "cellXfs":
            inside = event.kind == "start"
        elif event.kind == "start" and event.name == "numFmt":
            custom[int(event.attributes.get("numFmtId", -1))] = event.attributes.get("formatCode", "")
        elif event.kind == "start" and event.name == "xf" and inside:
            styles.append(int(event.attributes.get("numFmtId", 0)))
    dated = {number for number, code in custom.items() if re.search(r"[ymdh]", re.sub(r'"[^"]*"|\[[^]]*\]|\\.', "", code.lower()))}
    return {position for position, number in enumerate(styles) if number in _DATES | dated}


def _records(package: Package, part: str, strings: list[str], dates: set[int], file: Input) -> Iterator[Record]:
    yield from with_header(_cells(package, part, strings, dates, file), file)


def _cells(package: Package, part: str, strings: list[str], dates: set[int], file: Input) -> Iterator[tuple[int, list[object]]]:
    """The values of each row, with its number."""
    row, number, cell, kind, inside = list[object](), 0, dict[str, str](), "", False
    pieces = list[str]()
    for event in events(package.part(part)):
        if event.kind == "start" and event.name == "row":
            row, number = [], int(event.attributes.get("r", number + 1))
        elif event.kind == "start" and event.name == "c":
            cell, kind, pieces = dict(event.attributes), event.attributes.get("t", "n"), []
        elif event.name in {"v", "t"}:
            inside = event.kind == "start"
        elif event.kind == "end" and event.name == "c":
            column = _column(cell.get("r", ""), len(row))
            if column >= file.limits.columns:
                raise Unreadable(f"row {number:,}: more than {file.limits.columns:,} columns")
            row += [None] * (column + 1 - len(row))
            row[column] = _value("".join(pieces), kind, strings, int(cell.get("s", 0)) in dates)
        elif event.kind == "end" and event.name == "row":
            yield number, row
        elif inside and not event.kind:
            pieces.append(event.text)


def _column(reference: str, following: int) -> int:
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        return following
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - 64
    return column - 1


def _value(text: str, kind: str, strings: list[str], is_date: bool) -> object:
    if kind == "s":
        return strings[int(text)] if text.isdigit() and int(text) < len(strings) else None
    if kind == "b":
        return text == "1"
    if kind != "n" or not text:
        return None if kind == "e" or not text else text
    number = float(text)
    if is_date and 0 < number < 2_958_466:
        moment = _DAY_ZERO + datetime.timedelta(days=number)
        return moment.date().isoformat() if number.is_integer() else moment.replace(microsecond=0).isoformat()
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
