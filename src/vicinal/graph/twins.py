"""Copies: rows that hold the same words with the same weights."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal.rows import unit_rows
from vicinal.typing import IntArray, Terms


def first_copies(X: Terms) -> IntArray:
    """For each document the number of the first document whose row is the same to the last bit; its own if there is none."""
    seen: dict[bytes, int] = {}
    return np.array([seen.setdefault(key, row) for row, key in enumerate(_keys(X))], dtype=np.int64)


def all_alike(X: Terms) -> bool:
    """Whether all rows that hold anything point in the same direction, to 1e-12."""
    U = unit_rows(X)
    norms = np.asarray((U * U).sum(axis=1)).ravel()
    placed = np.flatnonzero(norms > 0)
    if placed.size == 0:
        return True
    cosines = U @ (U[[placed[0]]].toarray() if sp.issparse(U) else U[[placed[0]]]).ravel()
    return bool(np.all(cosines[placed] > 1 - 1e-12))


def _keys(X: Terms) -> list[bytes]:
    if not sp.issparse(X):
        return [row.tobytes() for row in X]
    bounds = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    return [X.indices[a:b].tobytes() + X.data[a:b].tobytes() for a, b in bounds]
