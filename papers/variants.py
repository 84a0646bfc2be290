"""What the papers describe or name beside their own method, run on the first tests: how much each gains or loses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from papers.catalogue import PROCEDURES
from papers.causes import paired_gains
from papers.checks import VARIANTS
from papers.compare import Comparison, difference
from papers.plan import Check

WITH_LABELS = ("news lpi products", "news olpi products")  # SIGIR'05: the class graph weighted by x·x
ABOUT = (
    "Pieces that a paper describes or names beside what its tables show, in the place of the method that they vary: mean of paired "
    "differences in accuracy over all tests that were run, in points [95 % interval], on the first tests of each row. What was not "
    "run yet says so. Each is a row of the table of methods in docs/maths, with its formula."
)


def lines(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """The section, for the page."""
    yield "## Variants that the papers name"
    yield ""
    yield ABOUT
    yield ""
    yield "| paper | table | in the place of | variant | tests | gain |"
    yield "| --- | --- | --- | --- | ---: | --- |"
    for each in comparisons:
        yield from (_line(each, check) for check in each.table.checks if check.procedure in (*VARIANTS, *WITH_LABELS))
    yield ""


def _line(comparison: Comparison, check: Check) -> str:
    table = comparison.table
    there = [cell for cell in comparison.cells if cell.metric == "accuracy" and cell.column.printed == check.column]
    tried = [paired_gains(cell, comparison, check) for cell in there if cell.row in table.rows and check.serves(cell.row)]
    found = difference(np.concatenate(tried)) if tried else difference([])
    interval = "" if found.tests < 2 else f" [{found.low:+.1f}, {found.high:+.1f}]"
    return (
        f"| {table.paper} | {table.title_of_block} | {check.column} | {check.about or PROCEDURES[check.procedure].about} | "
        f"{found.tests} | {f'{found.mean:+.1f}{interval}' if found.tests else 'not run yet'} |"
    )
