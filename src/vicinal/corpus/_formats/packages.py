"""Documents that are zip archives of XML: OpenDocument text, EPUB and PowerPoint, read with the standard library."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote

from vicinal.corpus._document import Document
from vicinal.corpus._formats.html import visible_text
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.plain import titled
from vicinal.corpus._formats.xml import events
from vicinal.corpus._read_report import Unreadable
from vicinal.corpus._unpack import Budget

#: Blanks that OpenDocument writes as elements.
_ODF_BLANKS = {"tab": "\t", "s": " ", "line-break": "\n"}


class Package:
    """A zip archive whose parts are read whole, within the limits of one document and of what it may unpack to."""

    def __init__(self, file: Input) -> None:
        self.data = file.data()
        self._limit, self._budget = file.limits.document_bytes, Budget(len(self.data), file.limits)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(self.data))
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
    yield titled(file, "\n".join(lines), package.title("meta.xml"))


def pptx(file: Input) -> Iterator[Document]:
    """Read the text of the slides of a presentation, with their notes."""
    package = Package(file)
    slides = sorted(name for name in package.names if re.fullmatch(r"ppt/slides/slide\d+\.xml", name))
    pages = []
    for slide in sorted(slides, key=_number):
        notes = slide.replace("slides/slide", "notesSlides/notesSlide")
        pages.append([each for name in (slide, notes) for each in package.paragraphs(name, frozenset({"p"}), frozenset({"t"}))])
    text = "\n\n".join("\n".join(line for line in page if line.strip()) for page in pages)
    yield titled(file, text, package.title("docProps/core.xml"))


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
    yield titled(file, "\n\n".join(filter(None, chapters)), package.title(opf))
