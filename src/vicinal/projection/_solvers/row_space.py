"""The row space of X: the singular value decomposition X = U S Vᵀ from the smaller Gram matrix, and vectors in it.

A vector a in the row space gives the documents the embeddings X a = U c with c = S Vᵀ a, and c has the length of X a, since U is
orthonormal. What the pencil needs is Uᵀ O U for operators O on documents, and the way back from c to a (P11).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.linalg import eigh

from vicinal._typing import FloatArray
from vicinal.projection._products import Products
from vicinal.projection._solvers.graded_svd import graded_svd, is_ambiguous, is_null_space, rounding, say_inaccurate

BLOCK = 256  # columns handled together

Operator = Callable[[FloatArray], FloatArray]


class RowSpace(ABC):
    """U, S and V of a centred or plain documents x terms matrix, of which only the smaller side is stored."""

    singular: FloatArray

    @property
    def rank(self) -> int:
        """How many singular values are not rounding."""
        return len(self.singular)

    @abstractmethod
    def project(self, Y: FloatArray) -> FloatArray:
        """Return Uᵀ Y."""

    @abstractmethod
    def span(self, C: FloatArray) -> FloatArray:
        """Return U C: the embeddings of the documents."""

    @abstractmethod
    def lift(self, C: FloatArray) -> FloatArray:
        """Return A = V S^-1 C, the weights with X A = U C."""

    @abstractmethod
    def columns(self, start: int, stop: int) -> FloatArray:
        """Return some columns of U."""

    def quadratic(self, operator: Operator) -> FloatArray:
        """Return Uᵀ O U, made symmetric, a block of columns at a time."""
        form = np.empty((self.rank, self.rank))
        for start in range(0, self.rank, BLOCK):
            form[:, start : start + BLOCK] = self.project(operator(self.columns(start, start + BLOCK)))
        return (form + form.T) / 2


class _WithU(RowSpace):
    """Where U itself is stored."""

    U: FloatArray

    def project(self, Y: FloatArray) -> FloatArray:
        """Uᵀ Y."""
        return self.U.T @ Y

    def span(self, C: FloatArray) -> FloatArray:
        """U C."""
        return self.U @ C

    def columns(self, start: int, stop: int) -> FloatArray:
        """Columns of U."""
        return self.U[:, start:stop]


@final
@dataclass(frozen=True, eq=False)
class FromDocuments(_WithU):
    """Stored by documents: U (documents x rank). For fewer documents than terms."""

    products: Products
    singular: FloatArray
    U: FloatArray

    def lift(self, C: FloatArray) -> FloatArray:
        """V S^-1 C = Xᵀ U S^-2 C."""
        return self.products.backward(self.U @ (C / self.singular[:, None] ** 2))


@final
@dataclass(frozen=True, eq=False)
class FromTerms(RowSpace):
    """Stored by terms: V (terms x rank). For fewer terms than documents."""

    products: Products
    singular: FloatArray
    V: FloatArray

    def project(self, Y: FloatArray) -> FloatArray:
        """Uᵀ Y = S^-1 Vᵀ Xᵀ Y."""
        return (self.V.T @ self.products.backward(Y)) / self.singular[:, None]

    def span(self, C: FloatArray) -> FloatArray:
        """U C = X V S^-1 C."""
        return self.products.forward(self.lift(C))

    def columns(self, start: int, stop: int) -> FloatArray:
        """Columns of X V S^-1."""
        return self.products.forward(self.V[:, start:stop] / self.singular[start:stop])

    def lift(self, C: FloatArray) -> FloatArray:
        """V S^-1 C."""
        return self.V @ (C / self.singular[:, None])


@final
@dataclass(frozen=True, eq=False)
class FromBoth(_WithU):
    """Stored by documents and by terms: U and V. For X whose Gram matrices are too ill-conditioned, of few documents or terms."""

    singular: FloatArray
    U: FloatArray
    V: FloatArray

    def lift(self, C: FloatArray) -> FloatArray:
        """V S^-1 C."""
        return self.V @ (C / self.singular[:, None])


def row_space(products: Products) -> RowSpace:
    """Decompose X by way of its smaller Gram matrix, or where that is too ill-conditioned itself (P11').

    Singular values that are rounding are left out. Warns where X is both too ill-conditioned and too large.
    """
    n_documents, n_terms = products.shape
    by_terms = n_terms < n_documents
    gram = products.gram_of_terms() if by_terms else products.gram_of_documents()
    squares, vectors = eigh((gram + gram.T) / 2)
    kept = squares > rounding(products) * len(squares) * max(squares[-1], 0.0)
    dropped = (products.forward if by_terms else products.backward)(vectors[:, ~kept])
    if is_ambiguous(squares, products) or not is_null_space(dropped, squares[-1], products):
        if (svd := graded_svd(products)) is not None:
            return FromBoth(svd.singular, svd.U, svd.V)
        say_inaccurate("the components")
    singular, vectors = np.sqrt(squares[kept])[::-1].copy(), vectors[:, kept][:, ::-1].copy()
    if by_terms:
        vectors[np.diagonal(gram) == 0] = 0.0  # terms that no document uses have no weight, not a rounding error
    return FromTerms(products, singular, vectors) if by_terms else FromDocuments(products, singular, vectors)
