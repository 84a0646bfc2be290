"""Base class of the estimators that learn from a neighbour graph: building the graph, its spectrum, labels."""

from __future__ import annotations

from abc import abstractmethod
from numbers import Integral
from typing import ClassVar, Self, TypeAlias

import numpy as np

from vicinal._choice import Choice, is_auto
from vicinal._matrix import nonzero_rows
from vicinal._threads import count_threads
from vicinal._typing import ArrayLike, BoolArray, IntArray, LabelsLike, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_labels, check_limit, check_number, check_seed, check_share, seed_of
from vicinal.errors import BadParameter, NoVariation
from vicinal.graph import AgreementGraph, ClassGraph, Graph, SparseGraph, as_graph
from vicinal.graph._build import complete_of_checked, knn_of_blocks, knn_of_checked
from vicinal.graph._combine import classes_of_checked, with_labels_of_checked
from vicinal.graph._edges import WEIGHTS, EdgeWeight
from vicinal.graph._joining import DISCONNECTED, repair_of_checked, warn_unembedded
from vicinal.methods._base import DEFAULT_COMPONENTS, Method
from vicinal.projection._model_selection.n_components import n_components_of_checked
from vicinal.spectrum import Spectrum
from vicinal.spectrum._eigensolvers import EIGENSOLVERS
from vicinal.spectrum._solve import smoothest
from vicinal.terms._block_terms import BlockTerms

DEFAULT_NEIGHBORS = 7
FEWEST_FOR_CONSENSUS = 20  # documents below which the views of a consensus do not differ, and nearest neighbours are used
GRAPHS = ("knn", "complete", "consensus", "auto")

#: The name of a way to build a graph, a graph, or a matrix of weights.
GraphLike: TypeAlias = "str | Graph | ArrayLike"


class GraphMethod(Method):
    """A method that learns from a graph: nearest neighbours, classes, a mixture of both, or a given graph."""

    graph_: Graph
    unembedded_: BoolArray
    n_components_: int
    n_components_evidence_: Choice | None
    _solvers: ClassVar[tuple[str, ...]] = ("auto", *EIGENSOLVERS)
    recall: float = 1.0  # a parameter of those methods that large corpora are for

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: GraphLike = "knn",
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

    def fit(self, X: ArrayLike, y: LabelsLike | None = None) -> Self:
        """Fit the method to documents, and to their labels where there are any.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            Weights of the terms of each document. The input is not modified.
        y : array-like of shape (n_documents,), optional
            Labels; -1 or None for a document that is not labelled. If all documents are labelled, the graph joins the
            documents of each class. If some are, or if a graph is given, both are mixed: neighbours, and documents of
            one class.

        Returns
        -------
        self
            The fitted estimator. If an error is raised, the estimator is unchanged.

        Raises
        ------
        BadParameter
            A parameter is out of its range, or the given graph has another number of documents.
        BadLabels
            The labels are not one per document, or not classes.
        BadData
            X contains NaN, infinity or something that is not a number.
        EmptyCorpus, TooFewDocuments, TooFewTerms
            X has no documents or terms, no more documents than ``n_neighbors``, or a single term.
        NoNeighbors, NoVariation, OneClass
            No two documents share a term, all documents are the same, or all labels are.
        """
        return super().fit(X, y)

    def _learn_from(self, X: Terms, y: LabelsLike | None) -> None:
        graph = self._build_graph(X, y)
        n_embedded = int(graph.has_edges.sum())
        self.graph_, self.unembedded_ = graph, ~graph.has_edges
        self.n_components_evidence_ = self._choose_n_components(X, n_embedded) if is_auto(self.n_components) else None
        found = self.n_components_ = self._learn(X, self._wanted(min(n_embedded, X.shape[1])))
        self._say_fewer(found, f"{n_embedded} embedded documents x {X.shape[1]} terms, and the graph that joins them, give no more")

    def _choose_n_components(self, X: Terms | BlockTerms, n_embedded: int) -> Choice:
        X = in_memory(X, 'n_components="auto"')
        most = max(1, min(n_embedded - 1, X.shape[1]))
        return n_components_of_checked(
            X, self.graph_, most, usual=DEFAULT_COMPONENTS, apart=self.disconnected == "apart", n_jobs=self.n_jobs
        )

    def _asked(self) -> int:
        return super()._asked() if self.n_components_evidence_ is None else int(self.n_components_evidence_.chosen)

    def _check_parameters(self) -> None:
        if not is_auto(self.n_components):
            self._check_n_components()
        if self.n_neighbors is not None:
            check_count("n_neighbors", self.n_neighbors)
        check_share("recall", self.recall)
        check_choice("weight", self.weight, WEIGHTS)
        check_choice("disconnected", self.disconnected, DISCONNECTED)
        check_choice("solver", self.solver, self._solvers)
        check_number("tol", self.tol)
        check_limit(self.max_iter)
        check_seed(self.random_state)
        count_threads(self.n_jobs)

    @abstractmethod
    def _learn(self, X: Terms, n_components: int) -> int:
        """Set the fitted attributes from X and ``graph_``; returns the number of components found."""

    def _solve_spectrum(self, n_components: int, *, solver: str, tol: float = 1e-10, max_iter: int | None = None) -> Spectrum:
        """The smoothest functions on ``graph_``: the responses of a regression."""
        apart = "apart" if self._embeds_apart() else "keep"
        return smoothest(
            self.graph_,
            n_components,
            disconnected=apart,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            random_state=self.random_state,
        )

    def _embeds_apart(self) -> bool:
        """Whether each connected component is embedded by itself; classes and clusters are always told apart."""
        return bool(self.disconnected == "apart" and not isinstance(self.graph_, ClassGraph | AgreementGraph))

    def _build_graph(self, X: Terms | BlockTerms, y: LabelsLike | None) -> Graph:
        has_terms = X.filled if isinstance(X, BlockTerms) else nonzero_rows(X)
        labels = np.full(X.shape[0], -1) if y is None else check_labels(y, X.shape[0])
        labels = np.where(has_terms, labels, -1)  # a document without terms counts for no class
        all_labelled = bool(has_terms.any() and (labels[has_terms] >= 0).all())
        if all_labelled and isinstance(self.graph, str):
            return _embeddable(classes_of_checked(labels))
        graph = self._unlabelled_graph(X, labels)
        if isinstance(graph, AgreementGraph):  # its connected components are clusters, and stay apart
            return _embeddable(graph)
        if (labels >= 0).any():
            graph = with_labels_of_checked(graph, labels)
        if all_labelled:  # its connected components are classes, and stay apart
            return _embeddable(graph)
        by_length = isinstance(self.graph, str) and EdgeWeight(self.weight).of_lengths
        return repair_of_checked(graph, X, disconnected=self.disconnected, by_length=by_length, n_jobs=self.n_jobs)

    def _unlabelled_graph(self, X: Terms | BlockTerms, labels: IntArray) -> Graph:
        n_documents = X.shape[0]
        if not isinstance(self.graph, str):
            return self._given_graph(n_documents)
        kind = check_choice("graph", self.graph, GRAPHS)
        if kind == "complete":
            return complete_of_checked(in_memory(X, 'graph="complete"'), weight=self.weight)
        if kind in ("consensus", "auto") and n_documents >= FEWEST_FOR_CONSENSUS:
            return self._consensus(in_memory(X, f'graph="{kind}"'), kind, labels)
        if self.n_neighbors is None and n_documents == 1:
            return as_graph([[1.0]])  # a corpus of one document is its own neighbourhood
        k = min(DEFAULT_NEIGHBORS, n_documents - 1) if self.n_neighbors is None else int(self.n_neighbors)
        if isinstance(X, BlockTerms):
            return knn_of_blocks(X, k, weight=self.weight)
        return self._neighbor_graph(X, k)

    def _neighbor_graph(self, X: Terms, n_neighbors: int) -> SparseGraph:
        """The nearest neighbours of documents in memory."""
        return knn_of_checked(X, n_neighbors, weight=self.weight, recall=self.recall, n_jobs=self.n_jobs)

    def _given_graph(self, n_documents: int) -> Graph:
        given = as_graph(self.graph)
        if len(given) != n_documents:
            raise BadParameter(f"the graph has {len(given)} documents but X has {n_documents}. Build it from the same rows.")
        return given

    def _consensus(self, X: Terms, kind: str, labels: IntArray) -> Graph:
        """The agreement of several clusterings: with as many clusters as components, or a number chosen automatically."""
        from vicinal._consensus.consensus import consensus

        wanted = getattr(self, "n_components", None)  # a selector of terms has neither n_components nor random_state
        asked = wanted if isinstance(wanted, Integral) else DEFAULT_COMPONENTS
        n_clusters = "auto" if kind == "auto" else max(2, min(int(asked), X.shape[0] // 3))
        seed = seed_of(getattr(self, "random_state", 0))
        graph = consensus(X, n_clusters, labels=labels, random_state=seed, n_jobs=self.n_jobs)
        _refuse_one_cluster(graph, kind)
        return graph


def _refuse_one_cluster(graph: AgreementGraph, kind: str) -> None:
    """NoVariation where every clustering has all documents in one cluster: no function but a constant is smooth on such a graph."""
    sizes = np.bincount(graph.factor.indices)
    if np.all(sizes[sizes > 0] == np.count_nonzero(graph.has_edges)):
        raise NoVariation(
            f'graph="{kind}" tells none of the {len(graph)} documents apart: every clustering puts all of them into one cluster, '
            'as it does where which terms a document has says nothing. Use graph="knn", or other weights.'
        )


def in_memory(X: Terms | BlockTerms, what: str) -> Terms:
    """X itself, or BadParameter where it is in row blocks and something asks for all of it."""
    if isinstance(X, BlockTerms):
        raise BadParameter(
            f"{what} needs all of X in memory, got X in {len(X.blocks)} row blocks, or an engine. Choose another value, or pass a "
            f"matrix and no engine."
        )
    return X


def _embeddable(graph: Graph) -> Graph:
    """The same graph, with a warning about documents outside of it and an error if all are."""
    warn_unembedded(graph)
    return graph
