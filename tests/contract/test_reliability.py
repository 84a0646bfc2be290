"""The page on reliability: every test that it names is there, and every command is a target of the Makefile."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability.md"


def wrong(page):
    """What a page names and the tree does not have."""
    missing = []
    for name in re.findall(r"`(tests/[^`]+)`", page):
        path, _, test = name.partition("::")
        text = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).is_file() else ""
        if not text or (test and not re.search(rf"def {test}\(", text)):
            missing.append(name)
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    return missing + [name for name in re.findall(r"`make ([a-z]+)[^`]*`", page) if name not in targets]


def test_every_test_and_command_of_the_page_is_there():
    page = PAGE.read_text(encoding="utf-8")
    assert wrong(page) == []
    assert wrong(page.replace("test_kill.py::test_nothing", "test_kill.py::test_something")) != []
    assert wrong(page.replace("make cuts", "make puts")) == ["puts"]


def test_every_row_of_the_page_names_a_test():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    rows = [row for row in rows if not row.startswith(("| promise", "| ---"))]
    assert len(rows) > 25
    assert [row for row in rows if "`tests/" not in row] == []
