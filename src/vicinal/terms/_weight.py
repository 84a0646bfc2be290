"""Weights of terms: tf, tf-idf, BM25 and normalised-cut weights of counts. Formulas (T4) to (T12) of docs/maths/terms.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from vicinal._matrix import csr, is_sparse, per_entry, stored_entries, with_entries
from vicinal._matrix import unit_rows as scaled_to_length_one
from vicinal._typing import ArrayLike, FloatArray, IntArray, SparseMatrix, Terms
from vicinal._validate import check_choice, check_number, check_terms
from vicinal.errors import BadData, BadParameter, VicinalError
from vicinal.terms._schemes import SCHEMES, WeightScheme
from vicinal.terms._vocabulary import document_frequencies

if TYPE_CHECKING:
    from sklearn.utils import Tags


def unit_rows(X: ArrayLike) -> Terms:
    """Scale every row of a matrix to Euclidean length 1: x / ‖x‖ (T11).

    Parameters
    ----------
    X : sparse or dense matrix of shape (n_rows, n_columns)
        The rows; they are not modified.

    Returns
    -------
    csr_array or ndarray of shape (n_rows, n_columns)
        Sparse for sparse and dense for dense input, of float32 if the input is, else of float64. Rows of zeros stay zero.

    Raises
    ------
    BadData
        An entry is not a finite number, or X is not a matrix.
    EmptyCorpus
        X has no row or no column.

    References
    ----------
    .. [1] docs/maths/terms.md, "Scale of a row" (T11).

    Examples
    --------
    >>> from vicinal.terms import unit_rows
    >>> unit_rows([[3.0, 4.0], [0.0, 0.0]]).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    rows = check_terms(X)
    return _without_zeros(scaled_to_length_one(rows).astype(rows.dtype))


def cut_rows(X: Terms, total: FloatArray) -> Terms:
    """Scale each document by its degree in the normalised cut: x / √(x · Σ xᵢ) (T12), with ``total`` = Σ xᵢ.

    A document that shares no term with those that were summed becomes a row of zeros.
    """
    degrees = X @ total
    scales = np.divide(1.0, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)
    return _without_zeros(with_entries(X, stored_entries(X) * per_entry(X, scales)))


def _without_zeros(rows: Terms) -> Terms:
    """The same rows with no zero stored; a change is made on a copy, since indices may be shared with other matrices."""
    if is_sparse(rows) and np.any(rows.data == 0):
        rows = rows.copy()
        rows.eliminate_zeros()
    return rows


def row_sums(rows: Terms) -> FloatArray:
    """Sum of each sparse row, each added up by itself and in order, so that other rows change no bit of it."""
    return np.asarray(rows @ np.ones(rows.shape[1]))


_ALL_BUT_CONTENT = {"ensure_all_finite": False, "ensure_min_samples": 0, "ensure_min_features": 0}


class Weighting(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Turn counts of terms into weights: tf, tf-idf, BM25 or normalised-cut weights.

    Parameters
    ----------
    scheme : {"tf", "log-tf", "tfidf", "log-tfidf", "bm25", "ncw"}, default="bm25"
        Counts as they are (T4), their logarithm (T5), either times ln(N / df) (T7, T8), BM25 (T10), or counts scaled
        for the normalised cut (T12).
    k1 : float, default=1.2
        BM25 only: how slowly further occurrences of a term saturate; with 0 only its presence counts.
    b : float, default=0.75
        BM25 only: how much long documents are penalised, from 0 (not at all) to 1 (in proportion to their length).
    unit : bool, default=True
        Whether each document is scaled to Euclidean length 1 (T11). For "ncw", whose scale *is* the weight, this is
        done before that scale, so that long documents do not dominate the cut, and its rows do not have length 1.

    Attributes
    ----------
    n_documents_ : int
        Number of documents seen in ``fit``.
    document_frequencies_ : ndarray of int64 of shape (n_terms,)
        In how many documents each term occurs.
    average_length_ : float
        Occurrences of terms per document, empty documents included.
    idf_ : ndarray of float64 of shape (n_terms,) or None
        The global weight of each term; None for a scheme without one.
    total_ : ndarray of float64 of shape (n_terms,) or None
        The sum of the weighted documents for "ncw"; None for other schemes.
    n_features_in_ : int
        Number of terms seen in ``fit``.

    See Also
    --------
    Vectorizer : Counts the terms of texts and weighs them.

    Notes
    -----
    Sparse counts give a ``csr_array``, dense ones an ndarray, both of float64. New documents are weighted by the fitted
    statistics alone, each by itself. ln(N / df) is 0 for a term in every document, and for a term in no training
    document. Counts below 1 are accepted, but their logarithm can be negative.

    References
    ----------
    BM25: S. Robertson and H. Zaragoza, "The probabilistic relevance framework: BM25 and beyond", Foundations and Trends
    in Information Retrieval 3(4), 2009, section 3.4. NCW: W. Xu, X. Liu and Y. Gong, "Document clustering based on
    non-negative matrix factorization", SIGIR 2003.

    Examples
    --------
    >>> from vicinal import Weighting
    >>> counts = [[2, 0, 1], [0, 1, 1]]  # documents x terms
    >>> Weighting("tfidf", unit=False).fit_transform(counts).round(3).tolist()
    [[1.386, 0.0, 0.0], [0.0, 0.693, 0.0]]
    """

    def __init__(self, scheme: str = "bm25", *, k1: float = 1.2, b: float = 0.75, unit: bool = True) -> None:
        self.scheme = scheme
        self.k1 = k1
        self.b = b
        self.unit = unit

    @classmethod
    def from_statistics(
        cls,
        scheme: str,
        *,
        n_documents: int,
        document_frequencies: IntArray,
        average_length: float,
        k1: float = 1.2,
        b: float = 0.75,
        unit: bool = True,
    ) -> Weighting:
        """Make a fitted weighting from statistics that were stored.

        Parameters
        ----------
        scheme : str
            Any scheme but "ncw", which needs the sum of the documents as well.
        n_documents : int
            As ``n_documents_`` of the fitted weighting.
        document_frequencies : ndarray of int of shape (n_terms,)
            As ``document_frequencies_``.
        average_length : float
            As ``average_length_``.
        k1 : float, default=1.2
            As in the constructor.
        b : float, default=0.75
            As in the constructor.
        unit : bool, default=True
            As in the constructor.

        Returns
        -------
        Weighting
            Gives the same weights as the one the statistics are from.

        Raises
        ------
        BadParameter
            The scheme is "ncw", or a parameter has no possible value.
        """
        made = cls(scheme, k1=k1, b=b, unit=unit)
        chosen = check_weighting(made)
        if chosen.cut:
            raise BadParameter(f"scheme must be one that these statistics determine, got {scheme!r}. Fit it on the counts instead.")
        made.n_documents_, made.average_length_ = int(n_documents), float(average_length)
        made.document_frequencies_ = np.asarray(document_frequencies, dtype=np.int64)
        made.idf_ = chosen.idf(made.document_frequencies_, made.n_documents_) if chosen.idf else None
        made.total_, made.n_features_in_ = None, len(made.document_frequencies_)
        return made

    def fit(self, X: ArrayLike, y: object = None) -> Weighting:
        """Count the documents that hold each term, and measure how long documents are.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_terms)
            Counts, none below zero.
        y : object, default=None
            Ignored.

        Returns
        -------
        Weighting
            This weighting, fitted.

        Raises
        ------
        BadData
            A count is below zero or not a finite number; the message gives row and column.
        EmptyCorpus
            There is no document or no term.
        BadParameter
            A parameter has no possible value.
        """
        check_weighting(self)
        return learn_weights(self, self._check_counts(X, reset=True))

    def transform(self, X: ArrayLike) -> Terms:
        """Weigh the terms of documents by the fitted statistics.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_documents, n_terms)
            Counts, none below zero.

        Returns
        -------
        csr_array or ndarray of float64 of shape (n_documents, n_terms)
            The weights.

        Raises
        ------
        BadData
            A count is below zero or not a finite number, or there are more or fewer terms than in ``fit``.
        """
        check_is_fitted(self)
        check_weighting(self)
        weights = weigh(self, self._check_counts(X, reset=False))
        return weights if is_sparse(X) else weights.toarray()

    def _check_counts(self, X: ArrayLike, *, reset: bool) -> SparseMatrix:
        try:  # scikit-learn checks type, shape and names; check_terms checks the entries, and says where
            counts = check_array(X, accept_sparse="csr", dtype=np.float64, **_ALL_BUT_CONTENT)
            counts = csr(check_terms(counts, "the matrix of counts"))
            refuse_negative(counts)
            validate_data(self, X, reset=reset, skip_check_array=True)
        except VicinalError:
            raise
        except ValueError as error:
            raise BadData(str(error)) from None
        return counts

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags


def check_weighting(weighting: Weighting) -> WeightScheme:
    """Return the chosen row of the table of schemes, or raise BadParameter for a parameter without a possible value."""
    name = check_choice("scheme", weighting.scheme, tuple(SCHEMES))
    check_number("k1", weighting.k1)
    if check_number("b", weighting.b) > 1:
        raise BadParameter(f"b must be a number between 0 and 1, got {weighting.b!r}. Use b=1.0 to divide by the length in full.")
    return SCHEMES[name]


def learn_weights(weighting: Weighting, counts: SparseMatrix) -> Weighting:
    """As :meth:`Weighting.fit`, for a CSR array of float64 that ``check_terms`` has returned, with no count below zero."""
    scheme = SCHEMES[weighting.scheme]
    weighting.n_documents_, weighting.n_features_in_ = (int(side) for side in counts.shape)
    weighting.document_frequencies_ = document_frequencies(counts)
    weighting.average_length_ = float(np.sum(row_sums(counts)) / counts.shape[0])
    weighting.idf_ = scheme.idf(weighting.document_frequencies_, weighting.n_documents_) if scheme.idf else None
    weighting.total_ = np.asarray(local_times_global(weighting, counts).sum(axis=0)).ravel() if scheme.cut else None
    return weighting


def weigh(weighting: Weighting, counts: SparseMatrix) -> SparseMatrix:
    """As :meth:`Weighting.transform`, for a CSR array of float64 that ``check_terms`` has returned, with no count below zero."""
    weights = local_times_global(weighting, counts)
    return csr(cut_rows(weights, np.asarray(weighting.total_))) if SCHEMES[weighting.scheme].cut else weights


def local_times_global(weighting: Weighting, counts: SparseMatrix) -> SparseMatrix:
    """Local times global weight, and unit length if asked for."""
    relative_lengths = row_sums(counts) / (weighting.average_length_ or 1.0)
    values = SCHEMES[weighting.scheme].local(
        counts.data.astype(np.float64, copy=False), per_entry(counts, relative_lengths), weighting.k1, weighting.b
    )
    if weighting.idf_ is not None:
        values = values * weighting.idf_[counts.indices]
    weights = csr(_without_zeros(with_entries(counts, values)))
    return csr(_without_zeros(scaled_to_length_one(weights).astype(weights.dtype))) if weighting.unit else weights


def refuse_negative(counts: SparseMatrix, asked_by: str = "Weighting") -> None:
    """Raise BadData with row and column at the first count below zero."""
    below = np.flatnonzero(counts.data < 0)
    if below.size:
        row = int(np.searchsorted(counts.indptr, below[0], side="right")) - 1
        raise BadData(
            f"Negative values in data passed to {asked_by}: {counts.data[below[0]]:g} in row {row}, column "
            f"{int(counts.indices[below[0]])}. A count cannot be below zero: pass the counts, before any centring."
        )
