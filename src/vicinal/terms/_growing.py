"""`partial_fit` of a vectorizer: terms of new documents follow those that are known, and statistics go on being counted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np

from vicinal._typing import IntArray, SparseMatrix
from vicinal.terms._schemes import SCHEMES
from vicinal.terms._vocabulary import TermLimits, document_frequencies, merge_columns, refuse_without_terms
from vicinal.terms._weight import Weighting, local_times_global, row_sums


class GrowingVocabulary:
    """A vectorizer that goes on learning; columns never move, so rows of before are those of now with zeros behind them."""

    vocabulary_: dict[str, int]
    weight_: Weighting
    language_: tuple[str, ...]
    _left_out: dict[str, int]  # in how many documents each term was that has no column

    def partial_fit(self, documents: Iterable[str], y: object = None) -> Self:
        """Learn from more documents: terms that reach ``min_df`` get columns at the end, and document frequencies are counted on.

        Parameters
        ----------
        documents : iterable of str
            The texts; they are read once, one after the other. Those of the first call are learnt from as by ``fit``.
        y : object, default=None
            Ignored.

        Returns
        -------
        self
            This vectorizer; all that was there before keeps its column.

        Raises
        ------
        VicinalError
            As in ``fit``.

        Notes
        -----
        A term gets a column as soon as it is within ``min_df`` and ``max_df`` of all documents so far, those of ``partial_fit`` or
        of a ``fit`` before it, after which rare terms are counted from then on. Rows made before have no entry there, and have the
        weights of their time. The language stays that of the first call, a known term stays where it becomes more frequent than
        ``max_df``, and with ``max_terms`` terms there are no new ones.

        Examples
        --------
        >>> from vicinal import Vectorizer
        >>> vectorizer = Vectorizer(min_df=1).partial_fit(["a red rose", "a white rose", "wine", "white wine"])
        >>> list(vectorizer.partial_fit(["a pink rose"]).terms_)
        ['red', 'rose', 'white', 'wine', 'pink']
        """
        self._grow(documents)
        return self

    def _grow(self, documents: Iterable[str]) -> SparseMatrix:
        """As ``partial_fit``; the counts of the documents, in the columns that there are then."""
        if not hasattr(self, "vocabulary_"):
            return self._learn(documents, rare=True)
        limits = self._check_parameters()[0]
        counts, tokens = self._count(documents, self.language_)
        refuse_without_terms((counts.shape[0], 1))  # a batch without a term is one
        counts, terms = self._merge_terms(counts, tokens, self.language_)
        frequencies = document_frequencies(counts)
        before = self.__dict__.get("_left_out", {})
        seen = {
            term: before.get(term, 0) + int(df) for term, df in zip(terms, frequencies, strict=True) if term not in self.vocabulary_
        }
        n_documents = self.weight_.n_documents_ + counts.shape[0]
        new = limits.entering(seen, n_documents, len(self.vocabulary_))
        known = {**self.vocabulary_, **{term: len(self.vocabulary_) + place for place, term in enumerate(new)}}
        counts = merge_columns(counts, [known.get(term, -1) for term in terms], len(known)).astype(np.float64)
        earlier = np.array([before.get(term, 0) for term in new], dtype=np.int64)
        self._set_vocabulary(list(known), grown_weights(self.weight_, counts, earlier))
        self._left_out = {term: df for term, df in {**before, **seen}.items() if term not in known}
        return counts

    @abstractmethod
    def _learn(self, documents: Iterable[str], rare: bool = False) -> SparseMatrix:
        """Set all fitted attributes, and return the counts."""

    @abstractmethod
    def _check_parameters(self) -> tuple[TermLimits, Weighting]:
        """Refuse impossible parameters."""

    @abstractmethod
    def _count(self, documents: Iterable[object], language: tuple[str, ...]) -> tuple[SparseMatrix, list[str]]:
        """Counts of tokens, and the tokens."""

    @abstractmethod
    def _merge_terms(self, counts: SparseMatrix, tokens: list[str], language: tuple[str, ...]) -> tuple[SparseMatrix, list[str]]:
        """Counts of terms, and the terms."""

    @abstractmethod
    def _set_vocabulary(self, terms: Sequence[str], weighting: Weighting) -> None:
        """Set what is learnt."""


def grown_weights(before: Weighting, counts: SparseMatrix, earlier: IntArray) -> Weighting:
    """The weighting of the documents of before and more, in which new terms are in ``earlier`` documents before these."""
    made = Weighting(before.scheme, k1=before.k1, b=before.b, unit=before.unit)
    scheme, n_before = SCHEMES[before.scheme], before.n_documents_
    made.n_documents_, made.n_features_in_ = n_before + counts.shape[0], int(counts.shape[1])
    made.document_frequencies_ = np.append(before.document_frequencies_, earlier) + document_frequencies(counts)
    made.average_length_ = float((before.average_length_ * n_before + np.sum(row_sums(counts))) / made.n_documents_)
    made.idf_ = scheme.idf(made.document_frequencies_, made.n_documents_) if scheme.idf else None
    made.total_ = None
    if before.total_ is not None:
        added = np.asarray(local_times_global(made, counts).sum(axis=0)).ravel()
        made.total_ = np.append(before.total_, np.zeros(len(earlier))) + added
    return made
