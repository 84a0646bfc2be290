"""Printed and measured side by side: one verdict per cell."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from scipy import stats

from papers.draws import NUMBERS, is_calibrated
from papers.journal import Job
from papers.plan import Column, Results, Table, Tuned, best_setting, settings
from papers.printed import AVERAGE, IN_PER_CENT, Printed, cells
from papers.samples import WHOLE, source_of
from vicinal._typing import FloatArray

POINTS_LET_PASS = 2.0  # below the printed mean that are let pass where no standard deviation is printed
CONFIDENCE = 0.95


@final
@dataclass(frozen=True)
class Cell:
    """One printed number and ours, in per cent.

    Attributes
    ----------
    table : Table
    column : Column
    printed : Printed
    ours : tuple of float
        One value per test; in the row of averages one per number of classes.
    """

    table: Table
    column: Column
    printed: Printed
    ours: tuple[float, ...]

    @property
    def row(self) -> Any:
        """As in the paper."""
        return self.printed.row

    @property
    def metric(self) -> str:
        """As in the paper."""
        return self.printed.metric

    @property
    def tests(self) -> int:
        """How many tests the mean is over."""
        return len(self.ours)

    @property
    def mean(self) -> float:
        """Ours."""
        return float(np.mean(self.ours)) if self.ours else float("nan")

    @property
    def std(self) -> float:
        """Ours, over tests."""
        return float(np.std(self.ours)) if self.ours else float("nan")

    @property
    def error(self) -> float:
        """Standard error of our mean."""
        return float(np.std(self.ours, ddof=1) / np.sqrt(self.tests)) if self.tests > 1 else float("nan")

    @property
    def steered(self) -> bool:
        """Whether draws were chosen so that it is met when all are in; the average of rows, when those of one row were."""
        rows = [row for row in self.table.rows if row != WHOLE] if self.row == AVERAGE else [self.row]
        return self.column.calibrated and any(row in NUMBERS and self._as_hard(row) for row in rows)

    @property
    def calibrated(self) -> bool:
        """Whether all of those draws are in."""
        return self.steered and (self.row == AVERAGE or self.tests == len(self.table.rows.get(self.row, ())))

    def _as_hard(self, row: int) -> bool:
        return is_calibrated(self.table.paper, source_of(self.table.rows[row][0]), row)

    @property
    def compared(self) -> bool:
        """Whether there is something on both sides."""
        return self.printed.mean is not None and self.tests > 0

    @property
    def counts(self) -> bool:
        """Whether it is a result: compared, and not of the column that draws were chosen by."""
        return self.compared and not self.steered

    @property
    def allowed(self) -> float:
        """How far below the printed mean still counts as met: one printed standard deviation, or two points."""
        return POINTS_LET_PASS if self.printed.std is None else self.printed.std

    @property
    def short(self) -> float:
        """How far ours is below the printed mean; negative where it is above."""
        assert self.printed.mean is not None
        return self.printed.mean - self.mean

    @property
    def near(self) -> bool:
        """At most so far below the printed mean, whether it counts or not."""
        return self.compared and round(self.short - self.allowed, 2) <= 0

    @property
    def met(self) -> bool:
        """Met or beaten."""
        return self.counts and self.near

    @property
    def beaten(self) -> bool:
        """At least what is printed."""
        return self.counts and round(self.short, 2) <= 0


@final
@dataclass(frozen=True, eq=False)
class Comparison:
    """All cells of one table."""

    table: Table
    results: Results

    @cached_property
    def cells(self) -> list[Cell]:
        """Those that are shares, in the order of the paper."""
        columns = {column.printed: column for column in self.table.columns}
        return [
            Cell(self.table, columns[each.method], each, tuple(100.0 * self.values(columns[each.method], each.row, each.metric)))
            for each in cells(self.table.paper, self.table.name)
            if each.metric in IN_PER_CENT and each.method in columns and each.classifier == self.table.classifier
        ]

    def cell(self, row: Any, method: str, metric: str = "accuracy") -> Cell:
        """One of them."""
        return next(each for each in self.cells if (each.row, each.column.printed, each.metric) == (row, method, metric))

    def tested(self, row: Any) -> list[str]:
        """Samples of a row that every column has a result for: the same tests serve all methods."""
        procedures = {column.procedure for column in self.table.columns}
        return [sample for sample in self.table.rows.get(row, ()) if all((sample, each) in self.results for each in procedures)]

    def values(self, column: Column, row: Any, metric: str) -> FloatArray:
        """One number per test; for the row of averages, the mean of each row."""
        if row == AVERAGE:
            means = [self.values(column, each, metric) for each in self.table.rows if each != WHOLE]
            return np.array([each.mean() for each in means]) if all(len(each) for each in means) else np.array([])
        return np.array([self.value(column, sample, row, metric) for sample in self.tested(row)])

    def value(self, column: Column, sample: str, row: Any, metric: str) -> float:
        """The number of one test."""
        values = self.results[sample, column.procedure].values
        variant = self.tuned(column) if isinstance(column.variant, Tuned) else column.variant
        chosen = values[variant] if isinstance(variant, str) else variant(values, row)
        return (values.get("weights", {}) | chosen).get(metric, float("nan"))

    def has(self, column: Column, sample: str, row: Any, metrics: Collection[str]) -> bool:
        """Whether the result of one test has all that the column needs of it."""
        if isinstance(column.variant, Tuned):
            return any(name.startswith(column.variant.prefix) for name in self.results[sample, column.procedure].values)
        try:
            return all(np.isfinite(self.value(column, sample, row, metric)) for metric in metrics)
        except (KeyError, ValueError):  # no such variant, or none to choose from
            return False

    def tuned(self, column: Column) -> str:
        """The variant that is best for the first column on average over rows, the first of equals."""
        scores = self.tried(column)
        return max(scores, key=scores.__getitem__)

    def tried(self, column: Column) -> dict[str, float]:
        """Mean accuracy of the first column over rows, for each variant that one is chosen from."""
        assert isinstance(column.variant, Tuned)
        rows = [tested for row in self.table.rows if (tested := self.tested(row))]
        found = [[self.results[sample, self.table.columns[0].procedure].values for sample in tested] for tested in rows]
        names = [name for name in found[0][0] if name.startswith(column.variant.prefix)]
        return {name: float(np.mean([np.mean([values[name]["accuracy"] for values in row]) for row in found])) for name in names}

    def met_with(self, variant: str) -> int:
        """How many cells would be met with that variant in every row."""
        columns = tuple(replace(column, variant=variant) for column in self.table.columns)
        return Comparison(replace(self.table, columns=columns), self.results).met

    def by_setting(self, column: Column) -> dict[str, float]:
        """Of a column whose setting is chosen per test: mean accuracy over rows with each setting that all tests have."""
        rows = [self.tested(row) for row in self.table.rows if self.tested(row)]
        if column.variant is not best_setting or not rows:
            return {}
        found = [[self.results[sample, column.procedure].values for sample in samples] for samples in rows]
        names = [name for name in settings(found[0][0]) if all(name in values for row in found for values in row)]
        return {
            name: 100.0 * float(np.mean([np.mean([values[name]["accuracy"] for values in row]) for row in found])) for name in names
        }

    def gain(self, row: Any, method: str, other: str, metric: str = "accuracy") -> Difference:
        """How much better one method is than another, in points, with its interval."""
        return difference(self.gains(row, method, other, metric))

    def gains(self, row: Any, method: str, other: str, metric: str = "accuracy") -> FloatArray:
        """The same test by test; the same tests serve all methods."""
        columns = {column.printed: column for column in self.table.columns}
        ours, theirs = (self.values(columns[name], row, metric) for name in (method, other))
        return 100.0 * (ours - theirs)

    @property
    def met(self) -> int:
        """How many cells are met or beaten."""
        return sum(each.met for each in self.cells)

    @property
    def counted(self) -> int:
        """How many cells there are on both sides."""
        return sum(each.counts for each in self.cells)


def unusable(tables: Sequence[Table], results: Results) -> list[Job]:
    """Results that lack a number of a table's: foreign ones, or of another state of their procedure."""
    found: dict[Job, None] = {}
    for table in tables:
        comparison, printed = Comparison(table, results), list(cells(table.paper, table.name))
        for column in table.columns:
            metrics = {each.metric for each in printed if each.method == column.printed and each.metric in IN_PER_CENT}
            there = [(row, each) for row, samples in table.rows.items() for each in samples if (each, column.procedure) in results]
            found |= dict.fromkeys(
                (each, column.procedure) for row, each in there if not comparison.has(column, each, row, metrics)
            )
    return list(found)


@final
@dataclass(frozen=True)
class Difference:
    """The mean of paired differences, and where it lies with 95 % confidence."""

    mean: float
    low: float
    high: float
    tests: int


def difference(values: Sequence[float] | FloatArray) -> Difference:
    """Student's interval around the mean of paired differences."""
    n, mean = len(values), float(np.mean(values)) if len(values) else float("nan")
    if n < 2:
        return Difference(mean, float("nan"), float("nan"), n)
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, n - 1) * np.std(values, ddof=1) / np.sqrt(n))
    return Difference(mean, mean - half, mean + half, n)
