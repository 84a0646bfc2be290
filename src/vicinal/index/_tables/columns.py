"""Columns of an index by name: of its documents, with clusters and labels; and clusters counted by the values of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from vicinal._date_periods import days_of
from vicinal._tallies import ClusterTally, by_class, over_time
from vicinal.errors import BadData, BadParameter
from vicinal.index._clusters.cluster_table import describe_clusters
from vicinal.index._export import Records

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState

CHUNK = 1000
#: Columns that probably hold a date, best first.
_DATE = re.compile(r"(?i)^(date|published|publication_date|created|created_at|time|timestamp|datetime|year|.*_date|.*_at|date_.*)$")
MOSTLY = 0.8  # of the documents must have a date in it


def table_columns(snapshot: IndexState, text: bool) -> dict[str, list[Any]]:
    """All documents by column: id, title, text where asked for, source, label, cluster, its name, uncertainty, and the metadata."""
    rows = list(Records(snapshot))
    names = dict.fromkeys(name for row in rows for name in row)
    if not text:
        names.pop("text", None)
    return {name: [row.get(name) for row in rows] for name in names}


def values_of_rows(snapshot: IndexState, column: str) -> list[Any]:
    """The value of each embedded document in a column of its metadata, or its label; BadParameter where no document has it."""
    numbers = snapshot.rows.numbers.tolist()
    if column == "label":
        labels = snapshot.labels()
        return [labels[number].label if number in labels else None for number in numbers]
    found: list[Any] = []
    names: set[str] = set()
    for start in range(0, len(numbers), CHUNK):
        for metadata in snapshot.documents.metadata_at(numbers[start : start + CHUNK]):
            names.update(metadata)
            found.append(metadata.get(column))
    if column not in names:
        known = ", ".join(sorted(names | {"label"})[:12])
        raise BadParameter(f"no document has a column {column!r:.60}. Columns are {known}.")
    return found


def tally(snapshot: IndexState, column: str, *, dated: bool, period: str = "auto") -> ClusterTally:
    """The embedded documents of each cluster by period, or by the values of a column; clusters are largest first.

    Parameters
    ----------
    snapshot : IndexState
    column : str
        A column of the metadata, or "label".
    dated : bool
        Whether its values are dates.
    period : str, default="auto"
    """
    snapshot.require_fitted("count clusters")
    clusters = describe_clusters(snapshot)
    numbers, names = [each.number for each in clusters], [each.name for each in clusters]
    place = {number: i for i, number in enumerate(numbers)}
    of = np.array([place.get(int(number), -1) for number in snapshot.cluster_numbers], dtype=np.int64)
    values = values_of_rows(snapshot, column)
    return over_time(of, numbers, names, values, period) if dated else by_class(of, numbers, names, values)


def date_column(snapshot: IndexState) -> str | None:
    """The column that says when documents are from, by its name and its values; None where there is none."""
    names: dict[str, int] = {}
    for metadata in snapshot.documents.metadata_at(snapshot.rows.numbers[:CHUNK].tolist()):
        for name in metadata:
            names[name] = names.get(name, 0) + 1
    likely = sorted((name for name in names if _DATE.match(name)), key=lambda name: (-names[name], name))
    return next((name for name in likely if _are_dates(values_of_rows(snapshot, name))), None)


def _are_dates(values: list[Any]) -> bool:
    try:
        days = days_of(values)
    except (BadData, TypeError):
        return False
    return bool((~np.isnat(days)).mean() >= MOSTLY) if len(days) else False
