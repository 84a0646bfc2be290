"""Text as it stands: one document per file, or one per line of a stream."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from vicinal.corpus._formats.base import Desk, Draft, lines
from vicinal.corpus._formats.json import Refused, json_lines_of, loads

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+([^\n]{1,500})$", re.MULTILINE)


def plain(desk: Desk) -> Iterator[Draft]:
    """Read a file as one text, called after the file."""
    yield Draft(desk.text(), desk.stem)


def markdown(desk: Desk) -> Iterator[Draft]:
    """Read a file as one text, called after its first heading; the marks stay, they are no words."""
    text = desk.text()
    heading = _HEADING.search(text)
    yield Draft(text, heading[1].strip(" \t#") if heading else desk.stem)


def stream_lines(desk: Desk) -> Iterator[Draft]:
    """Read one document per line that is not blank; or JSONL, if the first such line is a JSON object."""
    coming = lines(desk)
    first = next((line for line in coming if line.cut or line.text.strip()), None)
    if first is None:
        return

    if not first.cut and _is_object(first.text):
        yield from json_lines_of(chain([first], coming), desk)
        return
    for line in chain([first], coming):
        if line.cut:
            desk.skip(f"line {line.number:,}: longer than {desk.limits.document_bytes:,} characters")
        elif line.text.strip():
            yield Draft(line.text.strip(), row=line.number)


def _is_object(line: str) -> bool:
    if not line.lstrip().startswith("{"):
        return False
    try:
        return isinstance(loads(line), dict)
    except Refused:
        return line.rstrip().endswith("}")
