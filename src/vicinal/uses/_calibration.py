"""Calibration: from scores of classes to probabilities that are right as often as they say (K4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_expit, logsumexp

from vicinal._typing import FloatArray, IntArray

LARGEST_SLOPE, LARGEST_BIAS = 100.0, 20.0


@final
@dataclass(frozen=True)
class Calibration:
    """Probabilities proportional to σ(slope · score + bias), with σ the logistic function.

    Both numbers are the same for all classes, so the class with the highest score is the most probable one.
    """

    slope: float = 5.0
    bias: float = 0.0

    def log_probabilities(self, scores: FloatArray) -> FloatArray:
        """Logarithms of the probability of each class, row by row."""
        logs = log_expit(self.slope * scores + self.bias)
        return np.asarray(logs - logsumexp(logs, axis=1, keepdims=True))


def calibrate(scores: FloatArray, labels: IntArray) -> Calibration:
    """The calibration with the lowest log loss on documents that the scores were not learnt from.

    A label counts as right with all but a small part of its weight, one document's in all, and that part is spread over the
    classes, as Platt proposed: otherwise labels that are all predicted would ask for an infinite slope.
    """
    if len(labels) == 0:
        return Calibration()
    smooth = 1.0 / (len(labels) + 2.0)

    def loss(parameters: FloatArray) -> float:
        logs = _at(parameters).log_probabilities(scores)
        right = logs[np.arange(len(labels)), labels]
        return -float(np.mean((1.0 - smooth) * right + smooth * logs.mean(axis=1)))

    options = {"xatol": 1e-3, "fatol": 1e-7, "maxiter": 400}
    starts = [np.array([np.log(slope), bias]) for slope in (3.0, 12.0) for bias in (0.0, 3.0)]
    found = min((minimize(loss, start, method="Nelder-Mead", options=options) for start in starts), key=lambda each: each.fun)
    return _at(found.x)


def _at(parameters: FloatArray) -> Calibration:
    """Parameters of any size as a calibration within its limits."""
    slope = float(np.exp(np.clip(parameters[0], -5.0, np.log(LARGEST_SLOPE))))
    return Calibration(slope, float(np.clip(parameters[1], -LARGEST_BIAS, LARGEST_BIAS)))
