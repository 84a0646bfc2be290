"""LPP, LPI and OLPI: the rows whose route is the pencil."""

from __future__ import annotations

from typing import Any, ClassVar, final

from vicinal._typing import RandomState, Terms
from vicinal._validate import check_number
from vicinal.methods._estimator import GraphMethod, LinearMethod
from vicinal.projection._pencil import best_directions


class PencilMethod(GraphMethod, LinearMethod):
    """A row whose route is the pencil. ``solver`` is "auto", "dense" or "lanczos"; ``tol`` that of an eigenvector."""

    _orthogonal: ClassVar[bool] = False
    _center: ClassVar[bool] = False
    _solvers = ("auto", "dense", "lanczos")

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: Any = "knn",
        alpha: float = 0.0,
        solver: str = "auto",
        tol: float = 1e-10,
        max_iter: int | None = None,
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

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number("alpha", self.alpha)

    def _learn(self, X: Terms, n_components: int) -> int:
        projection = best_directions(
            X,
            self.graph_,
            n_components,
            alpha=self.alpha,
            orthogonal=self._orthogonal,
            center=self._center,
            solver=self.solver,
            tol=self.tol,
            max_iter=self.max_iter,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
        )
        self._keep(projection)
        return projection.n_components


@final
class LPP(PencilMethod):
    """Locality preserving projections: directions in word space along which neighbours stay together, of centred documents.

    Solves XᵀWX a = λ (XᵀDX + αI) a with the mean document, weighted by degree, taken off. Cubic in the smaller side of X.
    Parameters and attributes are those of the module's page, with ``alpha=0.0`` by default.
    """

    _center = True


@final
class LPI(PencilMethod):
    """Locality preserving indexing: LPP for documents, in the row space of X, not centred.

    Solves XᵀWX a = λ (XᵀDX + αI) a with α = 0 as published. Cubic in the smaller side of X; RLPI reaches the same directions,
    as its α goes to zero, without that. Parameters and attributes are those of the module's page.
    """


@final
class OLPI(PencilMethod):
    """Orthogonal locality preserving indexing: LPI with directions that are orthonormal, so distances keep their meaning.

    Each direction is the best of those orthogonal to all before it. Cubic in the smaller side of X. Parameters and attributes are
    those of the module's page.
    """

    _orthogonal = True
