"""Sorting documents into categories: labels of the file are learnt from, the rule is kept, and documents are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from vicinal._store import Arrays, Documents, Labels, Settings, Store, columns
from vicinal._typing import Terms
from vicinal.errors import BadLabels, BadParameter, DamagedIndex
from vicinal.index._results import Labelled, Prediction
from vicinal.index.classes import Classes, learn_classes
from vicinal.index.model import Model
from vicinal.index.state import State
from vicinal.index.whole import whole
from vicinal.projection import Explanation, LinearMap

NAME = "classes"
NEXT = 3  # likely classes that are told beside the first


def labels_from(store: Store, labels: Mapping[str, Any] | None, column: str | None) -> tuple[dict[int, str], str]:
    """Labels by number of the document, and where they come from: given by id, or a metadata column."""
    if labels is not None and column is not None:
        raise BadParameter("label takes labels by id or the name of a metadata column, not both. Use column='section'.")
    if column is None:
        labels = labels or {}
    if labels is not None:
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


def learn_labels(store: Store, state: State, seed: int) -> Labelled:
    """Learn from all labels that are in force, and keep the rule."""
    in_force = Labels(store).get()
    names = tuple(sorted({each.label for each in in_force.values()}))
    code = {name: position for position, name in enumerate(names)}
    labels = np.full(len(state.rows.numbers), -1, dtype=np.int64)
    for number, each in in_force.items():
        row = state.rows.row(number)
        if row >= 0 and state.rows.topics[row] >= 0:  # a document without words teaches nothing
            labels[row] = code[each.label]
    if not (labels >= 0).any():
        raise BadLabels(f"no document of {store.path} that has words has a label. Give some, by id or from a column.")
    spoken = np.unique(labels[labels >= 0])
    labels = np.where(labels >= 0, np.searchsorted(spoken, labels), -1)
    names = tuple(names[each] for each in spoken)
    counts = Counter(labels[labels >= 0].tolist())
    told = tuple((name, counts[i]) for i, name in enumerate(names))
    if len(names) < 2:  # labels of another class may come tomorrow
        Settings(store).drop(NAME)
        return Labelled(counts.total(), told, None)
    X = state.model.words.rows(state.rows.counts)
    classes = learn_classes(X, labels, names, state.model.space, seed)
    save_classes(classes, store, state.model)
    return Labelled(classes.n_labelled, told, classes.accuracy)


def save_classes(classes: Classes, store: Store, model: Model) -> None:
    """Keep the rule; the space itself only where it is another than that of the model."""
    arrays = Arrays(store)
    own = classes.projection if classes.with_labels else None
    arrays.put("classes/weights", np.zeros((0, 0), dtype=np.float32) if own is None else own.weights.astype(np.float32))
    arrays.put("classes/offset", np.zeros(0) if own is None or own.offset is None else np.asarray(own.offset))
    arrays.put("classes/middles", classes.middles)
    Settings(store).set(
        NAME,
        {
            "generation": model.generation,
            "names": list(classes.names),
            "sharpness": classes.sharpness,
            "accuracy": classes.accuracy,
            "labelled": classes.n_labelled,
            "with labels": classes.with_labels,
        },
    )


def load_classes(store: Store, model: Model) -> Classes | None:
    """As they were kept; None where none were learnt with the present model."""
    with whole(store):
        kept = Settings(store).get(NAME)
        if kept is None or int(kept["generation"]) != model.generation:
            return None
        return _classes(store, model, kept)


def _classes(store: Store, model: Model, kept: dict[str, Any]) -> Classes:
    arrays = Arrays(store)
    middles, offset = arrays.get("classes/middles"), arrays.get("classes/offset")
    space: LinearMap = model.space
    if kept["with labels"]:
        weights = arrays.get("classes/weights").astype(np.float64)
        vocabulary = model.space.vocabulary
        space = LinearMap(weights, offset if len(offset) else None, vocabulary)
    names, accuracy = tuple(map(str, list(kept["names"]))), kept["accuracy"]
    if middles.shape != (len(names), space.n_components) or space.n_terms != model.space.n_terms:
        raise DamagedIndex(f"{store.path}: the classes are of another space than the index has. Label it anew.")
    accuracy = None if accuracy is None else float(accuracy)
    return Classes(names, space, middles, float(kept["sharpness"]), accuracy, int(kept["labelled"]), bool(kept["with labels"]))


def sort_into(classes: Classes, X: Terms, ids: Sequence[str]) -> list[Prediction]:
    """The class of each row."""
    rows = sp.csr_array(X)
    probabilities = classes.probabilities(rows)
    return [_category(classes, rows[[i]], id, probabilities[i]) for i, id in enumerate(ids)]


def _category(classes: Classes, row: Terms, id: str, p: Any) -> Prediction:
    if row.nnz == 0:
        return Prediction(id, "", 0.0, (), Explanation((), np.zeros(0), 0.0))
    order = np.argsort(-p, kind="stable")
    others = tuple((classes.names[each], float(p[each])) for each in order[1 : 1 + NEXT])
    best, second = int(order[0]), int(order[1])
    return Prediction(id, classes.names[best], float(p[best]), others, classes.why(row, best, second))
