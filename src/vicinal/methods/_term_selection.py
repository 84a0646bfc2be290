"""LaplacianScore: selection of terms by their smoothness on the neighbour graph; and LPI on the selected terms."""

from __future__ import annotations

from typing import Self, final

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.validation import check_is_fitted

from vicinal._threads import count_threads
from vicinal._typing import ArrayLike, BoolArray, FloatArray, LabelsLike, RandomState, Terms
from vicinal._validate import check_choice, check_count
from vicinal._warn import warn
from vicinal.errors import FewerComponents
from vicinal.graph._edges import WEIGHTS
from vicinal.graph._joining import DISCONNECTED
from vicinal.methods._graph_method import GraphLike, GraphMethod
from vicinal.methods._locality_preserving import LPI
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.projection._laplacian_score import scores_of_checked, smoothest_terms


@final
@with_shared_docs
class LaplacianScore(SelectorMixin, GraphMethod):
    """Select the terms with the smallest Laplacian scores: those whose weights are similar in neighbouring documents [1]_.

    The score of a term with column x is xᵀLx / xᵀDx, with L = D - W (L1). This is a selector as those of
    scikit-learn: ``transform`` returns columns of X.

    Parameters
    ----------
    n_terms : int or None, default=None
        Number of terms to select; None: half of them. Of equal scores the earlier term is selected.
    {n_neighbors}
    {weight}
    graph : {"knn", "complete", "consensus", "auto"}, Graph or array-like, default="knn"
        The neighbour graph: how to build it from X, a :class:`~vicinal.graph.Graph`, or a symmetric matrix of weights.
    centered : bool, default=False
        Whether the mean weight of a term is subtracted before its size is measured (L2). False, as in [2]_, favours
        terms that many documents use; True, as in [1]_, does not.
    {disconnected}
    {n_jobs}

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Score of each term; smaller is smoother. NaN, and never selected: a term that no document of the graph uses
        and, if centred, one that has the same weight in all of them.
    support_ : ndarray of bool, shape (n_features,)
        Mask of the selected terms.
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] X. He, D. Cai and P. Niyogi. Laplacian score for feature selection. Advances in Neural Information
       Processing Systems 18, 2005. Section 2.
    .. [2] Q. Gu, M. Danilevsky, Z. Li and J. Han. Locality preserving feature learning. AISTATS 2012, section 2.2.

    Examples
    --------
    >>> from vicinal import LaplacianScore
    {example_texts}
    >>> LaplacianScore(n_terms=8, n_neighbors=2).fit_transform(X).shape
    (6, 8)
    """

    scores_: FloatArray

    def __init__(
        self,
        n_terms: int | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: GraphLike = "knn",
        centered: bool = False,
        disconnected: str = "bridge",
        n_jobs: int | None = None,
    ) -> None:
        self.n_terms = n_terms
        self.n_neighbors = n_neighbors
        self.weight = weight
        self.graph = graph
        self.centered = centered
        self.disconnected = disconnected
        self.n_jobs = n_jobs

    def fit(self, X: ArrayLike, y: LabelsLike | None = None) -> Self:
        """Score the terms of documents on their neighbour graph, and select the smoothest.

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
            The fitted selector. If an error is raised, it is unchanged.

        Raises
        ------
        BadParameter
            A parameter is out of its range, or the given graph has another number of documents.
        BadData
            X contains NaN, infinity or something that is not a number.
        BadLabels
            The labels are not one per document, or not classes.
        EmptyCorpus, TooFewDocuments, TooFewTerms, NoNeighbors, NoVariation, OneClass
            No graph can be built from the documents, as for the methods that use one.
        """
        return super().fit(X, y)

    def _learn_from(self, X: Terms, y: LabelsLike | None) -> None:
        wanted = (X.shape[1] + 1) // 2 if self.n_terms is None else self.n_terms
        graph = self._build_graph(X, y)
        self.graph_, self.unembedded_ = graph, ~graph.has_edges
        found = self._learn(X, wanted)
        if self.n_terms is not None and found < wanted:
            warn(
                f"asked for {wanted} terms but {found} of {X.shape[1]} have a score: the others are in no document of the "
                f"graph, or have the same weight in all. Continuing with {found}.",
                FewerComponents,
            )

    def _check_parameters(self) -> None:
        for name in ("n_terms", "n_neighbors"):
            if getattr(self, name) is not None:
                check_count(name, getattr(self, name))
        check_choice("weight", self.weight, WEIGHTS)
        check_choice("disconnected", self.disconnected, DISCONNECTED)
        count_threads(self.n_jobs)

    def _learn(self, X: Terms, n_components: int) -> int:
        self.scores_ = scores_of_checked(X, self.graph_, centered=self.centered)
        self.support_ = smoothest_terms(self.scores_, n_components)
        return int(np.count_nonzero(self.support_))

    def transform(self, X: ArrayLike) -> Terms:
        """Return the columns of the selected terms.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            Weights of the same terms as in ``fit``.

        Returns
        -------
        ndarray or sparse matrix of shape (n_documents, n_selected)
            The selected columns of X, unchanged.

        Raises
        ------
        NotFittedError
            It is called before ``fit``.
        BadData
            X contains NaN, infinity or something that is not a number, or has another number of terms.
        """
        check_is_fitted(self, "support_")
        self._check_documents(X, "transform")  # names row and column of what is not a number
        selected: Terms = super().transform(X)
        return selected

    def _get_support_mask(self) -> BoolArray:
        check_is_fitted(self, "support_")
        return self.support_


def laplacian_score_lpi(
    n_terms: int | None = None,
    n_components: int | str | None = None,
    *,
    centered: bool = False,
    n_neighbors: int | None = None,
    weight: str = "cosine",
    graph: GraphLike = "knn",
    alpha: float = 0.0,
    solver: str = "auto",
    tol: float = 1e-10,
    max_iter: int | None = None,
    disconnected: str = "bridge",
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> Pipeline:
    """Make a pipeline that selects terms by their Laplacian score and fits LPI to them: LS+LPI.

    Each step builds the neighbour graph from the terms that it sees; a given graph serves both [1]_.

    Parameters
    ----------
    n_terms : int or None, default=None
        Number of terms to select; None: half of them.
    n_components : int, "auto" or None, default=None
        Number of components of :class:`LPI`.
    centered : bool, default=False
        Whether the mean weight of a term is subtracted before its size is measured (L2).
    n_neighbors : int or None, default=None
        Number of nearest neighbours of each document, in both steps. None: 7.
    weight : {"cosine", "dot", "heat", "binary"}, default="cosine"
        Weight of an edge between neighbours, in both steps.
    graph : {"knn", "complete", "consensus", "auto"}, Graph or array-like, default="knn"
        The neighbour graph of both steps.
    alpha : float, default=0.0
        Strength of the ridge penalty of :class:`LPI`.
    solver : {"auto", "dense", "lanczos"}, default="auto"
        Solver of the generalised eigenproblem of :class:`LPI`.
    tol : float, default=1e-10
        Relative residual of an eigenvector at which "lanczos" stops.
    max_iter : int or None, default=None
        Maximum number of iterations of "lanczos".
    disconnected : {"bridge", "keep", "apart"}, default="bridge"
        What to do when the graph has several connected components, in both steps.
    n_jobs : int or None, default=None
        Number of threads. The result does not depend on it.
    random_state : int, RandomState or None, default=0
        Random seed of :class:`LPI`.

    Returns
    -------
    Pipeline
        A scikit-learn pipeline with the steps ``laplacianscore`` and ``lpi``; ``fit(X, y)`` passes labels to both.

    References
    ----------
    .. [1] Q. Gu, M. Danilevsky, Z. Li and J. Han. Locality preserving feature learning. AISTATS 2012, section 5.

    Examples
    --------
    >>> from vicinal import Vectorizer, laplacian_score_lpi
    >>> texts = ["cats chase mice at night", "mice fear cats", "cats sleep, mice hide at night",
    ...          "stocks fall at night", "bonds and stocks fall", "banks sell stocks and bonds"]
    >>> X = Vectorizer(min_df=1).fit_transform(texts)
    >>> laplacian_score_lpi(n_terms=8, n_components=1, n_neighbors=2).fit_transform(X).shape
    (6, 1)
    """
    selector = LaplacianScore(
        n_terms,
        n_neighbors=n_neighbors,
        weight=weight,
        graph=graph,
        centered=centered,
        disconnected=disconnected,
        n_jobs=n_jobs,
    )
    indexing = LPI(
        n_components,
        n_neighbors=n_neighbors,
        weight=weight,
        graph=graph,
        alpha=alpha,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        disconnected=disconnected,
        n_jobs=n_jobs,
        random_state=random_state,
    )
    return make_pipeline(selector, indexing)
