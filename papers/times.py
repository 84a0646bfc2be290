"""Seconds, as ratios to a reference of the same run: those of a machine of 2007 say nothing, those of one method to another do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
    """A table of seconds.

    Attributes
    ----------
    paper, name, title : str
    rows : dict from row to names of samples
    timings : tuple of Timing
    settings : str
    together : str
        The procedure that times all others on a sample in one run, if there is one.
    """

    paper: str
    name: str
    title: str
    rows: Mapping[Any, tuple[str, ...]]
    timings: tuple[Timing, ...]
    settings: str
    together: str = ""

    def jobs(self, tests: int) -> Iterator[Job]:
        """Everything behind the table, at most so many tests per row."""
        if self.together:
            yield from ((sample, self.together) for samples in self.rows.values() for sample in samples[:tests])
            return
        procedures = dict.fromkeys(each for timing in self.timings for each in (timing.reference[0], timing.spent[0]))
        for samples in self.rows.values():
            yield from ((sample, name) for sample in samples[:tests] for name in procedures)


def in_one_run(results: Results, together: str) -> Results:
    """Seconds of single procedures, all of one sample from one run."""
    return {
        (sample, name): replace(result, procedure=name, values={"seconds": seconds})
        for (sample, procedure), result in results.items()
        if procedure == together
        for name, seconds in result.values.items()
    }


@final
@dataclass(frozen=True)
class Ratio:
    """Ours and the printed one; ours is the median over tests, which a pause of the machine does not move.

    Attributes
    ----------
    ours, printed : float
    tests : int
    faster, reference_faster : float
        How many times fewer seconds both take here than in the paper.
    """

    ours: float
    printed: float
    tests: int
    faster: float = float("nan")
    reference_faster: float = float("nan")

    @property
    def met(self) -> bool:
        """Not dearer, relative to the reference, than in the paper."""
        return self.tests > 0 and self.ours <= self.printed + POINTS


@final
@dataclass(frozen=True, eq=False)
class Ratios:
    """All ratios of one table."""

    table: TimeTable
    everything: Results

    @cached_property
    def results(self) -> Results:
        """Those that seconds are taken from."""
        return in_one_run(self.everything, self.table.together) if self.table.together else self.everything

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
                    found[row, timing] = self._ratio(samples, timing, above, below)
        return found

    def _ratio(self, samples: Sequence[str], timing: Timing, above: float, below: float) -> Ratio:
        pairs = [(self._seconds(sample, timing.spent), self._seconds(sample, timing.reference)) for sample in samples]
        ours = np.array([pair for pair in pairs if pair[0] and pair[1]], dtype=float).reshape(-1, 2)
        if not len(ours):
            return Ratio(float("nan"), above / below, 0)
        gains = np.median([above, below] / ours, axis=0)
        return Ratio(float(np.median(ours[:, 0] / ours[:, 1])), above / below, len(ours), *map(float, gains))

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
        yield f"| | tests | {' | '.join(each.title for each in self.table.timings)} |"
        yield f"| --- | ---: |{' --- |' * len(self.table.timings)}"
        for row in self.table.rows:
            tests = max((cell.tests for (each, _), cell in self.cells.items() if each == row), default=0)
            yield f"| {row} | {tests} | {' | '.join(self._shown(row, each) for each in self.table.timings)} |"
        yield ""
        yield from self._missed()

    def _missed(self) -> Iterator[str]:
        """Why a ratio is above the printed one: which of the two became faster by how much. One line per column."""
        for timing in self.table.timings:
            cells = {row: cell for (row, each), cell in self.cells.items() if each is timing and cell.tests and not cell.met}
            if cells:
                own = np.median([each.faster for each in cells.values()])
                reference = np.median([each.reference_faster for each in cells.values()])
                yield (
                    f"- {timing.title}, not met at {', '.join(map(str, cells))}: it takes 1/{own:.3g} of the printed seconds "
                    f"there, and what it is divided by 1/{reference:.3g} (medians)."
                )
        yield ""

    def _shown(self, row: Any, timing: Timing) -> str:
        cell = self.cells.get((row, timing))
        if cell is None:
            return ""
        return f"({cell.printed:.3g})" if not cell.tests else f"{cell.ours:.3g} ({cell.printed:.3g}) {'✓' if cell.met else '✗'}"
