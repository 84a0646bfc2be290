"""Readings of the same results: how many cells are met by the rule of the page, and how many by stricter ones.

A reading changes what is let pass, which setting of a grid counts, which draws a mean is over, and which cells are counted. Outside
the chosen draws most methods have no results; there the mean over the pool is estimated from what k-means got on all of it, and the
cells for which this was done are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple, final

import numpy as np

from papers.compare import Cell, Comparison
from papers.draws import NUMBERS, POOL, is_calibrated
from papers.plan import Column, best_setting, settings
from papers.printed import AVERAGE, cells
from papers.samples import WHOLE, source_of
from papers.scores import Values
from vicinal._typing import FloatArray

#: By what the setting of a grid is chosen: accuracy in each test, mean accuracy over the tests of a row, not by labels but where
#: the paper says that it chose by them, or not by labels at all.
Choice = Literal["per test", "per row", "fixed", "none"]

STRICT = 1.0  # points let pass at least, where the printed deviation is smaller or none is printed
TWO_SIDED = 2.0  # points on either side of the printed mean
FEWEST = 3  # draws that a line is fitted to
BEST_START = "best"  # the start with the highest accuracy
BY_LABELS = "(best)"  # how ICML'05 names columns that have the dimension with the highest accuracy

#: The setting of a grid that is taken without labels; None stands for c - 1 dimensions.
FIXED: dict[str, str | None] = {
    "pca": None,
    "lpp-15": None,
    "lsi more": "+0",
    "spca more": "+0",
    "spg-7 grid": "100",  # of 20, 60 and 100 the nearest to the words that AAAI'08's printed sparsity is of: 79 and 144
    "slpi-5": "60",
    "ls-5": "1000",
    "ls+lpi-5": "1000",
    "fssl-5": "1000",
    "lpfl-5": "1000",
}

#: What is taken without labels for the start with the highest accuracy, the first of these that was run: of ten starts on documents
#: of unit length the one with the lowest error, or the start by singular vectors, of which there is one.
ONE_START = {"nmf-ncw random": ("nmf-ncw lowest", "nmf-ncw")}

#: Columns that print what another column prints: (paper, table, method).
REPEATED = {
    ("icml05", "Table 1", "LE"): ("icml05", "Table 1", "LPP"),
    ("icml05", "Table 2", "LE"): ("icml05", "Table 2", "LPP"),
    ("aaai08", "Table 3", "NMF"): ("cikm07", "Table 2", "NMF-NCW"),
    ("aaai08", "Table 3", "Baseline"): ("cikm07", "Table 2", "Baseline"),
}


@final
@dataclass(frozen=True)
class Reading:
    """One way to count cells.

    Attributes
    ----------
    name : str
    strict : bool
        Let pass one printed deviation or one point, whichever is more; else one deviation, or two points where none is printed.
    choice : "per test", "per row", "fixed" or "none"
    all_draws : bool
        Over the whole pool of draws, not over those that are as hard for k-means as print.
    two_sided : bool
        Within two points of print, above or below.
    kmeans : bool
        Count the cells of k-means too.
    """

    name: str
    strict: bool = False
    choice: Choice = "per test"
    all_draws: bool = False
    two_sided: bool = False
    kmeans: bool = False

    def meets(self, cell: Cell, mean: float) -> bool:
        """Whether that mean of ours meets a cell."""
        assert cell.printed.mean is not None
        short = cell.printed.mean - mean
        if self.two_sided:
            return round(abs(short) - TWO_SIDED, 2) <= 0
        return round(short - (max(cell.printed.std or 0.0, STRICT) if self.strict else cell.allowed), 2) <= 0

    def counts(self, cell: Cell) -> bool:
        """Whether it counts that cell."""
        return cell.compared and (self.kmeans or not cell.steered)


PRESENT = Reading("the rule of this page")
HARDEST = Reading("strict, all draws, no labels but the paper's", strict=True, choice="fixed", all_draws=True)
READINGS = (
    PRESENT,
    Reading("strict: lets pass the larger of one printed deviation and 1.0", strict=True),
    Reading("one setting for all tests of a row", choice="per row"),
    Reading("no setting chosen by labels but where the paper says so", choice="fixed"),
    Reading("no setting chosen by labels at all", choice="none"),
    Reading("all draws of the pool, not those chosen by k-means", all_draws=True),
    Reading("strict, all draws", strict=True, all_draws=True),
    Reading("strict, all draws, cells of k-means counted", strict=True, all_draws=True, kmeans=True),
    HARDEST,
    Reading("strict, all draws, no labels at all", strict=True, choice="none", all_draws=True),
    Reading("within two points of print, above or below", two_sided=True),
)


@final
@dataclass(frozen=True)
class Count:
    """How many cells a reading counts, how many of them are met, and for how many our mean is an estimate."""

    met: int
    of: int
    estimated: int

    @property
    def share(self) -> float:
        """In per cent."""
        return 100.0 * self.met / self.of if self.of else float("nan")


def repeats(cell: Cell) -> bool:
    """Whether another column prints the same number for the same row: it counts once, there."""
    other = REPEATED.get((cell.table.paper, cell.table.name, cell.column.printed))
    if other is None:
        return False
    paper, table, method = other
    same = (cell.row, method, cell.metric, cell.printed.mean)
    return any((each.row, each.method, each.metric, each.mean) == same for each in cells(paper, table))


def count(comparisons: Sequence[Comparison], reading: Reading, *, distinct: bool = True) -> Count:
    """Cells by one reading; those that repeat others are counted once, or, where asked, each."""
    found = [each for comparison in comparisons for each in _judged(comparison, reading) if not (distinct and each.again)]
    return Count(sum(each.met for each in found), len(found), sum(each.estimated for each in found))


def missed_by(comparisons: Sequence[Comparison], reading: Reading) -> Counter[str]:
    """How many distinct cells of each method of a table a reading does not meet."""
    found = (each for comparison in comparisons for each in _judged(comparison, reading) if not (each.met or each.again))
    return Counter(f"{each.cell.column.printed} in {each.cell.table.paper} {each.cell.table.name}" for each in found)


class _Judged(NamedTuple):
    cell: Cell
    met: bool
    estimated: bool
    again: bool


def _judged(comparison: Comparison, reading: Reading) -> list[_Judged]:
    means = _means(comparison, reading.choice, reading.all_draws)
    counted = [(cell, *found) for cell, found in zip(comparison.cells, means, strict=True) if reading.counts(cell)]
    return [_Judged(cell, reading.meets(cell, mean), estimated, repeats(cell)) for cell, mean, estimated in counted]


@lru_cache(maxsize=256)
def _means(comparison: Comparison, choice: Choice, all_draws: bool) -> list[tuple[float, bool]]:
    """Of every cell: readings that differ in what they let pass alone share them."""
    reading = Reading("", choice=choice, all_draws=all_draws)
    return [mean_by(cell, comparison, reading) if cell.compared else (float("nan"), False) for cell in comparison.cells]


def mean_by(cell: Cell, comparison: Comparison, reading: Reading) -> tuple[float, bool]:
    """Our mean of a cell by that reading, in per cent, and whether it is an estimate."""
    if reading.choice == "per test" and not reading.all_draws:
        return cell.mean, False
    rows = [row for row in comparison.table.rows if row != WHOLE] if cell.row == AVERAGE else [cell.row]
    found = [_row(cell, comparison, row, reading) for row in rows]
    return float(np.mean([mean for mean, _ in found])), any(estimated for _, estimated in found)


def _row(cell: Cell, comparison: Comparison, row: Any, reading: Reading) -> tuple[float, bool]:
    values, kmeans = row_values(cell, comparison, row, reading)
    if kmeans is None:
        return 100.0 * float(np.nanmean(values)), False
    mean, estimated = over_pool(values, kmeans)
    return 100.0 * mean, estimated


def row_values(cell: Cell, comparison: Comparison, row: Any, reading: Reading) -> tuple[FloatArray, FloatArray | None]:
    """Fractions of the tests of a row, NaN where there is no result; and, where the row is over the pool, those of k-means."""
    source = source_of(comparison.table.rows[row][0])
    pooled = reading.all_draws and row in NUMBERS and is_calibrated(comparison.table.paper, source, row)
    names = [f"{source}/{row}/{number}" for number in range(POOL)] if pooled else comparison.tested(row)
    column = _without_labels(cell.column, comparison, names, reading.choice)
    variant = _variant(comparison, column, row, reading.choice)
    values = np.array([_value(comparison, column, each, row, cell.metric, variant) for each in names])
    return values, of_kmeans(comparison, names, cell.metric) if pooled else None


def of_kmeans(comparison: Comparison, samples: Sequence[str], metric: str) -> FloatArray:
    """What k-means got on these tests, NaN where it was not run: its information for information, else its accuracy."""
    found = [comparison.results.get((each, "kmeans")) for each in samples]
    name = "nmi" if metric == "nmi" else "accuracy"
    return np.array([np.nan if each is None else each.values[""][name] for each in found])


def _without_labels(column: Column, comparison: Comparison, samples: Sequence[str], choice: Choice) -> Column:
    """The column, or what is taken in the place of a start that labels chose, where it was run at all."""
    others = ONE_START.get(column.procedure, ()) if choice in ("fixed", "none") else ()
    there = next((other for other in others if any((each, other) in comparison.results for each in samples)), None)
    return column if there is None else replace(column, procedure=there, variant="")


def over_pool(values: FloatArray, known: FloatArray) -> tuple[float, bool]:
    """The mean over all draws of what some have a value for (NaN elsewhere), and whether it is an estimate.

    By regression on what is known of all: the mean of the values, moved along the line that is fitted to them by as much as the
    mean of the known numbers is another over all draws than over those with a value.
    """
    there = np.isfinite(values) & np.isfinite(known)
    mean = float(values[np.isfinite(values)].mean())
    if np.all(np.isfinite(values)) or there.sum() < FEWEST or np.ptp(known[there]) == 0:
        return mean, not np.all(np.isfinite(values))
    x, y = known[there], values[there]
    slope = np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2)
    return float(y.mean() + slope * (np.nanmean(known) - x.mean())), True


def _variant(comparison: Comparison, column: Column, row: Any, choice: Choice) -> str | None:
    """The setting that a reading takes for all tests of a row; None where the column's own stands."""
    if choice == "per test" or (choice == "fixed" and column.printed.endswith(BY_LABELS)):
        return None
    if column.variant == BEST_START:
        return ""
    if column.variant is not best_setting:
        return None
    if choice in ("fixed", "none"):
        fixed = FIXED[column.procedure]
        return str(row - 1) if fixed is None else fixed
    found = [comparison.results[sample, column.procedure].values for sample in comparison.tested(row)]
    names = [name for name in settings(found[0]) if all(name in values for values in found)]
    return max(names, key=lambda name: np.mean([values[name]["accuracy"] for values in found]))


def _value(comparison: Comparison, column: Column, sample: str, row: Any, metric: str, variant: str | None) -> float:
    """The number of one draw, NaN where there is none."""
    result = comparison.results.get((sample, column.procedure))
    if result is None:
        return float("nan")
    if variant is None:
        try:
            return comparison.value(column, sample, row, metric)
        except (KeyError, ValueError):  # no such variant, or none to choose from
            return float("nan")
    values: Values = result.values
    return (values.get("weights", {}) | values.get(variant, {})).get(metric, float("nan"))
