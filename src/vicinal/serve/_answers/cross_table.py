"""Clusters by the values of a column: how many documents have both, and where these are more than chance would give."""

from __future__ import annotations

from typing import Any

import numpy as np

from vicinal._typing import FloatArray
from vicinal.serve._answers.document_columns import MOST_VALUES, column
from vicinal.serve._state import State


def cross_table(state: State, name: str) -> dict[str, Any]:
    """Counts, what independence of rows and columns would give, and adjusted residuals, which beyond 2 are more than chance."""
    state.index_state.require_fitted("compare clusters")
    other = column(state, name)
    found = state.snapshot.clusters()
    place = {each.number: at for at, each in enumerate(found)}
    values = [value for value, _ in other.counts[:MOST_VALUES]]
    codes = other.codes()
    both = (codes >= 0) & (codes < MOST_VALUES) & (state.clusters >= 0)
    counts = np.zeros((len(found), len(values)))
    places = np.array([place[int(each)] for each in state.clusters[both]], dtype=np.int64)
    np.add.at(counts, (places, codes[both]), 1.0)
    expected, residuals = _against_chance(counts)
    return {
        "columns": values,
        "clusters": [{"number": each.number, "name": each.name} for each in found],
        "counts": counts.astype(int).tolist(),
        "expected": expected.tolist(),
        "residuals": residuals.tolist(),
    }


def _against_chance(counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    total = max(float(counts.sum()), 1.0)
    by_row, by_column = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True)
    expected = by_row * by_column / total
    spread = np.sqrt(expected * (1 - by_row / total) * (1 - by_column / total))
    return expected, np.divide(counts - expected, spread, out=np.zeros_like(counts), where=spread > 0)
