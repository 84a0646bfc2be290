"""Base class of the estimators that regress the spectrum of a graph onto terms with a ridge penalty."""

from __future__ import annotations

from typing import cast

import numpy as np

from vicinal._choice import Choice, is_auto
from vicinal._typing import ArrayLike, FloatArray, RandomState, Terms
from vicinal._validate import check_choice, check_number
from vicinal.engines import Engine
from vicinal.engines._engine_choice import engine_of
from vicinal.errors import BadData, BadParameter
from vicinal.methods._base import LinearMethod
from vicinal.methods._graph_method import GraphLike, GraphMethod, in_memory
from vicinal.projection import Projection, Ridge
from vicinal.projection._model_selection.held_out import alpha_of_checked
from vicinal.projection._regress import RIDGE_SOLVERS, regress_of_checked
from vicinal.projection._solvers.repeated_components import independent_components
from vicinal.spectrum import Spectrum
from vicinal.spectrum._kept import kept_spectrum
from vicinal.terms._block_terms import BlockTerms, block_terms
from vicinal.terms._row_blocks import is_blocks


class RidgeMethod(GraphMethod, LinearMethod):
    """A method that regresses the spectrum of a graph onto terms with a ridge penalty."""

    _solvers = ("auto", *RIDGE_SOLVERS)

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: GraphLike = "knn",
        alpha: float | str = 0.1,
        solver: str = "auto",
        tol: float = 1e-3,
        max_iter: int = 200,
        center: bool = False,
        eigen_solver: str = "auto",
        disconnected: str = "bridge",
        recall: float = 1.0,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
        engine: Engine | str | None = None,
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
        self.recall = recall
        self.engine = engine

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not is_auto(self.alpha):
            check_number("alpha", self.alpha)
        check_choice("eigen_solver", self.eigen_solver, GraphMethod._solvers)
        if not isinstance(self.center, bool | np.bool_):
            raise BadParameter(f"center must be True or False, got {self.center!r}. Use one of them.")

    def _check_documents(self, X: ArrayLike, verb: str) -> Terms:
        engine = engine_of(self.engine)
        if not is_blocks(X) and (engine is None or verb != "fit"):
            return super()._check_documents(X, verb)
        blocks = block_terms(X, engine, n_jobs=self.n_jobs, owned=isinstance(self.engine, str))
        if verb == "fit":
            self.n_features_in_ = blocks.shape[1]
            self.__dict__.pop("feature_names_in_", None)
        elif blocks.shape[1] != self.n_features_in_:
            raise BadData(
                f"X has {blocks.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input."
                f" Use the terms that it was fitted to."
            )
        return cast("Terms", blocks)  # what is below asks whether X is in blocks

    def _learn(self, X: Terms | BlockTerms, n_components: int) -> int:
        self._choose_alpha(X, n_components)
        projection = independent_components(self._regressed(X, self._responses(X, n_components), self.tol), X)
        self.n_iter_ = max(1, projection.made_by.get("iterations", 1))
        self._keep(projection)
        return projection.n_components

    def _regressed(self, X: Terms | BlockTerms, responses: Spectrum, tol: float, start: FloatArray | None = None) -> Projection:
        """The weights of terms that come closest to the responses, beginning at those given."""
        return regress_of_checked(
            X,
            responses,
            Ridge(self.alpha_),
            center=self.center,
            solver=self.solver,
            tol=tol,
            max_iter=200 if self.max_iter is None else self.max_iter,
            n_jobs=self.n_jobs,
            start=start,
        )

    def _responses(self, X: Terms | BlockTerms, n_components: int) -> Spectrum:
        """The spectrum of the graph; of row blocks it is kept as a stage, where the engine has a folder."""

        def solve() -> Spectrum:
            """Solve the eigenproblem."""
            return self._solve_spectrum(n_components, solver=self.eigen_solver)

        if not isinstance(X, BlockTerms):
            return solve()
        settings = (n_components, self.eigen_solver, self.disconnected, repr(self.random_state))
        return kept_spectrum(X.stages, self.graph_, settings, solve)

    def _choose_alpha(self, X: Terms | BlockTerms, n_components: int) -> None:
        """Set ``alpha_``, and the evidence where it is chosen automatically."""
        self.alpha_evidence_: Choice | None = None
        if is_auto(self.alpha):
            self.alpha_evidence_ = alpha_of_checked(
                in_memory(X, 'alpha="auto"'),
                self.graph_,
                n_components,
                center=bool(self.center),
                apart=self._embeds_apart(),
                n_jobs=self.n_jobs,
            )
        self.alpha_ = float(self.alpha if self.alpha_evidence_ is None else self.alpha_evidence_.chosen)
