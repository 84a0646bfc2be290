"""How many cells the very same methods would meet on other draws: what a perfect repetition of the papers could hope for.

The papers' draws are lost, so even their own programs, run again, would print other means. How much other is known from how the
results of our tests spread: two means over n tests of spread s differ by a normal number of deviation s √(1/n + 1/n). A cell is met
by such a repetition with the probability that this number is no further below zero than a reading lets pass.

On draws that were chosen to be as hard for k-means as print, both means are at the same k-means, and s is the spread around the
line that is fitted to results against those of k-means. What was run once (the whole corpus, the split by date) is taken as met: of
how it would spread nothing is known.

It is an average and no bound. Cells are not independent: the methods of a row share its draws, so that by luck many are met or
missed together, and `repeated` repeats the papers many times, with one set of draws for all methods of a row, to tell how far the
share wanders. A method that is better than printed meets more than its perfect repetition, and one that is worse less. And over all
draws it supposes that the papers' draws were like ours on average, though how hard they were is printed: `repeated` can hold them
at what k-means got on them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

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


TIMES = 1000  # that the papers are repeated
Noise = dict[tuple[str, str, Any], FloatArray]  # by method, metric and row: one number per repetition


def repeated(comparisons: Sequence[Comparison], reading: Reading, *, as_hard: bool = False, times: int = TIMES) -> FloatArray:
    """The share of distinct cells, in per cent, that each of so many perfect repetitions meets.

    Tests are drawn anew, with replacement, from ours: as many as the paper had, and as many as our mean is over.

    Parameters
    ----------
    comparisons : sequence of Comparison
    reading : Reading
    as_hard : bool
        Over all draws: with the papers' draws held as hard for k-means as is printed.
    times : int
    """
    met, of = np.zeros(times), 0
    for comparison in comparisons:
        cells = [each for each in comparison.cells if reading.counts(each) and not repeats(each)]
        noise: Noise = {}
        for row in comparison.table.rows:
            noise |= _row_noise([each for each in comparison.cells if each.compared], comparison, row, reading, as_hard, times)
        for cell in cells:
            apart = _apart(cell, comparison, noise, times)
            met += np.abs(apart) <= TWO_SIDED if reading.two_sided else apart >= -_lets_pass(cell, reading)
        of += len(cells)
    return 100.0 * met / max(of, 1)


def _lets_pass(cell: Cell, reading: Reading) -> float:
    return max(cell.printed.std or 0.0, STRICT) if reading.strict else cell.allowed


def _apart(cell: Cell, comparison: Comparison, noise: Mapping[tuple[str, str, Any], FloatArray], times: int) -> FloatArray:
    """Ours less print, in each repetition."""
    rows = [row for row in comparison.table.rows if row != WHOLE] if cell.row == AVERAGE else [cell.row]
    none = np.zeros(times)
    return np.asarray(np.mean([noise.get((cell.column.printed, cell.metric, row), none) for row in rows], axis=0))


def _row_noise(
    cells: Sequence[Cell], comparison: Comparison, row: Any, reading: Reading, as_hard: bool, times: int
) -> dict[tuple[str, str, Any], FloatArray]:
    """Of all cells of a row at once: their tests are the same."""
    there = {(each.column.printed, each.metric): each for each in cells if each.row == row}
    tests: dict[int, list[tuple[tuple[str, str], FloatArray, float]]] = defaultdict(list)
    for key, cell in there.items():
        values, shift, ours = _spread(cell, comparison, row, reading, as_hard)
        tests[ours].append((key, values, shift))
    found: dict[tuple[str, str, Any], FloatArray] = {}
    source, planned = source_of(comparison.table.rows[row][0]) if row in comparison.table.rows else "", 0
    planned = len(comparison.table.rows.get(row, ()))
    for ours, alike in tests.items():
        known = np.all([np.isfinite(values) for _, values, _ in alike], axis=0)
        if known.sum() < FEWEST:
            continue
        random = np.random.RandomState([crc32(f"{source}/{row}".encode()), int(known.sum())])
        printed = random.randint(0, known.sum(), (times, planned))
        again = random.randint(0, known.sum(), (times, ours))
        for key, values, shift in alike:
            of_tests = values[known]
            found[(*key, row)] = shift + of_tests[again].mean(axis=1) - of_tests[printed].mean(axis=1)
    return found


def _spread(cell: Cell, comparison: Comparison, row: Any, reading: Reading, as_hard: bool) -> tuple[FloatArray, float, int]:
    """Results of tests as they spread, in points; how far our mean is expected above print; and how many tests ours is over.

    NaN where a test has no result. Around the line fitted to k-means where both means are at the same k-means, or where those of
    print are held at what k-means got on them.
    """
    planned = comparison.table.rows[row]
    values, kmeans = row_values(cell, comparison, row, reading)
    values = 100.0 * values
    if kmeans is None:
        hard = row in NUMBERS and is_calibrated(comparison.table.paper, source_of(planned[0]), row)
        known = of_kmeans(comparison, comparison.tested(row), cell.metric) if hard else None
        return (values if known is None else _around(values, known)[0]), 0.0, max(int(np.isfinite(values).sum()), 1)
    if not as_hard:
        return values, 0.0, POOL
    left, slope = _around(values, kmeans)
    base = comparison.cell(row, comparison.table.columns[0].printed, "nmi" if cell.metric == "nmi" else "accuracy")
    assert base.printed.mean is not None
    return left, slope * (float(np.nanmean(kmeans)) - base.printed.mean / 100.0), POOL


def _around(values: FloatArray, known: FloatArray) -> tuple[FloatArray, float]:
    """What is left of values around the line that is fitted to them against what is known, and its slope."""
    there = np.isfinite(values) & np.isfinite(known)
    if there.sum() <= FEWEST or np.ptp(known[there]) == 0:
        return values, 0.0
    slope, level = np.polyfit(known[there], values[there], 1)
    return values - level - slope * known, float(slope)
