"""The one compiled loop of the projection: rows of a sparse matrix times a block of columns."""

from __future__ import annotations

from typing import Any

from vicinal.compiled import compiled


@compiled
def multiply_rows(start: Any, stop: Any, row_starts: Any, terms: Any, weights: Any, B: Any, product: Any) -> None:
    """Write rows ``start:stop`` of X @ B into ``product``, word by word, in the order in which they are stored."""
    columns = B.shape[1]
    for i in range(start, stop):
        for c in range(columns):
            product[i, c] = 0.0
        for p in range(row_starts[i], row_starts[i + 1]):
            weight = weights[p]
            t = terms[p]
            for c in range(columns):
                product[i, c] += weight * B[t, c]
