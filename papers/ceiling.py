"""How many cells the very same methods would meet on other draws: what a perfect repetition of the papers could hope for.

The papers' draws are lost, so even their own programs, run again, would print other means. How much other is known from how the
results of our tests spread: two means over n tests of spread s differ by a normal number of deviation s √(1/n + 1/n). A cell is met
by such a repetition with the probability that this number is no further below zero than a reading lets pass.

On draws that were chosen to be as hard for k-means as print, both means are at the same k-means, and s is the spread around the
line that is fitted to results against those of k-means. What was run once (the whole corpus, the split by date) is taken as met: of
how it would spread nothing is known, and a bound should not be too low.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats

from papers.compare import Cell, Comparison
from papers.draws import NUMBERS, POOL, is_calibrated
from papers.printed import AVERAGE
from papers.readings import FEWEST, STRICT, TWO_SIDED, Reading, of_kmeans, repeats, row_values
from papers.samples import WHOLE, source_of
from vicinal._typing import FloatArray


def expected(comparisons: Sequence[Comparison], reading: Reading) -> float:
    """The number of distinct cells that a perfect repetition would meet on average by that reading."""
    cells = [(cell, each) for each in comparisons for cell in each.cells if reading.counts(cell) and not repeats(cell)]
    return float(sum(probability(reading, cell, deviation(cell, comparison, reading)) for cell, comparison in cells))


def probability(reading: Reading, cell: Cell, sd: float) -> float:
    """That a mean which differs from print by chance alone, with that deviation in points, meets a cell."""
    if sd == 0:
        return 1.0
    if reading.two_sided:
        return float(2.0 * stats.norm.cdf(TWO_SIDED / sd) - 1.0)
    allowed = max(cell.printed.std or 0.0, STRICT) if reading.strict else cell.allowed
    return float(stats.norm.cdf(allowed / sd))


def deviation(cell: Cell, comparison: Comparison, reading: Reading) -> float:
    """Of our mean from that of a perfect repetition, in points; 0 where tests are too few to tell."""
    rows = [row for row in comparison.table.rows if row != WHOLE] if cell.row == AVERAGE else [cell.row]
    return float(np.sqrt(sum(_variance(cell, comparison, row, reading) for row in rows)) / len(rows))


def _variance(cell: Cell, comparison: Comparison, row: Any, reading: Reading) -> float:
    """Of the difference of two means: ours, and one over as many tests as the paper had."""
    planned = comparison.table.rows[row]
    values, kmeans = row_values(cell, comparison, row, reading)
    if kmeans is None and row in NUMBERS and is_calibrated(comparison.table.paper, source_of(planned[0]), row):
        return _variance_around(values, of_kmeans(comparison, comparison.tested(row), cell.metric), len(planned))
    there = 100.0 * values[np.isfinite(values)]
    if len(there) < FEWEST:
        return 0.0
    ours = len(there) if kmeans is None else POOL
    return float(np.var(there, ddof=1) * (1.0 / ours + 1.0 / len(planned)))


def _variance_around(values: FloatArray, known: FloatArray, printed: int) -> float:
    """The same where both means are at the same mean of what is known."""
    there = np.isfinite(values) & np.isfinite(known)
    if there.sum() <= FEWEST or np.ptp(known[there]) == 0:
        return 0.0
    x, y = known[there], 100.0 * values[there]
    slope, level = np.polyfit(x, y, 1)
    left = float(np.sum((y - level - slope * x) ** 2) / (len(x) - 2))
    return left * (1.0 / len(x) + 1.0 / printed)
