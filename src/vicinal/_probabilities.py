"""Probabilities from scores: the softmax in logarithms, normalised entropy, log losses, and intervals of shares that were seen."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.special import logsumexp

from vicinal._typing import FloatArray, IntArray


def log_softmax(scores: FloatArray) -> FloatArray:
    """Logarithms of the probabilities proportional to exp(score), row by row."""
    return np.asarray(scores - logsumexp(scores, axis=1, keepdims=True))


def normalized_entropy(log_probabilities: FloatArray) -> FloatArray:
    """Entropy of each row divided by the logarithm of the number of columns: 0 for certainty, 1 where all are equally likely."""
    n_columns = log_probabilities.shape[1]
    if n_columns < 2:
        return np.zeros(len(log_probabilities))
    share = _entropy(np.exp(log_probabilities), log_probabilities) / np.log(n_columns)
    return np.asarray(np.clip(share, 0.0, 1.0) + 0.0)  # and not -0.0


def entropy_of_shares(shares: FloatArray) -> float:
    """Entropy of shares of a whole divided by that of equal ones: 1 for equal shares, near 0 where one is nearly all."""
    there = shares[shares > 0]
    return float(_entropy(there, np.log(there)) / np.log(max(2, len(shares))))


def _entropy(p: FloatArray, log_p: FloatArray) -> FloatArray:
    return np.asarray(-np.sum(np.where(p > 0, p * log_p, 0.0), axis=-1))


def log_loss(scores: FloatArray, labels: IntArray) -> float:
    """Mean of -ln p of the right label under the softmax of the scores; 0 where there is no row."""
    if len(labels) == 0:
        return 0.0
    return float(np.mean(logsumexp(scores, axis=1) - scores[np.arange(len(labels)), labels]))


def best_scaled(candidates: Iterable[FloatArray], labels: IntArray) -> int:
    """Which of several scalings of the same scores has the lowest log loss; the first of equals."""
    return int(np.argmin([log_loss(scores, labels) for scores in candidates]))


def wilson_interval(share: float, n: int) -> tuple[float, float]:
    """Between what a share may truly be that was seen in so many trials, by 95 % (E. B. Wilson, 1927); 0 and 1 without any."""
    if n == 0:
        return 0.0, 1.0
    z = 1.959964  # standard deviations
    middle, spread = share + z**2 / (2 * n), z * np.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    return max(0.0, float((middle - spread) / (1 + z**2 / n))), min(1.0, float((middle + spread) / (1 + z**2 / n)))
