"""The compiled loops of the projection: rows of a sparse matrix times a block of columns, and one sweep of the lasso, by weight or
by row."""

from __future__ import annotations

from vicinal._compiled import compiled
from vicinal._typing import Floats, Integers


@compiled
def multiply_rows(
    start: int, stop: int, row_starts: Integers, terms: Integers, weights: Floats, B: Floats, product: Floats
) -> None:
    """Write rows ``start:stop`` of X @ B into ``product``, term by term, in the order in which they are stored."""
    columns = B.shape[1]
    for i in range(start, stop):
        for c in range(columns):
            product[i, c] = 0.0
        for p in range(row_starts[i], row_starts[i + 1]):
            weight = weights[p]
            t = terms[p]
            for c in range(columns):
                product[i, c] += weight * B[t, c]


@compiled
def sweep_terms(
    starts: Integers,
    documents: Integers,
    counts: Floats,
    mean: Floats,
    squares: Floats,
    alpha: float,
    ridge: float,
    a: Floats,
    left: Floats,
) -> float:
    """Set each weight in turn to its best value given the others; return the largest violation met, as a correlation (P20).

    ``starts``, ``documents`` and ``counts`` hold the terms one after the other. The last entry of ``left`` is what centring adds to
    all others, which hold the residual: both change in place, and so do the weights ``a``.
    """
    n = left.shape[0] - 1
    worst = 0.0
    for t in range(a.shape[0]):
        if squares[t] <= 0.0:
            continue
        against = left[n] * n * mean[t]
        for p in range(starts[t], starts[t + 1]):
            against += counts[p] * left[documents[p]]
        target = against + squares[t] * a[t]
        size = max(abs(target) - alpha, 0.0) / (squares[t] + ridge)
        step = (size if target > 0 else -size) - a[t]
        if step != 0.0:
            worst = max(worst, abs(step) * (squares[t] + ridge))
            a[t] += step
            left[n] += step * mean[t]
            for p in range(starts[t], starts[t + 1]):
                left[documents[p]] -= step * counts[p]
    return worst


@compiled
def sweep_rows(
    starts: Integers,
    documents: Integers,
    counts: Floats,
    mean: Floats,
    squares: Floats,
    alpha: float,
    ridge: float,
    A: Floats,
    left: Floats,
    row: Floats,
) -> float:
    """Set each term's row of weights in turn to its best value given the others; return the largest violation met (P22).

    As in :func:`sweep_terms`, with a column for each response. ``row`` is room for one term's correlations.
    """
    n = left.shape[0] - 1
    columns = A.shape[1]
    worst = 0.0
    for t in range(A.shape[0]):
        if squares[t] <= 0.0:
            continue
        for c in range(columns):
            row[c] = left[n, c] * n * mean[t] + squares[t] * A[t, c]
        for p in range(starts[t], starts[t + 1]):
            for c in range(columns):
                row[c] += counts[p] * left[documents[p], c]
        length = 0.0
        for c in range(columns):
            length += row[c] * row[c]
        length = length**0.5
        share = max(length - alpha, 0.0) / (length * (squares[t] + ridge)) if length > 0.0 else 0.0
        moved = 0.0
        for c in range(columns):
            row[c] = share * row[c] - A[t, c]
            moved += row[c] * row[c]
        if moved > 0.0:
            worst = max(worst, moved**0.5 * (squares[t] + ridge))
            for c in range(columns):
                A[t, c] += row[c]
                left[n, c] += row[c] * mean[t]
            for p in range(starts[t], starts[t + 1]):
                for c in range(columns):
                    left[documents[p], c] -= counts[p] * row[c]
    return worst
