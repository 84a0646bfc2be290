"""Why a cell is not met: the causes that can be tested, in the order in which they are asked.

Every answer is a measurement of this run, not an opinion: the draws are another choice of classes (then every method of the row is
below, and the gain over the baseline is as printed); the mean is of too few tests to tell; or a single choice that the paper leaves
open, changed by itself, brings the cell up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from papers.compare import Cell, Comparison
from papers.printed import AVERAGE

SURE = 1.96  # standard errors

Cause = Callable[[Cell, Comparison], str]


def cause(cell: Cell, comparison: Comparison) -> str:
    """One sentence on the likeliest cause."""
    for ask in (_few_tests, _draws, _open_choice):
        answer = ask(cell, comparison)
        if answer:
            return answer
    return f"{cell.short - cell.allowed:.1f} points beyond what is let pass; none of the causes tested explains it."


def _few_tests(cell: Cell, comparison: Comparison) -> str:
    if cell.row == AVERAGE or cell.tests < 2 or cell.short - cell.allowed > SURE * cell.error:
        return ""
    return (
        f"Within the noise of {cell.tests} tests: {cell.short - cell.allowed:.1f} points beyond what is let pass, the standard "
        f"error of our mean "
        f"is {cell.error:.1f}."
    )


def _draws(cell: Cell, comparison: Comparison) -> str:
    """Other classes were drawn: the baseline is as far below, and the gain over it is what is printed."""
    baseline = comparison.cell(cell.row, comparison.table.columns[0].printed, cell.metric) if cell.metric != "sparsity" else None
    if baseline is None or baseline is cell or not baseline.counts or baseline.short <= 0:
        return ""
    if cell.short - baseline.short > cell.allowed:
        return ""
    return (
        f"The draws: {baseline.column.printed} is {baseline.short:.1f} points below its printed value on the same tests, and "
        f"the gain over it is "
        f"{cell.mean - baseline.mean:+.1f} (printed {_printed(cell) - _printed(baseline):+.1f})."
    )


def _printed(cell: Cell) -> float:
    assert cell.printed.mean is not None
    return cell.printed.mean


def _open_choice(cell: Cell, comparison: Comparison) -> str:
    """A check with one choice changed that does better on the tests it was run on."""
    found = [(gain, name, n) for name in comparison.table.extras for gain, n in [_gain(cell, comparison, name)] if n]
    if not found:
        return ""
    gain, name, n = max(found)
    if gain <= 0:
        return ""
    missing = max(0.0, cell.short - cell.allowed)
    return f"One open choice changed ({name}) gives {gain:+.1f} points on {n} tests; {missing:.1f} are missing."


def _gain(cell: Cell, comparison: Comparison, name: str) -> tuple[float, int]:
    """Points that a check has over the procedure of a cell, where it is a check of that procedure."""
    if cell.row == AVERAGE or not name.startswith(cell.column.procedure + " ") or not isinstance(cell.column.variant, str):
        return 0.0, 0
    pairs = [
        (comparison.results[sample, name].values, comparison.results[sample, cell.column.procedure].values)
        for sample in comparison.tested(cell.row)
        if (sample, name) in comparison.results
    ]
    differences = [_of(changed, cell) - _of(plain, cell) for changed, plain in pairs]
    return (100.0 * float(np.mean(differences)), len(differences)) if differences else (0.0, 0)


def _of(values: dict[str, dict[str, float]], cell: Cell) -> float:
    assert isinstance(cell.column.variant, str)
    return values[cell.column.variant][cell.metric]


def missed(comparisons: Sequence[Comparison]) -> list[tuple[Cell, str]]:
    """Every cell that is not met, with its cause."""
    return [(cell, cause(cell, each)) for each in comparisons for cell in each.cells if cell.counts and not cell.met]
