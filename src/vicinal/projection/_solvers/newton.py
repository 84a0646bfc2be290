"""Newton's method for the row lasso with few active terms, for terms so nearly dependent that sweeps converge slowly (P22)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vicinal._typing import FloatArray

STEPS = 25
FLAT = 1e-13  # added to the curvature at least, as a share of the largest: terms may depend on each other
SHORTEST = 1e-4  # share of a step below which it is given up


def newton(gram: FloatArray, against: FloatArray, alpha: float, A: FloatArray) -> FloatArray:
    """Minimise ½⟨A, G A⟩ - ⟨A, B⟩ + α Σ‖A_t‖ by Newton's method over the nonzero rows; a row that changes sign becomes 0."""

    def objective(A: FloatArray) -> float:
        """What is minimised: half the squares, and the lengths of rows times alpha."""
        return float(np.sum(A * (0.5 * gram @ A - against)) + alpha * row_lengths(A).sum())

    damping = FLAT
    for _ in range(STEPS):
        inside = np.flatnonzero(A.any(axis=1))
        step = np.zeros_like(A)
        step[inside] = _newton_step(gram[np.ix_(inside, inside)], against[inside], alpha, A[inside], damping)
        ahead = _downhill(objective, A, step)
        damping = max(FLAT, 0.1 * damping) if ahead is not A else 100.0 * damping
        if damping > 1.0:
            break
        A = ahead
    return A


def _newton_step(gram: FloatArray, against: FloatArray, alpha: float, A: FloatArray, damping: float) -> FloatArray:
    """The zero of the gradient by its linear approximation; all rows of ``A`` are not zero.

    The curvature is P ⊗ I less a part of rank one for each term, so that no matrix is larger than terms x terms (Woodbury).
    """
    lengths = row_lengths(A)
    units = A / lengths[:, None]
    slope = gram @ A - against + alpha * units
    stiff = gram.copy()
    stiff[np.diag_indices_from(stiff)] += alpha / lengths + damping * float(gram.diagonal().max(initial=0.0))
    try:
        inverse = np.linalg.inv(stiff)
        plain = inverse @ slope
        along = np.linalg.solve(np.diag(lengths / alpha) - inverse * (units @ units.T), np.einsum("td,td->t", units, plain))
    except np.linalg.LinAlgError:  # singular to the last bit: no step, and more damping for the next
        return np.zeros_like(A)
    return np.asarray(-plain - inverse @ (units * along[:, None]))


def _downhill(objective: Callable[[FloatArray], float], A: FloatArray, step: FloatArray) -> FloatArray:
    """The largest share of the step, halved a few times, that lowers the objective; ``A`` itself where none does."""
    height, share = objective(A), 1.0
    while share > SHORTEST:
        ahead = A + share * step
        ahead[np.einsum("td,td->t", ahead, A) <= 0] = 0.0
        if objective(ahead) < height:
            return ahead
        share *= 0.5
    return A


def row_lengths(A: FloatArray) -> FloatArray:
    """The length of each row."""
    return np.asarray(np.sqrt(np.einsum("td,td->t", A, A)))
