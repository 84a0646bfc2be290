"""Categories learnt from labelled documents: the class whose middle is nearest, in the better of two spaces, and how sure that is.

With few labels the space that all documents have taught is best; with many, one that also knows who shares a label. Which it is
here, how often it is right, and how sure it may be, is found by holding labelled documents back, a fifth at a time. Of very many
documents the first is taken.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vicinal._centroids import cosine_scores, mean_directions
from vicinal._matrix import unit_rows
from vicinal._probabilities import best_scaled, log_softmax
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.errors import VicinalWarning
from vicinal.graph import knn
from vicinal.methods import RLPI
from vicinal.projection import Explanation, LinearMap

FOLDS = 5
TAUGHT_BY_LABELS = 40  # dimensions of the space that also knows labels
MOST_TAUGHT = 30_000  # documents up to which such a space is tried: it is learnt six times
SHARPNESS = np.geomspace(1.0, 100.0, 30)  # what cosines may be multiplied by before they become probabilities
NEIGHBORS, ALPHA = 15, 15.0


@final
@dataclass(frozen=True, eq=False)
class Classes:
    """A rule from a document's words to how likely each class is.

    Attributes
    ----------
    names : tuple of str
    projection : LinearMap
        From the words of the space to where classes are told apart.
    middles : (classes, d)
        Of length one.
    sharpness : float
        What cosines are multiplied by.
    accuracy : float or None
        Of documents held back; None where no class has two.
    n_labelled : int
    with_labels : bool
        Whether the space knows labels.
    """

    names: tuple[str, ...]
    projection: LinearMap
    middles: FloatArray
    sharpness: float
    accuracy: float | None
    n_labelled: int
    with_labels: bool

    def probabilities(self, X: Terms) -> FloatArray:
        """How likely each class is for each row; of a row without known words all are as likely."""
        return np.asarray(np.exp(log_softmax(self.sharpness * self._cosines(X))))

    def _cosines(self, X: Terms) -> FloatArray:
        return cosine_scores(unit_rows(self.projection.transform(X)), self.middles)

    def why(self, x: Terms, chosen: int, other: int) -> Explanation:
        """What each word of one row adds to its cosine with one class, less that with another."""
        length = float(np.linalg.norm(self.projection.transform(x)))
        direction = (self.middles[chosen] - self.middles[other]) / max(length, 1e-300)
        return self.projection.explain_along(x, direction)


def learn_classes(X: Terms, labels: IntArray, names: tuple[str, ...], space: LinearMap, seed: int = 0) -> Classes:
    """Learn from rows of which some have a label.

    Parameters
    ----------
    X : sparse (documents, words of the space)
    labels : int array (documents,)
        Positions in ``names``; -1 where no label is known.
    names : tuple of str
        Two at least.
    space : LinearMap
        That all documents have taught.
    seed : int
    """
    folds = _folds(labels, seed)
    plain = _judge(lambda known: space, X, labels, folds, len(names))
    graph = knn(X, min(NEIGHBORS, X.shape[0] - 1)) if X.shape[0] <= MOST_TAUGHT else None
    taught = plain if graph is None else _judge(lambda known: _taught(X, graph, known, seed), X, labels, folds, len(names))
    with_labels = taught.accuracy > plain.accuracy
    best = taught if with_labels else plain
    projection = _taught(X, graph, labels, seed) if with_labels else space
    middles = _middles(projection, X, labels, len(names))
    accuracy = None if np.isnan(best.accuracy) else best.accuracy
    return Classes(names, projection, middles, best.sharpness, accuracy, int((labels >= 0).sum()), with_labels)


def _taught(X: Terms, graph: Any, known: IntArray, seed: int) -> LinearMap:
    """A space of both graphs: who is near whom, and who shares a label."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # of documents that the fit of the index has spoken of already
        method: Any = RLPI(TAUGHT_BY_LABELS, graph=graph, alpha=ALPHA, random_state=seed).fit(X, known)
    return method.projection_  # type: ignore[no-any-return]


def _middles(projection: LinearMap, X: Terms, labels: IntArray, n_classes: int) -> FloatArray:
    """The mean direction of each class."""
    known = np.flatnonzero(labels >= 0)
    return mean_directions(unit_rows(projection.transform(X[known])), labels[known], n_classes)


def _folds(labels: IntArray, seed: int) -> list[IntArray]:
    """Fifths of the labelled documents, each class dealt out evenly; a class of one document is never held back."""
    random = np.random.RandomState(seed)
    folds: list[list[int]] = [[] for _ in range(FOLDS)]
    turn = 0
    for label in range(labels.max(initial=-1) + 1):
        members = random.permutation(np.flatnonzero(labels == label))
        for document in members[: len(members) if len(members) > 1 else 0]:
            folds[turn % FOLDS].append(int(document))
            turn += 1
    return [np.array(sorted(fold), dtype=np.int64) for fold in folds if fold]


@final
@dataclass(frozen=True)
class _Judged:
    """How a space did on documents held back: accuracy, NaN where none could be, and the sharpness that foretells best."""

    accuracy: float
    sharpness: float


def _judge(space_of: Any, X: Terms, labels: IntArray, folds: list[IntArray], n_classes: int) -> _Judged:
    cosines, truth = [], []
    for fold in folds:
        known = labels.copy()
        known[fold] = -1
        projection = space_of(known)
        middles = _middles(projection, X, known, n_classes)
        cosines.append(cosine_scores(unit_rows(projection.transform(X[fold])), middles))
        truth.append(labels[fold])
    if not cosines:
        return _Judged(float("nan"), float(np.median(SHARPNESS)))
    scores, right = np.vstack(cosines), np.concatenate(truth)
    best = best_scaled((each * scores for each in SHARPNESS), right)
    return _Judged(float(np.mean(scores.argmax(axis=1) == right)), float(SHARPNESS[best]))
