"""Expected calibration error: how far confidence is from accuracy, over bins of equal width."""

from __future__ import annotations

import numpy as np

from vicinal._typing import BoolArray, FloatArray, IntArray

BINS = 15


def calibration_error(probabilities: FloatArray, truth: IntArray) -> float:
    """Mean over all documents of the gap between confidence and accuracy in the bin of the document's highest probability."""
    return error_of_confidence(probabilities.max(axis=1), probabilities.argmax(axis=1) == truth)


def error_of_confidence(confidence: FloatArray, right: BoolArray) -> float:
    """The same for the confidence of each document and whether it was right."""
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, weights=confidence - right, minlength=BINS)
    return float(np.abs(gaps).sum() / len(right))
