"""Columns of an index by name: of its documents, with clusters and labels; and clusters counted by the values of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from vicinal._date_periods import Days, guessed_days
from vicinal._store import Labels, columns
from vicinal._store.filters import has_column, truth_values, values
from vicinal._tallies import ClusterTally, by_class, over_time
from vicinal._typing import IntArray
from vicinal.errors import BadParameter
from vicinal.index._clusters.cluster_table import describe_clusters
from vicinal.index._tables.export import Records

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState

CHUNK = 1000
LABEL = "label"
#: Columns that probably hold a date, best first.
DATE_NAME = re.compile(r"(?i)^(date|published|created|time|timestamp|datetime|year|.*_date|.*_at|date_.*)$")
MOSTLY = 0.8  # of the documents must have a date in it


def table_columns(state: IndexState, text: bool) -> dict[str, list[Any]]:
    """All documents by column: id, title, text where asked for, source, label, cluster, its name, uncertainty, and the metadata."""
    rows = list(Records(state))
    names = dict.fromkeys(name for row in rows for name in row)
    if not text:
        names.pop("text", None)
    return {name: [row.get(name) for row in rows] for name in names}


def is_column(state: IndexState, column: str) -> bool:
    """Whether people may ask for a column: it is the document's own, or in the metadata of some document."""
    return has_column(state.store, column)


def column_values(state: IndexState, column: str) -> tuple[IntArray, list[Any]]:
    """The numbers of the documents that have something in a column, rising, and what they have; no text is read."""
    found = values(state.store, column)
    return np.array([number for number, _ in found], dtype=np.int64), [value for _, value in found]


def values_of_rows(state: IndexState, column: str) -> list[Any]:
    """The value of each embedded document in a column of its metadata, or its label; BadParameter where no document has it."""
    _refuse_unknown(state, column)
    numbers, found = column_values(state, column)
    by_number = dict(zip(numbers.tolist(), found, strict=True))
    by_number |= {number: bool(by_number[number]) for number in truth_values(state.store, column)}
    return [by_number.get(number) for number in state.rows.numbers.tolist()]


def verified_values(state: IndexState, column: str) -> list[Any]:
    """As `values_of_rows`, of documents whose checksum is that of their content; DamagedIndex names one of which it is not."""
    _refuse_unknown(state, column)
    given = Labels(state.store).given() if column == LABEL else {}
    found: dict[int, Any] = {}
    for stored in (each for chunk in state.documents.chunks(CHUNK) for each in chunk):
        document = stored.document
        found[stored.number] = (document.label or None) if column == LABEL else document.metadata.get(column)
    found |= {number: label.label or None for number, label in given.items()}
    return [found.get(number) for number in state.rows.numbers.tolist()]


def _refuse_unknown(state: IndexState, column: str) -> None:
    names = columns(state.store)
    if column not in names and column != LABEL:
        known = ", ".join(sorted({*names, LABEL})[:12])
        raise BadParameter(f"no document has a column {column!r:.60}. Columns are {known}.")


def tally(state: IndexState, column: str, *, dated: bool, period: str = "auto") -> ClusterTally:
    """The embedded documents of each cluster by period, or by the values of a column; clusters are largest first.

    Parameters
    ----------
    state : IndexState
    column : str
        A column of the metadata, or "label".
    dated : bool
        Whether its values are dates.
    period : str, default="auto"
    """
    state.require_fitted("count clusters")
    clusters = describe_clusters(state)
    numbers, names = [each.number for each in clusters], [each.name for each in clusters]
    place = {number: i for i, number in enumerate(numbers)}
    of = np.array([place.get(int(number), -1) for number in state.cluster_numbers], dtype=np.int64)
    values = verified_values(state, column)
    return over_time(of, numbers, names, values, period) if dated else by_class(of, numbers, names, values)


def date_column(state: IndexState) -> str | None:
    """The column that says when documents are from, by its name and its values; None where there is none."""
    likely = {name: _days(state, name) for name in columns(state.store) if DATE_NAME.match(name)}
    least = MOSTLY * len(state.rows.numbers)
    dated = {name: int((~np.isnat(days)).sum()) for name, days in likely.items() if days is not None and len(days)}
    return next((name for name in sorted(dated, key=lambda name: (-dated[name], name)) if dated[name] >= least), None)


def _days(state: IndexState, column: str) -> Days | None:
    return guessed_days([value for value in values_of_rows(state, column) if value is not None])
