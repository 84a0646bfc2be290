"""The paper's way to at most m words: an alternating direction method whose penalty on the constraint grows (P27).

Its theorem promises the best subset. It does not keep that: the steps freeze as the penalty grows, wherever they are. So it is one
of two solvers here, and the better answer is kept (:mod:`vicinal.projection._solvers.row_count`).
"""

from __future__ import annotations

import numpy as np

from vicinal._typing import FloatArray
from vicinal.projection._penalty import RowCount
from vicinal.projection._products import Products
from vicinal.projection._solvers.cgls import Solution

MU, RHO = 1e-4, 1.5  # the penalty at first, and by what it grows
SETTLED = 1e-6  # change of the weights, relative to the largest, below which nothing moves any more
POWERS = 100  # products with XᵀX that find its largest eigenvalue


def alternate(products: Products, Y: FloatArray, penalty: RowCount, max_iter: int) -> Solution:
    """Run the schedule until its steps have become nothing; the error is the last change of the weights, relative to them."""
    step = 1.0 / (largest_eigenvalue(products) or 1.0)
    A, fitted, multiplier = np.zeros((products.shape[1], Y.shape[1])), np.zeros_like(Y), np.zeros_like(Y)
    mu, iterations, change = MU, 0, np.inf
    while iterations < max_iter and change > SETTLED:
        residual = (multiplier + mu * (Y - fitted)) / (1.0 + mu)
        downhill = products.backward(Y - fitted - residual + multiplier / mu)
        moved = penalty.prox(A + step * downhill, 0.5 * step / mu)
        change = float(np.abs(moved - A).max(initial=0.0) / (np.abs(moved).max(initial=0.0) or 1.0))
        A, fitted = moved, products.forward(moved)
        multiplier = multiplier + mu * (Y - fitted - residual)
        mu, iterations = mu * RHO, iterations + 1
    return Solution(A, iterations, change)


def largest_eigenvalue(products: Products) -> float:
    """The largest eigenvalue of XᵀX, by its powers: a part of it in 1e-3 or so, which is all a step size needs."""
    direction = products.backward(np.sqrt(np.arange(1.0, products.shape[0] + 1))[:, None])  # no constant, which centring would kill
    value = 0.0
    for _ in range(POWERS):
        length = float(np.linalg.norm(direction))
        if length == 0:
            return value
        direction = products.backward(products.forward(direction / length))
        value = float(np.linalg.norm(direction))
    return value
