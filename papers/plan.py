"""What a paper shows: tables of printed numbers and figures, each with the samples and procedures behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any, final

from papers.draws import NUMBERS, chosen
from papers.journal import Job, Result
from papers.samples import WORDS
from papers.scores import Values

#: Results by sample and procedure.
Results = Mapping[Job, Result]


@final
@dataclass(frozen=True)
class Tuned:
    """A variant that is chosen for the first column of a table, in each row by its mean accuracy, and serves all columns."""

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
    optional : bool
        Whether a test counts for the other columns although this one has no result for it: for what takes hours.
    most : dict from row to int
        Tests that are run of it, where fewer than of the others.
    calibrated : bool
        Whether draws were chosen by what is printed for it, so that its cells are no results.
    """

    printed: str
    procedure: str
    variant: str | Tuned | Callable[[Values, int], dict[str, float]] = ""
    optional: bool = False
    most: Mapping[Any, int] = field(default_factory=dict)
    calibrated: bool = False


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
    extras : dict from procedure to how many tests it gets
        Checks of single choices, run on the same samples.
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
    extras: Mapping[str, int] = field(default_factory=dict)
    classifier: str | None = None

    @property
    def title_of_block(self) -> str:
        """Its name, and its classifier where it has one."""
        return self.name if self.classifier is None else f"{self.name}, {self.classifier}"

    def jobs(self, tests: int) -> Iterator[Job]:
        """Everything behind the table, at most so many tests per row."""
        for row, samples in self.rows.items():
            for number, sample in enumerate(samples[:tests]):
                yield from ((sample, column.procedure) for column in self.columns if number < column.most.get(row, tests))
                yield from ((sample, name) for name, most in self.extras.items() if number < most)


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
                yield from ((sample, procedure) for sample in islice(alike, max(tests, WORDS if "word" in samples[0] else 0)))


def shortened(values: Values, c: int) -> dict[str, float]:
    """With c - 1 dimensions."""
    return values[str(c - 1)]


def best_setting(values: Values, c: int) -> dict[str, float]:
    """With the setting of a grid that gives the highest accuracy; k-means by its objective."""
    return values[str(best_of(values))]


def best_of(values: Values) -> int:
    """The setting of a grid that gives the highest accuracy, the smallest of equals."""
    settings = sorted(int(name) for name in values if name.isdigit())
    return max(settings, key=lambda setting: values[str(setting)]["accuracy"])


def draws_of(paper: str, source: str, numbers: tuple[int, ...] = NUMBERS) -> dict[Any, tuple[str, ...]]:
    """The rows of a table over numbers of classes: the draws that the paper's tables are made on."""
    return {c: tuple(f"{source}/{c}/{number}" for number in chosen(paper, source, c)) for c in numbers}
