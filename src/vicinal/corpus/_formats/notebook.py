"""Jupyter notebooks: the text and the code of their cells as one document; outputs are left out."""

from __future__ import annotations

from collections.abc import Iterator

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.json import Refused, loads
from vicinal.corpus._formats.plain import heading_of
from vicinal.corpus._read_report import Unreadable


def notebook(file: Input) -> Iterator[Document]:
    """Read the cells of a notebook; its title is its first heading."""
    try:
        value = loads(file.text())
    except Refused as refused:
        raise Unreadable(f"line {refused.line:,}: {refused.reason}") from None
    cells = value.get("cells") if isinstance(value, dict) else None
    if not isinstance(cells, list):
        raise Unreadable("not a notebook: it has no cells")
    found = [(cell.get("cell_type"), _source(cell.get("source"))) for cell in cells if isinstance(cell, dict)]
    prose = "\n\n".join(text for kind, text in found if kind == "markdown")
    text = "\n\n".join(text for _, text in found if text.strip())
    yield file.document(text, heading_of(prose) or file.stem)


def _source(source: object) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""
