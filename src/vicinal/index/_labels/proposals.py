"""Active labelling in an index: the documents whose labels would teach its classes most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vicinal._content_keys import content_order
from vicinal._matrix import unit_rows
from vicinal._store import Documents, Labels
from vicinal._typing import BoolArray, FloatArray
from vicinal.index._labels.classes import classify, load_classes
from vicinal.index._results import Prediction
from vicinal.projection import Explanation
from vicinal.uses._classifier.ask import worth_labelling

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


def ask(state: IndexState, n: int, random_state: int) -> list[Prediction]:
    """Documents to label next, with the classes that they have by the present labels; without a class before there are any."""
    labelled = _labelled(state)
    embeddings = unit_rows(np.asarray(state.rows.embeddings))
    order, logs = content_order(state.rows.counts), _log_probabilities(state)
    rows = worth_labelling(embeddings, logs, n, order=order, labelled=labelled, random_state=random_state)
    found = Documents(state.store).at(state.rows.numbers[rows].tolist())
    ids = {stored.number: stored.document.id for stored in found}
    ordered = [ids[int(number)] for number in state.rows.numbers[rows]]
    if load_classes(state) is not None:
        return classify(state, (), ordered)
    return [Prediction(id, "", 0.0, (), Explanation((), np.zeros(0), 0.0)) for id in ordered]


def _labelled(state: IndexState) -> BoolArray:
    """Which rows have a label in force."""
    return np.isin(state.rows.numbers, list(Labels(state.store).get()))


def _log_probabilities(state: IndexState) -> FloatArray | None:
    """Of the classes of every row; None before there are classes."""
    classes = load_classes(state)
    if classes is None:
        return None
    return classes.rule.log_probabilities(state.model.vocabulary.weighted(state.rows.counts))
