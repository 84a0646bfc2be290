"""Calibration: from scores of classes to probabilities that are right as often as they say (K4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_expit

from vicinal._probabilities import log_softmax
from vicinal._typing import FloatArray, IntArray

LARGEST_SLOPE, LARGEST_BIAS = 100.0, 20.0
USUAL_SLOPE, USUAL_BIAS = 8.0, 2.0  # where few documents or none can be held out
SPREAD_OF_SLOPE, SPREAD_OF_BIAS = 0.5, 3.0  # standard deviations around the usual values, of the logarithm of the slope


@final
@dataclass(frozen=True)
class Calibration:
    """Probabilities proportional to σ(slope · score + bias), with σ the logistic function.

    Both numbers are the same for all classes, so the class with the highest score is the most probable one.
    """

    slope: float = USUAL_SLOPE
    bias: float = USUAL_BIAS

    def log_probabilities(self, scores: FloatArray) -> FloatArray:
        """Logarithms of the probability of each class, row by row."""
        return log_softmax(log_expit(self.slope * scores + self.bias))


@final
@dataclass(frozen=True, eq=False)
class SoftLabels:
    """Documents without a label, by scores that were not learnt from them, with probabilities of their classes from elsewhere.

    Attributes
    ----------
    scores, probabilities : (documents, classes)
    weight : float
        How many labelled documents all of them count for.
    """

    scores: FloatArray
    probabilities: FloatArray
    weight: float

    def loss(self, calibration: Calibration) -> float:
        """Cross entropy between memberships and calibrated probabilities, times the weight."""
        return -self.weight * float(np.mean(np.sum(self.probabilities * calibration.log_probabilities(self.scores), axis=1)))


def calibrate(scores: FloatArray, labels: IntArray, soft: SoftLabels | None = None) -> Calibration:
    """The calibration with the lowest log loss on documents that the scores were not learnt from.

    A label counts as right with all but a small part of its weight, one document's in all, and that part is spread over the
    classes, as Platt proposed: otherwise labels that are all predicted would ask for an infinite slope. Few documents say little:
    a calibration costs the more the farther it is from the usual one, as by a normal distribution around that.
    """
    if len(labels) == 0 and soft is None:
        return Calibration()
    smooth = 1.0 / (len(labels) + 2.0)

    def loss(parameters: FloatArray) -> float:
        """The log loss of the labels, and how unusual the parameters are."""
        calibration = _at(parameters)
        logs = calibration.log_probabilities(scores)
        right = logs[np.arange(len(labels)), labels]
        total = _unusual(calibration) - float(np.sum((1.0 - smooth) * right + smooth * logs.mean(axis=1)))
        return total if soft is None else total + soft.loss(calibration)

    options = {"xatol": 1e-3, "fatol": 1e-7 * max(1, len(labels)), "maxiter": 400}
    starts = [np.array([np.log(slope), bias]) for slope in (3.0, 12.0) for bias in (0.0, 3.0)]
    found = min((minimize(loss, start, method="Nelder-Mead", options=options) for start in starts), key=lambda each: each.fun)
    return _at(found.x)


def _unusual(calibration: Calibration) -> float:
    """The logarithm of how unlikely a calibration is before any document is seen."""
    slope, bias = np.log(calibration.slope / USUAL_SLOPE) / SPREAD_OF_SLOPE, (calibration.bias - USUAL_BIAS) / SPREAD_OF_BIAS
    return float(0.5 * (slope**2 + bias**2))


def _at(parameters: FloatArray) -> Calibration:
    """Parameters of any size as a calibration within its limits."""
    slope = float(np.exp(np.clip(parameters[0], -5.0, np.log(LARGEST_SLOPE))))
    return Calibration(slope, float(np.clip(parameters[1], -LARGEST_BIAS, LARGEST_BIAS)))
