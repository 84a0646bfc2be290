"""Timelines: how many documents there are in each period, in all and by another column; periods are those of `Index.over`."""

from __future__ import annotations

import numpy as np

from vicinal._date_periods import Periods, periods_of
from vicinal._tallies import counted
from vicinal._typing import IntArray
from vicinal.serve._answers.document_columns import CLUSTER, Column, column
from vicinal.serve._problems import Problem
from vicinal.serve._state import NONE, State

#: Series of a timeline: the values that most documents have.
MOST_SERIES = 30


def timeline(state: State, dates: Column, period: str = "auto") -> Periods:
    """The periods of a column of dates; documents without one are in none."""
    if dates.days is None:
        raise Problem("bad-parameter", f"column {dates.name!r:.80} holds no dates such as 1998, 1998-05 or 1998-05-31.")
    of_every = np.full(len(state), np.datetime64("NaT"), dtype="datetime64[D]")
    of_every[dates.rows] = dates.days
    return periods_of(of_every, period)


def counts_over(periods: Periods, rows: IntArray | None = None) -> list[int]:
    """How many documents are in each period, of all or of some."""
    chosen = periods.of if rows is None else periods.of[rows]
    counts: list[int] = np.bincount(chosen[chosen >= 0], minlength=len(periods.starts)).tolist()
    return counts


def series(state: State, name: str, by: str, period: str) -> dict[str, object]:
    """Clusters, or values of another column, over time."""
    periods, other = timeline(state, column(state, name), period), column(state, by)
    codes, values = other.codes(MOST_SERIES), [value for value, _ in other.counts[:MOST_SERIES]]
    counts = counted(periods.of, len(periods.starts), np.where(codes < MOST_SERIES, codes, NONE), len(values)).tolist()
    return {
        "column": name,
        "by": by,
        "period": periods.unit,
        "bins": periods.labels,
        "all": counts_over(periods),
        "series": [{**own, "counts": each} for own, each in zip(_named(state, by, values), counts, strict=True)],
    }


def _named(state: State, by: str, values: list[str]) -> list[dict[str, object]]:
    """What each series is of: a cluster with its name, or a value."""
    if by != CLUSTER:
        return [{"value": value} for value in values]
    names = state.index_state.cluster_names() if state.snapshot.fitted else {}
    return [{"cluster": int(value), "name": names[int(value)]} for value in values]
