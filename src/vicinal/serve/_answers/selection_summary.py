"""What a selection of documents is: its terms, typical and uncertain documents, clusters, labels and timeline."""

from __future__ import annotations

from collections import Counter

import numpy as np

from vicinal._typing import IntArray
from vicinal.index._clusters.typical import by_typicality
from vicinal.serve import _facts
from vicinal.serve._answers.document_columns import date_column
from vicinal.serve._answers.terms_apart import contrast
from vicinal.serve._answers.timeline import counts_over, timeline
from vicinal.serve._state import State

N_TERMS = 20


def summary(state: State, rows: IntArray, dates: str | None, limit: int) -> dict[str, object]:
    """Describe some documents.

    Parameters
    ----------
    state : State
    rows : int array
    dates : str or None
        The column of the timeline; by default the first with dates.
    limit : int
        Typical and uncertain documents at most.
    """
    terms = contrast(state, rows).terms(N_TERMS) if state.snapshot.fitted else []
    return {
        "size": len(rows),
        "share": len(rows) / max(len(state), 1),
        "terms": terms,
        "typical": _facts.documents(state, _typical(state, rows)[:limit].tolist()),
        "uncertain": _facts.documents(state, _uncertain(state, rows)[:limit].tolist()),
        "clusters": _clusters(state, rows),
        "labels": _facts.counted(Counter(state.labels[row].label for row in rows.tolist() if row in state.labels)),
        "timeline": _timeline(state, rows, dates),
    }


def _typical(state: State, rows: IntArray) -> IntArray:
    """The most typical of some documents, as a cluster has them; before the first fit in their order."""
    if not state.snapshot.fitted:
        return rows
    inside = state.embedded_among(rows)
    return state.embedded[by_typicality(state.index_state, inside)] if len(inside) else inside


def _uncertain(state: State, rows: IntArray) -> IntArray:
    known = rows[np.isfinite(state.uncertainty[rows])]
    return known[np.argsort(-state.uncertainty[known], kind="stable")]


def _clusters(state: State, rows: IntArray) -> list[list[object]]:
    names = state.index_state.cluster_names() if state.snapshot.fitted else {}
    counts = _facts.counted(Counter(state.clusters[rows].tolist()))
    return [[number, names.get(number, ""), count] for number, count in counts]


def _timeline(state: State, rows: IntArray, name: str | None) -> dict[str, object]:
    dates = date_column(state, name)
    if dates is None:
        return {"column": None, "period": None, "bins": []}
    periods = timeline(state, dates)
    each = zip(periods.labels, counts_over(periods, rows), counts_over(periods), strict=True)
    return {"column": dates.name, "period": periods.unit, "bins": [{"start": name, "count": n, "all": of} for name, n, of in each]}
