"""Input of Classifier: texts, counts or weights become weighted rows; labels become classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import column_or_1d

from vicinal._choice import is_auto
from vicinal._matrix import csr, row_norms
from vicinal._typing import ArrayLike, FloatArray, IntArray, Terms
from vicinal._validate import check_labels, check_number, plain_labels
from vicinal.errors import BadData, BadLabels, BadParameter, OneClass
from vicinal.terms import Vectorizer, Weighting
from vicinal.terms._weight import learn_weights, refuse_negative, weigh
from vicinal.uses._topics.topics_input import is_counts


@final
@dataclass(frozen=True, eq=False)
class ClassifierReader:
    """How documents become rows: learnt from the training documents, then the same for all.

    Attributes
    ----------
    vectorizer : Vectorizer or None
        Texts to counts; None where numbers were given.
    weighting : Weighting or None
        Counts to weights of unit rows; None where weights were given.
    factor : float
        By which given weights are multiplied, so that rows have length one on average.
    """

    vectorizer: Vectorizer | None
    weighting: Weighting | None
    factor: float = 1.0

    @property
    def vocabulary(self) -> NDArray[np.object_] | None:
        """The terms of texts; None where numbers were given."""
        return None if self.vectorizer is None else self.vectorizer.terms_

    def weights(self, rows: Terms) -> Terms:
        """Weighted rows, from counts or from weights."""
        if self.weighting is None:
            return rows.astype(np.float64) * self.factor
        counts = csr(rows).astype(np.float64, copy=False)
        refuse_negative(counts, "Classifier")
        return weigh(self.weighting, counts)

    def counts(self, texts: Iterable[str]) -> Terms:
        """Counts of the known terms of texts."""
        if self.vectorizer is None:
            raise BadData("Classifier was fitted to rows of numbers, got texts. Count their terms as for the training documents.")
        return self.vectorizer.transform(texts)


def check_shares(share: float | str, abstain: float | None) -> None:
    """Refuse a share of the embedding, or a probability to abstain below, that is not from 0 to 1."""
    if not is_auto(share) and check_number("share", share) > 1:
        raise BadParameter(f"share must be 'auto' or a number from 0 to 1, got {share!r}. Use 'auto'.")
    if abstain is not None and check_number("abstain", abstain) > 1:
        raise BadParameter(f"abstain is a probability from 0 to 1, got {abstain!r}. Use 0.5, or None.")


def learn_to_read(documents: Iterable[str], vectorizer: Vectorizer | None) -> tuple[ClassifierReader, Terms]:
    """Learn vocabulary and weights from texts; return the counts too."""
    if vectorizer is not None and not isinstance(vectorizer, Vectorizer):
        raise BadParameter(f"vectorizer must be None or a vicinal.Vectorizer, got {vectorizer!r}. Use Vectorizer(stem='english').")
    counter = (Vectorizer() if vectorizer is None else clone(vectorizer)).set_params(weight="tf", unit=False)
    counts = counter.fit_transform(documents)
    return ClassifierReader(counter, learn_weights(Weighting("bm25"), counts)), counts


def learn_to_weigh(X: Terms) -> ClassifierReader:
    """Tell counts, which are weighted by BM25, from weights, which are taken as they are."""
    if is_counts(X):
        return ClassifierReader(None, learn_weights(Weighting("bm25"), csr(X).astype(np.float64, copy=False)))
    size = float(np.sqrt(np.mean(row_norms(X) ** 2)))
    return ClassifierReader(None, None, 1.0 / size if size > 0 else 1.0)


def known_classes(y: ArrayLike | None, n_documents: int) -> tuple[NDArray[Any], IntArray]:
    """The classes, sorted, and the class of each document, numbered from 0; -1 where it is not known."""
    if y is None:
        raise BadLabels("Classifier requires y to be passed, but the target y is None. Pass one label per document, -1 for none.")
    labels = _one_column(y)
    codes = check_labels(labels, n_documents)
    known = np.flatnonzero(codes >= 0)
    if len(known) == 0 or codes.max() < 1:
        found = "one class" if len(known) else "no label"
        raise OneClass(f"y has {found}: a classifier needs documents of two classes. Label documents of another class.")
    return _named(labels, codes, known), codes


def _one_column(y: ArrayLike) -> Any:
    y = plain_labels(y)
    if not hasattr(y, "dtype") and not hasattr(y, "__array__"):
        return y  # a list may hold None, or -1 beside texts
    try:
        return column_or_1d(y, warn=True)
    except (TypeError, ValueError) as error:
        raise BadLabels(str(error)) from error


def _named(labels: Any, codes: IntArray, known: IntArray) -> NDArray[Any]:
    """One label of each class, in an array of their own type."""
    first = known[np.unique(codes[known], return_index=True)[1]]
    if hasattr(labels, "dtype"):
        return np.asarray(labels[first])
    return np.asarray([labels[each] for each in first])


def position(classes: NDArray[Any], label: object) -> int:
    """Which of the classes a label is."""
    found = [i for i, each in enumerate(classes.tolist()) if each == label]
    if not found:
        raise BadParameter(f"there is no class {label!r}. Classes are {classes.tolist()[:20]}.")
    return found[0]


def most_probable(classes: NDArray[Any], log_probabilities: FloatArray, abstain: float | None) -> NDArray[Any]:
    """The most probable class of each row; -1, or None where classes are no numbers, if its probability is below ``abstain``."""
    found = classes[np.argmax(log_probabilities, axis=1)]
    if abstain is None:
        return np.asarray(found)
    uncertain = np.exp(log_probabilities.max(axis=1)) < abstain
    if classes.dtype.kind in "iuf":
        return np.where(uncertain, -1, found.astype(np.int64) if classes.dtype.kind == "u" else found)
    return np.asarray(np.where(uncertain, None, found.astype(object)))
