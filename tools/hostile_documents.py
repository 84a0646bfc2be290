"""Hostile documents: small functions that make files which take all time or memory of a reader that trusts them."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sqlite3
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

#: The first row of a table with as many columns as are allowed.
COLUMNS = b"text," + b",".join(b"c%d" % number for number in range(990)) + b"\n"


def mail(headers: str) -> bytes:
    """A message with some headers."""
    return f"From: a@b\nSubject: s\n{headers}\n\nbody\n".encode()


def many_entities() -> bytes:
    """A page of XML whose entities have each three times the length of the one before."""
    declared = b"".join(b'<!ENTITY b%d "&b%d;&b%d;&b%d;">' % (n + 1, n, n, n) for n in range(99))
    return b'<!DOCTYPE a [<!ENTITY b0 "bb">' + declared + b"]><a>&b99;</a>"


def docx_of_a_bomb() -> bytes:
    """A Word file of elements without number."""
    return zipped({"word/document.xml": b"<a>" + b"<b/>" * 20_000_000, "[Content_Types].xml": b"<a/>"})


def zipped(files: Mapping[str, bytes]) -> bytes:
    """An archive of files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


def nested_zip() -> bytes:
    """An archive of ten archives of ten archives of a text of 50 MB."""
    data = zipped({"a.txt": b"word " * 10_000_000})
    for _ in range(2):
        data = zipped({f"{number}.zip": data for number in range(10)})
    return data


def tar_of_many() -> bytes:
    """An archive of 300,000 empty files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
        for number in range(300_000):
            archive.addfile(tarfile.TarInfo(f"{number}.txt"))
    return packed.getvalue()


def tar_that_claims() -> bytes:
    """An archive whose file has a terabyte, as its header says."""
    info = tarfile.TarInfo("a.txt")
    info.size = 1 << 40
    return info.tobuf(tarfile.GNU_FORMAT) + b"word " * 100


def distinct_words() -> bytes:
    """Ten million different words in 90 MB."""
    return b" ".join(b"w%d" % number for number in range(10_000_000))


def parquet(n_rows: int, length: int) -> bytes:
    """A table whose rows are one long text, kept once."""
    import pyarrow as pa
    from pyarrow import parquet as tables

    column = pa.DictionaryArray.from_arrays(pa.array([0] * n_rows, pa.int32()), pa.array(["word " * (length // 5)]))
    packed = io.BytesIO()
    tables.write_table(pa.table({"text": column}), packed, compression="zstd")
    return packed.getvalue()


def wide_parquet() -> bytes:
    """A table of 20,000 columns."""
    import pyarrow as pa
    from pyarrow import parquet as tables

    packed = io.BytesIO()
    tables.write_table(pa.table({f"c{number}": ["a"] for number in range(20_000)}), packed)
    return packed.getvalue()


def pdf(*objects: bytes) -> bytes:
    """A file of objects, the first of which is its root."""
    data, at = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        at.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % each for each in at)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(at) + 1, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(at) + 1, table) + end


def pdf_of_a_bomb() -> bytes:
    """A page whose drawing unpacks to two thousand times its size."""
    stream = zlib.compress(b"BT /F1 12 Tf (word) Tj ET\n" * 10_000_000, 9)
    page = b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 9 9] >>"
    content = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream)
    return pdf(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, content)


def pdf_of_many_pages() -> bytes:
    """One page a million times."""
    kids = b"<< /Type /Pages /Kids [%s] /Count 1000000 >>" % (b"3 0 R " * 1_000_000)
    return pdf(b"<< /Type /Catalog /Pages 2 0 R >>", kids, b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>")


def pdf_in_circles() -> bytes:
    """Pages that are their own children."""
    return pdf(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>")


def sheet(cells: bytes, strings: bytes = b"<sst/>") -> bytes:
    """A workbook of one sheet."""
    book = (
        b'<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        b'<sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>'
    )
    related = b'<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>'
    return zipped(
        {
            "xl/workbook.xml": book,
            "xl/_rels/workbook.xml.rels": related,
            "xl/sharedStrings.xml": strings,
            "xl/worksheets/sheet1.xml": b"<worksheet><sheetData>" + cells + b"</sheetData></worksheet>",
        }
    )


def sheet_of_one_string() -> bytes:
    """A long string that each of 100,000 cells refers to."""
    rows = b"".join(b'<row r="%d"><c r="A%d" t="s"><v>0</v></c></row>' % (number, number) for number in range(1, 100_000))
    return sheet(rows, b"<sst><si><t>" + b"word " * 20_000 + b"</t></si></sst>")


def database(*statements: str) -> bytes:
    """A database of SQLite after some statements."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            for statement in statements:
                connection.execute(statement)
            connection.commit()
        return path.read_bytes()


def computed_column() -> bytes:
    """A table of 1,000 rows, each of which computes a text of 40 MB."""
    rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO t (a) SELECT i FROM n"
    return database("CREATE TABLE t (a INTEGER, text TEXT AS (hex(zeroblob(20000000 + a))))", rows)


def endless_view() -> bytes:
    """A view without end that the schema calls a table."""
    endless = "CREATE VIEW t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS text FROM n WHERE i < 0"
    return database("CREATE TABLE u (text)", "INSERT INTO u VALUES ('word')", endless)


def message_in_circles() -> bytes:
    """A compound file of Outlook whose table of sectors leads to itself."""
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<9I", 0, 1, 1, 0, 4096, 1, 1, 0, 1) + struct.pack("<109I", 0, *[0xFFFFFFFF] * 108)
    return head + struct.pack("<128I", 0, 1, *range(2, 128)) + b"\1" * 512


def epub_of_chapters() -> bytes:
    """A book of 50,000 empty chapters."""
    return zipped({f"{number}.xhtml": b"<p>a</p>" for number in range(50_000)})


#: What each is, its name, and the function that makes it.
DOCUMENTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "one line of 100 MB": ("a.txt", lambda: b"word " * 20_000_000),
    "one word of 50 MB": ("a.txt", lambda: b"x" * 49_999_000),
    "a text of 49 MB that repeats two words": ("a.txt", lambda: b"space moon " * 4_500_000),
    "ten million different words": ("a.txt", distinct_words),
    "the same, 45 MB": ("a.txt", lambda: distinct_words()[:45_000_000]),
    "marks without end": ("a.txt", lambda: ("e" + "\u0301" * 10_000_000).encode()),
    "CSV of 100,000 columns": ("a.csv", lambda: b",".join(b"c%d" % number for number in range(100_000)) + b"\nx\n"),
    "CSV of empty cells": ("a.csv", lambda: COLUMNS + b"w\n" * 5_000_000),
    "CSV of commas": ("a.csv", lambda: COLUMNS + (b"w" + b"," * 990 + b"\n") * 45_000),
    "CSV with a quote that never ends": ("a.csv", lambda: b'text\n"' + b"x\n" * 20_000_000),
    "CSV of two million rows": ("a.csv", lambda: b"text\n" + b"a\n" * 2_000_000),
    "JSON nested without end": ("a.json", lambda: b"[" * 5_000_000),
    "JSON of 49 MB": ("a.json", lambda: json.dumps([{"text": f"item {n}", "more": "x" * 200} for n in range(200_000)]).encode()),
    "JSON of one list of 20 million numbers": ("a.json", lambda: b'[{"text": "a", "n": [' + b"1," * 20_000_000 + b"1]}]"),
    "JSON of a million keys": ("a.json", lambda: b"{" + b",".join(b'"k%d":1' % n for n in range(3_000_000)) + b"}"),
    "JSON lines nested without end": ("a.jsonl", lambda: b'{"text": ' + b"[" * 40_000_000 + b"\n"),
    "mail of a million parameters": (
        "a.eml",
        lambda: mail("Content-Type: text/plain; " + "".join(f"a{n}=b; " for n in range(100_000))),
    ),
    "mail of continuations": (
        "a.eml",
        lambda: mail("Content-Type: text/plain;\n" + "".join(f" name*{n}=b;\n" for n in range(60_000))),
    ),
    "mail of many parts": ("a.eml", lambda: mail("Content-Type: multipart/mixed; boundary=B\n\n" + "--B\n\nx\n" * 2_000_000)),
    "mail of nested parts": (
        "a.eml",
        lambda: mail("".join(f"Content-Type: multipart/mixed; boundary=B{n}\n\n--B{n}\n" for n in range(20_000))),
    ),
    "mail in mail without end": ("a.eml", lambda: mail("Content-Type: message/rfc822\n\n" * 100_000)),
    "mail of encoded words": ("a.eml", lambda: ("From: a@b\nSubject: " + "=?utf-8?q?a?= " * 300_000 + "\n\nbody\n").encode()),
    "a header of 40 MB": ("a.eml", lambda: b"From: a@b\nSubject: " + b"a" * 40_000_000 + b"\n\nbody\n"),
    "a mailbox of a million messages": ("a.mbox", lambda: b"From a@b Thu Jan  1 00:00:00 1970\nSubject: s\n\nb\n\n" * 700_000),
    "a page nested without end": ("a.html", lambda: b"<div>" * 8_000_000 + b"words"),
    "an attribute of 40 MB": ("a.html", lambda: b"<p title='" + b"x" * 40_000_000 + b"'>words</p>"),
    "a page of open brackets": ("a.html", lambda: b"<" * 40_000_000),
    "a page of open comments": ("a.html", lambda: b"<!--" * 10_000_000),
    "a page of entities": ("a.html", lambda: b"&amp" * 10_000_000),
    "a page of declarations": ("a.html", lambda: b"<![" * 1_000_000),
    "XML nested without end": ("a.xml", lambda: b"<a>" * 10_000_000),
    "XML of entities": ("a.xml", many_entities),
    "XML of attributes": ("a.xml", lambda: b"<a " + b" ".join(b"b%d='x'" % n for n in range(2_000_000)) + b">words</a>"),
    "RTF nested without end": ("a.rtf", lambda: rb"{\rtf1" + b"{" * 40_000_000),
    "RTF of codes": ("a.rtf", lambda: rb"{\rtf1" + rb"\b0" * 10_000_000 + b"}"),
    "LaTeX of open braces": ("a.tex", lambda: b"{" * 40_000_000),
    "LaTeX of dollars": ("a.tex", lambda: b"\\documentclass{a}" + b"$ \\begin{a} %" * 3_000_000),
    "LaTeX of commands": ("a.tex", lambda: b"\\a{" * 10_000_000),
    "a notebook of a million cells": (
        "a.ipynb",
        lambda: b'{"nbformat": 4, "cells": [' + b'{"cell_type": "code", "source": []},' * 1_000_000 + b"{}]}",
    ),
    "Markdown of brackets": ("a.md", lambda: b"[" * 20_000_000),
    "a zip bomb": ("a.zip", lambda: zipped({"a.txt": b"word " * 60_000_000})),
    "zips in zips": ("a.zip", nested_zip),
    "a zip of 200,000 files": ("a.zip", lambda: zipped({f"{number}.txt": b"a" for number in range(200_000)})),
    "a gzip bomb": ("a.txt.gz", lambda: gzip.compress(b"word " * 100_000_000)),
    "a bzip2 bomb": ("a.txt.bz2", lambda: bz2.compress(b"word " * 60_000_000)),
    "an xz bomb": ("a.txt.xz", lambda: lzma.compress(b"word " * 60_000_000)),
    "a tar of 300,000 files": ("a.tar.gz", tar_of_many),
    "a tar that claims a terabyte": ("a.tar", tar_that_claims),
    "a bomb in an odt": ("a.odt", lambda: zipped({"content.xml": b"<a>" + b"<p>" * 30_000_000})),
    "a bomb in a pptx": ("a.pptx", lambda: zipped({"ppt/slides/slide1.xml": b"<a>" + b"<t>x</t>" * 12_000_000})),
    "an epub of 50,000 chapters": ("a.epub", epub_of_chapters),
    "a bomb in an epub": ("a.epub", lambda: zipped({"a.xhtml": b"<p>" * 30_000_000})),
    "a bomb in a docx": ("a.docx", docx_of_a_bomb),
    "a sheet that says it is huge": ("a.xlsx", lambda: sheet(b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')),
    "a sheet of one long string": ("a.xlsx", sheet_of_one_string),
    "a bomb in a sheet": ("a.xlsx", lambda: sheet(b"<row>" * 15_000_000)),
    "a PDF bomb": ("a.pdf", pdf_of_a_bomb),
    "a PDF of a million pages": ("a.pdf", pdf_of_many_pages),
    "a PDF in circles": ("a.pdf", pdf_in_circles),
    "a Parquet file of 6 GB": ("a.parquet", lambda: parquet(6_000, 1_000_000)),
    "a Parquet file of one text of 400 MB": ("a.parquet", lambda: parquet(1, 400_000_000)),
    "a Parquet file of 20,000 columns": ("a.parquet", wide_parquet),
    "a database that computes 40 GB": ("a.db", computed_column),
    "a database with a view without end": ("a.db", endless_view),
    "an Outlook message in circles": ("a.msg", message_in_circles),
}
