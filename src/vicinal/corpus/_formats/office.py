"""PDF and Word: their text is extracted by other packages, in a process of its own with limits on time and memory."""

from __future__ import annotations

from collections.abc import Iterator

from vicinal.corpus._document import Document
from vicinal.corpus._files import state
from vicinal.corpus._formats.extraction import module_for, started_on
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.plain import NO_TITLE, titled
from vicinal.corpus._read_report import Unreadable
from vicinal.corpus._split import without_hyphens


def pdf(file: Input) -> Iterator[Document]:
    """Read the text of a PDF, if pypdfium2 or pypdf is installed; a form feed stands between two pages."""
    title, text = _extracted(file, ".pdf")
    if not text.strip() and not title.strip():
        raise Unreadable("no text in it: perhaps its pages are pictures, such as scans, of which a program for OCR makes text")
    yield titled(file, without_hyphens(text), title)


def docx(file: Input) -> Iterator[Document]:
    """Read the text of a Word document, if python-docx is installed."""
    title, text = _extracted(file, ".docx")
    yield titled(file, text, title)


def _extracted(file: Input, suffix: str) -> tuple[str, str]:
    """Title and text of a file, by the process that was started ahead for it, or by one that is started now."""
    ahead = file.extraction
    if ahead is not None and ahead.state == state(file.stream):
        whole = ahead.text()
    else:
        module, data = module_for(suffix), file.data()
        if not data:
            raise Unreadable("empty")
        whole = started_on(data, module, file.limits).text()
    title, _, text = whole.partition("\n")
    return "" if NO_TITLE.fullmatch(title) else title, text
