"""Plain text: one document per file, or one per line of a stream."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType

from vicinal.corpus._document import Document, Scalar
from vicinal.corpus._formats.input import Input, lines
from vicinal.corpus._formats.json import Refused, json_lines_of, loads

#: A longer first line is a paragraph and no title.
_LONGEST_TITLE = 120
#: Titles that programs write where nobody gave one, and names of files that they leave in place of one.
NO_TITLE = re.compile(
    r"\W*(?:untitled|anonymous|unspecified|unknown|title|document|none|microsoft word|slide 1)\W*\d*"
    r"|microsoft \w+ - .*|\S+\.(?:docx?|dotx?|odt|rtf|txt|tex|dvi|ps|pdf|indd|qxd|pptx?|xlsx?|fm|html?)",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+([^\n]{1,500})$", re.MULTILINE)


_KEY = re.compile(r"([A-Za-z][\w-]{0,60}):[ \t]*(.*)")
_MOST_FRONT = 20_000  # characters of front matter


def plain(file: Input) -> Iterator[Document]:
    """Read a file as one text; the title is its first line, or the name of the file where that is too long or has no letters."""
    text = file.text()
    yield titled(file, text)


def titled(file: Input, text: str, title: str = "", metadata: Mapping[str, Scalar] = MappingProxyType({})) -> Document:
    """A text as a document; where it has no title of its own, its first line is one, or the name of the file."""
    return file.document(text, title.strip() or first_line(text) or named_after(file), metadata=metadata)


def named_after(file: Input) -> str:
    """The name of a file as a title; empty where it tells nothing."""
    return "" if NO_TITLE.fullmatch(file.stem) else file.stem


def first_line(text: str) -> str:
    """The first line of a text that is not blank, if it can be a title: of letters, no whole paragraph, and not all there is."""
    line, _, rest = text[:_MOST_FRONT].lstrip().partition("\n")
    is_title = 0 < len(line) <= _LONGEST_TITLE and sum(map(str.isalpha, line)) * 2 > len(line) and rest.strip()
    return line.strip() if is_title and not NO_TITLE.fullmatch(line.strip()) else ""


def markdown(file: Input) -> Iterator[Document]:
    """Read a file as one text, titled by its first heading or line. Markup stays (it has no letters); front matter is metadata."""
    values, text = front_matter(file.text())
    title = str(values.pop("title", None) or heading_of(text) or first_line(text) or named_after(file))
    yield file.document(text, title, metadata=values)


def heading_of(text: str) -> str:
    """The first heading of a text in Markdown; empty where it has none."""
    heading = _HEADING.search(text)
    return heading[1].strip(" \t#") if heading else ""


def front_matter(text: str) -> tuple[dict[str, Scalar], str]:
    """The values between lines ``---`` (YAML) or ``+++`` (TOML) at the beginning of a text, and the text after them."""
    fence = text[:3]
    end = text.find(f"\n{fence}", 3, _MOST_FRONT) if fence in {"---", "+++"} and text[3:4] in {"\n", "\r"} else -1
    if end < 0:
        return {}, text
    block, rest = text[3:end], text[end + 4 :].partition("\n")[2]
    values = _toml(block) if fence == "+++" else _yaml(block)
    return (values, rest) if values else ({}, text)


def _toml(block: str) -> dict[str, Scalar]:
    try:
        values = tomllib.loads(block)
    except tomllib.TOMLDecodeError:
        return {}
    return {name: _written(value) for name, value in values.items() if not isinstance(value, dict)}


def _written(value: object) -> Scalar:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return value if isinstance(value, str | int | float) else str(value)


def _yaml(block: str) -> dict[str, Scalar]:
    """Plain values and lists of a block of YAML; what is nested deeper is left out."""
    found: dict[str, Scalar] = {}
    lists: dict[str, list[str]] = {}
    name = ""
    for line in block.split("\n"):
        key = _KEY.fullmatch(line.rstrip())
        if key:
            name, value = key[1], key[2].strip()
            if value.startswith("[") and value.endswith("]"):
                lists[name] = [part.strip().strip("\"'") for part in value[1:-1].split(",")]
            elif value:
                found[name] = value.strip("\"'")
        elif name and line.strip().startswith("- "):
            lists.setdefault(name, []).append(line.strip()[2:].strip().strip("\"'"))
    return found | {name: ", ".join(parts) for name, parts in lists.items()}


def stream_lines(file: Input) -> Iterator[Document]:
    """Read one document per line that is not blank; or JSONL, if the first such line is a JSON object."""
    following = lines(file)
    first = next((line for line in following if line.cut or line.text.strip()), None)
    if first is None:
        return
    if not first.cut and _is_object(first.text):
        yield from json_lines_of(chain([first], following), file)
        return
    for line in chain([first], following):
        if line.cut:
            file.skip(f"line {line.number:,}: longer than {file.limits.document_bytes:,} characters")
        elif line.text.strip():
            yield file.document(line.text.strip(), row=line.number)


def _is_object(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        return isinstance(loads(line), dict)
    except Refused:
        return line.rstrip().endswith("}")
