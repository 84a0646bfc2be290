"""Columns of documents: their own, such as cluster, label and folder, and those of the metadata; as values, codes and numbers."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vicinal._date_periods import Days, guessed_days
from vicinal._typing import FloatArray, IntArray
from vicinal.index._tables.columns import DATE_NAME, column_values, is_column
from vicinal.serve._facts import counted
from vicinal.serve._problems import Problem
from vicinal.serve._state import NONE, State

CLUSTER, UNCERTAINTY, FOLDER = "cluster", "uncertainty", "folder"
OWN_COLUMNS = (CLUSTER, "label", FOLDER, "source", UNCERTAINTY)
#: Values that a colour of their own can have; the others are one.
MOST_VALUES = 50
#: Values of a category at most, as a share of its documents; texts have more.
TEXT_SHARE = 0.5


@final
@dataclass(frozen=True, eq=False)
class Column:
    """What documents have in a column.

    Attributes
    ----------
    name : str
    rows : int array
        Rows of the documents that have something there, rising.
    values : list
        What they have.
    n_documents : int
        Of the index.
    """

    name: str
    rows: IntArray
    values: list[Any]
    n_documents: int

    @cached_property
    def kind(self) -> str:
        """The kind: "number", "date", "category" or "text"."""
        if self.name == UNCERTAINTY:
            return "number"
        if self.name == CLUSTER:
            return "category"
        if self.days is not None:
            return "date"
        if self.values and all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.values):
            return "number"
        few = len(set(self.texts)) <= max(MOST_VALUES, TEXT_SHARE * len(self.values))
        return "category" if few else "text"

    @cached_property
    def days(self) -> Days | None:
        """The day of each value; None where one of them is no date."""
        return guessed_days(self.values) if self.values and self.name not in (UNCERTAINTY, CLUSTER) else None

    @cached_property
    def texts(self) -> list[str]:
        """The values as text."""
        return [str(value) for value in self.values]

    @cached_property
    def counts(self) -> list[tuple[str, int]]:
        """How many documents have each value, most frequent first."""
        return counted(Counter(self.texts))

    def codes(self, limit: int = MOST_VALUES) -> IntArray:
        """For each document the position of its value in ``counts``: ``limit`` for a rarer one, -1 for none."""
        code = {value: min(place, limit) for place, (value, _) in enumerate(self.counts)}
        found = np.full(self.n_documents, NONE, dtype=np.int64)
        found[self.rows] = [code[text] for text in self.texts]
        return found

    def numbers(self) -> FloatArray:
        """For each document its number, or its date in days since 1970; NaN for none."""
        if self.kind not in ("number", "date"):
            raise Problem("bad-parameter", f"column {self.name!r:.80} holds no numbers or dates. Use its codes: /columns/codes.")
        found = np.full(self.n_documents, np.nan)
        if self.days is None:
            found[self.rows] = [float(value) for value in self.values]
        else:
            found[self.rows] = np.where(np.isnat(self.days), np.nan, self.days.astype(np.int64))
        return found

    def facts(self) -> dict[str, object]:
        """The column in numbers."""
        return {"name": self.name, "kind": self.kind, "documents": len(self.values), "distinct": len(self.counts)}

    def limits(self) -> dict[str, object]:
        """The smallest and the largest number or date."""
        if self.kind not in ("number", "date") or not self.values:
            return {}
        if self.days is not None:
            known = self.days[~np.isnat(self.days)]
            return {"min": str(known.min()), "max": str(known.max())}
        found = self.numbers()[self.rows]
        return {"min": float(found.min()), "max": float(found.max())}


def column(state: State, name: str) -> Column:
    """What documents have in a column; "not-found" where there is no such column."""
    if name == UNCERTAINTY:
        rows = np.flatnonzero(np.isfinite(state.uncertainty))
        return Column(name, rows, state.uncertainty[rows].tolist(), len(state))
    if name == CLUSTER:
        rows = np.flatnonzero(state.clusters >= 0)
        return Column(name, rows, state.clusters[rows].tolist(), len(state))
    if name == FOLDER and FOLDER not in state.columns:
        return _folders(state)
    if not is_column(state.index_state, name):
        known = ", ".join([*OWN_COLUMNS, *state.columns][:50])
        raise Problem("not-found", f"there is no column {name!r:.80}. There are: {known}.")
    numbers, found = column_values(state.index_state, name)
    return Column(name, state.rows_of_numbers(numbers), found, len(state))


def _folders(state: State) -> Column:
    """The folder of each document, by its id."""
    _, ids = column_values(state.index_state, "id")
    folders = [posixpath.dirname(str(id).replace("\\", "/")) for id in ids]
    rows = np.array([row for row, folder in enumerate(folders) if folder], dtype=np.int64)
    return Column(FOLDER, rows, [folders[row] for row in rows], len(state))


def every_column(state: State) -> Iterable[Column]:
    """The columns of an index: its own, where documents have something there, and those of the metadata."""
    own = [column(state, name) for name in OWN_COLUMNS]
    yield from (each for each in own if len(each.rows) and each.name not in state.columns)
    yield from (column(state, name) for name in state.columns)


def date_column(state: State, name: str | None) -> Column | None:
    """The column of dates that is named; or the first that there is, rather one that is called as dates are."""
    if name is not None:
        return column(state, name)
    return state.once("dates", lambda: _first_dates(state))


def _first_dates(state: State) -> Column | None:
    dated = (each for each in every_column(state) if each.kind == "date")
    return min(dated, key=lambda each: DATE_NAME.match(each.name) is None, default=None)
