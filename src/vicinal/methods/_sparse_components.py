"""SLPI and SparsePCA: components with few terms each, by a lasso regression."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import final

import numpy as np
from sklearn.decomposition import PCA

from vicinal._choice import Choice, is_auto
from vicinal._matrix import nonzero_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, LabelsLike, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_number, check_seed
from vicinal.errors import BadParameter, NoVariation
from vicinal.methods._base import LinearMethod
from vicinal.methods._graph_method import GraphLike, GraphMethod
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.projection import ElasticNet, Penalty, Projection, TermCount
from vicinal.projection._model_selection.held_out import n_terms_of_checked
from vicinal.projection._products import Products
from vicinal.projection._regress import regress_of_checked
from vicinal.projection._solvers.repeated_components import independent_components
from vicinal.projection._solvers.row_space import row_space
from vicinal.spectrum._basis import TIE, canonical_rotation, say_indistinct

SETTLED = 1e-3  # change of the weights, components of length one, below which alternations end
EXACT_SIZE = 500  # documents or terms up to which the whole Gram matrix is decomposed, which finds repeated values too


class SparseMethod(LinearMethod):
    """A method whose penalty selects few terms: by their number, or by a share of the penalty that selects none."""

    selected_terms_: list[IntArray] | IntArray

    def _penalty(self) -> Penalty:
        if self.alpha is None:
            return self._by_number()
        if self.n_terms is not None:
            raise BadParameter(
                f"n_terms={self.n_terms!r} and alpha={self.alpha!r} both set how many terms to keep. Give only one of them."
            )
        return self._by_share(self.alpha)

    def _by_number(self) -> Penalty:
        return TermCount(self.n_terms, self.ridge)

    def _by_share(self, alpha: float) -> Penalty:
        return ElasticNet(alpha, self.ridge, relative=True)

    def _keep_terms(self, projection: Projection) -> int:
        self.n_iter_ = max(1, projection.made_by.get("iterations", 1))
        self._keep(projection)
        self.selected_terms_ = self._selected()
        return projection.n_components

    def _selected(self) -> list[IntArray] | IntArray:
        return [heaviest_first(np.abs(row)) for row in self.components_]


def heaviest_first(sizes: FloatArray) -> IntArray:
    """The terms of size above 0, by decreasing size, equal ones by term order."""
    terms = np.flatnonzero(sizes)
    return terms[np.argsort(-sizes[terms], kind="stable")]


class SparseGraphMethod(GraphMethod, SparseMethod):
    """A method that regresses the spectrum of a graph onto few terms."""

    n_terms_: int
    n_terms_evidence_: Choice | None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._penalty()
        check_choice("eigen_solver", self.eigen_solver, GraphMethod._solvers)
        if not isinstance(self.center, bool | np.bool_):
            raise BadParameter(f"center must be True or False, got {self.center!r}. Use one of them.")

    def _learn(self, X: Terms, n_components: int) -> int:
        projection = regress_of_checked(
            X,
            self._solve_spectrum(n_components, solver=self.eigen_solver),
            self._settled_penalty(X, n_components),
            center=self.center,
            solver=self.solver,
            tol=self.tol,
            max_iter=10_000 if self.max_iter is None else self.max_iter,
            n_jobs=self.n_jobs,
        )
        return self._keep_terms(independent_components(projection, X))

    def _settled_penalty(self, X: Terms, n_components: int) -> Penalty:
        """The penalty, with a number of terms that is chosen where ``n_terms`` is "auto"."""
        self.n_terms_evidence_ = None
        if not is_auto(self.n_terms):
            return self._penalty()
        self.n_terms_evidence_ = self._choose_n_terms(X, n_components)
        return self._counted(int(self.n_terms_evidence_.chosen), at_most=True)

    def _by_number(self) -> Penalty:
        return self._counted(None if is_auto(self.n_terms) else self.n_terms)

    @abstractmethod
    def _counted(self, n_terms: int | None, at_most: bool = False) -> Penalty:
        """The penalty that keeps so many terms."""

    @abstractmethod
    def _choose_n_terms(self, X: Terms, n_components: int) -> Choice:
        """Choose the number of terms by held-out validation."""


@final
@with_shared_docs
class SLPI(SparseGraphMethod):
    """Sparse locality preserving indexing: RLPI with few terms per component, so that each component can be read [1]_.

    Takes the smoothest functions y on the neighbour graph, or class indicators when labels are given, and minimises
    ½‖Xa - y‖² + α‖a‖₁ + ½ρ‖a‖² for each (P16). The "sparse projections over graph" of [2]_ are the same method.
    Unlike a ridge, a lasso depends on the basis of the functions; with labels, these are contrasts of each class, by
    decreasing size, with those after it (P15).

    Parameters
    ----------
    {n_components}
    n_terms : int, "auto" or None, default=None
        Number of terms of each component, reached exactly (P19). None: 50, or as many as there can be. A number that
        cannot be reached gives a :class:`~vicinal.errors.FewerTerms` warning. "auto": chosen automatically: the
        fewest, up to 100, that keep 98 % of the smoothness in held-out validation (P40); it takes about as long as a
        fit with 100 terms.
    alpha : float or None, default=None
        Instead of ``n_terms``: the lasso penalty of each component, as a share of the penalty that selects no term
        (P17). 0.05 selects many terms, 0.5 few, and 1 none, which gives an :class:`~vicinal.errors.EmptyComponents`
        warning.
    {elastic_net_ridge}
    {n_neighbors}
    {weight}
    {graph}
    {center}
    tol : float, default=1e-6
        With ``alpha``: how far a correlation may exceed the penalty, relative to it.
    max_iter : int, default=10000
        With ``alpha``: maximum number of sweeps of coordinate descent. Reaching it gives an
        :class:`~vicinal.errors.Unconverged` warning.
    {eigen_solver}
    {disconnected}
    {n_jobs}
    {random_state}

    Attributes
    ----------
    {components_}
    selected_terms_ : list of ndarray of int
        The terms of each component, by decreasing size of their weight; ``projection_.top_terms`` names them.
    n_terms_ : int
        Largest number of terms of a component.
    {fitted_n_terms}
    {eigenvalues_}
    {fitted_n_components}
    {projection_}
    {n_iter_}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] D. Cai, X. He and J. Han. Spectral regression: a unified approach for sparse subspace learning. ICDM 2007,
       pages 73-82.
    .. [2] D. Cai, X. He and J. Han. Sparse projections over graph. AAAI 2008, section "Sparse projections over graph".

    Examples
    --------
    >>> from vicinal import SLPI
    {example_texts}
    >>> model = SLPI(n_components=1, n_terms=2, n_neighbors=2).fit(X)
    >>> [len(terms) for terms in model.selected_terms_]
    [2]
    """

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_terms: int | str | None = None,
        alpha: float | None = None,
        ridge: float = 0.0,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: GraphLike = "knn",
        center: bool = False,
        tol: float = 1e-6,
        max_iter: int = 10_000,
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
            tol=tol,
            max_iter=max_iter,
            disconnected=disconnected,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.n_terms = n_terms
        self.alpha = alpha
        self.ridge = ridge
        self.center = center
        self.eigen_solver = eigen_solver

    def _counted(self, n_terms: int | None, at_most: bool = False) -> Penalty:
        return TermCount(n_terms, self.ridge, at_most)

    def _choose_n_terms(self, X: Terms, n_components: int) -> Choice:
        return n_terms_of_checked(
            X,
            self.graph_,
            n_components,
            ridge=self.ridge,
            center=bool(self.center),
            apart=self._embeds_apart(),
            n_jobs=self.n_jobs,
        )

    def _keep_terms(self, projection: Projection) -> int:
        found = super()._keep_terms(projection)
        self.n_terms_ = max((len(terms) for terms in self.selected_terms_), default=0)
        return found


@final
@with_shared_docs
class SparsePCA(SparseMethod):
    """Sparse principal components: the principal component scores of the documents, regressed onto few terms each.

    The scores on the principal components of X are the responses of the same regression as in :class:`~vicinal.SLPI`
    (P16). The method uses neither neighbours nor labels. A sparse X stays sparse. Documents without terms take no
    part. One regression is section 3.1 of [1]_; with ``n_alternations`` the responses are then fitted to the weights
    and the weights to the responses in turn, which is its algorithm 1 (P16').

    Parameters
    ----------
    {n_components_given}
    n_terms : int, "auto" or None, default=None
        Number of terms of each component, reached exactly (P19). None: 50, or as many as there can be. A number that
        cannot be reached gives a :class:`~vicinal.errors.FewerTerms` warning.
    alpha : float or None, default=None
        Instead of ``n_terms``: the lasso penalty of each component, as a share of the penalty that selects no term
        (P17). 0.05 selects many terms, 0.5 few, and 1 none, which gives an :class:`~vicinal.errors.EmptyComponents`
        warning.
    {elastic_net_ridge}
    n_alternations : int, default=0
        How often, at most, responses and weights are fitted to each other in turn after the first regression; it ends
        before where the weights of terms change by less than a thousandth.
    tol : float, default=1e-6
        With ``alpha``: how far a correlation may exceed the penalty, relative to it.
    max_iter : int, default=10000
        With ``alpha``: maximum number of sweeps of coordinate descent. Reaching it gives an
        :class:`~vicinal.errors.Unconverged` warning.
    {n_jobs}
    {random_state}

    Attributes
    ----------
    {components_}
    selected_terms_ : list of ndarray of int
        The terms of each component, by decreasing size of their weight; ``projection_.top_terms`` names them.
    eigenvalues_ : ndarray of shape (n_components,)
        Sum of squares of the centred X along the principal component behind each component.
    {projection_}
    {n_iter_}
    {without_terms}
    {fitted_features}

    References
    ----------
    .. [1] H. Zou, T. Hastie and R. Tibshirani. Sparse principal component analysis. Journal of Computational and
       Graphical Statistics, 15(2):265-286, 2006. Sections 3.1 and 3.2.

    Examples
    --------
    >>> from vicinal import SparsePCA
    {example_texts}
    >>> model = SparsePCA(n_components=1, n_terms=2).fit(X)
    >>> [len(terms) for terms in model.selected_terms_]
    [2]
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        n_terms: int | None = None,
        alpha: float | None = None,
        ridge: float = 0.0,
        n_alternations: int = 0,
        tol: float = 1e-6,
        max_iter: int = 10_000,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_components = n_components
        self.n_terms = n_terms
        self.alpha = alpha
        self.ridge = ridge
        self.n_alternations = n_alternations
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_parameters(self) -> None:
        self._check_n_components()
        check_seed(self.random_state)
        check_number("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_count("n_alternations", self.n_alternations, minimum=0)
        self._penalty()

    def _learn_from(self, X: Terms, y: LabelsLike | None) -> None:
        has_terms = nonzero_rows(X)
        if not has_terms.any():
            raise NoVariation(
                f"all {X.shape[0]} documents (n_samples = {X.shape[0]}) are empty, so nothing tells them apart. "
                f"Add documents with terms."
            )
        rows = X if has_terms.all() else X[has_terms]
        values, scores = self._scores(rows, self._wanted(min(rows.shape)))
        projection = self._alternated(rows, self._regressed(rows, scores))
        found = self._keep_terms(independent_components(replace(projection, eigenvalues=values), rows))
        self._say_fewer(found, f"{rows.shape[0]} documents with terms x {X.shape[1]} terms vary in no more")
        self._say_empty(X)

    def _regressed(self, X: Terms, scores: FloatArray) -> Projection:
        return regress_of_checked(X, scores, self._penalty(), center=True, tol=self.tol, max_iter=self.max_iter, n_jobs=self.n_jobs)

    def _alternated(self, X: Terms, projection: Projection) -> Projection:
        """The projection after responses and weights were fitted to each other in turn (P16')."""
        centred = Products(X, np.asarray(X.mean(axis=0, dtype=np.float64)).ravel() if X.shape[0] > 1 else None, self.n_jobs)
        for _ in range(self.n_alternations):
            moved = self._regressed(X, fitted_responses(centred, projection.weights))
            settled = _moved(moved.weights, projection.weights) < SETTLED
            projection = moved
            if settled:
                break
        return projection

    def _scores(self, X: Terms, d: int) -> tuple[FloatArray, FloatArray]:
        """Squared singular values of the centred X, decreasing, and the principal component scores, in canonical form."""
        singular, scores = principal_scores(X, min(d + 1, *X.shape), self.random_state)
        shares = singular / singular[0]
        rank = int(np.sum(shares > np.finfo(X.dtype).eps * max(X.shape)))
        if rank > d and shares[d - 1] - shares[d] < TIE:
            say_indistinct(d, float(singular[d] ** 2))
        d = min(d, rank)
        return singular[:d] ** 2, scores[:, :d] @ canonical_rotation(shares[:d], scores[:, :d])


def fitted_responses(centred: Products, weights: FloatArray) -> FloatArray:
    """X Q, where the orthonormal Q is nearest to the weights that would make X from X B: U Vᵀ of XᵀX B = U S Vᵀ (P16')."""
    with single_threaded_libraries():
        U, _, Vt = np.linalg.svd(centred.backward(centred.forward(weights)), full_matrices=False)
        return centred.forward(U @ Vt)


def _moved(now: FloatArray, before: FloatArray) -> float:
    """How far weights moved, relative to their size, each component with length one."""
    lengths = [np.linalg.norm(each, axis=0) for each in (now, before)]
    scaled = [each / np.where(length > 0, length, 1.0) for each, length in zip((now, before), lengths, strict=True)]
    return float(np.abs(scaled[0] - scaled[1]).max(initial=0.0))


def principal_scores(X: Terms, d: int, random_state: RandomState = 0) -> tuple[FloatArray, FloatArray]:
    """Singular values of the centred X, and its principal component scores U S; a single document is not centred."""
    with single_threaded_libraries():
        if d == min(X.shape) or min(X.shape) <= EXACT_SIZE:
            mean = np.asarray(X.mean(axis=0, dtype=np.float64)).ravel() if X.shape[0] > 1 else None
            space = row_space(Products(X, mean))
            return space.singular[:d], space.span(np.diag(space.singular)[:, :d])
        pca = PCA(d, svd_solver="arpack", random_state=random_state)
        scores = pca.fit_transform(X.astype(np.float64))
        return pca.singular_values_, scores
