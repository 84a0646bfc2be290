"""Seconds, as ratios to a reference: those of a machine of 2007 say nothing, those of one method to another do.

Seconds are divided by seconds of the same run where one procedure times all methods on a sample in turn. Elsewhere every method
has a line of results of its own, which says which state of the library made it, and not which run: pairs of different states are
left out, pairs of one state may still be of two runs.
"""

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

SHARE_LET_PASS = 0.02  # of the reference's seconds that are let pass, as two points are elsewhere

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


def of_one_state(results: Results, procedures: Sequence[str], samples: Sequence[str]) -> list[str]:
    """Samples on which all of these procedures were run with the same state of the library."""
    return [sample for sample in samples if len({results[sample, each].code for each in procedures}) == 1]


@final
@dataclass(frozen=True)
class Ratio:
    """Ours and the printed one; ours is the median over tests, which a pause of the machine does not move.

    Attributes
    ----------
    ours, printed : float
    tests : int
    left_out : int
        Tests whose two seconds were made by different states of the library, and are not divided.
    faster, reference_faster : float
        How many times fewer seconds both take here than in the paper.
    """

    ours: float
    printed: float
    tests: int
    left_out: int = 0
    faster: float = float("nan")
    reference_faster: float = float("nan")

    @property
    def met(self) -> bool:
        """Not dearer, relative to the reference, than in the paper."""
        return self.tests > 0 and self.ours <= self.printed + SHARE_LET_PASS


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
                if above and below:  # what is printed as 0 was too short for its digits
                    found[row, timing] = self._ratio(samples, timing, above, below)
        return found

    def _ratio(self, samples: Sequence[str], timing: Timing, above: float, below: float) -> Ratio:
        there = [sample for sample in samples if self._seconds(sample, timing.spent) and self._seconds(sample, timing.reference)]
        alike = of_one_state(self.results, (timing.spent[0], timing.reference[0]), there)
        if not alike:
            return Ratio(float("nan"), above / below, 0, len(there))
        pairs = [(self._seconds(sample, timing.spent), self._seconds(sample, timing.reference)) for sample in alike]
        ours = np.array(pairs, dtype=float)
        gains = map(float, np.median([above, below] / ours, axis=0))
        ratio = float(np.median(ours[:, 0] / ours[:, 1]))
        return Ratio(ratio, above / below, len(alike), len(there) - len(alike), *gains)

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
        shown = [each for each in self.table.timings if any(timing is each for _, timing in self.cells)]
        yield f"| | tests | {' | '.join(each.title for each in shown)} |"
        yield f"| --- | ---: |{' --- |' * len(shown)}"
        for row in self.table.rows:
            yield f"| {row} | {self._tests(row)} | {' | '.join(self._shown(row, each) for each in shown)} |"
        yield ""
        yield from self._left_out()
        yield from self._missed()

    def _tests(self, row: Any) -> str:
        """How many tests the columns of a row have: a number, or from which to which."""
        numbers = sorted({cell.tests for (each, _), cell in self.cells.items() if each == row} or {0})
        return f"{numbers[0]}" + (f" to {numbers[-1]}" if len(numbers) > 1 else "")

    def _left_out(self) -> Iterator[str]:
        """Which pairs of seconds are not divided, or might be of two runs."""
        if self.table.together:
            return
        rows = {row: max(cell.left_out for (each, _), cell in self.cells.items() if each == row) for row, _ in self.cells}
        some = ", ".join(f"{row} ({number})" for row, number in rows.items() if number)
        yield (
            "The two seconds of a ratio are of separate results. Only those of one state of the library are divided, which does "
            "not prove that they are of one run. "
            + (f"Tests left out of at least one column, since their two seconds are of different states: {some}." if some else "")
        ).strip()
        yield ""

    def _missed(self) -> Iterator[str]:
        """Why a ratio is above the printed one: which of the two became faster by how much. One line per column."""
        for timing in self.table.timings:
            cells = {row: cell for (row, each), cell in self.cells.items() if each is timing and cell.tests and not cell.met}
            if cells:
                own = np.median([each.faster for each in cells.values()])
                reference = np.median([each.reference_faster for each in cells.values()])
                yield (
                    f"- {timing.title}, not met at {', '.join(map(str, cells))}: it takes {_faster(own)} the printed seconds "
                    f"there, and what it is divided by {_faster(reference)} the printed ones (medians)."
                )
        yield ""

    def _shown(self, row: Any, timing: Timing) -> str:
        cell = self.cells.get((row, timing))
        if cell is None:
            return ""
        return f"({cell.printed:.3g})" if not cell.tests else f"{cell.ours:.3g} ({cell.printed:.3g}) {'✓' if cell.met else '✗'}"


def _faster(times: float) -> str:
    """In words: so many times fewer seconds."""
    return f"1/{times:.3g} of" if times >= 1.0 else f"{1.0 / times:.3g} times"
