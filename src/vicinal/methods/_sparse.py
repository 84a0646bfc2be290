"""SLPI and SparsePCA: the rows whose route is regression onto few words."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self, final

import numpy as np
from sklearn.decomposition import PCA

from vicinal._choice import Choice, is_auto
from vicinal._matrix import nonzero_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_number
from vicinal.errors import BadParameter, NoVariation
from vicinal.methods._estimator import GraphMethod, LinearMethod, nothing_changed_by_errors, refuse_hopeless
from vicinal.methods._responses import embeds_apart, spectrum_of
from vicinal.projection import ElasticNet, Penalty, Projection, TermCount, choose_n_terms
from vicinal.projection._products import Products
from vicinal.projection._regress import regress_of_checked
from vicinal.projection._solvers.independent_components import independent_dimensions
from vicinal.projection._solvers.row_space import row_space
from vicinal.spectrum._basis import TIE, canonical_rotation, say_indistinct

EXACT_SIZE = 500  # documents or terms up to which the whole Gram matrix is decomposed, which finds repeated values too


class _SparseMethod(LinearMethod):
    """A row whose penalty leaves few words: by their number, or by a share of the penalty that leaves none."""

    words_: Any

    def _penalty(self) -> Penalty:
        if self.alpha is None:
            return self._by_number()
        if self.n_terms is not None:
            raise BadParameter(
                f"n_terms={self.n_terms!r} and alpha={self.alpha!r} both say how many words to keep. Give only one of them."
            )
        return self._by_share()

    def _by_number(self) -> Penalty:
        return TermCount(self.n_terms, self.ridge)

    def _by_share(self) -> Penalty:
        return ElasticNet(self.alpha, self.ridge, relative=True)

    def _keep_words(self, projection: Projection) -> int:
        self.n_iter_ = max(1, projection.made_by.get("iterations", 1))
        self._keep(projection)
        self.words_ = self._chosen()
        return projection.n_components

    def _chosen(self) -> Any:
        return [heaviest_first(np.abs(row)) for row in self.components_]


def heaviest_first(sizes: FloatArray) -> IntArray:
    """The words whose weights have a size, by falling size, the first of equals first."""
    words = np.flatnonzero(sizes)
    return words[np.argsort(-sizes[words], kind="stable")]


class SparseGraphMethod(GraphMethod, _SparseMethod):
    """A row whose route is regression of the smoothest functions on a graph onto few words."""

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
            spectrum_of(self, n_components, solver=self.eigen_solver),
            self._settled_penalty(X, n_components),
            center=self.center,
            solver=self.solver,
            tol=self.tol,
            max_iter=10_000 if self.max_iter is None else self.max_iter,
            n_jobs=self.n_jobs,
        )
        return self._keep_words(independent_dimensions(projection, X))

    def _settled_penalty(self, X: Terms, n_components: int) -> Penalty:
        """The penalty, with a number of words where that was left to the documents."""
        self.n_terms_evidence_ = None
        if not is_auto(self.n_terms):
            return self._penalty()
        options = {"center": bool(self.center), "apart": embeds_apart(self), "n_jobs": self.n_jobs, "ridge": self.ridge}
        self.n_terms_evidence_ = self._choose_words(X, n_components, **options)
        return self._counted(self.n_terms_evidence_.chosen, at_most=True)

    def _by_number(self) -> Penalty:
        return self._counted(None if is_auto(self.n_terms) else self.n_terms)

    @abstractmethod
    def _counted(self, n_terms: int | None, at_most: bool = False) -> Penalty:
        """The penalty that leaves so many words."""

    @abstractmethod
    def _choose_words(self, X: Terms, n_components: int, **options: Any) -> Choice:
        """How many words, as the documents have it."""


@final
class SLPI(SparseGraphMethod):
    """Sparse locality preserving indexing: RLPI with few words per dimension, so that each can be read (the papers' SPG too).

    Takes the smoothest functions y on the graph, or class indicators when labels are given, and finds the few words whose weighted
    sum comes closest to each: min ½‖Xa - y‖² + α‖a‖₁ + ½ρ‖a‖² (P16). Never forms a matrix of terms by terms but for chosen words.

    Parameters
    ----------
    n_components, n_neighbors, weight, graph, disconnected, n_jobs, random_state
        See the module's page. Unlike the ridge, the lasso depends on which basis of the functions it is given: with labels, these
        are the contrasts of each class, by falling size, with those after it (P15).
    n_terms : int or "auto", optional
        How many words each dimension has, exactly (P19). By default 50, or as many as there can be; where a number that was asked
        for cannot be had, :class:`~vicinal.errors.FewerTerms` says so. "auto": the fewest, up to 100, that keep 98 % of the
        smoothness on documents held out (P40); it takes about as long as a fit with 100.
    alpha : float, optional
        Instead of ``n_terms``: the penalty, as a share of that which leaves no word, for each dimension (P17). 0.05 keeps many, 0.5
        few, and from 1 on there is none, which :class:`~vicinal.errors.AllZero` says.
    ridge : float
        ρ: above 0 words that come together are chosen together.
    center : bool
        Take the mean document off first, without making X dense.
    tol : float
        With ``alpha``: how far a correlation may exceed α, relative to it.
    max_iter : int
        With ``alpha``: sweeps over the words; :class:`~vicinal.errors.Unconverged` says when the limit was reached.
    eigen_solver : {"auto", "dense", "lanczos", "chebyshev"}
        How the eigenvectors are found.

    Attributes
    ----------
    components_, eigenvalues_, graph_, projection_, unembedded_
        See the module's page.
    words_ : list of int arrays
        The words of each dimension, heaviest first; ``projection_.top_terms`` names them.
    n_terms_ : int
        The most words that a dimension has.
    n_terms_evidence_ : Choice or None
        With "auto": the candidates, their scores, and the range that does about as well.
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
        graph: Any = "knn",
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

    def _choose_words(self, X: Terms, n_components: int, **options: Any) -> Choice:
        return choose_n_terms(X, self.graph_, n_components, **options)

    def _keep_words(self, projection: Projection) -> int:
        found = super()._keep_words(projection)
        self.n_terms_ = max((len(words) for words in self.words_), default=0)
        return found


@final
class SparsePCA(_SparseMethod):
    """Sparse principal components: the directions along which documents vary most, regressed onto few words each.

    Takes the scores of the documents on the principal components of X, found without making X dense, as responses of the same
    regression as :class:`SLPI`. It knows no neighbours and no labels; documents without words take no part.

    Parameters
    ----------
    n_components, n_jobs, random_state
        See the module's page.
    n_terms, alpha, ridge, tol, max_iter
        As for :class:`SLPI`.

    Attributes
    ----------
    components_, projection_, unembedded_, words_
        As for :class:`SLPI`; documents are unplaced that have no words.
    eigenvalues_ : array (n_components,)
        How much of the centred X the principal component behind each dimension holds.
    """

    def __init__(
        self,
        n_components: int | None = None,
        *,
        n_terms: int | None = None,
        alpha: float | None = None,
        ridge: float = 0.0,
        tol: float = 1e-6,
        max_iter: int = 10_000,
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_components = n_components
        self.n_terms = n_terms
        self.alpha = alpha
        self.ridge = ridge
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn from documents; labels are ignored."""
        with nothing_changed_by_errors(self):
            check_number("tol", self.tol)
            check_count("max_iter", self.max_iter)
            X = self._check_documents(X, "fit")
            refuse_hopeless(X)
            penalty, words = self._penalty(), nonzero_rows(X)
            if not words.any():
                raise NoVariation(f"all {X.shape[0]} documents (n_samples = {X.shape[0]}) are empty, so nothing tells them apart.")
            rows = X if words.all() else X[words]
            values, scores = self._scores(rows, self._wanted(min(rows.shape)))
            projection = regress_of_checked(
                rows, scores, penalty, center=True, tol=self.tol, max_iter=self.max_iter, n_jobs=self.n_jobs
            )
            found = self._keep_words(independent_dimensions(replace(projection, eigenvalues=values), rows))
            self._say_fewer(found, f"{rows.shape[0]} documents with words x {X.shape[1]} terms vary in no more")
            self._say_empty(X)
        return self

    def _scores(self, X: Terms, d: int) -> tuple[FloatArray, FloatArray]:
        """Squared singular values of the centred X, falling, and the places of the documents along them, in canonical form."""
        singular, scores = principal_scores(X, min(d + 1, *X.shape), self.random_state)
        shares = singular / singular[0]
        rank = int(np.sum(shares > np.finfo(X.dtype).eps * max(X.shape)))
        if rank > d and shares[d - 1] - shares[d] < TIE:
            say_indistinct(d, float(singular[d] ** 2))
        d = min(d, rank)
        return singular[:d] ** 2, scores[:, :d] @ canonical_rotation(shares[:d], scores[:, :d])


def principal_scores(X: Terms, d: int, random_state: RandomState = 0) -> tuple[FloatArray, FloatArray]:
    """Singular values of the centred X, and U S: the documents along its principal components; one document is not centred."""
    with single_threaded_libraries():
        if d == min(X.shape) or min(X.shape) <= EXACT_SIZE:
            mean = np.asarray(X.mean(axis=0, dtype=np.float64)).ravel() if X.shape[0] > 1 else None
            space = row_space(Products(X, mean))
            return space.singular[:d], space.span(np.diag(space.singular)[:, :d])
        pca = PCA(d, svd_solver="arpack", random_state=random_state)
        scores = pca.fit_transform(X.astype(np.float64))
        return pca.singular_values_, scores
