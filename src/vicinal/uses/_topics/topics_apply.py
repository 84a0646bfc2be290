"""Fit and apply in one call: the methods of `Topics` that take all that ``fit`` takes."""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

from vicinal._typing import ArrayLike, FloatArray, IntArray, LabelsLike
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.uses._document_input import TextsOrRows, as_series
from vicinal.uses._topics.topics_evidence import Given, Views
from vicinal.uses._topics.topics_links import Pairs
from vicinal.uses._topics.topics_seeds import SeedWords


class FitAndApply:
    """An estimator that is fitted to documents and evidence, with ``labels_`` and ``transform``."""

    labels_: IntArray

    @abstractmethod
    def _fitted(self, documents: TextsOrRows, y: LabelsLike | None, given: Given) -> Self:
        """Find the clusters of documents, and return the estimator."""

    @abstractmethod
    def transform(self, documents: TextsOrRows) -> FloatArray:
        """Embed documents."""

    @with_shared_docs
    def fit_predict(
        self,
        documents: TextsOrRows,
        y: LabelsLike | None = None,
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
        {clustered}

        Returns
        -------
        ndarray of int64, shape (n_documents,)
            ``labels_``.
        """
        return self._fitted(documents, y, Given(embeddings, views, seed_words, must_link, cannot_link)).labels_

    @with_shared_docs
    def fit_transform(
        self,
        documents: TextsOrRows,
        y: LabelsLike | None = None,
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
        {clustered}

        Returns
        -------
        ndarray of float64, shape (n_documents, n_components)
            The same bits as ``fit(documents, y).transform(documents)``.
        """
        documents = as_series(documents)
        return self._fitted(documents, y, Given(embeddings, views, seed_words, must_link, cannot_link)).transform(documents)
