"""What the papers print: the numbers of printed.json, in per cent where they are shares."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, final

FILE = Path(__file__).with_name("printed.json")
IN_PER_CENT = ("accuracy", "nmi", "sparsity")
AVERAGE = "avg"  # the row of means over all others


@final
@dataclass(frozen=True)
class Printed:
    """One cell of a paper.

    Attributes
    ----------
    row : int or str
    method : str
    classifier : str or None
    metric : str
    mean : float or None
        None where the paper could not run the method.
    std : float or None
        None where the paper prints none.
    """

    row: Any
    method: str
    classifier: str | None
    metric: str
    mean: float | None
    std: float | None


@cache
def _file() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return content


def citation(paper: str) -> str:
    """Who wrote it, what and where."""
    return str(_file()["citations"][paper])


def papers() -> list[str]:
    """Short names of the papers."""
    return list(_file()["citations"])


def cells(paper: str, table: str) -> Iterator[Printed]:
    """All cells of a table."""
    for row, method, classifier, metric, mean, std in _file()["tables"][paper][table]:
        scale = 100.0 if paper == "icml05" and metric in IN_PER_CENT and mean is not None else 1.0
        yield Printed(row, method, classifier, metric, mean if mean is None else round(scale * mean, 6), std)
