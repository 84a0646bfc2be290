"""Exact duplicates: documents that hold the same terms with the same weights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vicinal._matrix import dense, is_sparse, nonzero_rows, unit_rows
from vicinal._typing import IntArray, SparseMatrix, Terms
from vicinal.terms._block_terms import BlockTerms
from vicinal.terms._row_shards import RowSource


def first_duplicates(X: Terms) -> IntArray:
    """For each document the number of the first document whose row is the same to the last bit; its own if there is none."""
    first = np.arange(X.shape[0], dtype=np.int64)
    alike = _not_alone(X)
    if alike.size:
        seen: dict[bytes, int] = {}
        first[alike] = [seen.setdefault(key, row) for row, key in zip(alike.tolist(), _keys(X[alike]), strict=True)]
    return first


def _not_alone(X: Terms) -> IntArray:
    """Documents that may have duplicates: another has the same product with random numbers (sparse), or the same first entry.

    Products with a sparse row are added up in the order of its entries, so that equal rows have equal ones.
    """
    if X.shape[1] == 0:
        return np.arange(X.shape[0], dtype=np.int64)
    keys = X @ np.random.RandomState(0).uniform(1.0, 2.0, X.shape[1]) if is_sparse(X) else X[:, 0]
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    return np.sort(order[np.append(same, False) | np.append(False, same)]).astype(np.int64)


def all_proportional(X: Terms) -> bool:
    """Whether all rows that hold anything are multiples of one another, to 1e-12; False where none holds anything."""
    filled = np.flatnonzero(nonzero_rows(X))
    if filled.size == 0 or not _along_first(X[filled[:2]]):  # most corpora are told apart by two documents
        return False
    return _along_first(X[filled])


def all_blocks_proportional(X: BlockTerms) -> bool:
    """As :func:`all_proportional`, for row blocks, which are gone over only if the first two documents do not differ."""
    filled = np.flatnonzero(X.filled)
    if filled.size == 0 or not _along_first(X.rows(filled[:2])):
        return False
    return all(X.over(_source_along, X.rows(filled[:1])))


def _along_first(rows: Terms) -> bool:
    return _along(rows, rows[[0]])


def _along(rows: Terms, row: Terms) -> bool:
    U, first = unit_rows(rows), unit_rows(row)
    return bool(np.all(U @ dense(first).ravel() > 1 - 1e-12))


def _source_along(source: RowSource, row: SparseMatrix) -> bool:
    rows = source.load()
    return _along(rows[nonzero_rows(rows)], row)


def _keys(X: Terms) -> Iterator[bytes]:
    if not is_sparse(X):
        return (row.tobytes() for row in X)
    bounds = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    return (X.indices[a:b].tobytes() + X.data[a:b].tobytes() for a, b in bounds)
