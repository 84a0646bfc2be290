"""Penalties on rows of weights, for terms that all components share: the row lasso, and limits on the number of terms in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._typing import FloatArray
from vicinal._validate import check_count, check_number
from vicinal.projection._penalty import Penalty

DEFAULT_SHARED_TERMS = 1000  # for all components together, where their number is left open


@final
@dataclass(frozen=True)
class RowLasso(Penalty):
    """The row lasso 2α Σ_t‖A_t‖ + ρ‖A‖²: few terms, the same ones for all components (P21).

    This is the group lasso with one group per term, known as the multi-task lasso and as the L2,1 norm.

    Parameters
    ----------
    alpha : float
        Strength, above 0; the length of a term's correlations with the residuals that it must reach to get weights.
    ridge : float, default=0.0
        Ridge penalty ρ, on the scale of :class:`Ridge`; never relative.
    relative : bool, default=False
        Measure α in units of the largest such length, so that it is a share: at 1 no term is left (P22).

    References
    ----------
    .. [1] Q. Gu, M. Danilevsky, Z. Li, J. Han. Locality Preserving Feature Learning. AISTATS 2012, section 3.
    .. [2] M. Yuan, Y. Lin. Model Selection and Estimation in Regression with Grouped Variables. JRSS B 68, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import RowLasso
    >>> RowLasso(0.5).value(np.array([[3.0, 4.0], [0.0, 0.0]]))
    5.0
    """

    alpha: float
    ridge: float = 0.0
    relative: bool = False

    def __post_init__(self) -> None:
        """Refuse an alpha that is not above zero, or a ridge that is below."""
        check_number("alpha", self.alpha, above=True)
        check_number("ridge", self.ridge)

    def value(self, A: FloatArray) -> float:
        """Return 2α times the sum of the rows' lengths and ρ times the sum of squares.

        Parameters
        ----------
        A : ndarray of shape (n_terms, n_components)
            Weights.

        Returns
        -------
        float
            The value of the penalty.
        """
        return float(2.0 * self.alpha * np.sum(_lengths(A)) + self.ridge * np.sum(A * A))

    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """Return the proximal operator: the B that minimises ½‖B - A‖² + step · value(B).

        Parameters
        ----------
        A : ndarray of shape (n_terms, n_components)
            Weights.
        step : float
            Step size, at least 0.

        Returns
        -------
        ndarray of shape (n_terms, n_components)
            A with every row shortened by the same amount, and not beyond zero; then shrunk.
        """
        lengths = _lengths(A)
        left = np.maximum(lengths - 2.0 * step * self.alpha, 0.0)
        share = np.divide(left, lengths, out=np.zeros_like(left), where=lengths > 0)
        return np.asarray(A * share[:, None] / (1.0 + 2.0 * step * self.ridge))


class _RowLimit(Penalty):
    """At most so many terms in all, and ρ‖A‖²."""

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
        """The number of terms in force."""
        return DEFAULT_SHARED_TERMS if self.n_terms is None else int(self.n_terms)

    def value(self, A: FloatArray) -> float:
        """Return ρ times the sum of squares.

        Parameters
        ----------
        A : ndarray of shape (n_terms, n_components)
            Weights.

        Returns
        -------
        float
            The value of the penalty; infinite where too many terms have a weight.
        """
        too_many = np.count_nonzero(A.any(axis=1)) > self.limit
        return float("inf") if too_many else float(self.ridge * np.sum(A * A))

    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """Return the proximal operator: the B that minimises ½‖B - A‖² + step · value(B).

        Parameters
        ----------
        A : ndarray of shape (n_terms, n_components)
            Weights.
        step : float
            Step size, at least 0.

        Returns
        -------
        ndarray of shape (n_terms, n_components)
            The longest rows, the first of equals, shrunk (P24).
        """
        kept = np.argsort(-_lengths(A), kind="stable")[: self.limit]
        B = np.zeros_like(A)
        B[kept] = A[kept] / (1.0 + 2.0 * step * self.ridge)
        return B


@final
@dataclass(frozen=True)
class RowLassoCount(_RowLimit):
    """At most ``n_terms`` terms in all, and ρ‖A‖²: terms and weights are those of the row lasso that leaves so many (P23).

    Parameters
    ----------
    n_terms : int, optional
        How many terms have a weight in any component. By default 1,000, or as many as there are, with no warning where there
        are fewer.
    ridge : float, default=0.0
        Ridge penalty ρ, on the scale of :class:`Ridge`.
    at_most : bool, default=False
        Fewer terms are as good: no warning where there are fewer.

    References
    ----------
    .. [1] Q. Gu, M. Danilevsky, Z. Li, J. Han. Locality Preserving Feature Learning. AISTATS 2012, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import RowLassoCount
    >>> RowLassoCount(1).value(np.array([[3.0], [4.0]]))
    inf
    """

    n_terms: int | None = None
    ridge: float = 0.0
    at_most: bool = False


@final
@dataclass(frozen=True)
class RowCount(_RowLimit):
    """At most ``n_terms`` terms in all, and ρ‖A‖²: best subset selection, without shrinkage of the chosen terms (P24).

    Parameters
    ----------
    n_terms : int, optional
        How many terms have a weight in any component. By default 1,000. As many as there are, or more, is no restriction: this is
        :class:`Ridge` then.
    ridge : float, default=0.0
        Ridge penalty ρ, on the scale of :class:`Ridge`.
    at_most : bool, default=False
        Fewer terms are as good: no warning where there are fewer.
    refit : bool, default=True
        Solve for the weights of the chosen terms exactly. False, with the solver "adm" alone: the weights at which its schedule
        ends, as published (P27).

    References
    ----------
    .. [1] Q. Gu, M. Danilevsky, Z. Li, J. Han. Locality Preserving Feature Learning. AISTATS 2012, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import RowCount
    >>> RowCount(1).prox(np.array([[3.0], [4.0]]), step=1.0)
    array([[0.],
           [4.]])
    """

    n_terms: int | None = None
    ridge: float = 0.0
    at_most: bool = False
    refit: bool = True


def _lengths(A: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.einsum("td,td->t", A, A)))
