"""Classes while labels are given: those of the documents without one, the least certain, and how accuracy grows with the labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vicinal._store import Settings
from vicinal._typing import FloatArray, IntArray
from vicinal.errors import BadLabels
from vicinal.index import _stored
from vicinal.index._labels.classes import _coded_labels, load_classes
from vicinal.serve import _facts
from vicinal.serve._problems import Problem
from vicinal.serve._state import State
from vicinal.uses._classifier.classifier_fit import fit_rule

#: Shares of the labels that accuracy is measured with.
SHARES = (0.25, 0.5, 0.75, 1.0)
#: Labels that a curve needs at least, and documents beyond which it is not measured while a browser waits.
FEWEST = 8


@final
@dataclass(frozen=True, eq=False)
class Rest:
    """The classes of the documents without a label.

    Attributes
    ----------
    rows : int array
        Rows of the documents, the most probable class first.
    labels : list of str
        The class of each.
    probabilities : float array
        Its probability.
    """

    rows: IntArray
    labels: list[str]
    probabilities: FloatArray

    def counts(self) -> list[list[Any]]:
        """How many documents each class gets."""
        names, counts = np.unique(np.array(self.labels, dtype=object), return_counts=True)
        return _facts.counted(dict(zip(names.tolist(), counts.tolist(), strict=True)))


def label_facts(state: State) -> dict[str, Any]:
    """The labels in force, and what was learnt from them."""
    given: dict[str, int] = {}
    for each in state.labels.values():
        given[each.label] = given.get(each.label, 0) + 1
    kept = Settings(state.index_state.store).get(_stored.CLASSES) if state.snapshot.fitted else None
    learnt = kept is not None and int(kept["generation"]) == state.index_state.generation
    return {
        "labels": _facts.counted(given),
        "n_labelled": len(state.labels),
        "classes": sorted(map(str, kept["names"])) if kept is not None and learnt else [],
        "accuracy": kept.get("accuracy") if kept is not None and learnt else None,
        "n_learnt": int(kept["labelled"]) if kept is not None and learnt else 0,
        "learnt": learnt,
    }


def rest(state: State) -> Rest:
    """Sort the documents without a label; "no-classes" where nothing was learnt."""
    return state.once("rest", lambda: _rest(state))


def _rest(state: State) -> Rest:
    state.index_state.require_fitted("sort documents into classes")
    classes = load_classes(state.index_state.store, state.index_state.model)
    if classes is None:
        raise Problem("no-classes", "no classes were learnt yet. Label documents of two classes at least.")
    without = np.array([row not in state.labels for row in state.embedded.tolist()], dtype=np.bool_)
    inside = np.flatnonzero(without & (state.index_state.rows.clusters >= 0))
    logs = classes.rule.log_probabilities(state.index_state.model.vocabulary.weighted(state.index_state.rows.counts[inside]))
    best = logs.argmax(axis=1)
    probabilities = np.exp(logs[np.arange(len(inside)), best])
    order = np.argsort(-probabilities, kind="stable")
    names = [classes.names[each] for each in best[order]]
    return Rest(state.embedded[inside[order]], names, probabilities[order])


def curve(state: State) -> list[dict[str, Any]]:
    """Accuracy by cross-validation with a part of the labels, each class in its proportion; empty where there are few."""
    return state.once("curve", lambda: _curve(state))


def _curve(state: State) -> list[dict[str, Any]]:
    state.index_state.require_fitted("measure accuracy")
    try:
        labels, names = _coded_labels(state.index_state)
    except BadLabels:
        return []
    if (labels >= 0).sum() < FEWEST or len(names) < 2:
        return []
    X = state.index_state.model.vocabulary.weighted(state.index_state.rows.counts)
    return [_point(X, _part_of(labels, share), len(names), state.index_state.model.projection) for share in SHARES]


def _part_of(labels: IntArray, share: float) -> IntArray:
    """The labels of the first documents of each class, two at least."""
    found = np.full_like(labels, -1)
    for code in range(labels.max() + 1):
        rows = np.flatnonzero(labels == code)
        kept = rows[: max(2, round(share * len(rows)))]
        found[kept] = code
    return found


def _point(X: Any, labels: IntArray, n_classes: int, projection: Any) -> dict[str, Any]:
    return {"n_labelled": int((labels >= 0).sum()), "accuracy": fit_rule(X, labels, n_classes, projection).accuracy}
