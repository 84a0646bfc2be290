"""Input of Topics: texts, counts or weights become weighted rows and logarithms of counts; labels become classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from vicinal._consensus.mixture import log_counts
from vicinal._matrix import csr, is_sparse, nonzero_rows, unit_rows
from vicinal._typing import ArrayLike, IntArray, SparseMatrix, Terms
from vicinal._validate import check_labels, plain_labels
from vicinal.errors import BadData, BadParameter, EmptyCorpus, TooFewTerms
from vicinal.terms import Vectorizer, Weighting
from vicinal.terms._weight import learn_weights, refuse_negative, weigh

VECTORIZER_ADVICE = "These are settings of the vectorizer, such as Topics(vectorizer=Vectorizer(min_df=1))."


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
    whole = is_sparse(documents) or hasattr(documents, "__len__") or hasattr(documents, "__array__")
    return documents if whole or not hasattr(documents, "__iter__") else list(documents)


def is_counts(X: Terms) -> bool:
    """Whether a matrix holds counts of terms: whole numbers, none below zero."""
    data = X.data if is_sparse(X) else X
    return bool(data.size and data.min() >= 0 and np.all(data == np.floor(data)))


@final
@dataclass(frozen=True, eq=False)
class TopicsReader:
    """How documents become rows: learnt from the training documents, then the same for all.

    Attributes
    ----------
    vectorizer : Vectorizer or None
        Texts to counts; None where numbers were given.
    weighting : Weighting or None
        Counts to weights; None where weights were given.
    countable : bool
        Whether terms can be counted, as the mixture over terms needs.
    """

    vectorizer: Vectorizer | None
    weighting: Weighting | None
    countable: bool

    @property
    def vocabulary(self) -> NDArray[np.object_] | None:
        """The terms of texts; None where numbers were given."""
        return None if self.vectorizer is None else self.vectorizer.terms_

    def columns_of(self, word: str, names: NDArray[np.object_]) -> list[int]:
        """The columns of the terms that a word, or each word of a phrase, is read as; none for one that is not known."""
        if self.vectorizer is None:
            return np.flatnonzero(names == word).tolist()
        return sorted(self.vectorizer.transform([word]).indices.tolist())

    def weights(self, rows: Terms) -> Terms:
        """Weighted rows of unit length, from counts or from weights."""
        if self.weighting is None:
            return unit_rows(rows)
        weights = weigh(self.weighting, _checked_counts(rows))
        return weights if is_sparse(rows) else weights.toarray()

    def counts(self, texts: Iterable[str]) -> Terms:
        """Counts of the known terms of texts."""
        if is_empty_series(texts):
            raise EmptyCorpus(f"there are no documents: got an empty {type(texts).__name__}. Pass at least one document.")
        if self.vectorizer is None:
            raise BadData("Topics was fitted to rows of numbers, got texts. Count their terms as for the training documents.")
        return self.vectorizer.transform(texts)

    def log_counts(self, rows: Terms) -> Terms | None:
        """What the mixture over terms counts: ln(1 + count), or presence of a term (V1); None where neither is possible."""
        if not self.countable:
            return None
        counts = csr(rows)
        refuse_negative(counts, "Topics")
        return log_counts(counts, whole=self.weighting is not None)

    def rule_input(self, rows: Terms) -> Terms:
        """What the cluster rule is applied to: the log counts, or the weights where terms cannot be counted."""
        counts = self.log_counts(rows)
        return self.weights(rows) if counts is None else counts


def learn_to_read(documents: Iterable[str], vectorizer: Vectorizer | None) -> tuple[TopicsReader, Terms]:
    """Learn vocabulary and weights from texts; return the counts too.

    No term is too common by default: one that most documents have may be that of the largest cluster, and weighs little otherwise.
    """
    if vectorizer is not None and not isinstance(vectorizer, Vectorizer):
        raise BadParameter(f"vectorizer must be None or a vicinal.Vectorizer, got {vectorizer!r}. Use Vectorizer(stem='english').")
    counter = (Vectorizer(max_df=1.0) if vectorizer is None else clone(vectorizer)).set_params(weight="tf", unit=False)
    try:
        counts = counter.fit_transform(documents)
    except EmptyCorpus as error:
        raise EmptyCorpus(str(error) if is_empty_series(documents) else f"{error} {VECTORIZER_ADVICE}") from None
    if counts.shape[1] < 2:
        raise TooFewTerms(
            f"clustering needs at least two terms, got {counts.shape[1]} from {counts.shape[0]} documents: {counter.terms_[0]!r}. "
            f"Add documents, or leave out fewer terms, as with min_df=1. {VECTORIZER_ADVICE}"
        )
    return TopicsReader(counter, learn_weights(Weighting("bm25"), counts), True), counts


def _checked_counts(rows: Terms) -> SparseMatrix:
    """Checked rows in the form that weights are made of; refuses a count below zero."""
    counts = csr(rows).astype(np.float64, copy=False)
    refuse_negative(counts)
    return counts


def learn_to_weigh(X: Terms) -> TopicsReader:
    """Tell counts, which are weighted by BM25, from weights, which are taken as they are."""
    if is_counts(X):
        return TopicsReader(None, learn_weights(Weighting("bm25"), _checked_counts(X)), True)
    return TopicsReader(None, None, bool((X.data if is_sparse(X) else X).min(initial=0.0) >= 0))


def known_classes(y: ArrayLike | None, rows: Terms) -> tuple[NDArray[np.object_] | None, IntArray | None]:
    """The classes of labels, and the class of each document, numbered from 0, -1 for none; None twice where nothing is labelled.

    The label of a document without terms is not used, and a class of such documents is no class.
    """
    if y is None:
        return None, None
    known = np.where(nonzero_rows(rows), check_labels(y, rows.shape[0]), -1)
    if not (known >= 0).any():
        return None, None
    present, first, numbers = np.unique(known, return_index=True, return_inverse=True)
    unlabelled = int(present[0] < 0)
    names = np.asarray(plain_labels(y), dtype=object).ravel()
    return names[first[unlabelled:]], np.asarray(numbers - unlabelled, dtype=np.int64)
