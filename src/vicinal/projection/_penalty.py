"""Penalties on single weights: ridge, lasso, elastic net, a limit on the terms of each component; and their base class."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._typing import FloatArray
from vicinal._validate import check_count, check_number

DEFAULT_TERMS = 50  # per component, where their number is left open


class Penalty(ABC):
    """Base class of penalties on the weights A of a projection.

    See Also
    --------
    regress : Minimises ‖X A - Y‖² + penalty.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import Lasso, Penalty
    >>> isinstance(Lasso(0.5), Penalty), Lasso(0.5).value(np.array([[1.0], [-2.0]]))
    (True, 3.0)
    """

    @abstractmethod
    def value(self, A: FloatArray) -> float:
        """Return the penalty of A.

        Parameters
        ----------
        A : ndarray of shape (n_terms, n_components)
            Weights.

        Returns
        -------
        float
            The value of the penalty.
        """

    @abstractmethod
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
            B.
        """


@final
@dataclass(frozen=True)
class Ridge(Penalty):
    """The ridge penalty α‖A‖²: small weights, spread over all terms that help (P2).

    Parameters
    ----------
    alpha : float, default=0.1
        Strength, at least 0, to be compared with the squared length of a document. With 0 the least-squares solution of
        smallest norm.

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang, J. Han. Regularized Locality Preserving Indexing via Spectral Regression. CIKM 2007,
       section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import Ridge
    >>> Ridge(0.5).value(np.array([[1.0], [-2.0]]))
    2.5
    """

    alpha: float = 0.1

    def __post_init__(self) -> None:
        """Refuse an alpha that is negative or not finite."""
        check_number("alpha", self.alpha)

    def value(self, A: FloatArray) -> float:
        """Return α times the sum of squares.

        Parameters
        ----------
        A : ndarray of shape (n_terms, n_components)
            Weights.

        Returns
        -------
        float
            The value of the penalty.
        """
        return float(self.alpha * np.sum(A * A))

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
            A shrunk by one factor.
        """
        return A / (1.0 + 2.0 * step * self.alpha)


@final
@dataclass(frozen=True)
class Lasso(Penalty):
    """The lasso penalty 2α‖A‖₁: few terms per component (P16).

    The factor 2 makes α the correlation with the residual that a term must reach to get a weight.

    Parameters
    ----------
    alpha : float
        Strength, above 0.
    relative : bool, default=False
        Measure α in units of each response's largest correlation with a term, so that it is a share: at 1 no term is left (P17).

    References
    ----------
    .. [1] D. Cai, X. He, J. Han. Sparse Projections over Graph. AAAI 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import Lasso
    >>> Lasso(0.5).prox(np.array([[3.0], [-0.5]]), step=1.0)
    array([[ 2.],
           [-0.]])
    """

    alpha: float
    relative: bool = False

    def __post_init__(self) -> None:
        """Refuse an alpha that is not above zero: without it no term would be left out, and Ridge is the penalty to use."""
        check_number("alpha", self.alpha, above=True)

    def value(self, A: FloatArray) -> float:
        """Return 2α times the sum of absolute values.

        Parameters
        ----------
        A : ndarray of shape (n_terms, n_components)
            Weights.

        Returns
        -------
        float
            The value of the penalty.
        """
        return float(2.0 * self.alpha * np.sum(np.abs(A)))

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
            A with every weight moved towards zero by the same amount, and not beyond (soft thresholding).
        """
        return soft(A, 2.0 * step * self.alpha)


@final
@dataclass(frozen=True)
class ElasticNet(Penalty):
    """The elastic net 2α‖A‖₁ + ρ‖A‖²: few terms per component, correlated terms together (P16).

    Parameters
    ----------
    alpha : float
        Strength of the lasso part, above 0; the correlation with the residual that a term must reach.
    ridge : float, default=0.1
        Ridge penalty ρ, on the scale of :class:`Ridge`; never relative.
    relative : bool, default=False
        Measure α in units of each response's largest correlation with a term (P17).

    References
    ----------
    .. [1] H. Zou, T. Hastie. Regularization and Variable Selection via the Elastic Net. JRSS B 67, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import ElasticNet
    >>> ElasticNet(0.5, ridge=0.1).value(np.array([[1.0], [-2.0]]))
    3.5
    """

    alpha: float
    ridge: float = 0.1
    relative: bool = False

    def __post_init__(self) -> None:
        """Refuse an alpha that is not above zero, or a ridge that is below."""
        check_number("alpha", self.alpha, above=True)
        check_number("ridge", self.ridge)

    def value(self, A: FloatArray) -> float:
        """Return 2α times the sum of absolute values and ρ times the sum of squares.

        Parameters
        ----------
        A : ndarray of shape (n_terms, n_components)
            Weights.

        Returns
        -------
        float
            The value of the penalty.
        """
        return float(2.0 * self.alpha * np.sum(np.abs(A)) + self.ridge * np.sum(A * A))

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
            A after soft thresholding, shrunk.
        """
        return soft(A, 2.0 * step * self.alpha) / (1.0 + 2.0 * step * self.ridge)


@final
@dataclass(frozen=True)
class TermCount(Penalty):
    """At most ``n_terms`` terms in each component, and ρ‖A‖².

    The terms are those of the lasso path where so many have entered (P19), not the best of all subsets.

    Parameters
    ----------
    n_terms : int, optional
        How many weights of a component are not zero. By default 50, or as many as there are, with no warning where there are fewer.
    ridge : float, default=0.0
        Ridge penalty ρ, on the scale of :class:`Ridge`.
    at_most : bool, default=False
        Fewer terms are as good: no warning where there are fewer.

    References
    ----------
    .. [1] D. Cai, X. He, J. Han. Sparse Projections over Graph. AAAI 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import TermCount
    >>> TermCount(1).prox(np.array([[3.0], [-4.0]]), step=1.0)
    array([[ 0.],
           [-4.]])
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
        """The number of terms in force."""
        return DEFAULT_TERMS if self.n_terms is None else int(self.n_terms)

    def value(self, A: FloatArray) -> float:
        """Return ρ times the sum of squares.

        Parameters
        ----------
        A : ndarray of shape (n_terms, n_components)
            Weights.

        Returns
        -------
        float
            The value of the penalty; infinite where a component has too many terms.
        """
        too_many = np.any(np.count_nonzero(A, axis=0) > self.limit)
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
            The largest weights of each component, the first of equals, shrunk.
        """
        kept = np.argsort(-np.abs(A), axis=0, kind="stable")[: self.limit]
        B = np.zeros_like(A)
        np.put_along_axis(B, kept, np.take_along_axis(A, kept, axis=0), axis=0)
        return B / (1.0 + 2.0 * step * self.ridge)


def soft(A: FloatArray, threshold: float) -> FloatArray:
    """Move every entry towards zero by ``threshold``, and not beyond."""
    return np.asarray(np.sign(A) * np.maximum(np.abs(A) - threshold, 0.0))
