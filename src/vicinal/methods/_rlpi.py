"""RLPI: the eigenvectors of the neighbour graph, regressed onto terms with a ridge penalty."""

from __future__ import annotations

from typing import cast, final

import numpy as np

from vicinal._choice import Choice, is_auto
from vicinal._typing import ArrayLike, RandomState, Terms
from vicinal._validate import check_choice, check_number
from vicinal.engines import Engine
from vicinal.engines._engine_choice import engine_of
from vicinal.errors import BadData, BadParameter
from vicinal.methods._base import LinearMethod
from vicinal.methods._graph_method import GraphLike, GraphMethod, in_memory
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.projection import Ridge
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
        projection = regress_of_checked(
            X,
            self._responses(X, n_components),
            Ridge(self.alpha_),
            center=self.center,
            solver=self.solver,
            tol=self.tol,
            max_iter=200 if self.max_iter is None else self.max_iter,
            n_jobs=self.n_jobs,
        )
        projection = independent_components(projection, X)
        self.n_iter_ = max(1, projection.made_by.get("iterations", 1))
        self._keep(projection)
        return projection.n_components

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


@final
@with_shared_docs
class RLPI(RidgeMethod):
    """Regularized locality preserving indexing: the smoothest functions on the neighbour graph, regressed onto terms [1]_.

    Takes the eigenvectors y of W y = λ D y (S1), or class indicators when labels are given (P15), and finds for each
    the weights of terms that minimise ‖Xa - y‖² + α‖a‖² (P1, P2). No matrix larger than X is formed, so the method
    scales to large corpora.

    Parameters
    ----------
    {n_components}
    {n_neighbors}
    {weight}
    {graph}
    {ridge_alpha}
    {ridge_solver}
    {center}
    {eigen_solver}
    {disconnected}
    {recall}
    {n_jobs}
    {random_state}
    {engine}

    Attributes
    ----------
    {components_}
    {eigenvalues_}
    {fitted_n_components}
    {projection_}
    {fitted_alpha}
    {n_iter_}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang and J. Han. Regularized locality preserving indexing via spectral regression.
       CIKM 2007, pages 741-750, section 3.

    Examples
    --------
    >>> from vicinal import RLPI
    {example_texts}
    >>> model = RLPI(n_components=1, n_neighbors=2).fit(X)
    >>> (model.transform(X)[:, 0] > 0).tolist()
    [True, True, True, False, False, False]
    """
