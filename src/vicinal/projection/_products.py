"""X @ B and Xᵀ @ B for sparse X and a block of columns, on several threads, each row summed whole by one of them.

The numbers of X are read as they are stored (float32 or float64) and the sums are float64. Xᵀ is kept as a second CSR, so that
both products go over rows, and the number of threads changes no bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, is_sparse, largest_entry, per_entry
from vicinal._threads import over_rows
from vicinal._typing import FloatArray, Floats, IntArray, Integers, SparseMatrix, Terms
from vicinal.projection._document_chunks import by_term, chunk_shift

BLOCK = 1024  # rows per task


class SinglePrecision(Protocol):
    """X diag(scale) in float32, which writes products with it into given memory."""

    def forward(self, terms: Floats, documents: Floats) -> None:
        """Write X diag(scale) @ terms into ``documents``."""

    def backward(self, documents: Floats, terms: Floats) -> None:
        """Write diag(scale) Xᵀ @ documents into ``terms``."""


class AnyProducts(Protocol):
    """What a regression asks of documents x terms: X in memory (:class:`Products`) or in row blocks (``BlockProducts``)."""

    @property
    def shape(self) -> tuple[int, int]:
        """Documents, terms."""

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """Type of the numbers of X."""

    @property
    def n_jobs(self) -> int | None:
        """Threads of the caller's own work."""

    @property
    def mean(self) -> FloatArray | None:
        """What is taken off every row; None where nothing is."""

    def largest_entry(self) -> float:
        """The largest size of a number of X."""

    def term_squares(self) -> FloatArray:
        """The squared length of each column of X, not centred."""

    def sparse(self) -> AnyProducts:
        """The same with sparse rows."""

    def forward(self, B: FloatArray) -> FloatArray:
        """(X - 1 μᵀ) @ B."""

    def backward(self, R: FloatArray) -> FloatArray:
        """(X - 1 μᵀ)ᵀ @ R."""

    def in_single(self, scale: FloatArray) -> SinglePrecision:
        """X diag(scale) in single precision, not centred."""

    def as_array(self) -> FloatArray:
        """X - 1 μᵀ as an array, for few documents or terms."""

    def gram_of_documents(self) -> FloatArray:
        """(X - 1 μᵀ)(X - 1 μᵀ)ᵀ, for few documents."""

    def gram_of_terms(self) -> FloatArray:
        """(X - 1 μᵀ)ᵀ(X - 1 μᵀ), for few terms."""


@final
@dataclass(frozen=True, eq=False)
class Products:
    """A documents x terms matrix, centred or not, that can be multiplied from both sides.

    Attributes
    ----------
    X : documents x terms
        Sparse CSR. Dense rows are multiplied by BLAS instead.
    mean : (terms,) or None
        What is taken off every row, without touching X: (X - 1 μᵀ) B = X B - 1 (μᵀ B) (P5).
    n_jobs : int, optional
        Threads.
    single : bool
        Whether an iteration may go on in single precision, where its tolerance allows that.
    """

    X: Terms
    mean: FloatArray | None = None
    n_jobs: int | None = None
    single: bool = True

    @property
    def shape(self) -> tuple[int, int]:
        """Documents, terms."""
        return int(self.X.shape[0]), int(self.X.shape[1])

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """Type of the numbers of X."""
        return self.X.dtype

    def largest_entry(self) -> float:
        """The largest size of a number of X."""
        return largest_entry(self.X)[0]

    def term_squares(self) -> FloatArray:
        """The squared length of each column of X, not centred."""
        return by_term(csr(self.X), 2)

    def sparse(self) -> Products:
        """The same with sparse rows: the same numbers in the same order give the same bits."""
        return self if is_sparse(self.X) else Products(csr(self.X), self.mean, self.n_jobs, self.single)

    @cached_property
    def transposed(self) -> Terms:
        """Xᵀ, by rows."""
        return sp.csr_array(self.X.T) if is_sparse(self.X) else self.X.T

    def of_terms(self, terms: IntArray) -> Products:
        """Return the same documents with some of their terms alone."""
        rows = self.transposed[terms].T
        mean = None if self.mean is None else self.mean[terms]
        return Products(sp.csr_array(rows) if is_sparse(rows) else rows, mean, self.n_jobs)

    def forward(self, B: FloatArray) -> FloatArray:
        """Return (X - 1 μᵀ) @ B."""
        product = multiply(self.X, B, self.n_jobs) if is_sparse(self.X) else np.asarray(self.X @ B)
        return product if self.mean is None else product - self.mean @ B

    def backward(self, R: FloatArray) -> FloatArray:
        """Return (X - 1 μᵀ)ᵀ @ R."""
        rows = self.transposed
        product = multiply_transposed(rows, R, self.n_jobs) if is_sparse(rows) else np.asarray(rows @ R)
        return product if self.mean is None else product - np.outer(self.mean, R.sum(axis=0))

    def in_single(self, scale: FloatArray) -> SingleRows:
        """X diag(scale) in single precision, not centred: both it and its transpose are stored again."""
        X, Xt = csr(self.X), csr(self.transposed)
        return SingleRows(in_float32(X, scale[X.indices]), in_float32(Xt, per_entry(Xt, scale)), self.n_jobs)

    @property
    def _double(self) -> Terms:
        return self.X.astype(np.float64)

    def as_array(self) -> FloatArray:
        """X - 1 μᵀ as an array of float64, for few documents or terms."""
        array = _as_array(self._double)
        return array if self.mean is None else array - self.mean

    def gram_of_documents(self) -> FloatArray:
        """(X - 1 μᵀ)(X - 1 μᵀ)ᵀ as an array: documents x documents, for few documents."""
        gram = _as_array(self._double @ self._double.T)
        if self.mean is not None:
            against = np.asarray(self._double @ self.mean)
            gram += self.mean @ self.mean - against[:, None] - against[None, :]
        return gram

    def gram_of_terms(self) -> FloatArray:
        """(X - 1 μᵀ)ᵀ(X - 1 μᵀ) as an array: terms x terms, for few terms."""
        gram = _as_array(self._double.T @ self._double)
        if self.mean is not None:
            total = np.asarray(self._double.sum(axis=0)).ravel()
            cross = np.outer(total, self.mean)
            gram += self.shape[0] * np.outer(self.mean, self.mean) - cross - cross.T
        return gram


def in_float32(X: SparseMatrix, scale: FloatArray) -> SparseMatrix:
    """The same sparsity pattern with entries times their scale in float32."""
    return csr(((X.data * scale).astype(np.float32), X.indices, X.indptr), X.shape)


@final
@dataclass(frozen=True, eq=False)
class SingleRows:
    """X diag(scale) and its transpose in float32, in memory."""

    rows: SparseMatrix
    lists: SparseMatrix
    n_jobs: int | None

    def forward(self, terms: Floats, documents: Floats) -> None:
        """Write X diag(scale) @ terms into ``documents``."""
        multiply_into(self.rows, terms, documents, self.n_jobs)

    def backward(self, documents: Floats, terms: Floats) -> None:
        """Write diag(scale) Xᵀ @ documents into ``terms``."""
        multiply_transposed_into(self.lists, documents, terms, self.n_jobs)


def multiply_into(X: SparseMatrix, B: Floats, product: Floats, n_jobs: int | None = None) -> None:
    """Write X @ B into ``product``, in the precision of its numbers."""
    from vicinal.projection._product_loops import multiply_rows

    bounds, columns = unsigned(X)
    over_rows(lambda a, b: multiply_rows(a, b, bounds, columns, X.data, B, product), X.shape[0], n_jobs, BLOCK)


def multiply_transposed_into(Xt: SparseMatrix, R: Floats, product: Floats, n_jobs: int | None = None) -> None:
    """Write Xᵀ @ R into ``product`` for the CSR array of Xᵀ, with the sums over documents in the order of `_document_chunks.py`."""
    shift = chunk_shift(len(R))
    if len(R) <= 1 << shift:
        multiply_into(Xt, R, product, n_jobs)
        return
    from vicinal.projection._document_sum_loops import multiply_by_chunks

    def task(start: int, stop: int) -> None:
        multiply_by_chunks(start, stop, Xt.indptr, Xt.indices, Xt.data, R, shift, product)

    over_rows(task, Xt.shape[0], n_jobs, BLOCK)


def unsigned(X: SparseMatrix) -> tuple[Integers, Integers]:
    """Row starts and column numbers without a sign, which the compiled loops are faster with."""
    return X.indptr.astype(np.uint64), X.indices.view(np.uint32 if X.indices.itemsize == 4 else np.uint64)


def multiply(X: SparseMatrix, B: FloatArray, n_jobs: int | None = None) -> FloatArray:
    """Return X @ B for a CSR array X: every row's sum has its own order, whatever the batch and the number of threads."""
    from vicinal.projection._product_loops import multiply_rows

    B = np.ascontiguousarray(B, dtype=np.float64)
    product = np.empty((X.shape[0], B.shape[1]))

    def task(start: int, stop: int) -> None:
        """Multiply some rows."""
        multiply_rows(start, stop, X.indptr, X.indices, X.data, B, product)

    over_rows(task, X.shape[0], n_jobs, BLOCK)
    return product


def multiply_transposed(rows: SparseMatrix, R: FloatArray, n_jobs: int | None = None) -> FloatArray:
    """Return Xᵀ @ R for the CSR array of Xᵀ, in the order of sums of `_document_chunks.py`."""
    product = np.empty((rows.shape[0], R.shape[1]))
    multiply_transposed_into(rows, np.ascontiguousarray(R, dtype=np.float64), product, n_jobs)
    return product


def _as_array(product: Terms) -> FloatArray:
    return np.asarray(product.toarray() if is_sparse(product) else product, dtype=np.float64)
