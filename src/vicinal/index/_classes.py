"""Classes learnt from labelled documents: the nearest centroid in the better of two embeddings, with calibrated probabilities.

With few labels the embedding of the index is better; with many, one of a graph that also joins documents of one label. Which of
the two is used, its accuracy and the scale of its probabilities are found by cross-validation over the labelled documents. For
very many documents only the embedding of the index is considered.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._centroids import cosine_scores, mean_directions
from vicinal._matrix import unit_rows
from vicinal._probabilities import best_scaled, log_softmax
from vicinal._store import Arrays, Documents, Labels, Settings, Store, columns
from vicinal._typing import FloatArray, IntArray, SparseMatrix, Terms
from vicinal.errors import BadLabels, BadParameter, DamagedIndex, VicinalWarning
from vicinal.graph import Graph, knn
from vicinal.index import _stored
from vicinal.index._model import Model
from vicinal.index._results import Labelled, Prediction
from vicinal.index._stored import consistent
from vicinal.methods import RLPI
from vicinal.projection import Explanation, LinearMap

if TYPE_CHECKING:
    from vicinal.index._snapshot import Snapshot

FOLDS = 5
N_COMPONENTS = 40  # of the embedding that also knows labels
MOST_DOCUMENTS = 30_000  # up to which such an embedding is tried: it is fitted six times
SCALES = np.geomspace(1.0, 100.0, 30)  # by which cosines may be multiplied before they become probabilities
NEIGHBORS, ALPHA = 15, 15.0
OTHERS = 3  # probable classes that are given beside the first


@final
@dataclass(frozen=True, eq=False)
class ClassRule:
    """A rule from the terms of a document to the probability of each class.

    Attributes
    ----------
    names : tuple of str
    projection : LinearMap
        From weighted terms to the embedding in which classes are separated.
    centroids : (classes, components)
        Of unit length.
    scale : float
        By which cosines are multiplied before the softmax.
    accuracy : float or None
        By cross-validation; None where no class has two documents.
    n_labelled : int
    with_labels : bool
        Whether the embedding is one of its own, of a graph that knows labels.
    """

    names: tuple[str, ...]
    projection: LinearMap
    centroids: FloatArray
    scale: float
    accuracy: float | None
    n_labelled: int
    with_labels: bool

    def probabilities(self, X: Terms) -> FloatArray:
        """The probability of each class for each row; for a row without known terms all are equal."""
        cosines = cosine_scores(unit_rows(self.projection.transform(X)), self.centroids)
        return np.asarray(np.exp(log_softmax(self.scale * cosines)))

    def why(self, x: Terms, chosen: int, other: int) -> Explanation:
        """The contribution of each term of one row to its cosine with one class, less that with another."""
        length = float(np.linalg.norm(self.projection.transform(x)))
        direction = (self.centroids[chosen] - self.centroids[other]) / max(length, 1e-300)
        return self.projection.explain_along(x, direction)


def fit_classes(X: Terms, labels: IntArray, names: tuple[str, ...], projection: LinearMap, random_state: int = 0) -> ClassRule:
    """Fit the rule to rows of which some have a label.

    Parameters
    ----------
    X : sparse (documents, terms of the embedding)
    labels : int array (documents,)
        Positions in ``names``; -1 where no label is known.
    names : tuple of str
        Two at least.
    projection : LinearMap
        The embedding of the index.
    random_state : int
    """
    folds = _folds(labels, random_state)
    plain = _validate(lambda known: projection, X, labels, folds, len(names))
    graph = knn(X, min(NEIGHBORS, X.shape[0] - 1)) if X.shape[0] <= MOST_DOCUMENTS else None
    supervised = plain
    if graph is not None:
        supervised = _validate(lambda known: _supervised(X, graph, known, random_state), X, labels, folds, len(names))
    with_labels = supervised.accuracy > plain.accuracy
    best = supervised if with_labels else plain
    projection = _supervised(X, graph, labels, random_state) if with_labels and graph is not None else projection
    centroids = _centroids(projection, X, labels, len(names))
    accuracy = None if np.isnan(best.accuracy) else best.accuracy
    return ClassRule(names, projection, centroids, best.scale, accuracy, int((labels >= 0).sum()), with_labels)


def _supervised(X: Terms, graph: Graph, known: IntArray, random_state: int) -> LinearMap:
    """An embedding of both graphs: of neighbours, and of documents with one label."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # of documents that the fit of the index has noted already
        method: Any = RLPI(N_COMPONENTS, graph=graph, alpha=ALPHA, random_state=random_state).fit(X, known)
    return method.projection_  # type: ignore[no-any-return]


def _centroids(projection: LinearMap, X: Terms, labels: IntArray, n_classes: int) -> FloatArray:
    """The mean direction of each class."""
    known = np.flatnonzero(labels >= 0)
    return mean_directions(unit_rows(projection.transform(X[known])), labels[known], n_classes)


def _folds(labels: IntArray, random_state: int) -> list[IntArray]:
    """Fifths of the labelled documents, each class dealt out evenly; a class of one document is never held out."""
    random = np.random.RandomState(random_state)
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
class _Validated:
    """The accuracy on held-out documents, NaN where none could be held out, and the scale with the lowest log loss."""

    accuracy: float
    scale: float


def _validate(
    fit: Callable[[IntArray], LinearMap], X: Terms, labels: IntArray, folds: list[IntArray], n_classes: int
) -> _Validated:
    cosines, truth = [], []
    for fold in folds:
        known = labels.copy()
        known[fold] = -1
        projection = fit(known)
        centroids = _centroids(projection, X, known, n_classes)
        cosines.append(cosine_scores(unit_rows(projection.transform(X[fold])), centroids))
        truth.append(labels[fold])
    if not cosines:
        return _Validated(float("nan"), float(np.median(SCALES)))
    scores, right = np.vstack(cosines), np.concatenate(truth)
    best = best_scaled((each * scores for each in SCALES), right)
    return _Validated(float(np.mean(scores.argmax(axis=1) == right)), float(SCALES[best]))


def labels_from(store: Store, labels: Mapping[str, str] | None, column: str | None) -> tuple[dict[int, str], str]:
    """Labels by number of the document, and their origin: given by id, or a metadata column."""
    if labels is not None and column is not None:
        raise BadParameter("label takes labels by id or the name of a metadata column, not both. Use column='section'.")
    if column is None:
        labels = labels or {}
        numbers = Documents(store).numbers(list(labels))
        return dict(zip(numbers.tolist(), map(str, labels.values()), strict=True)), "given"
    values = {stored.number: stored.document.metadata.get(str(column)) for chunk in Documents(store).chunks() for stored in chunk}
    found = {number: str(value) for number, value in values.items() if value is not None}
    if not found:
        known = ", ".join(columns(store)[:50]) or "none"
        raise BadLabels(
            f"no document has a value in column {column!r}; columns of the metadata are: {known}. Choose one of them, or none to "
            "learn from the labels that documents were read with."
        )
    return found, str(column)


def learn_labels(snapshot: Snapshot, random_state: int) -> Labelled:
    """Fit the rule to all labels that are in force, and keep it."""
    labels, names = _coded_labels(snapshot)
    counts = Counter(labels[labels >= 0].tolist())
    classes = tuple((name, counts[i]) for i, name in enumerate(names))
    if len(names) < 2:  # labels of another class may come tomorrow
        Settings(snapshot.store).drop(_stored.CLASSES)
        return Labelled(counts.total(), classes, None)
    X = snapshot.model.vocabulary.weighted(snapshot.rows.counts)
    rule = fit_classes(X, labels, names, snapshot.model.projection, random_state)
    save_classes(rule, snapshot.store, snapshot.model)
    return Labelled(rule.n_labelled, classes, rule.accuracy)


def _coded_labels(snapshot: Snapshot) -> tuple[IntArray, tuple[str, ...]]:
    """The class of each row, -1 for none, and the names of the classes. Documents without terms are left out."""
    in_force = Labels(snapshot.store).get()
    names = tuple(sorted({each.label for each in in_force.values()}))
    code = {name: position for position, name in enumerate(names)}
    labels = np.full(len(snapshot.rows.numbers), -1, dtype=np.int64)
    for number, each in in_force.items():
        row = snapshot.rows.row(number)
        if row >= 0 and snapshot.rows.clusters[row] >= 0:
            labels[row] = code[each.label]
    if not (labels >= 0).any():
        raise BadLabels(f"no document of {snapshot.path} that has known terms has a label. Give some, by id or from a column.")
    used = np.unique(labels[labels >= 0])
    return np.where(labels >= 0, np.searchsorted(used, labels), -1), tuple(names[each] for each in used)


def save_classes(rule: ClassRule, store: Store, model: Model) -> None:
    """Keep the rule; its projection only where it is another than that of the model."""
    arrays = Arrays(store)
    own = rule.projection if rule.with_labels else None
    weights = np.zeros((0, 0), dtype=np.float32) if own is None else own.weights.astype(np.float32)
    arrays.put(f"{_stored.CLASS_PROJECTION}/weights", weights)
    offset = np.zeros(0) if own is None or own.offset is None else np.asarray(own.offset)
    arrays.put(f"{_stored.CLASS_PROJECTION}/offset", offset)
    arrays.put(_stored.CLASS_CENTROIDS, rule.centroids)
    Settings(store).set(
        _stored.CLASSES,
        {
            "generation": model.generation,
            "names": list(rule.names),
            _stored.CLASS_SCALE: rule.scale,
            "accuracy": rule.accuracy,
            "labelled": rule.n_labelled,
            "with labels": rule.with_labels,
        },
    )


def load_classes(store: Store, model: Model) -> ClassRule | None:
    """The stored rule; None where there is none for the present model."""
    with consistent(store):
        kept = Settings(store).get(_stored.CLASSES)
        if kept is None or int(kept["generation"]) != model.generation:
            return None
        return _loaded(store, model, kept)


def _loaded(store: Store, model: Model, kept: dict[str, Any]) -> ClassRule:
    arrays = Arrays(store)
    projection: LinearMap = model.projection
    centroids, offset = arrays.get(_stored.CLASS_CENTROIDS), arrays.get(f"{_stored.CLASS_PROJECTION}/offset")
    if kept["with labels"]:
        weights = arrays.get(f"{_stored.CLASS_PROJECTION}/weights").astype(np.float64)
        projection = LinearMap(weights, offset if len(offset) else None, model.projection.vocabulary)
    names, accuracy = tuple(map(str, list(kept["names"]))), kept["accuracy"]
    if centroids.shape != (len(names), projection.n_components) or projection.n_terms != model.projection.n_terms:
        raise DamagedIndex(f"{store.path}: the classes are of another embedding than the index has. Label it again.")
    accuracy = None if accuracy is None else float(accuracy)
    facts = float(kept[_stored.CLASS_SCALE]), accuracy, int(kept["labelled"]), bool(kept["with labels"])
    return ClassRule(names, projection, centroids, *facts)


def classify(snapshot: Snapshot, texts: Sequence[str], ids: Sequence[str]) -> list[Prediction]:
    """The class of each text, then of each document of the index."""
    rule = load_classes(snapshot.store, snapshot.model)
    if rule is None:
        raise BadLabels(f"{snapshot.path} has no classes yet. Label some documents first.")
    known = [document.full_text for document in snapshot.documents.get(list(ids))]
    if not texts and not known:
        return []
    vocabulary = snapshot.model.vocabulary
    rows = sp.csr_array(vocabulary.weighted(vocabulary.counts([*texts, *known])))
    probabilities = rule.probabilities(rows)
    names = [""] * len(texts) + list(ids)
    return [_prediction(rule, rows[[i]], id, probabilities[i]) for i, id in enumerate(names)]


def _prediction(rule: ClassRule, row: SparseMatrix, id: str, p: FloatArray) -> Prediction:
    if row.nnz == 0:
        return Prediction(id, "", 0.0, (), Explanation((), np.zeros(0), 0.0))
    order = np.argsort(-p, kind="stable")
    others = tuple((rule.names[each], float(p[each])) for each in order[1 : 1 + OTHERS])
    best, second = int(order[0]), int(order[1])
    return Prediction(id, rule.names[best], float(p[best]), others, rule.why(row, best, second))
