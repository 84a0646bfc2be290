"""Orderings: one method above another, looked for in every row of a table, in means and with 95 % confidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from papers.claims.verdicts import Evidence, Verdict, counted
from papers.compare import Comparison, difference
from papers.printed import AVERAGE
from vicinal._typing import FloatArray

FEWEST = 2  # tests of a row that an ordering is looked for in: one is luck, of two there is an interval
SHOWN = 12  # places that are named where an ordering fails; of more, their number
SCORES = ("accuracy", "nmi")


@final
@dataclass(frozen=True)
class Place:
    """One look.

    Attributes
    ----------
    what : str
        What was looked for.
    group, point : str
        Where: a table with a metric, say, and a row.
    holds : bool
        In means.
    sure, against : bool
        Whether the 95 % interval of the paired differences lies on the right side, or on the wrong one.
    """

    what: str
    group: str
    point: str
    holds: bool
    sure: bool = False
    against: bool = False


def place(what: str, group: str, point: Any, gains: Sequence[float] | FloatArray, slack: float = 0.0) -> Place:
    """Look at paired differences: they should be above zero, or at most ``slack`` below; a tie counts for."""
    found = difference(gains)
    return Place(what, group, str(point), bool(found.mean >= -slack), bool(found.low > -slack), bool(found.high < -slack))


@final
@dataclass(frozen=True)
class Order:
    """One method above another in a table.

    Attributes
    ----------
    better, worse : str
    slack : float
        Points that the better one may be below.
    level : bool
        They should differ by no more than the slack, either way round.
    """

    better: str
    worse: str
    slack: float = 0.0
    level: bool = False

    @property
    def what(self) -> str:
        """In words."""
        if self.level:
            return f"{self.better} within {self.slack:g} of {self.worse}"
        return f"{self.better} > {self.worse}" + (f" - {self.slack:g}" if self.slack else "")

    def places(self, comparison: Comparison, rows: Sequence[Any] = ()) -> Iterator[Place]:
        """Where both methods have results."""
        for row, metric in _rows(comparison, rows):
            gains = comparison.gains(row, self.better, self.worse, metric)
            if len(gains) >= min(FEWEST, len(comparison.table.rows[row])):
                group = f"{comparison.table.title_of_block}, {metric}"
                yield self._level(group, row, gains) if self.level else place(self.what, group, row, gains, self.slack)

    def _level(self, group: str, row: Any, gains: FloatArray) -> Place:
        found = difference(gains)
        outside = bool(found.low > self.slack or found.high < -self.slack)
        inside = bool(found.low >= -self.slack and found.high <= self.slack)
        return Place(self.what, group, str(row), abs(found.mean) <= self.slack, inside, outside)

    def printed(self, comparison: Comparison, rows: Sequence[Any] = ()) -> Iterator[Place]:
        """The same of the paper's own numbers."""
        means = {(cell.row, cell.column.printed, cell.metric): cell.printed.mean for cell in comparison.cells}
        for row, metric in _rows(comparison, rows):
            better, worse = (means.get((row, name, metric)) for name in (self.better, self.worse))
            if better is not None and worse is not None:
                gain = round(better - worse, 6)
                holds = abs(gain) <= self.slack if self.level else gain >= -self.slack
                yield Place(self.what, f"{comparison.table.title_of_block}, {metric}", str(row), holds)


def _rows(comparison: Comparison, rows: Sequence[Any]) -> list[tuple[Any, str]]:
    metrics = [metric for metric in comparison.table.metrics if metric in SCORES]
    return [(row, metric) for metric in metrics for row in rows or comparison.table.rows if row != AVERAGE]


def gains(comparison: Comparison, better: str, worse: str, rows: Sequence[Any], metric: str = "accuracy") -> FloatArray:
    """Mean gains of some rows, in points; those without a result are left out."""
    found = [comparison.gains(row, better, worse, metric) for row in rows]
    return np.array([each.mean() for each in found if len(each)])


def in_tables(
    evidence: Evidence,
    paper: str,
    names: Sequence[str],
    orders: Sequence[Order],
    more: Iterable[Place] = (),
    rows: Sequence[Any] = (),
    enough: float = 1.0,
) -> Verdict:
    """Orderings in tables of a paper, ours and as printed, in some rows or in all; ``more`` is looked at besides."""
    tables = [evidence.comparisons[paper, name] for name in names if (paper, name) in evidence.comparisons]
    ours = [each for order in orders for table in tables for each in order.places(table, rows)]
    printed = [each for order in orders for table in tables for each in order.printed(table, rows)]
    return judged([*ours, *more], f"{_tests(tables, rows)} {_as_printed(printed)}".strip(), enough)


def _tests(tables: Sequence[Comparison], rows: Sequence[Any]) -> str:
    """How much there is: a verdict on few rows or on few tests each is worth little. Rows of one test of many are not looked at."""
    numbers = [len(table.tested(row)) for table in tables for row in rows or table.table.rows]
    there = sorted(each for each in numbers if each)
    if not there:
        return ""
    most = f" to {there[-1]}" if there[-1] > there[0] else ""
    return f"Rows with results: {len(there)} of {len(numbers)}; tests in each: {there[0]}{most}."


def judged(places: Sequence[Place], note: str = "", enough: float = 1.0) -> Verdict:
    """One sentence per ordering, with where it fails; it is called true where a share of ``enough`` holds (verdicts.py)."""
    kinds = list(dict.fromkeys(each.what for each in places))
    sentences = [_sentence(what, [each for each in places if each.what == what]) for what in kinds]
    against = sum(each.against for each in places) > sum(each.sure for each in places)
    held = sum(each.holds for each in places)
    return counted(held, len(places), " ".join(filter(None, [*sentences, note])), enough, against=against)


def _sentence(what: str, places: Sequence[Place]) -> str:
    """In how many places it holds in means, and in how many the 95 % interval says so, or the opposite."""
    held, sure, against = (sum(getattr(each, name) for each in places) for name in ("holds", "sure", "against"))
    certain = "".join([f", {sure} at 95 %" if sure else "", f", {against} against at 95 %" if against else ""])
    missing = listed([each for each in places if not each.holds])
    return f"{what}: {held} of {len(places)}{certain}{f' (not {missing})' if missing else ''}."


def _as_printed(places: Sequence[Place]) -> str:
    broken = [each for each in places if not each.holds]
    if not places:
        return ""
    if not broken:
        return f"The printed numbers agree in all {len(places)} places."
    kinds = list(dict.fromkeys(each.what for each in broken))
    failing = "; ".join(f"{what} at {listed([each for each in broken if each.what == what])}" for what in kinds)
    return f"The paper's own numbers contradict it in {len(broken)} of {len(places)} places: {failing}."


def listed(places: Sequence[Place]) -> str:
    """Where, by group."""
    if len(places) > SHOWN:
        return f"in {len(places)} places"
    groups = list(dict.fromkeys(each.group for each in places))
    return ", ".join(f"{group}: {' '.join(each.point for each in places if each.group == group)}" for group in groups)
