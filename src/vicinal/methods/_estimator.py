"""The shell that every method wears: checking X, building the graph, serving X A, in scikit-learn's manners."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from vicinal._choice import Choice, is_auto
from vicinal._matrix import nonzero_rows
from vicinal._threads import count_threads
from vicinal._typing import ArrayLike, BoolArray, FloatArray, IntArray, RandomState, Terms
from vicinal._validate import (
    check_choice,
    check_count,
    check_labels,
    check_limit,
    check_number,
    check_seed,
    check_terms,
    refuse_extreme,
    seed_of,
)
from vicinal._warn import warn
from vicinal.errors import BadData, BadParameter, FewerComponents, NoVariation, TooFewTerms, UnembeddedDocuments
from vicinal.graph import AgreementGraph, Graph, as_graph, classes, with_labels
from vicinal.graph._build import complete_of_checked, knn_of_checked
from vicinal.graph._edges import WEIGHTS
from vicinal.graph._exact_duplicates import all_alike
from vicinal.graph._repair import DISCONNECTED, repair_of_checked, say_unplaced
from vicinal.projection import Projection, choose_n_components
from vicinal.projection._projection import embed

DEFAULT_COMPONENTS = 30
DEFAULT_NEIGHBORS = 7


@contextmanager
def nothing_changed_by_errors(estimator: Any) -> Iterator[None]:
    """Give an estimator back what it had learnt before, where learning anew fails."""
    before = dict(vars(estimator))
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


class Method(BaseEstimator):
    """What every method shares: the check of X, and the count of dimensions."""

    def _check_documents(self, X: ArrayLike, verb: str) -> Terms:
        try:
            checked = validate_data(
                self,
                X,
                reset=verb == "fit",
                accept_sparse="csr",
                dtype=[np.float64, np.float32],
                ensure_all_finite=False,  # check_terms does it, and says where
                ensure_min_samples=0,
                ensure_min_features=0,
            )
        except ValueError as error:
            raise BadData(_no_matrix(X, error)) from None
        X = check_terms(checked, f"{type(self).__name__}.{verb}")
        refuse_extreme(X)
        return X

    def _wanted(self, at_most: int) -> int:
        """How many dimensions to look for: what was asked for, or by default 30, and never more than there can be."""
        asked = DEFAULT_COMPONENTS if self.n_components is None else self._asked()
        return min(asked, at_most)

    def _asked(self) -> int:
        return check_count("n_components", self.n_components)

    def _say_fewer(self, found: int, why: str) -> None:
        """One warning when fewer dimensions came out than were asked for; none where the number was left open."""
        if self.n_components is not None and not is_auto(self.n_components) and found < self.n_components:
            warn(
                f"asked for {self.n_components} dimensions but there are {found}: {why}. Continuing with {found}.", FewerComponents
            )

    def _say_empty(self, X: Terms) -> None:
        """Note which documents have no words, and warn of them: for methods without a graph."""
        self.unembedded_: BoolArray = ~nonzero_rows(X)
        if self.unembedded_.any():
            warn(
                f"{int(self.unembedded_.sum())} of {X.shape[0]} documents have no words and are unplaced: their vector is zero. "
                f"The first is document {int(np.argmax(self.unembedded_))}.",
                UnembeddedDocuments,
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class LinearMethod(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Method):
    """A method whose result is a projection: new documents are placed by x A alone."""

    projection_: Projection

    @abstractmethod
    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn from documents."""

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> FloatArray:
        """Learn from documents and place them: the same bits as ``fit(X, y).transform(X)``."""
        return self.fit(X, y).transform(X)

    def transform(self, X: ArrayLike) -> FloatArray:
        """Place documents: the same answer for a document whatever the others are.

        Parameters
        ----------
        X : documents x terms, sparse or dense

        Returns
        -------
        array (documents, n_components)
            A document without words is placed at zero.
        """
        check_is_fitted(self, "projection_")
        return embed(self.projection_, self._check_documents(X, "transform"))

    def _keep(self, projection: Projection) -> None:
        names = getattr(self, "feature_names_in_", None)
        self.projection_ = projection if names is None else projection.named(names)
        self.components_ = self.projection_.weights.T
        if projection.eigenvalues is not None:
            self.eigenvalues_ = projection.eigenvalues

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)


class GraphMethod(Method):
    """A method that starts from a graph: nearest neighbours, classes, both mixed, or one that is given."""

    graph_: Graph
    unembedded_: BoolArray
    n_components_: int
    n_components_evidence_: Choice | None
    _solvers: ClassVar[tuple[str, ...]] = ("auto", "dense", "lanczos", "chebyshev")

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: Any = "knn",
        solver: str = "auto",
        tol: float = 1e-10,
        max_iter: int | None = None,
        disconnected: str = "bridge",
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.weight = weight
        self.graph = graph
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.disconnected = disconnected
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn from documents, and from labels where there are any.

        Parameters
        ----------
        X : documents x terms, sparse or dense
        y : labels, optional
            One per document, -1 for a document that is not labelled. All known: documents of one class are neighbours, and no
            others. Some known, or a graph given: those are, and the neighbours of the graph besides.
        """
        with nothing_changed_by_errors(self):
            self._check_parameters()
            X = self._check_documents(X, "fit")
            refuse_hopeless(X)
            graph = self._build_graph(X, y)
            n_placed = int(graph.has_edges.sum())
            self.graph_, self.unembedded_ = graph, ~graph.has_edges
            self.n_components_evidence_ = self._dimensions(X, n_placed) if is_auto(self.n_components) else None
            found = self.n_components_ = self._learn(X, self._wanted(min(n_placed, X.shape[1])))
            self._say_fewer(found, f"{n_placed} placed documents x {X.shape[1]} terms on {graph!r} give no more")
        return self

    def _dimensions(self, X: Terms, n_placed: int) -> Choice:
        """How many dimensions, as the documents have it."""
        most = max(1, min(n_placed - 1, X.shape[1]))
        return choose_n_components(
            X, self.graph_, most, usual=DEFAULT_COMPONENTS, apart=self.disconnected == "apart", n_jobs=self.n_jobs
        )

    def _asked(self) -> int:
        return super()._asked() if self.n_components_evidence_ is None else int(self.n_components_evidence_.chosen)

    def _check_parameters(self) -> None:
        """Refuse bad parameters before any work is done."""
        if self.n_components is not None and not is_auto(self.n_components):
            check_count("n_components", self.n_components)
        if self.n_neighbors is not None:
            check_count("n_neighbors", self.n_neighbors)
        check_choice("weight", self.weight, WEIGHTS)
        check_choice("disconnected", self.disconnected, DISCONNECTED)
        check_choice("solver", self.solver, self._solvers)
        check_number("tol", self.tol)
        check_limit(self.max_iter)
        check_seed(self.random_state)
        count_threads(self.n_jobs)

    @abstractmethod
    def _learn(self, X: Terms, n_components: int) -> int:
        """The method's own row of the table; returns how many dimensions came out."""

    def _build_graph(self, X: Terms, y: ArrayLike | None) -> Graph:
        words = nonzero_rows(X)
        labels = np.full(X.shape[0], -1) if y is None else check_labels(y, X.shape[0])
        labels = np.where(words, labels, -1)  # a document without words speaks for no class
        if words.any() and (labels[words] >= 0).all() and isinstance(self.graph, str):
            graph: Graph = classes(labels)
            say_unplaced(graph)
            return graph
        graph = self._unlabelled_graph(X, labels)
        if isinstance(graph, AgreementGraph):  # groups are there to be told apart: nothing is bridged
            say_unplaced(graph)
            return graph
        if (labels >= 0).any():
            graph = with_labels(graph, labels)
        if words.any() and (labels[words] >= 0).all():  # classes are there to be told apart: nothing is bridged
            say_unplaced(graph)
            return graph
        return repair_of_checked(graph, X, disconnected=self.disconnected, n_jobs=self.n_jobs)

    def _unlabelled_graph(self, X: Terms, labels: IntArray) -> Graph:
        n_documents = X.shape[0]
        if not isinstance(self.graph, str):
            given = as_graph(self.graph)
            if len(given) != n_documents:
                raise BadParameter(
                    f"the graph speaks of {len(given)} documents but X has {n_documents}. Build it from the same rows."
                )
            return given
        kind = check_choice("graph", self.graph, ("knn", "complete", "consensus", "auto"))
        if kind == "complete":
            return complete_of_checked(X, weight=self.weight)
        if kind in ("consensus", "auto") and n_documents >= FEWEST_TO_AGREE:
            return self._consensus(X, kind, labels)
        if self.n_neighbors is None and n_documents == 1:
            return as_graph([[1.0]])  # a corpus of one document is its own neighbourhood
        n_neighbors = min(DEFAULT_NEIGHBORS, n_documents - 1) if self.n_neighbors is None else self.n_neighbors
        return knn_of_checked(X, n_neighbors, weight=self.weight, n_jobs=self.n_jobs)

    def _consensus(self, X: Terms, kind: str, labels: IntArray) -> Graph:
        """What several views and the labels agree on: for as many groups as dimensions, or for as many as the documents have."""
        from vicinal._consensus import consensus

        wanted = getattr(self, "n_components", None)  # a selector of words has none, and no seed
        asked = wanted if isinstance(wanted, Integral) else DEFAULT_COMPONENTS
        n_groups = "auto" if kind == "auto" else max(2, min(int(asked), X.shape[0] // 3))
        return consensus(X, n_groups, labels=labels, random_state=seed_of(getattr(self, "random_state", 0)), n_jobs=self.n_jobs)


FEWEST_TO_AGREE = 20  # documents below which views of a corpus are no different, and neighbours do


def _no_matrix(X: ArrayLike, error: Exception) -> str:
    """What to say of something that is no matrix of numbers; texts are the commonest."""
    first = next(iter(X), None) if isinstance(X, list | tuple | np.ndarray) and len(X) else X
    if isinstance(first, str):
        return (
            f"documents x terms must be numbers, got text ({first[:40]!r}): could not convert string to float. Turn texts into "
            f"terms first: make_pipeline(Vectorizer(), RLPI())."
        )
    return f"{error} (documents x terms must be a matrix of numbers, one row per document.)"


def refuse_hopeless(X: Terms) -> None:
    """Raise TooFewTerms or NoVariation where nothing can tell documents apart."""
    if X.shape[1] < 2:
        raise TooFewTerms(
            f"documents with {X.shape[1]} feature(s) all point the same way; to tell them apart you need at least two terms."
        )
    if np.count_nonzero(nonzero_rows(X)) > 1 and all_alike(X):
        raise NoVariation(
            f"all {X.shape[0]} documents that have words are the same, up to length, so nothing tells them apart. Add others."
        )
