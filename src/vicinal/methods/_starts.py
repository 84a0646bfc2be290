"""Where a non-negative factorisation starts: from the singular vectors of X, so that no chance decides."""

from __future__ import annotations

import numpy as np

from vicinal._typing import FloatArray, RandomState, Terms
from vicinal.methods._lsi import LSI
from vicinal.spectrum._basis import canonical_rotation

FLOOR = 0.1  # of the size of an average entry: what stands in place of a zero, which a multiplication could never leave
TIED = 1 + 1e-9  # how much heavier the negative side must be to be taken


def from_singular_vectors(X: Terms, n_factors: int, random_state: RandomState) -> tuple[FloatArray, FloatArray]:
    """V and H from the heavier side, positive or negative, of each pair of singular vectors (F7); no more than X has.

    Only the iteration that finds the singular vectors of many documents uses ``random_state``.
    """
    singular, right = LSI(random_state=random_state)._decompose(X, n_factors)
    known = singular > singular[0] * np.finfo(np.float64).eps * max(X.shape)
    singular, right = singular[known], right[:, known]
    left = np.asarray(X @ right)
    turn = canonical_rotation(singular / singular[0], left)
    left, right = left @ turn / singular, right @ turn
    sides = [_heavier_side(left[:, j], right[:, j], singular[j]) for j in range(len(singular))]
    floor = FLOOR * np.sqrt(X.mean() / len(sides))
    V, H = np.column_stack([v for v, _ in sides]), np.vstack([h for _, h in sides])
    return np.maximum(V, floor), np.maximum(H, floor)


def _heavier_side(u: FloatArray, v: FloatArray, singular: float) -> tuple[FloatArray, FloatArray]:
    """u₊ and v₊, or u₋ and v₋, whichever product of lengths is larger, scaled to that share of the singular value."""
    above, below = (np.maximum(u, 0.0), np.maximum(v, 0.0)), (np.maximum(-u, 0.0), np.maximum(-v, 0.0))
    lengths = [np.linalg.norm(a) * np.linalg.norm(b) for a, b in (above, below)]
    here, there = below if lengths[1] > TIED * lengths[0] else above
    size = np.sqrt(singular * max(lengths))
    return size * here / (np.linalg.norm(here) or 1.0), size * there / (np.linalg.norm(there) or 1.0)
