"""Clusters by the values of a column: how many documents have both, and where these are more than chance would give."""

from __future__ import annotations

import numpy as np

from vicinal._tallies import counted
from vicinal._typing import FloatArray
from vicinal.serve._answers.document_columns import MOST_VALUES, column
from vicinal.serve._state import NONE, State


def cross_table(state: State, name: str) -> dict[str, object]:
    """Counts, what independence of rows and columns would give, and adjusted residuals, which beyond 2 are more than chance."""
    state.index_state.require_fitted("compare clusters")
    other = column(state, name)
    found = state.snapshot.clusters()
    place = {NONE: NONE, **{each.number: at for at, each in enumerate(found)}}
    values = [value for value, _ in other.counts[:MOST_VALUES]]
    codes = other.codes()
    places = np.array([place[number] for number in state.clusters.tolist()], dtype=np.int64)
    counts = counted(np.where(codes < MOST_VALUES, codes, NONE), len(values), places, len(found))
    expected, residuals = _against_chance(counts.astype(np.float64))
    return {
        "columns": values,
        "clusters": [{"number": each.number, "name": each.name} for each in found],
        "counts": counts.tolist(),
        "expected": expected.tolist(),
        "residuals": residuals.tolist(),
    }


def _against_chance(counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    total = max(float(counts.sum()), 1.0)
    by_row, by_column = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True)
    expected = by_row * by_column / total
    spread = np.sqrt(expected * (1 - by_row / total) * (1 - by_column / total))
    return expected, np.divide(counts - expected, spread, out=np.zeros_like(counts), where=spread > 0)
