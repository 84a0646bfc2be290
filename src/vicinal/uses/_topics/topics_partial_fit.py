"""`Topics.partial_fit`: clusters that keep their numbers while documents and terms come."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np

from vicinal._consensus import ClusterRule
from vicinal._matrix import nonzero_rows
from vicinal._probabilities import normalized_entropy
from vicinal._progress import Progress, silent
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, LabelsLike, TermNames, Terms
from vicinal.errors import BadData, BadLabels
from vicinal.methods._base import nothing_changed_by_errors
from vicinal.methods._more_terms import warn_of_forgetting, with_more_terms
from vicinal.projection import Projection
from vicinal.projection._projection import embed
from vicinal.uses._document_input import DocumentMethod, TextsOrRows, are_texts, as_series, classes_of, is_empty_series
from vicinal.uses._topics.topics_evidence import NOTHING, Given
from vicinal.uses._topics.topics_fit import log_memberships_of, typicality_of
from vicinal.uses._topics.topics_stream import (
    TopicStream,
    assigned,
    counted_again,
    grown_reader,
    lead_of_others,
    leads,
    wider_rule,
    with_new_columns,
    with_weights_of_new_terms,
)


class GoingOn(DocumentMethod):
    """Clusters found by ``fit``, with ``partial_fit``."""

    n_jobs: int | None
    rule_: ClusterRule
    projection_: Projection
    views_: Any
    classes_: Any
    sample_: IntArray | None
    n_clusters_: int
    labels_: IntArray
    sizes_: IntArray
    uncertainty_: FloatArray
    typicality_: FloatArray
    outgrown_: float
    terms_: TermNames
    _stream: TopicStream | None = None

    def partial_fit(self, documents: TextsOrRows, y: LabelsLike | None = None) -> Self:
        """Assign more documents to the clusters that there are, and count terms again: numbers of clusters stay (V24).

        The first call finds the clusters, as ``fit`` does. Later ones find none: documents get the cluster that their terms
        choose, terms of all documents so far are counted again, and terms that were not known before get weights.

        Parameters
        ----------
        documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms)
            More documents, of the same kind as the first. New words of texts get columns at the end, as ``Vectorizer.partial_fit``
            adds them; a matrix may have more columns than before at its end, never fewer.
        y : array-like of shape (n_documents,), optional
            Labels, -1 or None where a document has none; after the first call, of the classes that there are.

        Returns
        -------
        self
            ``labels_``, ``uncertainty_`` and ``typicality_`` are of all documents so far. ``tree_``, ``views_`` and
            ``stability_`` stay those of the first call, and ``outgrown_`` says when a fit to all documents pays.

        Raises
        ------
        BadData
            The documents are of another kind than the first, or have fewer terms or other names of them.
        BadLabels
            The labels are not one per document, or of a class that is not there.
        VicinalError
            What ``fit`` raises, in the first call.

        Warns
        -----
        ForgottenDocuments
            The estimator was fitted by ``fit``, which keeps no documents, and begins anew with these.

        Examples
        --------
        >>> from vicinal import Topics
        >>> texts = ["red rose in the garden", "a white rose garden", "garden rose red", "rose white",
        ...          "stock market price", "market price falls", "stock price", "price of the market stock"]
        >>> topics = Topics(n_clusters=2).partial_fit(texts)
        >>> more = ["tulip garden", "a tulip and a rose", "white tulip in the garden"]
        >>> topics.partial_fit(more).labels_[-3:].tolist(), topics.predict(["tulip"]).tolist()
        ([1, 1, 1], [1])
        """
        with nothing_changed_by_errors(self), single_threaded_libraries():
            if self._stream is None:
                self._begin_stream(documents, y)
            else:
                self._go_on(self._stream, documents, y)
        return self

    def _begin_stream(self, documents: TextsOrRows, y: LabelsLike | None) -> None:
        if hasattr(self, "rule_"):
            warn_of_forgetting(self)
        rows = self._begin(documents, y, silent, NOTHING)
        fixed, self.outgrown_ = self._clusters_of(y, rows.shape[0]), 0.0
        lead = lead_of_others(self._reader.rule_input(rows), self.labels_, self.rule_, self._reader.countable, self.projection_)
        self._stream = TopicStream(rows.copy(), fixed, lead)

    def _go_on(self, stream: TopicStream, documents: TextsOrRows, y: LabelsLike | None) -> None:
        batch = self._read_more(documents)
        self.sample_ = np.arange(stream.rows.shape[0]) if self.sample_ is None else self.sample_  # whom the views are of
        rule = wider_rule(self.rule_, batch.shape[1])
        stream = stream.joined(batch, self._clusters_of(y, batch.shape[0]), leads(rule, self._reader.rule_input(batch)))
        X, rows = self._reader.weights_in_kind(stream.rows), self._reader.rule_input(stream.rows)
        labels = assigned(rule, rows, stream.fixed)
        labels[: len(self.labels_)] = self.labels_
        projection = with_weights_of_new_terms(self.projection_, X, labels, self.n_jobs)
        rule = counted_again(rule, rows, labels, stream.fixed, self._reader.countable, projection, self.n_jobs)
        if self.terms_ is not None:
            projection, rule = projection.named(self.terms_), replace(rule, scores=rule.scores.named(self.terms_))
        self.rule_, self.projection_, self.labels_ = rule, projection, assigned(rule, rows, stream.fixed)
        self.sizes_ = np.bincount(self.labels_[self.labels_ >= 0], minlength=self.n_clusters_).astype(np.int64)
        self.uncertainty_ = normalized_entropy(log_memberships_of(rule, rows, self.views_, self.sample_))
        self.typicality_ = typicality_of(embed(projection, X), self.labels_, self.n_clusters_)
        self.unembedded_ = ~nonzero_rows(X)
        self._stream, self.outgrown_ = stream, stream.outgrown

    def _read_more(self, documents: TextsOrRows) -> Terms:
        """A batch as rows of all terms so far; sets the reader and the terms."""
        series = as_series(documents)
        texts = are_texts(series) or is_empty_series(series)
        if texts != (self._reader.vectorizer is not None):
            first, now = ("rows of numbers", "texts") if texts else ("texts", type(documents).__name__)
            raise BadData(f"partial_fit began with {first}, got {now}. Pass documents of the same kind.")
        if texts:
            self._reader, rows = grown_reader(self._reader, series)
            self.terms_ = self._reader.vocabulary
            return rows
        rows = with_more_terms(self, series)
        self._reader = with_new_columns(self._reader, rows)
        self.terms_ = getattr(self, "feature_names_in_", None)
        return rows

    def _clusters_of(self, y: LabelsLike | None, n_documents: int) -> IntArray:
        """The cluster of each labelled document of a batch, -1 for others."""
        clusters = np.full(n_documents, -1, dtype=np.int64)
        if y is None:
            return clusters
        names, codes = classes_of(y, n_documents)
        there = [] if self.classes_ is None else list(self.classes_)
        unknown = [name for name in names if name not in there]
        if unknown:
            raise BadLabels(
                f"y must hold labels of the classes that the first documents had, got {unknown[0]!r}. A class is a cluster, and "
                f"partial_fit finds none: use fit with all documents."
            )
        known = codes >= 0
        clusters[known] = np.array([there.index(name) for name in names], dtype=np.int64)[codes[known]]
        return clusters

    @abstractmethod
    def _begin(self, documents: TextsOrRows, y: LabelsLike | None, progress: Progress, given: Given) -> Terms:
        """Find the clusters, and return the rows as the reader reads them."""
