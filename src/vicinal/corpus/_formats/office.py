"""PDF and Word: their text is extracted by other packages, in a process of its own with limits on time and memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.plain import first_line
from vicinal.corpus._report import Unreadable
from vicinal.corpus._split import without_hyphens

#: More bytes of text than this many times the size of the file are refused.
_RATIO = 200
_LEAST_OUTPUT = 1_000_000


def pdf(file: Input) -> Iterator[Document]:
    """Read the text of a PDF, if pypdf is installed."""
    yield from _extracted(file, "pypdf", "pypdf")


def docx(file: Input) -> Iterator[Document]:
    """Read the text of a Word document, if python-docx is installed."""
    yield from _extracted(file, "docx", "python-docx")


def _extracted(file: Input, module: str, package: str) -> Iterator[Document]:
    try:
        installed = find_spec(module) is not None
    except ValueError:
        installed = False
    if not installed:
        raise Unreadable(f"this type of file needs {package}, which is not installed: pip install vicinal[read]")
    data = file.data()
    if not data:
        raise Unreadable("empty")
    title, _, text = _run(file, module, data).partition("\n")
    yield file.document(without_hyphens(text) if module == "pypdf" else text, title or first_line(text) or file.stem)


def _run(file: Input, module: str, data: bytes) -> str:
    limits = file.limits
    most = min(limits.document_bytes, max(_RATIO * len(data), _LEAST_OUTPUT))
    command = [sys.executable, "-P", "-m", "vicinal.corpus._formats.extractor", module]
    command += [str(limits.extract_seconds), str(limits.extract_bytes), str(most)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=3 * limits.extract_seconds + 10, check=False)
    except subprocess.TimeoutExpired:
        raise Unreadable("extracting its text took too long and was stopped") from None
    if done.returncode:
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = errors[-1] if errors and done.returncode > 0 else "it exceeded its time or memory"
        raise Unreadable(f"its text could not be extracted: {why}")
    return done.stdout.decode("utf-8", "replace")
