"""Plain text: one document per file, or one per line of a stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input, lines
from vicinal.corpus._formats.json import Refused, json_lines_of, loads

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+([^\n]{1,500})$", re.MULTILINE)


def plain(file: Input) -> Iterator[Document]:
    """Read a file as one text; the title is the name of the file."""
    yield file.document(file.text(), file.stem)


def markdown(file: Input) -> Iterator[Document]:
    """Read a file as one text; the title is its first heading. Markup stays: it has no letters."""
    text = file.text()
    heading = _HEADING.search(text)
    yield file.document(text, heading[1].strip(" \t#") if heading else file.stem)


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
