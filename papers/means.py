"""Numbers of a figure, from results: always over tests that every method shown has a result for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from papers.compare import Comparison
from papers.plan import Results, Table
from papers.plots import Curve

NOTHING = "No results yet."
PER_CENT = 100.0
LABELS = {"accuracy": "accuracy, %", "nmi": "NMI, %"}

#: Means by method and by place on the axis.
Means = dict[str, dict[Any, float]]


def complete(results: Results, procedures: Iterable[str], samples: Sequence[str]) -> list[str]:
    """Samples that every one of these procedures has a result for."""
    needed = tuple(dict.fromkeys(procedures))
    return [sample for sample in samples if all((sample, each) in results for each in needed)]


def mean(results: Results, procedure: str, samples: Sequence[str], variant: str, metric: str) -> float:
    """One number of each sample, averaged."""
    return float(np.mean([results[sample, procedure].values[variant][metric] for sample in samples]))


def of_table(results: Results, table: Table, metric: str, rows: Mapping[Any, Any]) -> tuple[Means, dict[Any, int]]:
    """Means by method and row, in per cent, as the table has them, and how many tests each row has.

    Parameters
    ----------
    results : Results
    table : Table
    metric : str
    rows : mapping from row to place on the axis
    """
    comparison = Comparison(table, results)
    tests = {row: len(comparison.tested(row)) for row in rows}
    means: Means = {column.printed: {} for column in table.columns}
    for row, place in rows.items():
        for column in table.columns:
            numbers = comparison.values(column, row, metric) if tests[row] else ()
            if len(numbers):
                means[column.printed][place] = PER_CENT * float(np.mean(numbers))
    return means, {row: number for row, number in tests.items() if number}


def curves(means: Mapping[str, Mapping[Any, float]]) -> list[Curve]:
    """A line per method that has a point."""
    return [Curve(name, tuple(each), tuple(each.values())) for name, each in means.items() if each]


def turned(means: Mapping[str, Mapping[Any, float]]) -> dict[Any, dict[str, float]]:
    """The same by place first."""
    places = dict.fromkeys(place for each in means.values() for place in each)
    return {place: {name: each[place] for name, each in means.items() if place in each} for place in places}


def said(tests: Iterable[int], what: str = "tests") -> str:
    """How many tests, where they are as many at every point; else from how many to how many."""
    numbers = sorted(set(tests))
    if len(numbers) > 1:
        return f"{numbers[0]} to {numbers[-1]} {what}"
    return f"{numbers[0]} {what if numbers[0] != 1 else what.removesuffix('s')}"


def verdict(held: Iterable[bool]) -> str:
    """Whether a claim of the paper holds, where it was put to the test in several places."""
    answers = list(held)
    if all(answers):
        return "as the paper says"
    return f"as the paper says in {sum(answers)} of {len(answers)} cases" if any(answers) else "unlike the paper"


def holds(claim: bool) -> str:
    """The same for one place."""
    return "holds" if claim else "does not hold"


def listed(numbers: Mapping[Any, float], form: str = ".1f") -> str:
    """Names with their numbers, in a row."""
    return ", ".join(f"{name} {number:{form}}" for name, number in numbers.items())
