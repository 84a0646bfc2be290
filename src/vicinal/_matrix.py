"""Small operations on documents x terms, sparse or dense, each row by itself: lengths, unit length, equal rows.

Every row is summed by itself and in order, so that neither its neighbours nor the size of the batch change a bit of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar, overload

import numpy as np
import scipy.sparse as sp

from vicinal._typing import BoolArray, FloatArray, Floats, Integers, SparseMatrix, Terms

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Numbers = TypeVar("Numbers", FloatArray, Integers)

ALREADY = 1e-15  # rows whose length differs from one by less have length one
TIE_BITS = 40  # of a number's 53 that tell it from another
SAFE = 1e100  # squares of numbers between 1/SAFE and SAFE neither overflow nor vanish, however many are added


def is_sparse(X: object) -> TypeIs[SparseMatrix]:
    """Whether a matrix is one of SciPy's, in a way that a type checker understands."""
    return bool(sp.issparse(X))


def csr(entries: object, shape: tuple[int, int] | None = None) -> SparseMatrix:
    """A ``scipy.sparse.csr_array``, with a type that a type checker knows."""
    made: SparseMatrix = sp.csr_array(entries, shape=shape)
    return made


def dense(X: Terms) -> Floats:
    """The matrix as an array."""
    return X.toarray() if is_sparse(X) else X


def stored_entries(X: Terms) -> Floats:
    """The entries of a dense matrix, or those that a sparse one stores."""
    return X.data if is_sparse(X) else X


def largest_entry(X: Terms) -> tuple[float, int]:
    """The largest size of an entry and where it is stored, without a copy of the entries; 0 where there are none."""
    entries = X.data if is_sparse(X) else X.ravel()
    if entries.size == 0:
        return 0.0, 0
    low, high = int(np.argmin(entries)), int(np.argmax(entries))
    where = low if -entries[low] > entries[high] else high
    return float(abs(entries[where])), where


def nonzero_rows(X: Terms) -> BoolArray:
    """Which rows hold anything but zeros; for sparse X with no zero stored."""
    return np.asarray(np.diff(X.indptr) > 0 if is_sparse(X) else np.any(X, axis=1))


def per_entry(X: Terms, values: Numbers) -> Numbers:
    """One value per row, repeated for every stored entry of that row (sparse) or made a column (dense)."""
    return np.repeat(values, np.diff(X.indptr)) if is_sparse(X) else values[:, None]


def with_entries(X: Terms, entries: Floats) -> Terms:
    """The same sparsity pattern with other entries; X itself is not changed."""
    return csr((entries, X.indices, X.indptr), shape=X.shape) if is_sparse(X) else entries


@overload
def small_indices(X: SparseMatrix) -> SparseMatrix:
    """Sparse matrices stay sparse."""


@overload
def small_indices(X: Terms) -> Terms:
    """Any documents x terms."""


def small_indices(X: Terms) -> Terms:
    """The same CSR array with 32-bit column numbers where they suffice: scikit-learn's solvers refuse 64-bit ones."""
    if not is_sparse(X):
        return X
    largest = max(X.nnz, *X.shape)
    if largest == 0 or largest > np.iinfo(np.int32).max or X.indptr.dtype == X.indices.dtype == np.int32:
        return X
    return csr((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), shape=X.shape)


def row_norms(X: Terms) -> FloatArray:
    """Euclidean length of each row, summed in float64."""
    entries = stored_entries(X).astype(np.float64)
    return np.sqrt(_reduce(np.add, X, entries**2))


@overload
def unit_rows(X: SparseMatrix) -> SparseMatrix:
    """Sparse matrices stay sparse."""


@overload
def unit_rows(X: Floats) -> FloatArray:
    """Arrays stay arrays."""


@overload
def unit_rows(X: Terms) -> SparseMatrix | FloatArray:
    """Any documents x terms."""


def unit_rows(X: Terms) -> Terms:
    """Scale every row to length one, in float64; a row of zeros stays zero, and X itself is returned where nothing changes.

    Rows of extreme size are first scaled by a power of two, which is exact, so that no square overflows or vanishes. What
    happens to a row does not depend on the others; a row that has length one already keeps its bits.
    """
    entries = stored_entries(X).astype(np.float64)
    peaks = _reduce(np.maximum, X, np.abs(entries))
    extreme = (peaks > SAFE) | ((peaks > 0) & (peaks < 1.0 / SAFE))
    if extreme.any():
        entries = np.ldexp(entries, -per_entry(X, np.where(extreme, np.frexp(peaks)[1], 0)))
    norms = np.sqrt(_reduce(np.add, X, entries**2))
    already = ~extreme & ((norms == 0) | (np.abs(norms - 1.0) < ALREADY))  # another division would only move the last bits
    if X.dtype == np.float64 and already.all():
        return X  # without a copy
    return with_entries(X, entries / per_entry(X, np.where(already | (norms == 0), 1.0, norms)))


def _reduce(operation: np.ufunc, X: Terms, entries: Floats) -> FloatArray:
    """Add up, or take the largest of, each row's entries; 0 for a row that has none."""
    if not is_sparse(X):
        return np.asarray(operation.reduce(entries, axis=1))
    filled = np.diff(X.indptr) > 0
    result = np.zeros(X.shape[0])
    if filled.any():
        result[filled] = operation.reduceat(entries, X.indptr[:-1][filled])
    return result


def without_rounding_noise(values: Floats) -> FloatArray:
    """Keep the first 40 of 53 bits (12 digits), so that equal quantities are equal whatever the order of their sums."""
    mantissas, exponents = np.frexp(values)
    return np.asarray(np.ldexp(np.rint(np.ldexp(mantissas, TIE_BITS)), exponents - TIE_BITS))


def count_different(rows: Terms, enough: int) -> int:
    """How many rows differ from one another, to 12 digits; counting ends at ``enough``, usually within the first few rows."""
    seen: set[bytes] = set()
    for row in _row_values(rows):
        if len(seen) >= enough:
            break
        seen.add(row)
    return len(seen)


def _row_values(rows: Terms) -> Iterator[bytes]:
    for i in range(rows.shape[0]):
        if is_sparse(rows):
            entries = slice(rows.indptr[i], rows.indptr[i + 1])
            yield rows.indices[entries].tobytes() + without_rounding_noise(rows.data[entries]).tobytes()
        else:
            # Adding 0 turns -0.0 into 0.0, which is the same number in other bytes.
            yield (without_rounding_noise(rows[i]) + 0.0).tobytes()
