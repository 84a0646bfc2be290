"""Lines of results: what a run that was stopped has found already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.records import read_lines, say


def lines(file: Path) -> list[dict[str, Any]]:
    """Results, one per line; a line that was cut off is said and not used."""
    found, complaints = read_lines(file, _record)
    for each in complaints:
        say(each)
    return found


def _record(values: Any) -> dict[str, Any]:
    if not isinstance(values, dict):
        raise ValueError("not a result")
    return values
