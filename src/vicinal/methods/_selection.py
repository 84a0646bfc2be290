"""LaplacianScore: the row that ranks words; and words chosen by it followed by LPI."""

from __future__ import annotations

from typing import Any, Self, final

import numpy as np
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils.validation import check_is_fitted

from vicinal._threads import count_threads
from vicinal._typing import ArrayLike, BoolArray, FloatArray, Terms
from vicinal._validate import check_choice, check_count
from vicinal._warn import warn
from vicinal.errors import FewerComponents
from vicinal.graph._edges import WEIGHTS
from vicinal.graph._repair import DISCONNECTED
from vicinal.methods._estimator import GraphMethod, nothing_changed_by_errors, refuse_hopeless
from vicinal.methods._pencils import LPI
from vicinal.projection._laplacian_score import scores_of_checked, smoothest_terms

SHARED = ("n_neighbors", "weight", "graph", "disconnected", "n_jobs")  # what LaplacianScore and LPI both take


@final
class LaplacianScore(SelectorMixin, GraphMethod):
    """Keep the words that are used alike by neighbours, each judged by itself: the smallest Laplacian scores (L1).

    A selector as those of scikit-learn: what comes out are columns of X, not dimensions.

    Parameters
    ----------
    n_terms : int, optional
        How many words to keep; half of them by default. Of equal scores the earlier word is kept.
    centered : bool
        Whether each word's mean weight is taken off before its size is measured (L2). False, as in AISTATS 2012, favours words that
        many documents use. True, as first published, forgives no word for being everywhere.
    n_neighbors, weight, graph, disconnected, n_jobs
        See the page of :mod:`vicinal.methods`; labels are given to ``fit`` as everywhere.

    Attributes
    ----------
    scores_ : array (n_features,)
        Score of each word; smaller is smoother. nan for a word that no document of the graph uses and, where centred, for one that
        weighs the same in all of them. Such a word is never kept.
    graph_, unembedded_, n_features_in_, feature_names_in_
        As everywhere.
    """

    scores_: FloatArray

    def __init__(
        self,
        n_terms: int | None = None,
        *,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: Any = "knn",
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

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Score the words of documents, by the neighbours of the documents and by labels where there are any.

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
            wanted = (X.shape[1] + 1) // 2 if self.n_terms is None else self.n_terms
            graph = self._build_graph(X, y)
            self.graph_, self.unembedded_ = graph, ~graph.has_edges
            found = self._learn(X, wanted)
            if self.n_terms is not None and found < wanted:
                warn(
                    f"asked for {wanted} terms but {found} of {X.shape[1]} have a score: the others are in no document of the "
                    f"graph, or alike in all. Continuing with {found}.",
                    FewerComponents,
                )
        return self

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
        """Keep the chosen columns, as they are.

        Parameters
        ----------
        X : documents x terms, sparse or dense

        Returns
        -------
        CSR array or matrix, or array (documents, terms kept)
        """
        check_is_fitted(self, "support_")
        self._check_documents(X, "transform")  # says row and column of what is not a number
        return super().transform(X)

    def _get_support_mask(self) -> BoolArray:
        check_is_fitted(self, "support_")
        return self.support_


def laplacian_score_lpi(n_terms: int | None = None, *, centered: bool = False, **lpi: Any) -> Pipeline:
    """Make a pipeline that keeps the words with the smallest Laplacian scores and learns LPI from them: LS+LPI.

    Parameters
    ----------
    n_terms, centered
        As in :class:`LaplacianScore`.
    **lpi
        Parameters of :class:`LPI`; those about the graph are given to both steps. Each step finds the neighbours among the words
        that it sees; a graph that is given serves both.

    Returns
    -------
    sklearn.pipeline.Pipeline
        With the steps ``laplacianscore`` and ``lpi``; ``fit(X, y)`` hands labels to both.
    """
    shared = {name: value for name, value in lpi.items() if name in SHARED}
    return make_pipeline(LaplacianScore(n_terms, centered=centered, **shared), LPI(**lpi))
