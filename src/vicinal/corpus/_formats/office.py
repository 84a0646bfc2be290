"""PDF and Word: their text is taken out by another package in a process of its own, which may fail or never end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

from vicinal.corpus._formats.base import Desk, Draft
from vicinal.corpus._report import Unreadable

#: How many times more text than file is believed.
_RATIO = 200
_LEAST_OUTPUT = 1_000_000


def pdf(desk: Desk) -> Iterator[Draft]:
    """Read the text of a PDF, if pypdf is installed."""
    yield from _extracted(desk, "pypdf", "pypdf")


def docx(desk: Desk) -> Iterator[Draft]:
    """Read the text of a Word document, if python-docx is installed."""
    yield from _extracted(desk, "docx", "python-docx")


def _extracted(desk: Desk, module: str, package: str) -> Iterator[Draft]:
    try:
        installed = find_spec(module) is not None
    except ValueError:
        installed = False
    if not installed:
        raise Unreadable(f"this kind of file needs {package}, which is not installed: pip install {package}")
    data = desk.data()
    if not data:
        raise Unreadable("empty")
    title, _, text = _run(desk, module, data).partition("\n")
    yield Draft(text, title or desk.stem)


def _run(desk: Desk, module: str, data: bytes) -> str:
    limits = desk.limits
    most = min(limits.document_bytes, max(_RATIO * len(data), _LEAST_OUTPUT))
    command = [sys.executable, "-P", "-m", "vicinal.corpus._formats.extractor", module]
    command += [str(limits.extract_seconds), str(limits.extract_bytes), str(most)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=3 * limits.extract_seconds + 10, check=False)
    except subprocess.TimeoutExpired:
        raise Unreadable("taking out its text took too long and was stopped") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = said[-1] if said and done.returncode > 0 else "it used up its time or memory"
        raise Unreadable(f"its text could not be taken out: {why}")
    return done.stdout.decode("utf-8", "replace")
