"""Labelled documents that are held out in parts: what is known of a rule by documents that it was not fitted to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal.uses._classifier.calibration import Calibration, SoftLabels, calibrate
from vicinal.uses._classifier.folds import dealt

VERY_MANY = 2000  # labelled documents
MOST_HELD_OUT = 1000  # of very many labelled documents so many are held out together, once; of fewer, every one in its turn
FEW, MANY_FOLDS, FOLDS = 400, 10, 5


@final
@dataclass(frozen=True, eq=False)
class HeldOut:
    """What documents that were held out say of a rule.

    Attributes
    ----------
    calibration : Calibration
    labels, losses : (documents held out,)
        Class and log loss of each.
    accuracy : float or None
        None where no document could be held out.
    """

    calibration: Calibration
    labels: IntArray
    losses: FloatArray
    accuracy: float | None


def hold_out(
    y: IntArray, n_classes: int, scores_without: Callable[[BoolArray], FloatArray], soft: SoftLabels | None = None
) -> HeldOut:
    """Calibrate scores of documents by rules that are fitted without them.

    Parameters
    ----------
    y : (documents,)
        The class of each labelled document.
    n_classes : int
    scores_without : callable
        The scores of the documents of a mask, (documents of the mask, classes), by the rule that is fitted to all others.
    soft : SoftLabels, optional
        Documents without a label that scores are calibrated on as well.
    """
    parts, scores = held_out_parts(y), np.zeros((len(y), n_classes))
    for part in range(parts.max(initial=-1) + 1):
        if (out := parts == part).any():
            scores[out] = scores_without(out)
    scores, labels = scores[parts >= 0], y[parts >= 0]
    calibration = calibrate(scores, labels, soft)
    losses = -calibration.log_probabilities(scores)[np.arange(len(labels)), labels]
    return HeldOut(calibration, labels, losses, float(np.mean(scores.argmax(axis=1) == labels)) if len(labels) else None)


def held_out_parts(y: IntArray) -> IntArray:
    """The part in which each document is held out, -1 for never: folds of all, or one part of very many documents."""
    if len(y) <= VERY_MANY:
        return _not_alone(dealt(y, _n_folds(y)), y)
    return _not_alone(np.where(parts_of_many(y) == 0, 0, -1), y)


def parts_of_many(y: IntArray) -> IntArray:
    """Parts of a thousand documents at most, -1 for the only document of a class; the first is what a rule is judged by."""
    return dealt(y, -(-len(y) // MOST_HELD_OUT))


def _n_folds(y: IntArray) -> int:
    """How many parts; with few labels as many as there are per class, so that a part has about one of each.

    Were a single document held out of a class of two, all other classes would have twice as many to learn from as its own.
    """
    per_class = len(y) // max(1, len(np.unique(y)))
    return min(MANY_FOLDS if len(y) < FEW else FOLDS, max(2, per_class))


def _not_alone(parts: IntArray, y: IntArray) -> IntArray:
    """Without the parts that would leave a single class to learn from."""
    alone = [part for part in range(parts.max(initial=-1) + 1) if len(np.unique(y[parts != part])) < 2]
    return np.where(np.isin(parts, alone), -1, parts)
