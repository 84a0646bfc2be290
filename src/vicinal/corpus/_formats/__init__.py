"""The table of file formats: to add one, write a reader in a file of this folder and give it a row here.

A reader takes an `Input` (an open file) and yields documents, which it makes with `Input.document`. What it cannot read it
leaves out with `Input.skip`, or ends with `Unreadable`; tables go through `tables.documents_of`, which chooses the columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from vicinal.corpus._formats.delimited import csv_table, tsv_table
from vicinal.corpus._formats.html import html
from vicinal.corpus._formats.input import Input, NeedsCage, Reader, look_ahead
from vicinal.corpus._formats.json import json_file, json_lines
from vicinal.corpus._formats.latex import latex
from vicinal.corpus._formats.mail import SMALL_MAIL, mailbox, message
from vicinal.corpus._formats.notebook import notebook
from vicinal.corpus._formats.office import docx, pdf
from vicinal.corpus._formats.outlook import outlook
from vicinal.corpus._formats.packages import epub, odt, pptx
from vicinal.corpus._formats.parquet import parquet
from vicinal.corpus._formats.plain import markdown, plain, stream_lines
from vicinal.corpus._formats.rtf import rtf
from vicinal.corpus._formats.sheets import xlsx
from vicinal.corpus._formats.unnamed import unnamed
from vicinal.corpus._formats.xml import xml

#: Plain text of the first size takes a fraction of a second, whatever it holds; formats that are read once, of the second.
_SMALL_TEXT, _SMALL = 4_000_000, 64_000


@dataclass(frozen=True)
class FileFormat:
    """How files of one ending are read.

    ``is_text`` is False where their bytes are not text, ``in_parts`` is True where they are read one record after the other.
    Files of up to ``safe_bytes`` are read in this process; larger ones in one that has limits on time and memory.
    """

    read: Reader
    is_text: bool = True
    in_parts: bool = False
    safe_bytes: float = 0


#: By ending in lower case.
FORMATS: dict[str, FileFormat] = {
    ".txt": FileFormat(plain, safe_bytes=_SMALL_TEXT),
    ".md": FileFormat(markdown, safe_bytes=_SMALL_TEXT),
    ".markdown": FileFormat(markdown, safe_bytes=_SMALL_TEXT),
    ".html": FileFormat(html, safe_bytes=_SMALL),
    ".htm": FileFormat(html, safe_bytes=_SMALL),
    ".xhtml": FileFormat(html, safe_bytes=_SMALL),
    ".json": FileFormat(json_file, safe_bytes=_SMALL),
    ".jsonl": FileFormat(json_lines, in_parts=True, safe_bytes=_SMALL),
    ".ndjson": FileFormat(json_lines, in_parts=True, safe_bytes=_SMALL),
    ".csv": FileFormat(csv_table, in_parts=True, safe_bytes=_SMALL),
    ".tsv": FileFormat(tsv_table, in_parts=True, safe_bytes=_SMALL),
    ".tab": FileFormat(tsv_table, in_parts=True, safe_bytes=_SMALL),
    ".parquet": FileFormat(parquet, is_text=False),
    ".eml": FileFormat(message, safe_bytes=SMALL_MAIL),
    ".msg": FileFormat(outlook, is_text=False),
    ".mbox": FileFormat(mailbox, in_parts=True),
    ".pdf": FileFormat(pdf, is_text=False, safe_bytes=inf),  # each has a process of its own
    ".docx": FileFormat(docx, is_text=False, safe_bytes=inf),
    ".odt": FileFormat(odt, is_text=False),
    ".epub": FileFormat(epub, is_text=False),
    ".pptx": FileFormat(pptx, is_text=False),
    ".xlsx": FileFormat(xlsx, is_text=False),
    ".xml": FileFormat(xml, in_parts=True, safe_bytes=_SMALL),
    ".nxml": FileFormat(xml, safe_bytes=_SMALL),
    ".rtf": FileFormat(rtf, safe_bytes=_SMALL),
    ".ipynb": FileFormat(notebook, safe_bytes=_SMALL),
    ".tex": FileFormat(latex, safe_bytes=_SMALL),
}
#: A file of any other ending is read as a mail message if it begins as one, else as plain text, if it is text.
OTHER = FileFormat(unnamed, safe_bytes=_SMALL_TEXT)

__all__ = ["FORMATS", "OTHER", "FileFormat", "Input", "NeedsCage", "Reader", "look_ahead", "stream_lines"]
