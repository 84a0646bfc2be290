"""The table of file formats: to add one, write a reader in a file of this folder and give it a row here.

A reader takes an `Input` (an open file) and yields documents, which it makes with `Input.document`. What it cannot read it
leaves out with `Input.skip`, or ends with `Unreadable`; tables go through `tables.documents_of`, which chooses the columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from vicinal.corpus._formats.delimited import csv_table, tsv_table
from vicinal.corpus._formats.html import html
from vicinal.corpus._formats.input import Input, Reader, look_ahead
from vicinal.corpus._formats.json import json_file, json_lines
from vicinal.corpus._formats.latex import latex
from vicinal.corpus._formats.mail import mailbox, message
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


@dataclass(frozen=True)
class FileFormat:
    """How files of one ending are read.

    ``is_text`` is False where their bytes are not text, ``in_parts`` is True where they are read one record after the other.
    """

    read: Reader
    is_text: bool = True
    in_parts: bool = False


#: By ending in lower case.
FORMATS: dict[str, FileFormat] = {
    ".txt": FileFormat(plain),
    ".md": FileFormat(markdown),
    ".markdown": FileFormat(markdown),
    ".html": FileFormat(html),
    ".htm": FileFormat(html),
    ".xhtml": FileFormat(html),
    ".json": FileFormat(json_file),
    ".jsonl": FileFormat(json_lines, in_parts=True),
    ".ndjson": FileFormat(json_lines, in_parts=True),
    ".csv": FileFormat(csv_table, in_parts=True),
    ".tsv": FileFormat(tsv_table, in_parts=True),
    ".tab": FileFormat(tsv_table, in_parts=True),
    ".parquet": FileFormat(parquet, is_text=False),
    ".eml": FileFormat(message),
    ".msg": FileFormat(outlook, is_text=False),
    ".mbox": FileFormat(mailbox, in_parts=True),
    ".pdf": FileFormat(pdf, is_text=False),
    ".docx": FileFormat(docx, is_text=False),
    ".odt": FileFormat(odt, is_text=False),
    ".epub": FileFormat(epub, is_text=False),
    ".pptx": FileFormat(pptx, is_text=False),
    ".xlsx": FileFormat(xlsx, is_text=False),
    ".xml": FileFormat(xml, in_parts=True),
    ".nxml": FileFormat(xml),
    ".rtf": FileFormat(rtf),
    ".ipynb": FileFormat(notebook),
    ".tex": FileFormat(latex),
}
#: A file of any other ending is read as a mail message if it begins as one, else as plain text, if it is text.
OTHER = FileFormat(unnamed)

__all__ = ["FORMATS", "OTHER", "FileFormat", "Input", "Reader", "look_ahead", "stream_lines"]
