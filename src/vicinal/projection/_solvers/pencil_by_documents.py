"""The pencil solved for embeddings instead of weights of terms, for documents that are nearly linearly independent (P12).

With fewer documents than terms, documents are as a rule linearly independent but for a few (duplicates), and then *any*
embedding y = X a can be reached that obeys a few conditions Nᵀ y = 0: N spans the null space of K = X Xᵀ, the ways in which
documents depend on each other. So no dense eigenproblem is needed. A Cholesky factor of K with pivots gives N and the way back,
a = Xᵀ w with K w = y, and what is left is the sparse eigenproblem of the graph itself, W y = λ D y, outside a few vectors.
Without any condition, LPP is the Laplacian eigenmap.

A factor costs far less than the singular value decomposition that the pencil takes otherwise (row_space.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpstrf
from scipy.sparse.linalg import eigsh

from vicinal._typing import FloatArray, IntArray
from vicinal.projection._products import Products
from vicinal.projection._solvers.graded_svd import is_ambiguous, is_null_space, rounding
from vicinal.spectrum._eigensolvers import Eigen, lanczos_without_loss
from vicinal.spectrum._operator import OUT_OF_THE_WAY, Symmetric

FEWEST = 400  # documents below which the dense route is as fast
MOST_DEPENDENT = 0.1  # share of the documents; with more, the conditions cost what they save
REFINEMENTS = 2
NULL = 1e-13  # share of the largest singular value, per row, that a combination of dependent documents may be off zero


@final
@dataclass(frozen=True, eq=False)
class Reachable:
    """The embeddings X a that exist, and the weights a that give them.

    Attributes
    ----------
    products : Products
    order : int array (rank,)
        Documents that are independent of each other.
    factor : (rank, rank)
        Lower triangular: L Lᵀ is K of those documents.
    dependencies : (documents, documents - rank)
        N, with orthonormal columns: y is possible where Nᵀ y = 0.
    """

    products: Products
    order: IntArray
    factor: FloatArray
    dependencies: FloatArray

    @property
    def rank(self) -> int:
        """How many documents are independent."""
        return len(self.order)

    def forbidden(self, degrees: FloatArray, with_constant: bool) -> FloatArray:
        """Orthonormal vectors that h = D^½ y must avoid: the conditions and, if asked for, the constant."""
        root = np.sqrt(degrees)[:, None]
        ruled_out = np.hstack([self.dependencies / root, root[:, : int(with_constant)]])
        return np.asarray(np.linalg.qr(ruled_out)[0])

    def lift(self, Y: FloatArray) -> FloatArray:
        """The shortest A with X A = Y, made more exact by what it misses."""
        A = self._towards(Y)
        for _ in range(REFINEMENTS):
            A += self._towards(Y - self.products.forward(A))
        return A

    def _towards(self, Y: FloatArray) -> FloatArray:
        half = solve_triangular(self.factor, Y[self.order], lower=True)
        W = np.zeros_like(Y)
        W[self.order] = solve_triangular(self.factor, half, lower=True, trans="T")
        return self.products.backward(W)


def find_reachable(products: Products) -> Reachable | None:
    """Factor K; None where too few documents are independent, or too few are there, for this to be worth it."""
    n_documents, n_terms = products.shape
    if n_documents < FEWEST or n_terms < n_documents:
        return None
    gram = products.gram_of_documents()
    start = np.ones(n_documents)
    largest = float(eigsh(gram, 1, which="LA", v0=start, tol=1e-3, return_eigenvectors=False)[0])
    diagonal = np.diagonal(gram).copy()
    pivot = rounding(products) * n_documents * largest
    factor, order, rank, _ = dpstrf(gram, tol=pivot, lower=1)
    order = order.astype(np.int64) - 1
    pivots = np.concatenate([np.diagonal(factor)[:rank] ** 2, _remaining(diagonal[order[rank:]], factor[rank:, :rank]), [largest]])
    if n_documents - rank > MOST_DEPENDENT * n_documents or is_ambiguous(pivots, products):
        return None
    L = np.tril(factor[:rank, :rank])
    N = np.zeros((n_documents, n_documents - rank))
    N[order[:rank]] = -solve_triangular(L, factor[rank:, :rank].T, lower=True, trans="T")
    N[order[rank:], np.arange(n_documents - rank)] = 1.0
    N = np.linalg.qr(N)[0]
    if not is_null_space(products.backward(N), largest, products, NULL):
        return None
    return Reachable(products, order[:rank], L, N)


def _remaining(diagonal: FloatArray, rows: FloatArray) -> FloatArray:
    """What is left of the squared lengths of dependent documents outside the span of the independent ones."""
    return np.asarray(diagonal - np.einsum("ij,ij->i", rows, rows))


def largest_outside(
    S: Symmetric, taken: FloatArray, count: int, tol: float, max_iter: int | None, random: np.random.RandomState
) -> Eigen:
    """The largest eigenpairs of S on the complement of ``taken``, whose own values are moved to where S has none."""

    def apply(V: FloatArray) -> FloatArray:
        """The matrix with what was found before moved out of the way."""
        inside = taken @ (taken.T @ V)
        product = S.apply(V - inside)
        return np.asarray(product - taken @ (taken.T @ product) + OUT_OF_THE_WAY * inside)

    return lanczos_without_loss(apply, S.size, count, tol, max_iter, random)
