"""Timelines: how many documents there are in each year, month or day, in all and by another column."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import numpy as np

from vicinal._typing import IntArray
from vicinal.serve._answers.document_columns import CLUSTER, Column, column, day_of
from vicinal.serve._problems import Problem
from vicinal.serve._state import State

#: Characters of a date that name its year, month or day; and bins at most, beyond which a longer step is taken.
STEPS = {"year": 4, "month": 7, "day": 10}
MOST_BINS = 120
#: Series of a timeline: the values that most documents have.
MOST_SERIES = 30


def timeline(state: State, dates: Column, step: str | None = None) -> tuple[str, list[str], IntArray]:
    """The step, the names of the bins without a gap, and the bin of each document, -1 for none."""
    if dates.kind != "date":
        raise Problem("bad-parameter", f"column {dates.name!r:.80} holds no dates such as 1998, 1998-05 or 1998-05-31.")
    days = [day_of(value) or date.min for value in dates.values]
    step = step or _fitting(days)
    names = list(_bins(min(days), max(days), step)) if days else []
    if len(names) > 100 * MOST_BINS:
        raise Problem("bad-parameter", f"there are {len(names):,} bins by {step}. Choose a longer step.")
    place = {name: at for at, name in enumerate(names)}
    found = np.full(len(state), -1, dtype=np.int64)
    found[dates.rows] = [place[str(day)[: STEPS[step]]] for day in days]
    return step, names, found


def _fitting(days: list[date]) -> str:
    """The shortest step that makes few bins, and that the dates have."""
    if not days:
        return "year"
    span = (max(days) - min(days)).days + 1
    shortest = "day" if any(day.day != 1 for day in days) else "month" if any(day.month != 1 for day in days) else "year"
    fits = {"day": span <= MOST_BINS, "month": span <= 31 * MOST_BINS, "year": True}
    steps = ("day", "month", "year")
    return next(step for step in steps[steps.index(shortest) :] if fits[step])


def _bins(first: date, last: date, step: str) -> Iterator[str]:
    if step == "day":
        yield from (str(date.fromordinal(day)) for day in range(first.toordinal(), last.toordinal() + 1))
    elif step == "month":
        yield from (
            f"{month // 12:04d}-{month % 12 + 1:02d}"
            for month in range(12 * first.year + first.month - 1, 12 * last.year + last.month)
        )
    else:
        yield from (f"{year:04d}" for year in range(first.year, last.year + 1))


def counts_over(bins: IntArray, n_bins: int, rows: IntArray | None = None) -> list[int]:
    """How many documents are in each bin, of all or of some."""
    chosen = bins if rows is None else bins[rows]
    counts: list[int] = np.bincount(chosen[chosen >= 0], minlength=n_bins).tolist()
    return counts


def series(state: State, name: str, by: str, step: str | None) -> dict[str, Any]:
    """Clusters, or values of another column, over time."""
    step, names, bins = timeline(state, column(state, name), step)
    other = column(state, by)
    clusters = state.index_state.cluster_names() if by == CLUSTER and state.snapshot.fitted else {}
    codes, found = other.codes(MOST_SERIES), []
    for code, (value, _) in enumerate(other.counts[:MOST_SERIES]):
        own: dict[str, Any] = {"value": value}
        if by == CLUSTER:
            own = {"cluster": int(value), "name": clusters[int(value)]}
        found.append({**own, "counts": counts_over(bins, len(names), np.flatnonzero(codes == code))})
    return {"column": name, "by": by, "step": step, "bins": names, "all": counts_over(bins, len(names)), "series": found}
