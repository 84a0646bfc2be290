"""LSI: latent semantic indexing, by a truncated singular value decomposition."""

from __future__ import annotations

from typing import final

import numpy as np
from sklearn.decomposition import TruncatedSVD

from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, LabelsLike, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_number, check_seed
from vicinal.errors import NoVariation
from vicinal.methods._base import LinearMethod
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.projection import Projection
from vicinal.projection._products import Products
from vicinal.projection._solvers.row_space import row_space
from vicinal.spectrum._basis import TIE, canonical_rotation, say_indistinct

SVD_SOLVERS = ("auto", "arpack", "randomized")
EXACT_SIZE = 500  # documents or terms up to which the whole Gram matrix is decomposed, which finds repeated values too


@final
@with_shared_docs
class LSI(LinearMethod):
    """Latent semantic indexing: the linear components along which documents vary most, by a truncated SVD of X [1]_.

    The method uses neither neighbours nor labels.

    Parameters
    ----------
    {n_components_given}
    solver : {"auto", "arpack", "randomized"}, default="auto"
        "auto" decomposes the smaller Gram matrix where it has up to 500 rows, else uses "arpack", or "randomized"
        where all components are asked for, which ARPACK cannot compute.
    tol : float, default=0.0
        Tolerance of "arpack"; 0 is machine precision.
    max_iter : int, default=7
        Number of power iterations of "randomized".
    {random_state}

    Attributes
    ----------
    {components_}
    singular_values_ : ndarray of shape (n_components,)
        Singular values of X.
    eigenvalues_ : ndarray of shape (n_components,)
        Squares of the singular values: the sum of squares of X along each component.
    {projection_}
    {n_iter_}
    {without_terms}
    {fitted_features}

    References
    ----------
    .. [1] S. C. Deerwester, S. T. Dumais, T. K. Landauer, G. W. Furnas and R. A. Harshman. Indexing by latent
       semantic analysis. Journal of the American Society for Information Science, 41(6):391-407, 1990.

    Examples
    --------
    >>> from vicinal import LSI
    {example_texts}
    >>> LSI(n_components=2).fit_transform(X).shape
    (6, 2)
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        solver: str = "auto",
        tol: float = 0.0,
        max_iter: int = 7,
        random_state: RandomState = 0,
    ) -> None:
        self.n_components = n_components
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _check_parameters(self) -> None:
        self._check_n_components()
        check_choice("solver", self.solver, SVD_SOLVERS)
        check_number("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_seed(self.random_state)

    def _learn_from(self, X: Terms, y: LabelsLike | None) -> None:
        d = self._wanted(min(X.shape))
        singular, V = self._decompose(X, min(d + 1, *X.shape))
        if not singular.any():
            raise NoVariation(
                f"all {X.shape[0]} documents (n_samples = {X.shape[0]}) are empty, so there is nothing to index. "
                f"Add documents with terms."
            )
        shares = singular / singular[0]
        rank = int(np.sum(shares > np.finfo(X.dtype).eps * max(X.shape)))
        if rank > d and shares[d - 1] - shares[d] < TIE:
            say_indistinct(d, float(singular[d] ** 2))
        d = min(d, rank)
        self.singular_values_ = singular[:d]
        V = V[:, :d] @ canonical_rotation(shares[:d], X @ V[:, :d])
        self._keep(Projection(V, eigenvalues=singular[:d] ** 2, made_by={"route": "truncated SVD"}))
        limit = "ARPACK finds all but one, and " if self.solver == "arpack" else ""
        self._say_fewer(d, f"{limit}the rank of {X.shape[0]} documents x {X.shape[1]} terms allows no more")
        self._say_empty(X)

    def _decompose(self, X: Terms, d: int) -> tuple[FloatArray, FloatArray]:
        """Singular values, decreasing, and right singular vectors as columns."""
        if self.solver == "auto" and min(X.shape) <= EXACT_SIZE:
            self.n_iter_ = 1
            with single_threaded_libraries():
                space = row_space(Products(X))
                return space.singular[:d], space.lift(np.diag(space.singular)[:, :d])
        arpack = self.solver == "arpack" or (self.solver == "auto" and d < min(X.shape))
        self.n_iter_ = 1 if arpack else self.max_iter
        svd = TruncatedSVD(
            min(d, min(X.shape) - 1) if arpack and d > 1 else d,
            algorithm="arpack" if arpack else "randomized",
            n_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
        )
        with single_threaded_libraries(), np.errstate(invalid="ignore", divide="ignore"):
            svd.fit(X.astype(np.float64))
        return svd.singular_values_, svd.components_.T
