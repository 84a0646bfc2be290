"""One row per kind of file: its ending, and the reader that turns it into drafts of documents."""

from __future__ import annotations

from vicinal.corpus._formats.base import Desk, Draft, Reader
from vicinal.corpus._formats.delimited import csv_table, tsv_table
from vicinal.corpus._formats.html import html
from vicinal.corpus._formats.json import json_file, json_lines
from vicinal.corpus._formats.mail import mailbox, message
from vicinal.corpus._formats.office import docx, pdf
from vicinal.corpus._formats.parquet import parquet
from vicinal.corpus._formats.plain import markdown, plain, stream_lines

#: Endings in small letters; a file with any other ending is read as plain text, if it is text.
READERS: dict[str, Reader] = {
    ".txt": plain,
    ".md": markdown,
    ".markdown": markdown,
    ".html": html,
    ".htm": html,
    ".xhtml": html,
    ".json": json_file,
    ".jsonl": json_lines,
    ".ndjson": json_lines,
    ".csv": csv_table,
    ".tsv": tsv_table,
    ".tab": tsv_table,
    ".parquet": parquet,
    ".eml": message,
    ".mbox": mailbox,
    ".pdf": pdf,
    ".docx": docx,
}
#: Kinds of file that are not text by themselves, so that it is no use to look whether they are.
BINARY = frozenset({".parquet", ".pdf", ".docx"})

__all__ = ["BINARY", "READERS", "Desk", "Draft", "Reader", "plain", "stream_lines"]
