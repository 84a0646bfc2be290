"""The penalty of errors on labelled documents: chosen by documents that are held out where labels are very many (K2)."""

from __future__ import annotations

import numpy as np

from vicinal._typing import BoolArray, IntArray
from vicinal.uses._classifier.calibration import calibrate
from vicinal.uses._classifier.held_out_labels import VERY_MANY, parts_of_many
from vicinal.uses._classifier.pseudo_labels import ScaledRows
from vicinal.uses._classifier.support_vectors import PENALTY, support_vectors

LARGER, SMALLER = (2.0, 4.0), (0.5, 0.25)  # than the usual one, tried in this order as long as the loss falls


def chosen_penalty(labelled: ScaledRows, y: IntArray, n_classes: int) -> float:
    """The penalty with the lowest log loss on a thousand documents; the usual one where labels are not very many.

    Short texts want a small one, texts of which a word decides a large one. The documents are others than those that the rule is
    judged by in the end.
    """
    if len(y) <= VERY_MANY:
        return PENALTY
    out = parts_of_many(y) == 1
    found = {PENALTY: _loss(PENALTY, labelled, y, out, n_classes)}
    for penalties in (LARGER, SMALLER):
        for penalty in penalties:
            found[penalty] = _loss(penalty, labelled, y, out, n_classes)
            if found[penalty] > min(found.values()):
                break
        if min(found, key=found.__getitem__) != PENALTY:
            break
    return min(found, key=found.__getitem__)


def _loss(penalty: float, labelled: ScaledRows, y: IntArray, out: BoolArray, n_classes: int) -> float:
    """The mean log loss of the documents of a mask by machines that were fitted to all others, calibrated."""
    kept, held = np.flatnonzero(~out), np.flatnonzero(out)
    scores = labelled[held].scores(support_vectors(labelled.rows[kept], y[kept], n_classes, penalty))
    return -float(np.mean(calibrate(scores, y[held]).log_probabilities(scores)[np.arange(len(held)), y[held]]))
