"""Columns of documents: their own, such as cluster, label and folder, and those of the metadata; as values, codes and numbers."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any, final

import numpy as np

from vicinal._store.filters import has_column, values
from vicinal._typing import FloatArray, IntArray
from vicinal.serve._facts import counted
from vicinal.serve._problems import Problem
from vicinal.serve._state import NONE, State

CLUSTER, UNCERTAINTY, FOLDER = "cluster", "uncertainty", "folder"
OWN_COLUMNS = (CLUSTER, "label", FOLDER, "source", UNCERTAINTY)
#: Values that a colour of their own can have; the others are one.
MOST_VALUES = 50
#: Values of a category at most, as a share of its documents; texts have more.
TEXT_SHARE = 0.5
_DATE = re.compile(r"([0-9]{4})(?:[-/]([0-9]{1,2}))?(?:[-/]([0-9]{1,2}))?(?![0-9])")
_YEARS = range(1000, 3000)
EPOCH = date(1970, 1, 1)


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
        if self.values and all(day_of(value) is not None for value in self.values):
            return "date"
        if self.values and all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.values):
            return "number"
        few = len(set(self.texts)) <= max(MOST_VALUES, TEXT_SHARE * len(self.values))
        return "category" if few else "text"

    @cached_property
    def texts(self) -> list[str]:
        """The values as text."""
        return [str(value) for value in self.values]

    @cached_property
    def counts(self) -> list[list[Any]]:
        """How many documents have each value, most frequent first."""
        return counted(Counter(self.texts))

    def codes(self, limit: int = MOST_VALUES) -> IntArray:
        """For each document the place of its value in ``counts``: ``limit`` for a rarer one, -1 for none."""
        code = {value: min(place, limit) for place, (value, _) in enumerate(self.counts)}
        found = np.full(self.n_documents, NONE, dtype=np.int64)
        found[self.rows] = [code[text] for text in self.texts]
        return found

    def numbers(self) -> FloatArray:
        """For each document its number, or its date in days since 1970; NaN for none."""
        if self.kind not in ("number", "date"):
            raise Problem("bad-parameter", f"column {self.name!r:.80} holds no numbers or dates. Use its codes: /columns/codes.")
        found = np.full(self.n_documents, np.nan)
        if self.kind == "date":
            found[self.rows] = [((day_of(value) or EPOCH) - EPOCH).days for value in self.values]
        else:
            found[self.rows] = [float(value) for value in self.values]
        return found

    def facts(self) -> dict[str, Any]:
        """The column in numbers."""
        return {"name": self.name, "kind": self.kind, "documents": len(self.values), "distinct": len(self.counts)}

    def limits(self) -> dict[str, Any]:
        """The smallest and the largest number or date."""
        if self.kind not in ("number", "date") or not self.values:
            return {}
        found = self.numbers()[self.rows]
        low, high = float(found.min()), float(found.max())
        if self.kind == "number":
            return {"min": low, "max": high}
        return {"min": str(EPOCH + timedelta(low)), "max": str(EPOCH + timedelta(high))}


def day_of(value: Any) -> date | None:
    """The day of a date as people write it, most significant part first; of a year or a month its first day."""
    if isinstance(value, int) and not isinstance(value, bool):
        return date(value, 1, 1) if value in _YEARS else None
    found = _DATE.match(value) if isinstance(value, str) else None
    if found is None:
        return None
    try:
        return date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return None


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
    if not has_column(state.index_state.store, name):
        known = ", ".join([*OWN_COLUMNS, *state.columns][:50])
        raise Problem("not-found", f"there is no column {name!r:.80}. There are: {known}.")
    found = values(state.index_state.store, name)
    rows = state.rows_of_numbers(np.array([number for number, _ in found], dtype=np.int64))
    return Column(name, rows, [value for _, value in found], len(state))


def _folders(state: State) -> Column:
    """The folder of each document, by its id."""
    found = values(state.index_state.store, "id")
    folders = [posixpath.dirname(str(id).replace("\\", "/")) for _, id in found]
    rows = np.array([row for row, folder in enumerate(folders) if folder], dtype=np.int64)
    return Column(FOLDER, rows, [folders[row] for row in rows], len(state))


def every_column(state: State) -> Iterable[Column]:
    """The columns of an index: its own, where documents have something there, and those of the metadata."""
    own = [column(state, name) for name in OWN_COLUMNS]
    yield from (each for each in own if len(each.rows) and each.name not in state.columns)
    yield from (column(state, name) for name in state.columns)


def date_column(state: State, name: str | None) -> Column | None:
    """The column of dates that is named, or the first that there is."""
    if name is not None:
        return column(state, name)
    return next((each for each in every_column(state) if each.kind == "date"), None)
