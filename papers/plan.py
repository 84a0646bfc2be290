"""What a paper shows: tables of printed numbers and figures, each with the samples and procedures behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from typing import Any, final

from papers.draws import NUMBERS, POOL, chosen
from papers.journal import Job, Result
from papers.samples import DRAWN, WORD_SUBSETS, source_of
from papers.scores import Values

GRID = re.compile(r"\+?\d+")  # names of variants that are settings of a grid

#: Results by sample and procedure.
Results = Mapping[Job, Result]


@final
@dataclass(frozen=True)
class Tuned:
    """A variant that is chosen for the first column of a table, by its mean accuracy over rows, and serves all columns and rows."""

    prefix: str


@final
@dataclass(frozen=True)
class Column:
    """A method of a table.

    Attributes
    ----------
    printed : str
        Its name there.
    procedure : str
        What we do.
    variant : str or function
        Which of the procedure's results; a function chooses one per test from its values and the number of classes.
    calibrated : bool
        Whether draws were chosen by what is printed for it, so that its cells are no results.
    """

    printed: str
    procedure: str
    variant: str | Tuned | Callable[[Values, int], dict[str, float]] = ""
    calibrated: bool = False


@final
@dataclass(frozen=True)
class Check:
    """One choice that a paper leaves open, changed by itself, to tell what a difference comes from.

    Attributes
    ----------
    procedure : str
    column : str
        Whose cells it explains.
    tests : int
        How many first tests of a row it gets; 0 where only figures ask for it, and it is looked at where it is there.
    rows : tuple
        Which rows it is for; all of them where none is given.
    same_setting : bool
        Compare it with the column at the settings of a grid that the check has, and not at the best of all.
    about : str
        What is changed; by default what the procedure is about.
    """

    procedure: str
    column: str
    tests: int = 10
    rows: tuple[Any, ...] = ()
    same_setting: bool = False
    about: str = ""

    def serves(self, row: Any) -> bool:
        """Whether it is for that row."""
        return not self.rows or row in self.rows


@final
@dataclass(frozen=True)
class Table:
    """A table of the paper.

    Attributes
    ----------
    paper, name, title : str
    rows : dict from row to names of samples
    columns : tuple of Column
    metrics : tuple of str
    settings : str
        What the paper leaves open, and what we did.
    champion : str
        The method that the paper is about: differences are taken from it.
    checks : tuple of Check
        Single choices changed, on the same samples.
    classifier : str or None
        Which block of a table that has one block per classifier.
    """

    paper: str
    name: str
    title: str
    rows: Mapping[Any, tuple[str, ...]]
    columns: tuple[Column, ...]
    metrics: tuple[str, ...]
    settings: str
    champion: str
    checks: tuple[Check, ...] = ()
    classifier: str | None = None

    @property
    def title_of_block(self) -> str:
        """Its name, and its classifier where it has one."""
        return self.name if self.classifier is None else f"{self.name}, {self.classifier}"

    def jobs(self, tests: int) -> Iterator[Job]:
        """Everything behind the table, at most so many tests per row."""
        for row, samples in self.rows.items():
            checks = [check for check in self.checks if check.serves(row)]
            for number, sample in enumerate(samples[:tests]):
                yield from ((sample, column.procedure) for column in self.columns)
                yield from ((sample, check.procedure) for check in checks if number < check.tests)


@final
@dataclass(frozen=True)
class Figure:
    """A figure of the paper.

    Attributes
    ----------
    paper, name, title : str
    work : tuple of (procedure, samples)
    draw : function from results and a file to a sentence on what is to be seen
    settings : str
    """

    paper: str
    name: str
    title: str
    work: tuple[tuple[str, tuple[str, ...]], ...]
    draw: Callable[[Results, Path], str]
    settings: str = ""

    def jobs(self, tests: int) -> Iterator[Job]:
        """Everything behind the figure, at most so many tests per kind of sample."""
        for procedure, samples in self.work:
            for _, alike in groupby(samples, key=lambda sample: sample.rpartition("/")[0]):
                most = max(tests, WORD_SUBSETS if "word" in samples[0] else 0)
                yield from ((sample, procedure) for sample in islice(alike, most))


def shortened(values: Values, c: int) -> dict[str, float]:
    """With c - 1 dimensions."""
    return values[str(c - 1)]


def best_setting(values: Values, c: int) -> dict[str, float]:
    """With the setting of a grid that gives the highest accuracy; k-means by its objective."""
    return values[_best(values)]


def best_among(values: Values, names: Sequence[str]) -> dict[str, float]:
    """The result with the highest accuracy among these, the first of equals."""
    return values[max(names, key=lambda name: values[name]["accuracy"])]


def best_of(values: Values) -> int:
    """The setting of a grid that gives the highest accuracy, the smallest of equals."""
    return int(_best(values))


def _best(values: Values) -> str:
    return max(settings(values), key=lambda name: values[name]["accuracy"])


def settings(values: Values) -> list[str]:
    """Names of variants that are settings of a grid, such as 20 or +5, in rising order."""
    return sorted((name for name in values if GRID.fullmatch(name)), key=int)


def draws_of(paper: str, source: str, numbers: tuple[int, ...] = NUMBERS) -> dict[Any, tuple[str, ...]]:
    """The rows of a table over numbers of classes: the draws that the paper's tables are made on."""
    return {c: tuple(f"{source}/{c}/{number}" for number in chosen(paper, source, c)) for c in numbers}


def on_all_draws(table: Table) -> Table:
    """The same on every draw of the pool, whether it was chosen or not, and without checks."""
    rows = {
        row: tuple(f"{source_of(samples[0])}/{row}/{number}" for number in range(POOL))
        if source_of(samples[0]) in DRAWN and row in NUMBERS
        else samples
        for row, samples in table.rows.items()
    }
    return replace(table, rows=rows, checks=())
