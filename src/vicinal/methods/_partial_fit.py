"""`partial_fit`: a fit that goes on with new documents and new terms, each step from where the last one ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from vicinal._choice import Choice, is_auto
from vicinal._typing import ArrayLike, FloatArray, LabelsLike, Terms
from vicinal.graph import SparseGraph
from vicinal.graph._build import grown_knn_of_checked
from vicinal.methods._base import nothing_changed_by_errors, refuse_without_variation
from vicinal.methods._graph_method import in_memory
from vicinal.methods._more_terms import warn_of_forgetting, with_more_terms
from vicinal.methods._ridge_method import RidgeMethod
from vicinal.methods._stream import Stream
from vicinal.projection import Projection
from vicinal.spectrum import Spectrum
from vicinal.spectrum._extended import EXTENDED, extended
from vicinal.terms._block_terms import BlockTerms

NEAR_ENOUGH = 0.2  # error at which a regression to extended functions stops: further steps were measured to change no accuracy


class PartialFit(RidgeMethod):
    """A method with ``partial_fit``: neighbours are grown, the spectrum extended, and the regression begins at the old weights."""

    _stream: Stream | None = None

    def partial_fit(self, X: ArrayLike, y: LabelsLike | None = None) -> Self:
        """Learn from more documents, going on from those of earlier calls.

        The neighbour graph is that of all documents so far, with ``recall=1`` to the last bit (G17). The spectrum is extended to
        the new documents and filtered, not solved again (S9), and the regression begins at the weights that it had (P44): the
        embeddings are nearly those of a fit to all documents, for a part of its cost. Up to 500 documents they are the same.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            More documents. The terms are those of before, in the same order; new terms follow at the end, so that X may have more
            columns than it had, never fewer. ``n_features_in_`` grows with them. The first X must be one that ``fit`` takes.
        y : array-like of shape (n_documents,), optional
            Labels of these documents, as for ``fit``; documents of calls without labels are not labelled.

        Returns
        -------
        self
            The fitted estimator, with ``graph_``, ``unembedded_`` and all other attributes of all documents so far. If an error is
            raised, the estimator is unchanged.

        Raises
        ------
        BadParameter
            A parameter is out of its range, or X is in row blocks.
        BadLabels
            The labels are not one per document, or not classes.
        BadData
            X contains NaN, infinity or something that is not a number, has fewer terms than before, or other names of them.
        EmptyCorpus, TooFewDocuments, TooFewTerms, NoNeighbors, NoVariation, OneClass
            As for ``fit``, of all documents so far.

        Warns
        -----
        ForgottenDocuments
            The estimator was fitted by ``fit``, which keeps no documents, and begins anew with these.

        Notes
        -----
        All documents are kept, and an estimator that is pickled has them. ``alpha="auto"`` and ``n_components="auto"`` choose once.
        Rows keep the weights that they came with: a vectorizer whose document frequencies change does not change old rows. Fit
        anew where these have changed much; a graph other than of nearest neighbours, dense rows and labels for all documents are
        learnt from anew at each call. Where the regression is iterative, ``projection_.made_by["error"]`` is its estimated error.

        Examples
        --------
        >>> from vicinal import RLPI, Vectorizer
        >>> vectorizer = Vectorizer(min_df=1)
        >>> first = ["a red rose", "red and white rose", "a white rose market", "stock market", "the market fell", "a stock fell"]
        >>> model = RLPI(n_components=1, n_neighbors=3).partial_fit(vectorizer.partial_fit(first).transform(first))
        >>> more = ["a pink tulip and a red rose", "a pink tulip", "pink roses"]
        >>> model = model.partial_fit(vectorizer.partial_fit(more).transform(more))
        >>> (model.transform(vectorizer.transform(["tulip", "rose", "stock"]))[:, 0] > 0).tolist()
        [False, False, True]
        """
        with nothing_changed_by_errors(self):
            self._check_parameters()
            if self._stream is None and hasattr(self, "projection_"):
                warn_of_forgetting(self)
            batch = self._check_documents(X, "fit") if self._stream is None else with_more_terms(self, X)
            batch = in_memory(batch, "partial_fit")
            self._stream = Stream.of(batch, y) if self._stream is None else self._stream.joined(batch, y)
            refuse_without_variation(self._stream.X)
            self._learn_from(self._stream.X, self._stream.labels)
        return self

    def _fit_validated(self, X: ArrayLike, y: LabelsLike | None) -> Terms:
        with nothing_changed_by_errors(self):
            self.__dict__.pop("_stream", None)
            return super()._fit_validated(X, y)

    def _neighbor_graph(self, X: Terms, n_neighbors: int) -> SparseGraph:
        if self._stream is None:
            return super()._neighbor_graph(X, n_neighbors)
        before = self._stream.near
        graph, near = grown_knn_of_checked(X, n_neighbors, before, weight=self.weight, recall=self.recall, n_jobs=self.n_jobs)
        self._stream = replace(self._stream, near=near)
        return graph

    def _choose_n_components(self, X: Terms | BlockTerms, n_embedded: int) -> Choice:
        chosen = self.n_components_evidence_ if self._goes_on() else None
        return super()._choose_n_components(X, n_embedded) if chosen is None else chosen

    def _choose_alpha(self, X: Terms | BlockTerms, n_components: int) -> None:
        if not (is_auto(self.alpha) and self._goes_on() and self.alpha_evidence_ is not None):
            super()._choose_alpha(X, n_components)

    def _goes_on(self) -> bool:
        """Whether something was learnt before."""
        return self._stream is not None and self._stream.weights is not None

    def _regressed(self, X: Terms | BlockTerms, responses: Spectrum, tol: float, start: FloatArray | None = None) -> Projection:
        stream = self._stream
        if stream is None:
            return super()._regressed(X, responses, tol, start)
        enough = max(tol, NEAR_ENOUGH) if responses.solver == EXTENDED else tol
        projection = super()._regressed(X, responses, enough, stream.start(responses))
        self._stream = stream.learnt(projection.weights, self.graph_.degrees)
        return projection

    def _solve_spectrum(self, n_components: int, *, solver: str, tol: float = 1e-10, max_iter: int | None = None) -> Spectrum:
        stream, found = self._stream, None
        if stream is not None and stream.functions is not None:
            found = extended(self.graph_, stream.functions, n_components, random_state=self.random_state)
        if found is None:
            found = super()._solve_spectrum(n_components, solver=solver, tol=tol, max_iter=max_iter)
        if stream is not None:
            self._stream = replace(stream, found=found)
        return found.first(n_components)
