"""RLPI: the row whose route is regression under a ridge."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from vicinal._choice import Choice, is_auto
from vicinal._typing import RandomState, Terms
from vicinal._validate import check_choice, check_number
from vicinal.errors import BadParameter
from vicinal.methods._estimator import GraphMethod, LinearMethod
from vicinal.methods._responses import embeds_apart, spectrum_of
from vicinal.projection import Ridge, choose_alpha
from vicinal.projection._regress import regress_of_checked
from vicinal.projection._solvers.independent_components import independent_dimensions


class RidgeMethod(GraphMethod, LinearMethod):
    """A row whose route is regression under a ridge."""

    _solvers = ("auto", "cholesky", "cgls")

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: Any = "knn",
        alpha: float | str = 0.1,
        solver: str = "auto",
        tol: float = 1e-3,
        max_iter: int = 200,
        center: bool = False,
        eigen_solver: str = "auto",
        disconnected: str = "bridge",
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            n_components,
            n_neighbors=n_neighbors,
            weight=weight,
            graph=graph,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            disconnected=disconnected,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.alpha = alpha
        self.center = center
        self.eigen_solver = eigen_solver

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not is_auto(self.alpha):
            check_number("alpha", self.alpha)
        check_choice("eigen_solver", self.eigen_solver, GraphMethod._solvers)
        if not isinstance(self.center, bool | np.bool_):
            raise BadParameter(f"center must be True or False, got {self.center!r}. Use one of them.")

    def _learn(self, X: Terms, n_components: int) -> int:
        self._choose(X, n_components)
        projection = regress_of_checked(
            X,
            spectrum_of(self, n_components, solver=self.eigen_solver),
            Ridge(self.alpha_),
            center=self.center,
            solver=self.solver,
            tol=self.tol,
            max_iter=200 if self.max_iter is None else self.max_iter,
            n_jobs=self.n_jobs,
        )
        projection = independent_dimensions(projection, X)
        self.n_iter_ = max(1, projection.made_by.get("iterations", 1))
        self._keep(projection)
        return projection.n_components

    def _choose(self, X: Terms, n_components: int) -> None:
        """Settle α, with the evidence where it was left open."""
        self.alpha_evidence_: Choice | None = None
        if is_auto(self.alpha):
            self.alpha_evidence_ = choose_alpha(
                X, self.graph_, n_components, center=bool(self.center), apart=embeds_apart(self), n_jobs=self.n_jobs
            )
        self.alpha_ = float(self.alpha if self.alpha_evidence_ is None else self.alpha_evidence_.chosen)


@final
class RLPI(RidgeMethod):
    """Regularized locality preserving indexing: the smoothest functions on the graph, regressed onto words.

    Takes the eigenvectors y of W y = λ D y, or class indicators when labels are given, and finds the words whose weighted sum comes
    closest to each: min ‖Xa - y‖² + α‖a‖². Never forms a matrix larger than X itself.

    Parameters
    ----------
    n_components, n_neighbors, weight, graph, disconnected, n_jobs, random_state
        See the module's page.
    alpha : float or "auto"
        Strength of the ridge penalty. "auto": the one whose map, learnt from half of the documents, is smoothest on the graph of
        the others (P39), about as much work again as the regression.
    solver : {"auto", "cholesky", "cgls"}
        How the regression is solved: by factoring the smaller Gram matrix, or by iterating with X alone. The same
        answer, up to ``tol``.
    tol : float
        Relative error of the fit at which the iteration stops. The same machine gives the same bits; another one may differ by
        as much as this.
    max_iter : int
        Its limit; :class:`~vicinal.errors.Unconverged` says when it was reached.
    center : bool
        Take the mean document off first, without making X dense.
    eigen_solver : {"auto", "dense", "lanczos", "chebyshev"}
        How the eigenvectors are found.

    Attributes
    ----------
    components_, eigenvalues_, graph_, projection_, unembedded_
        See the module's page.
    alpha_ : float
        The penalty in force.
    alpha_evidence_ : Choice or None
        With "auto": the candidates, their scores, and the range that does about as well.
    """
