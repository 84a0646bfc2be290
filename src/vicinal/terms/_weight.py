"""Counts become weights: how much each word says about its document. Formulas (T4) to (T12) of docs/maths/terms.md."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from vicinal._matrix import is_sparse, per_entry, with_entries
from vicinal._matrix import unit_rows as scaled_to_length_one
from vicinal._typing import ArrayLike, FloatArray, IntArray, Terms
from vicinal._validate import check_choice, check_number, check_terms
from vicinal.errors import BadData, BadParameter, VicinalError
from vicinal.terms._vocabulary import document_frequencies

LocalWeight: TypeAlias = Callable[[FloatArray, FloatArray, float, float], FloatArray]
GlobalWeight: TypeAlias = Callable[[IntArray, int], FloatArray]


def raw(tf: FloatArray, relative_length: FloatArray, k1: float, b: float) -> FloatArray:
    """How often the word occurs in the document: tf (T4)."""
    return tf


def logarithmic(tf: FloatArray, relative_length: FloatArray, k1: float, b: float) -> FloatArray:
    """The tenth occurrence says less than the first: 1 + ln tf (T5)."""
    weights: FloatArray = 1.0 + np.log(tf)
    return weights


def saturated(tf: FloatArray, relative_length: FloatArray, k1: float, b: float) -> FloatArray:
    """Occurrences that count ever less, and less in a long document: the local part of BM25 (T10).

    tf (k1 + 1) / (tf + k1 (1 - b + b length / average length))
    """
    return tf / (tf + k1 * (1.0 - b + b * relative_length)) * (k1 + 1.0)


def inverse_document_frequency(df: IntArray, n_documents: int) -> FloatArray:
    """A word says more the fewer documents have it: ln(N / df) (T6), and 0 for a word in none."""
    weights: FloatArray = np.where(df > 0, np.log(n_documents / np.maximum(df, 1)), 0.0)
    return weights


def bm25_document_frequency(df: IntArray, n_documents: int) -> FloatArray:
    """The inverse document frequency of BM25, above 0 for every word: ln(1 + (N - df + 1/2) / (df + 1/2)) (T9)."""
    weights: FloatArray = np.log1p((n_documents - df + 0.5) / (df + 0.5))
    return weights


@dataclass(frozen=True)
class Scheme:
    """A weight is a local part times a global part; the rows may then be scaled for the normalised cut."""

    local: LocalWeight
    idf: GlobalWeight | None = None
    cut: bool = False


SCHEMES: dict[str, Scheme] = {
    "tf": Scheme(raw),
    "log-tf": Scheme(logarithmic),
    "tfidf": Scheme(raw, inverse_document_frequency),  # (T7)
    "log-tfidf": Scheme(logarithmic, inverse_document_frequency),  # (T8)
    "bm25": Scheme(saturated, bm25_document_frequency),
    "ncw": Scheme(raw, cut=True),
}


def unit_rows(X: Terms) -> Terms:
    """Scale every row to Euclidean length 1: x / ‖x‖ (T11). Rows of zeros stay zero; the input is left as it was.

    Parameters
    ----------
    X : sparse or dense, shape (rows, columns)

    Returns
    -------
    csr_array for sparse, ndarray for dense input, of float32 if the input is, else of float64.
    """
    rows = check_terms(X)
    return _without_zeros(scaled_to_length_one(rows).astype(rows.dtype))


def cut_rows(X: Terms, total: FloatArray) -> Terms:
    """Scale each document by its share in the normalised cut: x / √(x · Σ xᵢ) (T12), with ``total`` = Σ xᵢ.

    A document that shares no word with those that were summed becomes a row of zeros.
    """
    degrees = X @ total
    scales = np.divide(1.0, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)
    return _without_zeros(with_entries(X, X.data * per_entry(X, scales)))


def _without_zeros(rows: Terms) -> Terms:
    """The same rows with no zero stored; the places may be shared with other rows, so they are copied before a change."""
    if is_sparse(rows) and np.any(rows.data == 0):
        rows = rows.copy()
        rows.eliminate_zeros()
    return rows


def _row_sums(rows: Terms) -> Any:
    """Sum of each sparse row, each added up by itself and in order, so that its neighbours change no bit."""
    return rows @ np.ones(rows.shape[1])


_ALL_BUT_CONTENT = {"ensure_all_finite": False, "ensure_min_samples": 0, "ensure_min_features": 0}


class Weighting(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Turn counts of words into weights that say how telling each word is for its document.

    Parameters
    ----------
    scheme : {"tf", "log-tf", "tfidf", "log-tfidf", "bm25", "ncw"}, default="bm25"
        Counts as they are (T4), their logarithm (T5), either times ln(N / df) (T7, T8), BM25 (T10), or counts scaled
        for the normalised cut (T12).
    k1 : float, default=1.2
        BM25 only: how slowly further occurrences stop to matter; 0 asks only whether the word is there.
    b : float, default=0.75
        BM25 only: how much the length of a document is held against it, from 0 (not at all) to 1.
    unit : bool, default=True
        Whether each document is scaled to Euclidean length 1 (T11). For "ncw", whose scale *is* the weight, this is
        done before that scale, so that long documents do not decide the cut, and its rows do not have length 1.

    Attributes
    ----------
    n_documents_ : int
    document_frequencies_ : ndarray of int, in how many documents each word occurs
    average_length_ : float, words per document, empty documents included
    idf_ : ndarray of float, or None for a scheme without it
    total_ : ndarray of float, the sum of the training documents ("ncw"), else None

    Notes
    -----
    Sparse counts come back as a ``csr_array``, dense ones as an ndarray, both of float64. New documents are weighted by
    what was learnt alone, each by itself. ln(N / df) makes a word in every document 0; it also is 0 for a word in no
    training document, about which nothing was learnt. Counts below 1 are accepted, but their logarithm can be negative.
    """

    def __init__(self, scheme: str = "bm25", *, k1: float = 1.2, b: float = 0.75, unit: bool = True) -> None:
        self.scheme = scheme
        self.k1 = k1
        self.b = b
        self.unit = unit

    @classmethod
    def known(
        cls, scheme: str, *, n_documents: int, document_frequencies: IntArray, average_length: float, **options: Any
    ) -> Weighting:
        """Return a weighting as it was learnt, from the three facts that were kept of it; "ncw" has more and is not of these.

        Parameters
        ----------
        scheme : str
        n_documents : int
        document_frequencies : int array (words,)
        average_length : float
        **options
            As for a new one: ``k1``, ``b``, ``unit``.
        """
        made = cls(scheme, **options)
        chosen = made.check_parameters()
        if chosen.cut:
            raise BadParameter(f"a weighting by {scheme!r} is made of the documents' sum, which is not kept. Fit it anew.")
        made.n_documents_, made.average_length_ = int(n_documents), float(average_length)
        made.document_frequencies_ = np.asarray(document_frequencies, dtype=np.int64)
        made.idf_ = chosen.idf(made.document_frequencies_, made.n_documents_) if chosen.idf else None
        made.total_, made.n_features_in_ = None, len(made.document_frequencies_)
        return made

    def fit(self, X: ArrayLike, y: Any = None) -> Weighting:
        """Learn how many documents hold each word, and how long documents are.

        Parameters
        ----------
        X : sparse or dense, shape (documents, words)
            Counts, none below zero.
        y : ignored
        """
        self.check_parameters()
        return learn_weights(self, self._check_counts(X, reset=True))

    def transform(self, X: ArrayLike) -> Terms:
        """Weigh the words of documents by what was learnt.

        Parameters
        ----------
        X : sparse or dense, shape (documents, words)

        Returns
        -------
        csr_array or ndarray of float64, of the shape of X
        """
        check_is_fitted(self)
        self.check_parameters()
        weights = weigh(self, self._check_counts(X, reset=False))
        return weights if sp.issparse(X) else weights.toarray()

    def check_parameters(self) -> Scheme:
        """Return the chosen row of the table of schemes, or raise BadParameter."""
        name = check_choice("scheme", self.scheme, tuple(SCHEMES))
        check_number("k1", self.k1)
        if check_number("b", self.b) > 1:
            raise BadParameter(f"b must be a number between 0 and 1, got {self.b!r}. Use b=1.0 to divide by the length in full.")
        return SCHEMES[name]

    def _check_counts(self, X: ArrayLike, *, reset: bool) -> Terms:
        try:  # scikit-learn looks at type, shape and names; we look at what is in it, and say where
            counts = check_array(X, accept_sparse="csr", dtype=np.float64, **_ALL_BUT_CONTENT)
            counts = sp.csr_array(check_terms(counts, "the matrix of counts"))
            refuse_negative(counts)
            validate_data(self, X, reset=reset, skip_check_array=True)
        except VicinalError:
            raise
        except ValueError as error:
            raise BadData(str(error)) from None
        return counts

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags


def learn_weights(weighting: Weighting, counts: Terms) -> Weighting:
    """As :meth:`Weighting.fit`, for a CSR array of float64 that ``check_terms`` has returned, with no count below zero."""
    scheme = SCHEMES[weighting.scheme]
    weighting.n_documents_, weighting.n_features_in_ = (int(side) for side in counts.shape)
    weighting.document_frequencies_ = document_frequencies(counts)
    weighting.average_length_ = float(np.sum(_row_sums(counts)) / counts.shape[0])
    weighting.idf_ = scheme.idf(weighting.document_frequencies_, weighting.n_documents_) if scheme.idf else None
    weighting.total_ = np.asarray(_local_times_global(weighting, counts).sum(axis=0)).ravel() if scheme.cut else None
    return weighting


def weigh(weighting: Weighting, counts: Terms) -> Terms:
    """As :meth:`Weighting.transform`, for a CSR array of float64 that ``check_terms`` has returned, with no count below zero."""
    weights = _local_times_global(weighting, counts)
    return cut_rows(weights, np.asarray(weighting.total_)) if SCHEMES[weighting.scheme].cut else weights


def _local_times_global(weighting: Weighting, counts: Terms) -> Terms:
    """Local times global weight, and unit length if asked for."""
    relative_lengths = _row_sums(counts) / (weighting.average_length_ or 1.0)
    values = SCHEMES[weighting.scheme].local(counts.data, per_entry(counts, relative_lengths), weighting.k1, weighting.b)
    if weighting.idf_ is not None:
        values = values * weighting.idf_[counts.indices]
    weights = _without_zeros(with_entries(counts, values))
    return _without_zeros(scaled_to_length_one(weights).astype(weights.dtype)) if weighting.unit else weights


def refuse_negative(counts: Terms, asked_by: str = "Weighting") -> None:
    """Raise BadData with row and column at the first count below zero."""
    below = np.flatnonzero(counts.data < 0)
    if below.size:
        row = int(np.searchsorted(counts.indptr, below[0], side="right")) - 1
        raise BadData(
            f"Negative values in data passed to {asked_by}: {counts.data[below[0]]:g} in row {row}, column "
            f"{int(counts.indices[below[0]])}. A count cannot be below zero: pass the counts, before any centring."
        )
