"""Leave-one-out scores of ridge regression onto classes, in closed form, from the products of rows alone (K3)."""

from __future__ import annotations

import numpy as np

from vicinal._probabilities import best_scaled, log_softmax
from vicinal._typing import FloatArray, IntArray

PENALTIES = (0.1, 0.3, 1.0)
SCALES = np.geomspace(1.0, 60.0, 16)


def leave_one_out(products: FloatArray, labels: IntArray, n_classes: int, penalty: float) -> FloatArray:
    """The scores of each document by the regression that was fitted to the others, (documents, classes).

    Parameters
    ----------
    products : (documents, documents)
        Products of the rows.
    labels : (documents,)
        Class of each.
    n_classes : int
    penalty : float
        Of the ridge regression.
    """
    wanted = np.eye(n_classes)[labels]
    inverse = np.linalg.inv(products + penalty * np.eye(len(labels)))
    residuals = inverse @ (wanted - wanted.mean(axis=0)) / np.diag(inverse)[:, None]
    return np.asarray(wanted - residuals)


def left_out_losses(products: FloatArray, labels: IntArray, n_classes: int) -> FloatArray:
    """The log loss of each document by leave-one-out scores, for the penalty and the scale with the lowest mean."""
    scores = (leave_one_out(products, labels, n_classes, penalty) for penalty in PENALTIES)
    return min((_losses(each, labels) for each in scores), key=np.mean)


def _losses(scores: FloatArray, labels: IntArray) -> FloatArray:
    scaled = SCALES[best_scaled((scale * scores for scale in SCALES), labels)] * scores
    return np.asarray(-log_softmax(scaled)[np.arange(len(labels)), labels])
