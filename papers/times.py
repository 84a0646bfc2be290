"""Seconds, as ratios to a reference of the same run: those of a machine of 2007 say nothing, those of one method to another do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from papers.journal import Job
from papers.plan import Results
from papers.printed import cells as printed_cells
from papers.printed import citation

POINTS = 0.02  # of the reference's seconds that are let pass, as two points are elsewhere

#: A procedure, a variant and its metrics, whose seconds are added up.
Spent = tuple[str, str, tuple[str, ...]]


@final
@dataclass(frozen=True)
class Timing:
    """One column of seconds.

    Attributes
    ----------
    method, classifier, metric : str
        As printed.
    spent, reference : Spent
        Ours, and what it is divided by.
    divisor : (method, classifier, metric)
        What the printed number is divided by.
    """

    method: str
    classifier: str | None
    metric: str
    spent: Spent
    reference: Spent
    divisor: tuple[str, str | None, str]

    @property
    def title(self) -> str:
        """For the head of a table."""
        kind = self.metric.removeprefix("seconds_")
        return f"{self.method}{f', {self.classifier}' if self.classifier else ''}, {kind}"


@final
@dataclass(frozen=True)
class TimeTable:
    """A table of seconds: its rows with the samples behind them, and its columns."""

    paper: str
    name: str
    title: str
    rows: Mapping[Any, tuple[str, ...]]
    timings: tuple[Timing, ...]
    settings: str

    def jobs(self, tests: int) -> Iterator[Job]:
        """Everything behind the table, at most so many tests per row; what takes hours is left to the tables of results."""
        procedures = dict.fromkeys(each for timing in self.timings for each in (timing.reference[0], timing.spent[0]))
        for samples in self.rows.values():
            yield from ((sample, name) for sample in samples[:tests] for name in procedures if name != "news lpi")


@final
@dataclass(frozen=True)
class Ratio:
    """Ours and the printed one; ours is the median over tests, which a pause of the machine does not move."""

    ours: float
    printed: float
    tests: int

    @property
    def met(self) -> bool:
        """Not dearer, relative to the reference, than in the paper."""
        return self.tests > 0 and self.ours <= self.printed + POINTS


@final
@dataclass(frozen=True, eq=False)
class Ratios:
    """All ratios of one table."""

    table: TimeTable
    results: Results

    @cached_property
    def cells(self) -> dict[tuple[Any, Timing], Ratio]:
        """By row and column, where the paper prints both numbers."""
        printed = {
            (each.row, each.method, each.classifier, each.metric): each.mean
            for each in printed_cells(self.table.paper, self.table.name)
        }
        found = {}
        for row, samples in self.table.rows.items():
            for timing in self.table.timings:
                above, below = (
                    printed.get((row, timing.method, timing.classifier, timing.metric)),
                    printed.get((row, *timing.divisor)),
                )
                if above is not None and below:
                    ours = [each for sample in samples for each in self._ratio(sample, timing)]
                    found[row, timing] = Ratio(float(np.median(ours)) if ours else float("nan"), above / below, len(ours))
        return found

    def _ratio(self, sample: str, timing: Timing) -> list[float]:
        above, below = (self._seconds(sample, each) for each in (timing.spent, timing.reference))
        return [] if above is None or not below else [above / below]

    def _seconds(self, sample: str, spent: Spent) -> float | None:
        procedure, variant, metrics = spent
        result = self.results.get((sample, procedure))
        return None if result is None else sum(result.values[variant][metric] for metric in metrics)

    @property
    def met(self) -> int:
        """How many ratios are not above the printed ones."""
        return sum(each.met for each in self.cells.values())

    @property
    def counted(self) -> int:
        """How many there are on both sides."""
        return sum(each.tests > 0 for each in self.cells.values())

    def lines(self) -> Iterator[str]:
        """For the report."""
        yield f"## {self.table.paper}, {self.table.name}: {self.table.title}"
        yield ""
        yield f"{citation(self.table.paper)} {self.table.settings}"
        yield ""
        yield f"| | {' | '.join(each.title for each in self.table.timings)} |"
        yield f"| --- |{' --- |' * len(self.table.timings)}"
        for row in self.table.rows:
            yield f"| {row} | {' | '.join(self._shown(row, each) for each in self.table.timings)} |"
        yield ""

    def _shown(self, row: Any, timing: Timing) -> str:
        cell = self.cells.get((row, timing))
        if cell is None:
            return ""
        return f"({cell.printed:.3g})" if not cell.tests else f"{cell.ours:.3g} ({cell.printed:.3g}) {'✓' if cell.met else '✗'}"
