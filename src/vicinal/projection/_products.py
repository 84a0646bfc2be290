"""X @ B and Xᵀ @ B for sparse X and a block of columns, on several threads, each row summed whole by one of them.

The numbers of X are read as they are stored (float32 or float64) and the sums are float64. Xᵀ is kept as a second CSR, so that
both products go over rows, and the number of threads changes no bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import is_sparse
from vicinal._threads import over_rows
from vicinal._typing import FloatArray, IntArray, SparseMatrix, Terms

BLOCK = 1024  # rows per task


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
        product = self._multiply(self.X, B)
        return product if self.mean is None else product - self.mean @ B

    def backward(self, R: FloatArray) -> FloatArray:
        """Return (X - 1 μᵀ)ᵀ @ R."""
        product = self._multiply(self.transposed, R)
        return product if self.mean is None else product - np.outer(self.mean, R.sum(axis=0))

    def _multiply(self, rows: Terms, B: FloatArray) -> FloatArray:
        if not is_sparse(rows):
            return np.asarray(rows @ B)
        return multiply(rows, B, self.n_jobs)

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


def _as_array(product: Terms) -> FloatArray:
    return np.asarray(product.toarray() if is_sparse(product) else product, dtype=np.float64)
