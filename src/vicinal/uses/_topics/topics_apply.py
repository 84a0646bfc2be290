"""Fit and apply in one call: the methods of `Topics` that take all that ``fit`` takes."""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

from vicinal._typing import ArrayLike, FloatArray, IntArray
from vicinal.uses._document_input import TextsOrRows, as_series
from vicinal.uses._topics.topics_evidence import Given, Views
from vicinal.uses._topics.topics_links import Pairs
from vicinal.uses._topics.topics_seeds import SeedWords


class FitAndApply:
    """An estimator that is fitted to documents and evidence, with ``labels_`` and ``transform``."""

    labels_: IntArray

    @abstractmethod
    def _fitted(self, documents: TextsOrRows, y: ArrayLike | None, given: Given) -> Self:
        """Find the clusters of documents, and return the estimator."""

    @abstractmethod
    def transform(self, documents: TextsOrRows) -> FloatArray:
        """Embed documents."""

    def fit_predict(
        self,
        documents: TextsOrRows,
        y: ArrayLike | None = None,
        *,
        embeddings: ArrayLike | None = None,
        views: Views | None = None,
        seed_words: SeedWords | None = None,
        must_link: Pairs | None = None,
        cannot_link: Pairs | None = None,
    ) -> IntArray:
        """Find the clusters of documents and return the cluster of each.

        Parameters
        ----------
        documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms)
            Texts, counts or weights, as for ``fit``.
        y : array-like of shape (n_documents,), optional
            Labels, -1 or None where a document has none.
        embeddings : array-like of shape (n_documents, n_numbers), optional
            An encoder's vectors of the documents, as for ``fit``.
        views : sequence, optional
            More evidence, as for ``fit``.
        seed_words : mapping from str to iterable of str, optional
            Words by the name of a class, as for ``fit``.
        must_link, cannot_link : iterable of (int, int), optional
            Numbers of two documents that must be in one cluster, or cannot be.

        Returns
        -------
        ndarray of int64, shape (n_documents,)
            ``labels_``.
        """
        return self._fitted(documents, y, Given(embeddings, views, seed_words, must_link, cannot_link)).labels_

    def fit_transform(
        self,
        documents: TextsOrRows,
        y: ArrayLike | None = None,
        *,
        embeddings: ArrayLike | None = None,
        views: Views | None = None,
        seed_words: SeedWords | None = None,
        must_link: Pairs | None = None,
        cannot_link: Pairs | None = None,
    ) -> FloatArray:
        """Find the clusters of documents and return the embedding of each.

        Parameters
        ----------
        documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms)
            Texts, counts or weights, as for ``fit``.
        y : array-like of shape (n_documents,), optional
            Labels, -1 or None where a document has none.
        embeddings : array-like of shape (n_documents, n_numbers), optional
            An encoder's vectors of the documents, as for ``fit``.
        views : sequence, optional
            More evidence, as for ``fit``.
        seed_words : mapping from str to iterable of str, optional
            Words by the name of a class, as for ``fit``.
        must_link, cannot_link : iterable of (int, int), optional
            Numbers of two documents that must be in one cluster, or cannot be.

        Returns
        -------
        ndarray of float64, shape (n_documents, n_components)
            The same bits as ``fit(documents, y).transform(documents)``.
        """
        documents = as_series(documents)
        return self._fitted(documents, y, Given(embeddings, views, seed_words, must_link, cannot_link)).transform(documents)
