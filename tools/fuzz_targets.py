"""What is fuzzed: a function of bytes for every reader, for queries, conditions, blocks of arrays and what the cage says.

A target ends well or with an error that it may end with. `Find` is anything else: an error that no line of a report should show, a
text that cannot be written, or one that the limits should have stopped.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping

from vicinal._query.conditions import parse_condition
from vicinal._query.parser import parse_query
from vicinal._store.blocks import read_header, to_array
from vicinal.corpus._cage_messages import document_of, events_of
from vicinal.corpus._file_reader import FileReader
from vicinal.corpus._formats import FORMATS
from vicinal.corpus._read_options import Limits, ReadOptions
from vicinal.corpus._read_report import Report, Unreadable
from vicinal.corpus._unpack import Budget
from vicinal.errors import BadParameter, VicinalError

#: Read by a program in a process of its own, which is ended where it takes too long; a fuzzer in this process does not see into it.
ELSEWHERE = (".pdf", ".docx")
#: Errors that a line of a report may not show: they are mistakes of ours, and not of a file.
MISTAKES = (
    "AttributeError|TypeError|KeyError|IndexError|AssertionError|NameError|UnboundLocalError|ZeroDivisionError|RecursionError"
)
LIMITS = Limits(document_bytes=1_000_000, members=100)


class Find(Exception):
    """Something that may not happen."""


def read_as(suffix: str) -> Callable[[bytes], None]:
    """A target that reads bytes as a file with an ending."""

    def target(data: bytes) -> None:
        report, size = Report(LIMITS.lines), 0
        reader = FileReader(ReadOptions(limits=LIMITS), report, caged=True)
        file = reader.input(io.BytesIO(data), f"a{suffix}", f"a{suffix}", True)
        try:
            for document in reader._packed(file, Budget(len(data), LIMITS)):
                document.text.encode()
                size += len(document.text)
        except Unreadable:
            return
        if size > 200 * len(data) + 100_000_000:
            raise Find(f"{size:,} characters of {len(data):,} bytes")
        for skipped in report.skipped:
            if re.search(rf"cannot be read: ({MISTAKES})\b", skipped.reason):
                raise Find(skipped.reason)

    return target


def query(data: bytes) -> None:
    """A query: parsed, or refused; what is written of it is parsed into the same tree."""
    try:
        tree = parse_query(data.decode("utf-8", "replace"), ("title", "text", "year"))
        if parse_query(tree.inner(), ("title", "text", "year")) != tree:
            raise Find(f"{tree.inner()!r} is another query")
    except VicinalError:
        return


def condition(data: bytes) -> None:
    """A condition of ``--where``: parsed, or refused."""
    try:
        parse_condition(data.decode("utf-8", "replace"))
    except VicinalError:
        return


def block(data: bytes) -> None:
    """A block of an array: fields of its header as JSON, and after a zero its bytes; the checksum is right."""
    head, _, body = data.partition(b"\0")
    try:
        fields = json.loads(head)
    except (ValueError, RecursionError):
        return
    if not isinstance(fields, list) or len(fields) != 5:
        return
    try:
        header = read_header("rows", *fields)
        array = to_array(header, body, header.checksum(body))
    except VicinalError:
        return
    if array.nbytes != len(body):
        raise Find(f"{array.nbytes:,} bytes of {len(body):,}")


def answer(data: bytes) -> None:
    """What the process that reads files answers: events, or no answer at all."""
    try:
        for event in events_of(data):
            document_of(event)
    except (ValueError, BadParameter):
        return


def _zipped(files: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


_HTML = b"<html><head><title>t</title></head><body><p>a &amp; b</p><script>x</script><!-- c --></body></html>"
_MAIL = (
    b"From: a@b\nSubject: =?utf-8?q?caf=C3=A9?=\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n"
    b"--B\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\naGVsbG8gd29ybGQ=\n--B--\n"
)
_TABLE = b'id,text,year\n1,"a, quoted ""text""",2001\n2,more text,\n'
_XML = "<?xml version='1.0'?><a xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0'><text:p>words</text:p></a>"
#: A small file of each kind, from which mutations start.
SEEDS: dict[str, bytes] = {
    ".txt": "plain text, café".encode(),
    ".md": b"# A title\n\nsome *words*\n",
    ".html": _HTML,
    ".json": b'[{"id": "a", "text": "words", "n": 1.5, "more": {"x": [null, true]}}]',
    ".jsonl": b'{"text": "one"}\n{"text": "two", "n": 2}\n',
    ".csv": _TABLE,
    ".tsv": _TABLE.replace(b",", b"\t"),
    ".eml": _MAIL,
    ".mbox": b"From a@b Thu Jan  1 00:00:00 1970\n" + _MAIL + b"\nFrom c@d Thu Jan  1 00:00:00 1970\nSubject: s\n\nbody\n",
    ".xml": _XML.encode(),
    ".rtf": rb"{\rtf1\ansi{\fonttbl\f0 Arial;}\f0 some \b words\b0 \'e9\u233?\par}",
    ".ipynb": b'{"cells": [{"cell_type": "markdown", "source": ["# t"]}, {"cell_type": "code", "source": "x = 1"}], "nbformat": 4}',
    ".tex": rb"\documentclass{article}\title{t}\begin{document}\section{s} words $x^2$ % c" + b"\n" + rb"\end{document}",
    ".odt": _zipped({"content.xml": _XML}),
    ".epub": _zipped({"META-INF/container.xml": "<container/>", "a.xhtml": _HTML.decode()}),
    ".pptx": _zipped({"ppt/slides/slide1.xml": _XML}),
    ".xlsx": _zipped({"xl/workbook.xml": "<workbook/>", "xl/worksheets/sheet1.xml": "<worksheet/>"}),
    ".parquet": b"PAR1\x15\x04PAR1",
    ".msg": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504),
    ".zip": _zipped({"a.txt": "words", "b.csv": _TABLE.decode()}),
    ".gz": gzip.compress(b"words of a text", mtime=0),
}
TARGETS: dict[str, Callable[[bytes], None]] = {
    **{suffix[1:]: read_as(suffix) for suffix in SEEDS},
    "query": query,
    "condition": condition,
    "block": block,
    "answer": answer,
}
SEEDS_OF: dict[str, list[bytes]] = {
    **{suffix[1:]: [data] for suffix, data in SEEDS.items()},
    "query": [b'title:"a b" AND (c* OR -d) NOT e', "caf\u00e9 year:2001 'x".encode()],
    "condition": [b"year >= 2001", b'title ~ "a*"', b"label = x, y"],
    "block": [b'["values", 0, 2, "float64", "[2]"]\0' + bytes(16), b'["values", 0, 1, "bool", "[1, 3]"]\0\0\1\0'],
    "answer": [b'[["document", 3, {"id": "a", "text": "b"}]]', b'[["end", 3, true]]'],
}


def readers_without_target() -> set[str]:
    """Endings whose reader no target calls."""
    called = {FORMATS[suffix].read for suffix in SEEDS if suffix in FORMATS}
    return {suffix for suffix, each in FORMATS.items() if each.read not in called and suffix not in ELSEWHERE}
