"""HTML: the text that a browser shows. The page is scanned once, from left to right, so that no page can make it slow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.plain import titled

_CHARSET = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_NAME = re.compile(r"[a-zA-Z][^\s/>]{0,50}")
#: The rest of a tag: a '>' in a quoted value does not end it. Possessive, so that nothing is tried twice.
_REST = re.compile(r"""[^>=]*+(?:=\s*+(?:"[^"]*+"|'[^']*+')?+[^>=]*+)*+>""")
_LONG_REFERENCE = re.compile(r"&#(?:[xX][0-9a-fA-F]{8,}|[0-9]{9,});?")
_UNSEEN = ("script", "style", "template", "noscript", "title")
_END_OF = {name: re.compile(rf"</{name}\b[^>]*>?", re.IGNORECASE) for name in _UNSEEN}
#: Elements that are of the site and not of the page; and those that hold what the page is about.
_BOILERPLATE, _MAIN = ("nav", "footer", "aside", "menu", "dialog"), ("main", "article")
#: Elements that may hold anything; and what they are called where they are of the site, if most of their words are links.
_BLOCKS = frozenset({"div", "ul", "ol", "section", "table", "td", "form", "header"})
_SITE_NAMES = """
    nav navbar navigation menu mainmenu submenu sidebar sphinxsidebar footer header banner breadcrumb breadcrumbs related toc
    toolbar contentinfo complementary
"""
_OF_SITE = frozenset(_SITE_NAMES.split())
_NAMES = re.compile(r"""\b(?:id|class|role)\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'>]++)""", re.IGNORECASE)
_LINKED_SHARE = 0.5
#: The least share of all visible text that is taken for the main part, and for what is left without boilerplate.
_MAIN_SHARE, _KEPT_SHARE = 0.3, 0.2
#: Elements inside a line; any other begins a new one.
_INLINE = frozenset(
    {
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
    }
    | {"mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"}
)


def html(file: Input) -> Iterator[Document]:
    """Read a page as one text, with its title."""
    page = file.text(_own_encoding)
    whole, title = visible_text(page)
    yield titled(file, main_text(page, whole), title)


def _own_encoding(data: bytes) -> str | None:
    found = _CHARSET.search(data[:4096])
    return found[1].decode("ascii", "replace") if found else None


def visible_text(page: str) -> tuple[str, str]:
    """The text of a page without scripts, styles and tags; and its title."""
    title = ""
    pieces: list[str] = []
    for kind, piece in _pieces(page):
        if kind == "title":
            title = title or " ".join(_unescaped(piece).split())
        elif kind == "text":
            pieces.append(piece)
        elif kind.lstrip("/") not in _INLINE:
            pieces.append("\n")
    return _lines(pieces), title


def main_text(page: str, whole: str) -> str:
    """The text of a page without navigation, asides and footers, or that of its main part; the whole where little is left."""
    depth, inside, linked = dict.fromkeys((*_BOILERPLATE, *_MAIN), 0), 0, False
    text = _MainText()
    for kind, piece in _pieces(page):
        name, is_end = kind.lstrip("/"), kind.startswith("/")
        if name in depth:
            depth[name] = max(0, depth[name] + (-1 if is_end else 1))
            inside = sum(depth[each] for each in _BOILERPLATE)
        elif name == "a":
            linked = not is_end
        elif name in _BLOCKS:
            text.end(name) if is_end else text.begin(name, piece)
        words = piece if kind == "text" else "" if kind == "title" or name in _INLINE else "\n"
        if not inside:
            text.add(words, bool(depth["main"] or depth["article"]), linked)
    for found, share in ((_lines(text.main), _MAIN_SHARE), (_lines(text.kept), _KEPT_SHARE)):
        if found and len(found) >= share * len(whole):
            return found
    return whole


class _OpenElement(NamedTuple):
    """An element that is open: whether its name is one of the site, and what there was before it."""

    name: str
    is_of_site: bool
    n_kept: int
    n_main: int
    size: int
    linked: int


class _MainText:
    """Pieces of a page that are kept, and those of its main part; a block of links is taken out again at its end."""

    def __init__(self) -> None:
        self.kept, self.main = list[str](), list[str]()
        self._open, self._n_open = list[_OpenElement](), Counter[str]()
        self._size = self._linked = 0

    def add(self, text: str, is_main: bool, linked: bool) -> None:
        """Keep a piece."""
        self.kept.append(text)
        if is_main:
            self.main.append(text)
        size = len(text.strip())
        self._size, self._linked = self._size + size, self._linked + size * linked

    def begin(self, name: str, attributes: str) -> None:
        """An element begins."""
        names = {each.lower() for found in _NAMES.findall(attributes) for each in found.strip("\"'").split()}
        block = _OpenElement(name, not _OF_SITE.isdisjoint(names), len(self.kept), len(self.main), self._size, self._linked)
        self._open.append(block)
        self._n_open[name] += 1

    def end(self, name: str) -> None:
        """An element ends, and those inside it that were not ended."""
        while self._n_open[name]:
            block = self._open.pop()
            self._n_open[block.name] -= 1
            if block.name == name:
                size, linked = self._size - block.size, self._linked - block.linked
                if block.is_of_site and linked > _LINKED_SHARE * size:
                    del self.kept[block.n_kept :], self.main[block.n_main :]
                return


def _lines(pieces: list[str]) -> str:
    lines = (" ".join(line.split()) for line in _unescaped("".join(pieces)).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _unescaped(text: str) -> str:
    return unescape(_LONG_REFERENCE.sub("\ufffd", text))


def _pieces(page: str) -> Iterator[tuple[str, str]]:
    """Texts, titles and names of tags, in order: ("text", text), ("title", text), (name, ""), and for blocks (name, attributes)."""
    position, quotes_close = 0, True  # quotes are ignored once a tag ends only inside one: each attempt scans to the end
    while (start := page.find("<", position)) >= 0:
        if start > position:
            yield "text", page[position:start].replace("\n", " ")
        name = _NAME.match(page, start + 1)
        if name is None:
            position = _after_other(page, start)
            closed = _NAME.match(page, start + 2) if page.startswith("</", start) else None
            if closed:
                yield f"/{closed[0].lower()}", ""
            elif position == start + 1:
                yield "text", "<"
            continue
        rest = _REST.match(page, name.end()) if quotes_close else None
        quotes_close = rest is not None
        position = rest.end() if rest else _after(page, ">", name.end())
        tag = name[0].lower()
        if tag in _END_OF:
            end = _END_OF[tag].search(page, position)
            if tag == "title":
                yield "title", page[position : end.start() if end else len(page)]
            position = end.end() if end else len(page)
        yield tag, page[name.end() : position] if tag in _BLOCKS else ""
    yield "text", page[position:].replace("\n", " ")


def _after_other(page: str, start: int) -> int:
    """Where a comment, declaration or end of an element is over; the next character if it is only a '<'."""
    if page.startswith("<!--", start):
        return _after(page, "-->", start + 4)
    return _after(page, ">", start) if page[start + 1 : start + 2] in {"!", "?", "/"} else start + 1


def _after(page: str, mark: str, position: int) -> int:
    found = page.find(mark, position)
    return len(page) if found < 0 else found + len(mark)
