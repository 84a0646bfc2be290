"""Kernel functions of documents, and landmarks: documents that others are compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._threads import over_rows
from vicinal._typing import FloatArray, SparseMatrix, Terms
from vicinal._validate import check_choice, check_count, check_number
from vicinal.errors import BadParameter

KERNELS = ("linear", "cosine", "rbf", "polynomial")
BLOCK = 64  # documents per task
FLAT = 1e-12  # documents whose variance is a smaller share of their squared length do not vary


@final
@dataclass(frozen=True)
class Kernel:
    """The similarity of two documents x and z as a dot product in a feature space (P32).

    Attributes
    ----------
    name : {"linear", "cosine", "rbf", "polynomial"}
        x·z; the same of rows scaled to length one; exp(-γ‖x - z‖²); (γ x·z + c)^p.
    gamma : float or "scale"
        γ. "scale" is one over the variance of the documents: neither the unit of X nor its number of terms plays a part.
    degree : int
        p.
    coef0 : float
        c, at least 0.
    """

    name: str = "cosine"
    gamma: float | str = "scale"
    degree: int = 3
    coef0: float = 1.0

    def __post_init__(self) -> None:
        check_choice("kernel", self.name, KERNELS)
        check_count("degree", self.degree)
        check_number("coef0", self.coef0)
        if isinstance(self.gamma, str):
            check_choice("gamma", self.gamma, ("scale",))
        elif self.gamma is None:
            raise BadParameter("gamma must be a number above 0 or 'scale', got None. Use gamma='scale'.")
        else:
            check_number("gamma", self.gamma, above=True)

    def scaled(self, X: Terms) -> Kernel:
        """Return the same kernel with γ as a number: one over the variance of these documents (P33)."""
        return self if not isinstance(self.gamma, str) else Kernel(self.name, _one_over_variance(X), self.degree, self.coef0)


def _one_over_variance(X: Terms) -> float:
    """1 / (mean ‖x‖² - ‖mean x‖²); one over the mean ‖x‖² where documents do not vary."""
    rows = sp.csr_array(X)
    data = rows.data.astype(np.float64)
    size = float(np.sum(data**2)) / rows.shape[0]
    mean = np.bincount(rows.indices, data, minlength=rows.shape[1]) / rows.shape[0]
    variance = size - float(np.sum(mean**2))
    return float(1.0 / (variance if variance > FLAT * size else size))


@final
@dataclass(frozen=True, eq=False)
class Landmarks:
    """Documents that others are compared with: their weights, listed by term.

    Attributes
    ----------
    kernel : Kernel
        With γ as a number.
    lists : terms x landmarks, sparse
        Which landmarks use a term, and how much.
    squares : float array (landmarks,)
        ‖z‖² of each.
    """

    kernel: Kernel
    lists: Any
    squares: FloatArray

    @classmethod
    def of(cls, rows: Terms, kernel: Kernel) -> Landmarks:
        """Hold documents x terms ready."""
        rows = _plain(rows)
        return cls(kernel, sp.csr_array(rows.T), _squares(rows))

    def __len__(self) -> int:
        """How many landmarks."""
        return len(self.squares)

    def similarities(self, X: Terms, n_jobs: int | None = None) -> FloatArray:
        """Return k(x, z): documents x landmarks, as an array."""
        K = np.empty((X.shape[0], len(self)))

        def keep(start: int, values: FloatArray) -> None:
            """Keep a block of rows."""
            K[start : start + len(values)] = values

        self._over_blocks(_plain(X), keep, n_jobs)
        return K

    def sums(self, X: Terms, C: FloatArray, n_jobs: int | None = None) -> FloatArray:
        """Return Σ_j k(x, z_j) C_j of each document (P34), the same bits whatever the others are; zero for one without terms."""
        from vicinal.projection._kernels.kernel_loops import weighted_sums

        rows, C = _plain(X), np.ascontiguousarray(C)
        embeddings = np.empty((rows.shape[0], C.shape[1]))
        self._over_blocks(rows, lambda start, values: weighted_sums(start, rows.indptr, values, C, embeddings), n_jobs)
        return embeddings

    def _over_blocks(self, rows: SparseMatrix, use: Callable[[int, FloatArray], None], n_jobs: int | None) -> None:
        """Call ``use`` with the values of the kernel, some documents at a time, on several threads."""
        from vicinal.projection._kernels.kernel_loops import COSINE, PLAIN, POLYNOMIAL, RBF, dot_products, kernel_of

        kind = {"linear": PLAIN, "cosine": COSINE, "rbf": RBF, "polynomial": POLYNOMIAL}[self.kernel.name]
        gamma, coef0, degree = float(self.kernel.gamma), float(self.kernel.coef0), int(self.kernel.degree)

        squares, lists = _squares(rows), self.lists

        def task(start: int, stop: int) -> None:
            """Compute the kernel of some documents with all."""
            values = np.empty((stop - start, len(self)))
            dot_products(start, rows.indptr, rows.indices, rows.data, lists.indptr, lists.indices, lists.data, values)
            kernel_of(kind, gamma, coef0, degree, squares[start:stop], self.squares, values)
            use(start, values)

        over_rows(task, rows.shape[0], n_jobs, BLOCK)


def _plain(X: Terms) -> SparseMatrix:
    """Rows as CSR in double precision; X itself where it is so already."""
    return csr(X).astype(np.float64, copy=False)


def _squares(rows: SparseMatrix) -> FloatArray:
    """‖x‖² of each row, added up in the order of its terms, as a dot product with itself is."""
    owners = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    return np.bincount(owners, rows.data**2, minlength=rows.shape[0]).astype(np.float64)
