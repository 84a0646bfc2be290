"""Texts, counts or weights in; weighted rows and countable evidence out, the same way for new documents as for the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from vicinal._consensus.word_model import counted
from vicinal._matrix import unit_rows
from vicinal._typing import Terms
from vicinal.errors import BadData, BadParameter, EmptyCorpus, TooFewTerms
from vicinal.terms import Vectorizer, Weighting
from vicinal.terms._weight import learn_weights, refuse_negative, weigh

WHERE_WORDS_ARE_CHOSEN = "Such settings belong to the vectorizer: Topics(vectorizer=Vectorizer(min_df=1)), for instance."


def are_texts(documents: Any) -> bool:
    """Whether these are texts to be read, and not rows of numbers.

    A string by itself, and a series in which some are missing, are left to be refused as such.
    """
    if isinstance(documents, str | bytes):
        return True
    if sp.issparse(documents) or not hasattr(documents, "__iter__"):
        return False
    if hasattr(documents, "__array__") and len(getattr(documents, "shape", ())) != 1:  # asked of what it says: it may be foreign
        return False
    return any(isinstance(each, str | bytes) for each in documents) or _all_missing(documents)


def is_empty_series(documents: Any) -> bool:
    """Whether there is not one document, and nothing says whether texts or rows are missing."""
    if sp.issparse(documents) or isinstance(documents, str | bytes) or not hasattr(documents, "__len__"):
        return False
    return len(getattr(documents, "shape", (0,))) == 1 and len(documents) == 0


def _all_missing(documents: Any) -> bool:
    """Nothing but None, which is no row of numbers; left to be refused as a missing text."""
    return len(documents) > 0 and all(each is None for each in documents)


def as_series(documents: Any) -> Any:
    """A list where documents can be read only once."""
    if isinstance(documents, dict | set | frozenset) and not sp.issparse(documents):
        raise BadData(f"documents must come in an order, got a {type(documents).__name__}. Pass a list of texts.")
    whole = sp.issparse(documents) or hasattr(documents, "__len__") or hasattr(documents, "__array__")
    return documents if whole or not hasattr(documents, "__iter__") else list(documents)


def is_counts(X: Terms) -> bool:
    """Whether a matrix holds how often words occur: whole numbers, none below zero."""
    data = X.data if sp.issparse(X) else X
    return bool(data.size and data.min() >= 0 and np.all(data == np.floor(data)))


@final
@dataclass(frozen=True, eq=False)
class Reader:
    """How documents are read: learnt from the first ones, then the same for all.

    Attributes
    ----------
    vectorizer : Vectorizer or None
        Texts to counts; None where numbers were given.
    weighting : Weighting or None
        Counts to weights; None where weights were given.
    countable : bool
        Whether words can be counted, as the words of topics need.
    """

    vectorizer: Vectorizer | None
    weighting: Weighting | None
    countable: bool

    def weights(self, rows: Terms) -> Terms:
        """Weighted rows of length one, from counts or from weights."""
        if self.weighting is None:
            return unit_rows(rows)
        weights = weigh(self.weighting, _counts(rows))
        return weights if sp.issparse(rows) else weights.toarray()

    def counts(self, texts: Any) -> Terms:
        """Counts of the known words of texts."""
        if is_empty_series(texts):
            raise EmptyCorpus(
                f"there are no documents to place: got an empty {type(texts).__name__}. Check what was read before it."
            )
        if self.vectorizer is None:
            raise BadData("these topics were learnt from rows of numbers, got texts. Count their words as you did for those.")
        return self.vectorizer.transform(texts)

    def evidence(self, rows: Terms) -> Any:
        """What the words of topics are counted from: ln(1 + count), or whether a word is there (V1); None where neither is."""
        if not self.countable:
            return None
        rows = sp.csr_array(rows)
        refuse_negative(rows, "Topics")
        return counted(rows, whole=self.weighting is not None)


def learn_to_read(documents: Any, vectorizer: Vectorizer | None) -> tuple[Reader, Terms]:
    """Learn vocabulary and weights from texts; return the counts too.

    No word is too common by default: one that most documents have may be that of the largest topic, and weighs little otherwise.
    """
    if vectorizer is not None and not isinstance(vectorizer, Vectorizer):
        raise BadParameter(f"vectorizer must be None or a vicinal.Vectorizer, got {vectorizer!r}. Use Vectorizer(stem='english').")
    counter = (Vectorizer(max_df=1.0) if vectorizer is None else clone(vectorizer)).set_params(weight="tf", unit=False)
    try:
        counts = counter.fit_transform(documents)
    except EmptyCorpus as error:
        raise EmptyCorpus(str(error) if is_empty_series(documents) else f"{error} {WHERE_WORDS_ARE_CHOSEN}") from None
    if counts.shape[1] < 2:
        raise TooFewTerms(
            f"topics are told apart by words, of which you need at least two, got {counts.shape[1]} from {counts.shape[0]} "
            f"documents: {counter.terms_[0]!r}. Add documents, or leave out fewer words, as with min_df=1. {WHERE_WORDS_ARE_CHOSEN}"
        )
    return Reader(counter, learn_weights(Weighting("bm25"), counts), True), counts


def _counts(rows: Terms) -> Terms:
    """Checked rows in the form that weights are made of; refuses a count below zero."""
    counts = sp.csr_array(rows).astype(np.float64, copy=False)
    refuse_negative(counts)
    return counts


def learn_to_weigh(X: Terms) -> Reader:
    """Decide by the numbers what they are: counts are weighed by BM25, weights are taken as they are."""
    if is_counts(X):
        return Reader(None, learn_weights(Weighting("bm25"), _counts(X)), True)
    return Reader(None, None, bool((X.data if sp.issparse(X) else X).min(initial=0.0) >= 0))
