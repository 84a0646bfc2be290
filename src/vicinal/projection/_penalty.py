"""Penalty: what makes a projection simple."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._typing import FloatArray
from vicinal._validate import check_count, check_number

DEFAULT_TERMS = 50  # per dimension, where their number is left open
DEFAULT_SHARED_TERMS = 1000  # for all dimensions together, where their number is left open


class Penalty(ABC):
    """A price on the weights A of a projection."""

    @abstractmethod
    def value(self, A: FloatArray) -> float:
        """The price of A."""

    @abstractmethod
    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """The B that minimises ½‖B - A‖² + step · value(B)."""


@final
@dataclass(frozen=True)
class Ridge(Penalty):
    """α‖A‖²: small weights, spread over all words that help (P2). With α = 0 the smallest weights that fit best."""

    alpha: float = 0.1

    def __post_init__(self) -> None:
        """Refuse an alpha that is negative or not finite."""
        check_number("alpha", self.alpha)

    def value(self, A: FloatArray) -> float:
        """α times the sum of squares."""
        return float(self.alpha * np.sum(A * A))

    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """Shrink everything by the same factor."""
        return A / (1.0 + 2.0 * step * self.alpha)


@final
@dataclass(frozen=True)
class Lasso(Penalty):
    """2α‖A‖₁: few words per dimension (P16). The factor 2 makes α the correlation with the residual that a word must reach.

    Parameters
    ----------
    alpha : float
        Greater than 0.
    relative : bool
        Measure each response in units of its largest correlation with a word, so that α is a share: at 1 no word is left (P17).
    """

    alpha: float
    relative: bool = False

    def __post_init__(self) -> None:
        """Refuse an alpha that is not above zero: without a price no word would be left out, and Ridge is the penalty to use."""
        check_number("alpha", self.alpha, above=True)

    def value(self, A: FloatArray) -> float:
        """2α times the sum of sizes."""
        return float(2.0 * self.alpha * np.sum(np.abs(A)))

    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """Move every weight towards zero by the same amount, and not beyond."""
        return soft(A, 2.0 * step * self.alpha)


@final
@dataclass(frozen=True)
class ElasticNet(Penalty):
    """2α‖A‖₁ + ρ‖A‖²: few words, and words that come together chosen together (P16).

    Parameters
    ----------
    alpha, relative
        As for :class:`Lasso`.
    ridge : float
        ρ, on the scale of :class:`Ridge`; it is never relative.
    """

    alpha: float
    ridge: float = 0.1
    relative: bool = False

    def __post_init__(self) -> None:
        """Refuse an alpha that is not above zero, or a ridge that is below."""
        check_number("alpha", self.alpha, above=True)
        check_number("ridge", self.ridge)

    def value(self, A: FloatArray) -> float:
        """2α times the sum of sizes and ρ times the sum of squares."""
        return float(2.0 * self.alpha * np.sum(np.abs(A)) + self.ridge * np.sum(A * A))

    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """Move towards zero, then shrink."""
        return soft(A, 2.0 * step * self.alpha) / (1.0 + 2.0 * step * self.ridge)


@final
@dataclass(frozen=True)
class TermCount(Penalty):
    """At most so many words in each dimension, and ρ‖A‖²: found along the path of the lasso, not by trying all subsets (P19).

    Parameters
    ----------
    n_terms : int, optional
        How many weights of a dimension are not zero. Left open: 50, or as many as there are, with no warning when there are fewer.
    ridge : float
        ρ, on the scale of :class:`Ridge`.
    at_most : bool
        Fewer words in a dimension are as good: no warning says so.
    """

    n_terms: int | None = None
    ridge: float = 0.0
    at_most: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no count, or a ridge below zero."""
        if self.n_terms is not None:
            check_count("n_terms", self.n_terms)
        check_number("ridge", self.ridge)

    @property
    def limit(self) -> int:
        """The number of words in force."""
        return DEFAULT_TERMS if self.n_terms is None else int(self.n_terms)

    def value(self, A: FloatArray) -> float:
        """ρ times the sum of squares; infinite where a dimension has too many words."""
        too_many = np.any(np.count_nonzero(A, axis=0) > self.limit)
        return float("inf") if too_many else float(self.ridge * np.sum(A * A))

    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """Keep the largest weights of each dimension, the first of equals, and shrink them."""
        kept = np.argsort(-np.abs(A), axis=0, kind="stable")[: self.limit]
        B = np.zeros_like(A)
        np.put_along_axis(B, kept, np.take_along_axis(A, kept, axis=0), axis=0)
        return B / (1.0 + 2.0 * step * self.ridge)


@final
@dataclass(frozen=True)
class RowLasso(Penalty):
    """2α Σ‖A_t‖ + ρ‖A‖², one length per word: few words, the same ones for all dimensions (P21).

    Parameters
    ----------
    alpha : float
        Greater than 0.
    ridge : float
        ρ, on the scale of :class:`Ridge`; it is never relative.
    relative : bool
        Measure the responses in units of their largest correlation with a word, so that α is a share: at 1 no word is left (P22).
    """

    alpha: float
    ridge: float = 0.0
    relative: bool = False

    def __post_init__(self) -> None:
        """Refuse an alpha that is not above zero, or a ridge that is below."""
        check_number("alpha", self.alpha, above=True)
        check_number("ridge", self.ridge)

    def value(self, A: FloatArray) -> float:
        """2α times the sum of the rows' lengths and ρ times the sum of squares."""
        return float(2.0 * self.alpha * np.sum(_lengths(A)) + self.ridge * np.sum(A * A))

    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """Make every row shorter by the same amount, and not beyond zero; then shrink."""
        lengths = _lengths(A)
        left = np.maximum(lengths - 2.0 * step * self.alpha, 0.0)
        share = np.divide(left, lengths, out=np.zeros_like(left), where=lengths > 0)
        return np.asarray(A * share[:, None] / (1.0 + 2.0 * step * self.ridge))


class _RowLimit(Penalty):
    """At most so many words in all, and ρ‖A‖²."""

    n_terms: int | None
    ridge: float
    at_most: bool

    def __post_init__(self) -> None:
        """Refuse what is no count, or a ridge below zero."""
        if self.n_terms is not None:
            check_count("n_terms", self.n_terms)
        check_number("ridge", self.ridge)

    @property
    def limit(self) -> int:
        """The number of words in force."""
        return DEFAULT_SHARED_TERMS if self.n_terms is None else int(self.n_terms)

    def value(self, A: FloatArray) -> float:
        """ρ times the sum of squares; infinite where too many words have a weight."""
        too_many = np.count_nonzero(A.any(axis=1)) > self.limit
        return float("inf") if too_many else float(self.ridge * np.sum(A * A))

    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """Keep the longest rows, the first of equals, and shrink them (P24)."""
        kept = np.argsort(-_lengths(A), kind="stable")[: self.limit]
        B = np.zeros_like(A)
        B[kept] = A[kept] / (1.0 + 2.0 * step * self.ridge)
        return B


@final
@dataclass(frozen=True)
class RowLassoCount(_RowLimit):
    """At most so many words in all, and ρ‖A‖²: found along the path of :class:`RowLasso`, whose weights are kept (P23).

    Parameters
    ----------
    n_terms : int, optional
        How many words have a weight in any dimension. Left open: 1,000, or as many as there are, with no warning when there are
        fewer.
    ridge : float
        ρ, on the scale of :class:`Ridge`.
    at_most : bool
        Fewer words are as good: no warning says so.
    """

    n_terms: int | None = None
    ridge: float = 0.0
    at_most: bool = False


@final
@dataclass(frozen=True)
class RowCount(_RowLimit):
    """At most so many words in all, and ρ‖A‖²: the best fit that can be found with so many, nothing held back (P24).

    Parameters
    ----------
    n_terms, ridge, at_most
        As for :class:`RowLassoCount`. As many words as there are, or more, is no restriction: this is :class:`Ridge` then.
    """

    n_terms: int | None = None
    ridge: float = 0.0
    at_most: bool = False


def _lengths(A: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.einsum("td,td->t", A, A)))


def soft(A: FloatArray, threshold: float) -> FloatArray:
    """Move every entry towards zero by ``threshold``, and not beyond."""
    return np.asarray(np.sign(A) * np.maximum(np.abs(A) - threshold, 0.0))
