"""XML: journal articles (JATS), editions (TEI), dumps of MediaWiki, and the text of any other; no entity is expanded."""

from __future__ import annotations

import io
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO, NamedTuple
from xml.parsers import expat

from vicinal.corpus._document import Document, Scalar
from vicinal.corpus._formats.input import Input, look_ahead
from vicinal.corpus._formats.plain import plain, titled
from vicinal.corpus._read_report import Unreadable

_CHUNK = 1 << 16
#: Elements inside each other: no document has more.
MOST_NESTED = 1_000
#: Elements inside a line; any other begins a new one.
_INLINE = frozenset(
    {"b", "bold", "i", "italic", "em", "emph", "hi", "sub", "sup", "sc", "monospace", "a", "ref", "xref", "ext-link", "rs", "name"}
    | {"persname", "span", "w", "pc", "c"}
)
_UNSEEN = frozenset(
    {"xref", "ref-list", "back", "permissions", "fn", "table-wrap-foot", "teiheader", "inline-formula", "disp-formula", "tex-math"}
)


class Event(NamedTuple):
    """A part of an XML document: the start of an element, its end, or text (kind "")."""

    kind: str
    name: str
    text: str = ""
    attributes: Mapping[str, str] = {}


class _Events:
    """Turns what expat calls into events; declarations of entities end the document."""

    def __init__(self) -> None:
        self.found: deque[Event] = deque()
        self._depth = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.parser.EntityDeclHandler = self._refuse
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise Unreadable(f"elements inside each other more than {MOST_NESTED:,} deep")
        self.found.append(Event("start", _local(name), "", {_local(key): value for key, value in attributes.items()}))

    def _end(self, name: str) -> None:
        self._depth -= 1
        self.found.append(Event("end", _local(name)))

    def _text(self, text: str) -> None:
        self.found.append(Event("", "", text))

    def _refuse(self, *_: object) -> None:
        raise Unreadable("it declares entities of its own, which are not expanded")


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


def events(stream: BinaryIO) -> Iterator[Event]:
    """The parts of an XML document, one after the other; raise Unreadable where it is not well formed."""
    reader = _Events()
    while True:
        data = stream.read(_CHUNK)
        try:
            reader.parser.Parse(data, not data)
        except expat.ExpatError as error:
            raise Unreadable(f"not well-formed XML: {error}") from None
        while reader.found:
            yield reader.found.popleft()
        if not data:
            return


def xml(file: Input) -> Iterator[Document]:
    """Read an article, an edition, a dump of a wiki, or any XML as its text; what is not well formed is read as plain text."""
    if b"<mediawiki" in look_ahead(file)[:2_000]:
        yield from _pages(events(file.stream), file)
        return
    data = file.data()
    try:
        yield _article(events(io.BytesIO(data)), file)
    except Unreadable as error:
        file.note(f"{file.name}: read as plain text: {error}")
        yield from plain(replace(file, stream=io.BytesIO(data)))


@dataclass
class _Article:
    """What is gathered of one document: its text in lines, its title, and metadata."""

    limit: int
    pieces: list[str] = field(default_factory=list)
    title: list[str] = field(default_factory=list)
    metadata: dict[str, Scalar] = field(default_factory=dict)
    size: int = 0

    def add(self, text: str) -> None:
        """Append a text; Unreadable where there is more than is allowed."""
        self.size += len(text)
        if self.size > self.limit:
            raise Unreadable(f"more text than the {self.limit:,} characters that are allowed for one document")
        self.pieces.append(text)

    def text(self) -> str:
        """The text so far, with spaces and empty lines put right."""
        lines = (" ".join(line.split()) for line in "".join(self.pieces).split("\n"))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _article(found: Iterator[Event], file: Input) -> Document:
    article, path = _Article(file.limits.document_bytes), list[str]()
    inside = ""
    for event in found:
        if event.kind == "start":
            path.append(event.name.lower())
            if not article.title and path[-1] in {"article-title", "title"} and "ref-list" not in path:
                inside = "/".join(path)
            if path[-1] not in _INLINE:
                article.add("\n")
        elif event.kind == "end":
            if "/".join(path) == inside:
                inside = ""
            if path.pop() not in _INLINE:
                article.add("\n")
        elif inside:
            article.title.append(event.text)
        elif not _UNSEEN.intersection(path) and not _is_head(path):
            article.add(event.text.replace("\n", " "))
        elif path[-1] == "year" and "pub-date" in path:
            article.metadata.setdefault("year", int(event.text) if event.text.isdigit() else event.text)
    return titled(file, article.text(), "".join(article.title), article.metadata)


def _is_head(path: list[str]) -> bool:
    """Whether text is in the metadata of a journal article; its abstract is not."""
    return "front" in path and "abstract" not in path


def _pages(found: Iterator[Event], file: Input) -> Iterator[Document]:
    """The pages of a dump of MediaWiki that are articles and no redirects, one document each."""
    page, path = dict[str, list[str]](), list[str]()
    number = size = 0
    for event in found:
        if event.kind == "start":
            path.append(event.name)
            if event.name == "page":
                page, size, number = {}, 0, number + 1
            elif event.name == "redirect":
                page["redirect"] = ["yes"]
        elif event.kind == "end":
            if path.pop() == "page":
                yield from _page(page, number, size, file)
        elif "page" in path:
            size += len(event.text)
            if size <= file.limits.document_bytes:
                page.setdefault("/".join(path[path.index("page") + 1 :]), []).append(event.text)


def _page(page: Mapping[str, list[str]], number: int, size: int, file: Input) -> Iterator[Document]:
    values = {name: "".join(parts).strip() for name, parts in page.items()}
    title = values.get("title", "")
    if size > file.limits.document_bytes:
        file.skip(f"page {number:,} ({title}): longer than {file.limits.document_bytes:,} characters")
    elif values.get("ns", "0") != "0" or "redirect" in values:
        kind = "a redirect" if "redirect" in values else "not an article"
        file.skip(f"page {number:,} ({title}): {kind}")
    else:
        date = values.get("revision/timestamp")
        text = wiki_text(values.get("revision/text", ""))
        yield file.document(text, title, row=number, metadata={"date": date} if date else {})


_TEMPLATE = re.compile(r"\{\{[^{}]*+\}\}|\{\|[^{}]*+\|\}")
_LINK = re.compile(r"\[\[(?:[^\[\]|]*+\|)?([^\[\]|]*+)\]\]")
_WIKI = (
    (re.compile(r"<!--.*?-->", re.DOTALL), " "),
    (re.compile(r"<ref[^<>]*/>|<ref[^<>]*>[^<]*+</ref>", re.IGNORECASE), " "),
    (re.compile(r"\[\[(?:File|Image|Category|Datei|Kategorie|Fichier)[^\[\]]*+\]\]", re.IGNORECASE), " "),
    (_LINK, r"\1"),
    (re.compile(r"\[https?://\S++ ?([^\[\]]*+)\]"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^<>]{0,200}>"), " "),
    (re.compile(r"'{2,5}"), ""),
    (re.compile(r"^=+[ \t]*(.*?)[ \t]*=+[ \t]*$", re.MULTILINE), r"\1"),
)


def wiki_text(markup: str) -> str:
    """The text of a page in the markup of MediaWiki: links by their words, without templates, tables and references."""
    for _ in range(5):  # templates inside templates
        shorter = _TEMPLATE.sub(" ", markup)
        if len(shorter) == len(markup):
            break
        markup = shorter
    for pattern, replacement in _WIKI:
        markup = pattern.sub(replacement, markup)
    return markup.strip()
