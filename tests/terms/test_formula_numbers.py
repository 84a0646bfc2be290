"""Every formula of docs/maths/terms.md is cited by the code, and the code cites no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def cited_numbers():
    sources = (ROOT / "src/vicinal/terms").glob("*.py")
    return {number for path in sources for number in re.findall(r"\bT\d+\b", path.read_text(encoding="utf-8"))}


def test_the_code_cites_exactly_the_formulas_of_the_page():
    page = (ROOT / "docs/maths/terms.md").read_text(encoding="utf-8")
    numbers = re.findall(r"\\tag\{(T\d+)\}", page)
    assert numbers == [f"T{k}" for k in range(1, len(numbers) + 1)]
    assert cited_numbers() == set(numbers)
