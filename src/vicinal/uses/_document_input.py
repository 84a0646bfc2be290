"""Documents given to Topics and Classifier: texts, counts or weights become weighted rows, and labels become classes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, column_or_1d

from vicinal._consensus.mixture import log_counts
from vicinal._matrix import csr, is_sparse, row_norms, unit_rows
from vicinal._typing import ArrayLike, BoolArray, IntArray, LabelsLike, SparseMatrix, TermNames, Terms
from vicinal._validate import check_labels, plain_labels
from vicinal.errors import BadData, BadLabels, BadParameter, EmptyCorpus, TooFewTerms
from vicinal.methods._base import Method
from vicinal.terms import Vectorizer, Weighting
from vicinal.terms._weight import learn_weights, refuse_negative, weigh

TextsOrRows: TypeAlias = "Iterable[str] | ArrayLike"


LOOKED_AT = 50  # values of a column of a data frame


def are_texts(documents: object) -> bool:
    """Whether documents are texts, and not rows of numbers.

    A string by itself, and a series with missing texts, count as texts, so that they are refused as such.
    """
    if isinstance(documents, str | bytes):
        return True
    if is_sparse(documents) or not hasattr(documents, "__iter__"):
        return False
    if hasattr(documents, "__array__") and len(getattr(documents, "shape", ())) != 1:  # of another library perhaps
        return False
    return any(isinstance(each, str | bytes) for each in documents) or _all_missing(documents)


def is_empty_series(documents: object) -> bool:
    """Whether there is no document, so that it is open whether texts or rows were meant."""
    if is_sparse(documents) or isinstance(documents, str | bytes) or not hasattr(documents, "__len__"):
        return False
    return len(getattr(documents, "shape", (0,))) == 1 and len(documents) == 0


def _all_missing(documents: Any) -> bool:
    """Nothing but None, which is no row of numbers: refused later as missing texts."""
    return len(documents) > 0 and all(each is None for each in documents)


def as_series(documents: Any) -> Any:
    """Documents as given, or a list of them where they can be iterated over only once."""
    unordered = isinstance(documents, dict | set | frozenset) and not hasattr(documents, "shape")  # SciPy's dok_array is a dict
    if unordered:
        raise BadData(f"documents must come in an order, got a {type(documents).__name__}. Pass a list of texts.")
    _refuse_table_of_texts(documents)
    whole = is_sparse(documents) or hasattr(documents, "__len__") or hasattr(documents, "__array__")
    return documents if whole or not hasattr(documents, "__iter__") else list(documents)


def _refuse_table_of_texts(documents: Any) -> None:
    """Refuse a data frame that has texts, and name the column with the longest ones: which is meant is not guessed."""
    columns = getattr(documents, "columns", None)
    if columns is None or len(getattr(documents, "shape", ())) != 2:
        return
    lengths = {name: _mean_length(documents[name]) for name in columns}
    if lengths and max(lengths.values()) > 0:
        text, kind = max(lengths, key=lambda name: lengths[name]), type(documents).__name__
        among = "" if len(lengths) == 1 else f" among {len(lengths)} columns"
        raise BadData(
            f"documents must be texts in one series, got a {kind} with texts in column {text!r}{among}. Pass it: df[{text!r}]."
        )


def _mean_length(column: Any) -> float:
    """The mean number of characters of the first texts of a column, 0 for numbers."""
    first = list(itertools.islice(iter(column), LOOKED_AT))
    return sum(len(each) for each in first if isinstance(each, str)) / max(1, len(first))


def is_counts(X: Terms) -> bool:
    """Whether a matrix holds counts of terms: whole numbers, none below zero."""
    data = X.data if is_sparse(X) else X
    return bool(data.size and data.min() >= 0 and np.all(data == np.floor(data)))


@final
@dataclass(frozen=True, eq=False)
class DocumentReader:
    """How documents become rows: learnt from the training documents, then the same for all.

    Attributes
    ----------
    estimator : str
        The name of the estimator that reads, for errors.
    vectorizer : Vectorizer or None
        Texts to counts; None where numbers were given.
    weighting : Weighting or None
        Counts to weights of unit rows; None where weights were given.
    countable : bool
        Whether terms can be counted, as the mixture over terms needs.
    factor : float or None
        By which given weights are multiplied; None where each row is scaled to length one.
    """

    estimator: str
    vectorizer: Vectorizer | None
    weighting: Weighting | None
    countable: bool = True
    factor: float | None = None

    @property
    def vocabulary(self) -> TermNames:
        """The terms of texts; None where numbers were given."""
        return None if self.vectorizer is None else self.vectorizer.terms_

    def columns_of(self, word: str, names: NDArray[np.object_]) -> list[int]:
        """The columns of the terms that a word, or each word of a phrase, is read as; none for one that is not known."""
        if self.vectorizer is None:
            return np.flatnonzero(names == word).tolist()
        return sorted(self.vectorizer.transform([word]).indices.tolist())

    def counts(self, texts: Iterable[str]) -> Terms:
        """Counts of the known terms of texts."""
        if is_empty_series(texts):
            raise EmptyCorpus(f"there are no documents: got an empty {type(texts).__name__}. Pass at least one document.")
        if self.vectorizer is None:
            message = f"{self.estimator} was fitted to rows of numbers, got texts. Count their terms as for the training documents."
            raise BadData(message)
        return self.vectorizer.transform(texts)

    def weights(self, rows: Terms) -> Terms:
        """Weighted rows: sparse from counts; from weights of the same kind as these."""
        if self.weighting is not None:
            return weigh(self.weighting, self._checked_counts(rows).astype(np.float64, copy=False))
        return unit_rows(rows) if self.factor is None else rows.astype(np.float64) * self.factor

    def weights_in_kind(self, rows: Terms) -> Terms:
        """Weighted rows that are dense where counts or weights were given as a dense array."""
        weights = self.weights(rows)
        return weights.toarray() if is_sparse(weights) and not is_sparse(rows) else weights

    def log_counts(self, rows: Terms) -> Terms | None:
        """What the mixture over terms counts: ln(1 + count), or presence of a term (V1); None where neither is possible."""
        return log_counts(self._checked_counts(rows), whole=self.weighting is not None) if self.countable else None

    def rule_input(self, rows: Terms) -> Terms:
        """What the cluster rule is applied to: the log counts, or the weights where terms cannot be counted."""
        counts = self.log_counts(rows)
        return self.weights(rows) if counts is None else counts

    def _checked_counts(self, rows: Terms) -> SparseMatrix:
        """Rows as a sparse matrix; refuses a count below zero, which training documents did not have."""
        counts = csr(rows)
        refuse_negative(counts, self.estimator)
        return counts


def learn_to_read(
    documents: Iterable[str], vectorizer: Vectorizer | None, estimator: str, default: Vectorizer
) -> tuple[DocumentReader, Terms]:
    """Learn vocabulary and weights from texts, by ``default`` where no vectorizer was given; return the counts too."""
    if vectorizer is not None and not isinstance(vectorizer, Vectorizer):
        raise BadParameter(f"vectorizer must be None or a vicinal.Vectorizer, got {vectorizer!r}. Use Vectorizer(stem='english').")
    counter = clone(default if vectorizer is None else vectorizer).set_params(weight="tf", unit=False)
    advice = f"These are settings of the vectorizer, such as {estimator}(vectorizer=Vectorizer(min_df=1))."
    try:
        counts = counter.fit_transform(documents)
    except EmptyCorpus as error:
        raise EmptyCorpus(str(error) if is_empty_series(documents) else f"{error} {advice}") from None
    if counts.shape[1] < 2:
        raise TooFewTerms(
            f"to tell documents apart takes at least two terms, got {counts.shape[1]} from {counts.shape[0]} documents: "
            f"{counter.terms_[0]!r}. Add documents, or leave out fewer terms, as with min_df=1. {advice}"
        )
    return DocumentReader(estimator, counter, learn_weights(Weighting("bm25"), counts)), counts


def learn_to_weigh(X: Terms, estimator: str, *, unit: bool = True) -> DocumentReader:
    """Tell counts, which are weighted by BM25, from weights, which are only scaled.

    Parameters
    ----------
    X : documents x terms
        As ``check_terms`` has returned it.
    estimator : str
    unit : bool
        Whether each row of weights is scaled to length one, or all by the same factor, so that rows have length one on average.
    """
    if is_counts(X):
        return DocumentReader(estimator, None, learn_weights(Weighting("bm25"), csr(X).astype(np.float64, copy=False)))
    countable = bool((X.data if is_sparse(X) else X).min(initial=0.0) >= 0)
    return DocumentReader(estimator, None, None, countable, None if unit else _factor(X))


def _factor(X: Terms) -> float:
    """What makes the mean of the squared lengths of rows one."""
    size = float(np.sqrt(np.mean(row_norms(X) ** 2)))
    return 1.0 / size if size > 0 else 1.0


class DocumentMethod(Method):
    """A method that takes texts, counts or weights; what ``fit`` was given decides how documents are read from then on."""

    vectorizer: Vectorizer | None
    terms_: TermNames
    _reader: DocumentReader

    def _learn_to_read(self, documents: TextsOrRows, default: Vectorizer, *, unit: bool) -> Terms:
        """Set the reader; return counts where terms were or can be counted, else the rows given."""
        series, name = as_series(documents), type(self).__name__
        if are_texts(series) or is_empty_series(series):
            self._reader, rows = learn_to_read(series, self.vectorizer, name, default)
            self.terms_ = self._reader.vocabulary
            return rows
        X = self._check_documents(series, "fit")
        self._reader = learn_to_weigh(X, name, unit=unit)
        self.terms_ = getattr(self, "feature_names_in_", None)
        return X

    def _read(self, documents: TextsOrRows) -> Terms:
        """Counts of texts, or checked rows."""
        check_is_fitted(self, "_reader")
        series = as_series(documents)
        if are_texts(series) or is_empty_series(series):
            return self._reader.counts(series)
        if self._reader.vectorizer is not None:
            raise BadData(f"{type(self).__name__} was fitted to texts, got {type(documents).__name__}. Pass a list of texts.")
        return self._check_documents(series, "predict")

    def _read_one(self, document: str | ArrayLike) -> Terms:
        """As :meth:`_read`, for the one document that is explained."""
        row = self._read([document] if isinstance(document, str) else document)
        if row.shape[0] != 1:
            raise BadData(f"an explanation is of one document, got {row.shape[0]} rows. Pass one text, or X[[i]] for document i.")
        return row


def classes_of(y: LabelsLike, n_documents: int, used: BoolArray | None = None) -> tuple[NDArray[Any] | list[Any], IntArray]:
    """The classes of labels, sorted, and the class of each document, numbered from 0; -1 where it is not known.

    Parameters
    ----------
    y : array-like of shape (n_documents,)
        Labels, -1 or None where a document has none.
    n_documents : int
    used : bool array (documents,), optional
        The documents whose labels count. A class of which none counts is no class.

    Returns
    -------
    names : array or list
        One label of each class: of the type of ``y`` where that is an array, else a list.
    classes : int array (documents,)
    """
    labels = _one_column(y)
    classes = check_labels(labels, n_documents)
    classes = classes if used is None else np.where(used, classes, -1)
    known = np.flatnonzero(classes >= 0)
    _, first, classes[known] = np.unique(classes[known], return_index=True, return_inverse=True)
    return labels[known[first]] if hasattr(labels, "dtype") else [labels[each] for each in known[first]], classes


def _one_column(y: LabelsLike) -> Any:
    """Labels as given, or as an array of one dimension; a list may hold None, or -1 beside texts."""
    y = plain_labels(y)
    if not hasattr(y, "dtype") and not hasattr(y, "__array__") and not (isinstance(y, list | tuple) and _is_column(y)):
        return y
    try:
        return column_or_1d(y, warn=True)
    except (TypeError, ValueError) as error:
        raise BadLabels(str(error)) from error


def _is_column(y: list[object] | tuple[object, ...]) -> bool:
    """Whether each label is in a list of its own, as in a column of a table."""
    return len(y) > 0 and all(isinstance(each, list | tuple) and len(each) == 1 for each in y)
