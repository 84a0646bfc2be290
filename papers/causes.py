"""Why a cell is not met: the causes that can be tested, in the order in which they are asked.

Every answer is a measurement of this run, not an opinion: the mean is of too few tests to tell; the draws are another choice of
classes, where they could not be chosen as hard as the paper's (then the baseline is below too, and the gain over it as printed); or
a single choice, changed by itself, brings the cell up. Where fewer tests were run than are planned, the
draws so far may be harder than all of them are, which shows in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy import stats

from papers.catalogue import PROCEDURES
from papers.compare import Cell, Comparison
from papers.plan import Check, Column, Tuned, best_among, best_setting, settings, shortened
from papers.printed import AVERAGE
from papers.samples import WHOLE
from papers.scores import Values
from vicinal._typing import FloatArray

LUCKIEST = "the start of k-means with the highest accuracy"
STATED = f"{LUCKIEST} (which labels choose; in the paper it is the one with the lowest objective)"
UNSTATED = ("icml05",)  # which start is kept
OTHER_VARIANTS = {
    "c-1": {"c": "one dimension more"},
    "c": {"c-1": "one dimension less"},
    "": {"k-means": "k-means on the factors"},
}
FEWEST = 3  # tests that something can be said of
SURE = 0.975  # on either side, 95 % between


def cause(cell: Cell, comparison: Comparison) -> str:
    """One sentence on the likeliest cause."""
    draws = _draws(cell, comparison)
    asked = () if draws else (_few_tests, _choice, _words_kept)
    answers = list(filter(None, [draws, *(ask(cell, comparison) for ask in asked)]))
    if answers:
        return " ".join(answers)
    return f"{cell.short - cell.allowed:.1f} points beyond what is let pass, and no cause found.{tried_in_vain(cell, comparison)}"


def _few_tests(cell: Cell, comparison: Comparison) -> str:
    """The gap is within the noise of so many tests; on draws as hard as the paper's, of the gain over the baseline."""
    if cell.row == AVERAGE or cell.tests == len(comparison.table.rows[cell.row]) == 1:
        return ""
    if cell.tests < FEWEST:
        return f"Too few tests to tell: {cell.tests} of {len(comparison.table.rows[cell.row])} were run."
    baseline = comparison.table.columns[0]
    paired = (
        cell.column is not baseline
        and cell.metric != "sparsity"
        and comparison.cell(cell.row, baseline.printed, cell.metric).calibrated
    )
    error = _error(comparison.gains(cell.row, cell.column.printed, baseline.printed, cell.metric)) if paired else cell.error
    if cell.short - cell.allowed > error * stats.t.ppf(SURE, cell.tests - 1):
        return ""
    return (
        f"Within the noise of {cell.tests} tests: {cell.short - cell.allowed:.1f} points beyond what is let pass, the standard "
        f"error of our {'gain over ' + baseline.printed if paired else 'mean'} is {error:.1f}."
    )


def _error(values: FloatArray) -> float:
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def _draws(cell: Cell, comparison: Comparison) -> str:
    """Other classes were drawn: the baseline is as far below, and the gain over it is what is printed."""
    if cell.metric == "sparsity" or cell.row == WHOLE:
        return ""
    baseline = comparison.cell(cell.row, comparison.table.columns[0].printed, cell.metric)
    if baseline is cell or not baseline.compared or baseline.calibrated or baseline.short <= 0:
        return ""
    if cell.short - baseline.short > cell.allowed:
        return ""
    gain = f"the gain over it is {cell.mean - baseline.mean:+.1f} (printed {_printed(cell) - _printed(baseline):+.1f})"
    below = f"{baseline.column.printed} is {baseline.short:.1f} points below its printed value on the same tests, and {gain}."
    planned = len(comparison.table.rows.get(cell.row, ()))
    return f"The first {cell.tests} of {planned} tests: {below}" if cell.tests < planned else f"The draws: {below}"


def _printed(cell: Cell) -> float:
    assert cell.printed.mean is not None
    return cell.printed.mean


def _choice(cell: Cell, comparison: Comparison) -> str:
    """One choice, changed by itself, brings the cell up to where it is met; the luckiest start is named where no other does."""
    missing = cell.short - cell.allowed
    found = [check for check in alternatives(cell, comparison) if check.gain >= missing and _tells(check, cell)]
    if not found:
        return ""
    best = max(found, key=lambda check: (check.about not in (LUCKIEST, STATED), check.gain))
    too = _baseline_too(best, cell, comparison)
    bound = best.about == STATED or (too is not None and best.gain - too.gain < missing)
    also = "" if too is None else f"; {comparison.table.columns[0].printed} gains {too.said} with it"
    return (
        f"{'A bound, no cause' if bound else 'A choice'}: {best.about} gives {best.said} points on {best.tests} tests, where "
        f"{missing:.1f} are missing{also}."
    )


def _tells(check: Alternative, cell: Cell) -> bool:
    """Whether there are tests enough to tell, and the gain is more than their noise."""
    return (check.tests >= FEWEST or cell.tests == 1) and check.certain


def _baseline_too(check: Alternative, cell: Cell, comparison: Comparison) -> Alternative | None:
    """What the baseline gains by the same change, on draws that would have been chosen otherwise with it."""
    baseline = comparison.cell(cell.row, comparison.table.columns[0].printed, cell.metric)
    if baseline is cell or not baseline.steered or check.about in (LUCKIEST, STATED):
        return None
    return next((each for each in alternatives(baseline, comparison) if each.about == check.about), None)


def _words_kept(cell: Cell, comparison: Comparison) -> str:
    """How many words per dimension the printed share of zeros is of; no paper gives their number."""
    sizes = [comparison.results.get((sample, "size")) for sample in comparison.tested(cell.row)]
    terms = [each.values[""]["terms"] for each in sizes if each is not None]
    if cell.metric != "sparsity" or not terms:
        return ""
    words = (1.0 - _printed(cell) / 100.0) * float(np.mean(terms))
    return (
        f"The number of words, which the paper does not give: the printed share of zeros is that of about {words:.0f} words per "
        f"dimension, with {np.mean(terms):,.0f} terms per test."
    )


def tried_in_vain(cell: Cell, comparison: Comparison) -> str:
    """What was tried in vain."""
    found = [f"{check.about} ({check.said})" for check in alternatives(cell, comparison)]
    return f" Tested: {', '.join(found)}." if found else ""


@final
@dataclass(frozen=True)
class Alternative:
    """What one changed choice gains over the procedure of a cell, in points, with its standard error, and on how many tests."""

    about: str
    gain: float
    tests: int
    error: float = 0.0

    @property
    def certain(self) -> bool:
        """Whether the 95 % interval of the gain lies above zero; a single test has none."""
        return self.tests < 2 or self.gain > self.error * stats.t.ppf(SURE, self.tests - 1)

    @property
    def said(self) -> str:
        """Its gain, with the standard error where there is one."""
        return f"{self.gain:+.1f}" + (f" ± {self.error:.1f}" if self.tests > 1 else "")


def alternatives(cell: Cell, comparison: Comparison) -> list[Alternative]:
    """What was tried in the place of the procedure that a cell is made by; in the row of averages, averaged over rows."""
    if cell.metric == "sparsity":
        return []
    if cell.row == AVERAGE:
        return _averaged([alternatives(each, comparison) for each in _rows(cell, comparison)])
    asked = [each for each in comparison.table.checks if each.column == cell.column.printed and each.serves(cell.row)]
    return _variants(cell, comparison) + [found for each in asked for found in _check(cell, comparison, each)]


def _rows(cell: Cell, comparison: Comparison) -> list[Cell]:
    """The cells that one is the average of."""
    alike = [each for each in comparison.cells if each.column is cell.column and each.metric == cell.metric]
    return [each for each in alike if each.row not in (AVERAGE, WHOLE) and each.tests]


def _averaged(by_row: list[list[Alternative]]) -> list[Alternative]:
    """Checks that every row has, each with its mean gain and all of its tests."""
    found: dict[str, list[Alternative]] = {}
    for check in (each for checks in by_row for each in checks):
        found.setdefault(check.about, []).append(check)
    return [
        Alternative(
            about,
            float(np.mean([each.gain for each in checks])),
            sum(each.tests for each in checks),
            float(np.sqrt(np.sum([each.error**2 for each in checks])) / len(checks)),
        )
        for about, checks in found.items()
        if len(checks) == len(by_row)
    ]


def _variants(cell: Cell, comparison: Comparison) -> list[Alternative]:
    """Other results of the same fits: the luckiest start, one dimension more or less, factors clustered."""
    variant = cell.column.variant
    others = OTHER_VARIANTS.get(variant, {}) if isinstance(variant, str) else {}
    found = [comparison.results[sample, cell.column.procedure].values for sample in comparison.tested(cell.row)]
    known = [
        (_luckiest(cell.column, values, cell.row) for values in found),
        *([each.get(name) for each in found] for name in others),
    ]
    lucky = LUCKIEST if cell.table.paper in UNSTATED else STATED
    return [
        each for about, scores in zip((lucky, *others.values()), known, strict=True) for each in _variant(cell, about, list(scores))
    ]


def _luckiest(column: Column, values: Values, c: int) -> dict[str, float] | None:
    """What the start of k-means with the highest accuracy gives; of a grid, that of the best setting."""
    if column.variant is best_setting:
        lucky = {name: values[f"{name} best"] for name in settings(values) if f"{name} best" in values}
        return best_among(lucky, list(lucky)) if lucky else None
    variant = str(c - 1) if column.variant is shortened else column.variant
    return values.get(f"{variant} best".strip()) if isinstance(variant, str) else None


def _variant(cell: Cell, about: str, scores: Sequence[dict[str, float] | None]) -> list[Alternative]:
    there = [100.0 * each[cell.metric] for each in scores if each is not None]
    if not there or len(there) < len(scores):
        return []
    paired = 1 < len(there) == cell.tests
    return [
        Alternative(about, float(np.mean(there)) - cell.mean, len(there), _error(np.subtract(there, cell.ours)) if paired else 0.0)
    ]


def _check(cell: Cell, comparison: Comparison, check: Check) -> list[Alternative]:
    gains = paired_gains(cell, comparison, check)
    about = check.about or PROCEDURES[check.procedure].about
    return [Alternative(about, float(np.mean(gains)), len(gains), _error(gains) if len(gains) > 1 else 0.0)] if len(gains) else []


def paired_gains(cell: Cell, comparison: Comparison, check: Check) -> FloatArray:
    """What a changed choice gains on each test of a row that it was run on, in points."""
    samples = [sample for sample in comparison.tested(cell.row) if (sample, check.procedure) in comparison.results]
    return 100.0 * np.array([np.subtract(*_pair(cell, comparison, check, sample)) for sample in samples])


def _pair(cell: Cell, comparison: Comparison, check: Check, sample: str) -> tuple[float, float]:
    """With the changed choice, and without."""
    changed = comparison.results[sample, check.procedure].values
    if check.same_setting:
        plain, names = comparison.results[sample, cell.column.procedure].values, settings(changed)
        return best_among(changed, names)[cell.metric], best_among(plain, names)[cell.metric]
    return _of(changed, cell, comparison), comparison.value(cell.column, sample, cell.row, cell.metric)


def _of(values: Values, cell: Cell, comparison: Comparison) -> float:
    """The same variant; else with as many dimensions as classes, or the only one; of a sweep the one with the highest accuracy."""
    column = cell.column
    variant = comparison.tuned(column) if isinstance(column.variant, Tuned) else column.variant
    known = [name for name in (variant, "c", "") if isinstance(name, str) and name in values and not name.isdigit()]
    return (values[known[0]] if known else best_setting(values, cell.row))[cell.metric]


def missed(comparisons: Sequence[Comparison]) -> list[tuple[Cell, str]]:
    """Every cell that is not met, with its cause."""
    return [(cell, cause(cell, each)) for each in comparisons for cell in each.cells if cell.counts and not cell.met]
