"""Classes learnt from labelled documents: the rule of `vicinal.Classifier` over the embedding of the index, kept in the file.

An index that was labelled by an older version keeps the nearest centroid by cosine until it is labelled or fitted again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._centroids import cosine_scores
from vicinal._content_keys import content_order
from vicinal._matrix import unit_rows
from vicinal._probabilities import log_softmax
from vicinal._store import Arrays, Documents, Labels, Settings, Store, columns
from vicinal._typing import FloatArray, IntArray, Json, SparseMatrix, Terms
from vicinal._validate import is_class
from vicinal.errors import BadLabels, BadParameter, DamagedIndex
from vicinal.index import _stored
from vicinal.index._model import Model, single_precision
from vicinal.index._recipe import load_recipe
from vicinal.index._results import Labelled, Prediction
from vicinal.index._stored import consistent
from vicinal.projection import Explanation, LinearMap
from vicinal.projection._projection import embed, explain_direction
from vicinal.uses._classifier.calibration import Calibration
from vicinal.uses._classifier.classifier_rule import ClassifierRule
from vicinal.uses._classifier.joint_rows import JointRows

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState

NO_LABEL = "-1"  # as tables have it
OTHERS = 3  # probable classes that are given beside the first
MOST_CLUSTERED = 10_000  # documents: of more, few labels are learnt from without clusters, which would take a minute


@final
@dataclass(frozen=True, eq=False)
class CentroidRule:
    """The rule that older versions have kept: the cosine with the centroid of each class.

    Attributes
    ----------
    projection : LinearMap
        From weighted terms to the embedding in which classes are separated.
    centroids : (classes, components)
        Of unit length.
    scale : float
        By which cosines are multiplied before the softmax.
    """

    projection: LinearMap
    centroids: FloatArray
    scale: float

    def log_probabilities(self, X: Terms) -> FloatArray:
        """Logarithms of the probability of each class; for a row without known terms all are equal."""
        cosines = cosine_scores(unit_rows(embed(self.projection, X)), self.centroids)
        return log_softmax(self.scale * cosines)

    def why(self, x: Terms, chosen: int, other: int | None) -> Explanation:
        """The contribution of each term of one row to its cosine with one class, less that with another."""
        length = float(np.linalg.norm(embed(self.projection, x)))
        subtracted = 0.0 if other is None else self.centroids[other]
        return explain_direction(self.projection, x, (self.centroids[chosen] - subtracted) / max(length, 1e-300))


@final
@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of an index by name, and the rule that finds them."""

    names: tuple[str, ...]
    rule: ClassifierRule | CentroidRule


def labels_from(store: Store, labels: Mapping[str, object] | None, column: str | None) -> tuple[dict[int, str], str]:
    """Labels by number of the document, and their origin: given by id, or a metadata column."""
    if labels is not None and column is not None:
        raise BadParameter("label takes labels by id or the name of a metadata column, not both. Use column='section'.")
    if column is None:
        labels = labels or {}
        numbers = Documents(store).numbers(list(labels))
        return {number: _text(label) for number, label in zip(numbers.tolist(), labels.values(), strict=True)}, "given"
    values = {stored.number: stored.document.metadata.get(str(column)) for chunk in Documents(store).chunks() for stored in chunk}
    found = {number: label for number, value in values.items() if (label := _text(value))}
    if not found:
        known = ", ".join(columns(store)[:50])
        choice = f"Choose one of these: {known}; or name" if known else "Documents have no metadata: name"
        raise BadLabels(
            f"no document has a value in column {column!r}. {choice} no column, to use the labels that documents were read with."
        )
    return found, str(column)


def _text(label: object) -> str:
    """A label as text; empty for None, NaN and -1, also in text, which mean that a document has none."""
    return str(label) if is_class(label) and label != NO_LABEL else ""


def learn_labels(state: IndexState) -> Labelled:
    """Fit the rule to all labels that are in force, and keep it."""
    labels, names = coded_labels(state)
    counts = Counter(labels[labels >= 0].tolist())
    classes = tuple((name, counts[i]) for i, name in enumerate(names))
    if len(names) < 2:  # labels of another class may come tomorrow
        Settings(state.store).drop(_stored.CLASSES)
        return Labelled(counts.total(), classes, None)
    rule = _rule_of(state, labels, len(names))
    save_classes(rule, names, int((labels >= 0).sum()), state)
    return Labelled(int((labels >= 0).sum()), classes, rule.accuracy)


def _rule_of(state: IndexState, labels: IntArray, n_classes: int) -> ClassifierRule:
    """The rule of `vicinal.Classifier`: where labels are few and documents not very many, clusters of these teach it too (K8)."""
    from vicinal.uses._classifier.classifier_fit import fit_rule
    from vicinal.uses._classifier.few_labels import clustering_of

    vocabulary, counts = state.model.vocabulary, state.rows.counts
    X, counts = vocabulary.weighted(counts), sp.csr_array(counts[:, vocabulary.columns])
    order = content_order(X, labels)
    X, counts, labels = X[order], counts[order], labels[order]
    clustering = None
    if len(labels) <= MOST_CLUSTERED:
        clustering = partial(clustering_of, counts, labels, n_classes, load_recipe(state.store).random_state, None)
    return fit_rule(X, labels, n_classes, state.model.projection, clustering=clustering)


def kept_labels(state: IndexState) -> Labelled:
    """The labels that are in force, where nothing is learnt from them."""
    counts = Counter(each.label for each in state.labels().values())
    return Labelled(counts.total(), tuple(sorted(counts.items())), None)


def coded_labels(state: IndexState) -> tuple[IntArray, tuple[str, ...]]:
    """The class of each row, -1 for none, and the names of the classes. Documents without terms are left out."""
    in_force = Labels(state.store).get()
    names = tuple(sorted({each.label for each in in_force.values()}))
    code = {name: position for position, name in enumerate(names)}
    labels = np.full(len(state.rows.numbers), -1, dtype=np.int64)
    for number, each in in_force.items():
        row = state.rows.row(number)
        if row >= 0 and state.rows.clusters[row] >= 0:
            labels[row] = code[each.label]
    if not (labels >= 0).any():
        raise BadLabels(f"no document of {state.path} that has known terms has a label. Give some, by id or from a column.")
    used = np.unique(labels[labels >= 0])
    return np.where(labels >= 0, np.searchsorted(used, labels), -1), tuple(names[each] for each in used)


def save_classes(rule: ClassifierRule, names: tuple[str, ...], n_labelled: int, state: IndexState) -> None:
    """Keep the rule. Centroids, one per score, and the scale let an older version find the same classes, less well calibrated."""
    arrays, kept = Arrays(state.store), single_precision(rule.linear)
    arrays.put(f"{_stored.CLASS_PROJECTION}/weights", kept.weights.astype(np.float32))
    arrays.put(f"{_stored.CLASS_PROJECTION}/offset", np.zeros(0) if kept.offset is None else kept.offset)
    arrays.put(_stored.CLASS_CENTROIDS, np.eye(len(names)))
    facts: dict[str, Json] = {
        "generation": state.model.generation,
        "names": list(names),
        "labelled": n_labelled,
        "accuracy": rule.accuracy,
    }
    old: dict[str, Json] = {_stored.CLASS_SCALE: rule.calibration.slope, "with labels": True}
    linear = {"share": rule.joint.share, "factor": rule.joint.factor, "bias": rule.calibration.bias}
    Settings(state.store).set(_stored.CLASSES, {**facts, **old, _stored.LINEAR_RULE: linear})


def stored_classes(state: IndexState) -> dict[str, Any] | None:
    """Names, number of labels and accuracy of the stored classes; None where there are none for the present model."""
    with consistent(state.store):
        kept = Settings(state.store).get(_stored.CLASSES)
        return kept if kept is not None and int(kept["generation"]) == state.generation else None


def load_classes(state: IndexState) -> Classes | None:
    """The stored classes; None where there are none for the present model."""
    kept = stored_classes(state)
    if kept is None:
        return None
    with consistent(state.store):
        return _loaded(state.store, state.model, kept)


def _loaded(store: Store, model: Model, kept: dict[str, Any]) -> Classes:
    arrays = Arrays(store)
    linear: LinearMap = model.projection
    centroids, offset = arrays.get(_stored.CLASS_CENTROIDS), arrays.get(f"{_stored.CLASS_PROJECTION}/offset")
    if kept["with labels"]:
        weights = arrays.get(f"{_stored.CLASS_PROJECTION}/weights").astype(np.float64)
        linear = LinearMap(weights, offset if len(offset) else None, model.projection.vocabulary)
    names = tuple(map(str, list(kept["names"])))
    if centroids.shape != (len(names), linear.n_components) or linear.n_terms != model.projection.n_terms:
        raise DamagedIndex(f"{store.path}: the classes are of another embedding than the index has. Label it again.")
    scale, facts = float(kept[_stored.CLASS_SCALE]), kept.get(_stored.LINEAR_RULE)
    if facts is None:
        return Classes(names, CentroidRule(linear, centroids, scale))
    joint = JointRows(model.projection, float(facts["share"]), float(facts["factor"]))
    return Classes(names, ClassifierRule(linear, joint, Calibration(scale, float(facts["bias"]))))


def classify(state: IndexState, texts: Sequence[str], ids: Sequence[str]) -> list[Prediction]:
    """The class of each text, then of each document of the index."""
    classes = load_classes(state)
    if classes is None:
        raise BadLabels(_without_classes(state))
    known = [document.full_text for document in state.documents.get(list(ids))]
    if not texts and not known:
        return []
    vocabulary = state.model.vocabulary
    rows = sp.csr_array(vocabulary.weighted(vocabulary.counts([*texts, *known])))
    probabilities = np.exp(classes.rule.log_probabilities(rows))
    names = [""] * len(texts) + list(ids)
    return [_prediction(classes, rows[[i]], id, probabilities[i]) for i, id in enumerate(names)]


def _without_classes(state: IndexState) -> str:
    """Why there are no classes: no labels, labels of one class alone, or labels that were not learnt."""
    try:
        _, names = coded_labels(state)
    except BadLabels:
        return f"{state.path} has no classes yet. Label some documents first."
    if len(names) == 1:
        why = f"the labels of its documents are all {names[0]!r:.80}, and a classifier needs two classes"
        return f"{state.path} has no classes: {why}. Label documents of another class."
    return f"{state.path} has no classes: the labels of its documents are not learnt yet. Learn from them first: label()."


def _prediction(classes: Classes, row: SparseMatrix, id: str, p: FloatArray) -> Prediction:
    if row.nnz == 0:
        return Prediction(id, "", 0.0, (), Explanation((), np.zeros(0), 0.0))
    order = np.argsort(-p, kind="stable")
    others = tuple((classes.names[each], float(p[each])) for each in order[1 : 1 + OTHERS])
    best, second = int(order[0]), int(order[1])
    return Prediction(id, classes.names[best], float(p[best]), others, classes.rule.why(row, best, second))
