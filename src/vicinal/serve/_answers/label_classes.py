"""Classes while labels are given: those of the documents without one, the least certain, and how accuracy grows with the labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal.errors import BadLabels
from vicinal.index._labels.classes import coded_labels, load_classes, stored_classes
from vicinal.serve import _facts
from vicinal.serve._problems import Problem
from vicinal.serve._state import State
from vicinal.uses._classifier.classifier_rule import ClassifierRule
from vicinal.uses._classifier.folds import evenly
from vicinal.uses._classifier.joint_rows import joined
from vicinal.uses._classifier.learning_curve import accuracies

#: Shares of the labels that accuracy is measured with.
SHARES = (0.25, 0.5, 0.75, 1.0)
#: Labels that a curve needs at least.
FEWEST = 8
#: The share of the embedding where nothing was learnt yet.
USUAL_SHARE = 0.5


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

    def counts(self) -> list[tuple[str, int]]:
        """How many documents each class gets."""
        names, counts = np.unique(np.array(self.labels, dtype=object), return_counts=True)
        return _facts.counted(dict(zip(names.tolist(), counts.tolist(), strict=True)))


def label_facts(state: State) -> dict[str, object]:
    """The labels in force, and what was learnt from them."""
    given: dict[str, int] = {}
    for each in state.labels.values():
        given[each.label] = given.get(each.label, 0) + 1
    learnt = stored_classes(state.index_state) if state.snapshot.fitted else None
    return {
        "labels": _facts.counted(given),
        "n_labelled": len(state.labels),
        "classes": [] if learnt is None else sorted(map(str, learnt["names"])),
        "accuracy": None if learnt is None else learnt.get("accuracy"),
        "n_learnt": 0 if learnt is None else int(learnt["labelled"]),
        "learnt": learnt is not None,
    }


def rest(state: State) -> Rest:
    """Sort the documents without a label; "no-classes" where nothing was learnt."""
    return state.once("rest", lambda: _rest(state))


def _rest(state: State) -> Rest:
    state.index_state.require_fitted("sort documents into classes")
    classes = load_classes(state.index_state)
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


def curve(state: State) -> list[dict[str, object]]:
    """Accuracy on labels held out with a part of the others, each class in its proportion; empty where there are few."""
    return state.once("curve", lambda: _curve(state))


def _curve(state: State) -> list[dict[str, object]]:
    """By labelled documents alone, and by the share of the embedding that was learnt last."""
    state.index_state.require_fitted("measure accuracy")
    try:
        labels, names = coded_labels(state.index_state)
    except BadLabels:
        return []
    known = np.flatnonzero(labels >= 0)
    if len(known) < FEWEST or len(names) < 2:
        return []
    model = state.index_state.model
    X, y = model.vocabulary.weighted(state.index_state.rows.counts[known]), labels[known]
    rows = replace(joined(model.projection, X), share=_share_of_embedding(state)).of(X)
    found = accuracies(rows, y, len(names), SHARES)
    numbers = [len(evenly(y, round(share * len(y)))) for share in SHARES]
    return [{"n_labelled": n, "accuracy": float(each)} for n, each in zip(numbers, found, strict=True) if np.isfinite(each)]


def _share_of_embedding(state: State) -> float:
    """The share of the embedding in the rule that was learnt last; a half where there is none."""
    classes = load_classes(state.index_state)
    rule = classes.rule if classes is not None else None
    return rule.joint.share if isinstance(rule, ClassifierRule) else USUAL_SHARE
