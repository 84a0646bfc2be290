"""The compiled loops of a layout: points spread over a grid, its fields read back at the points, and one step of descent."""

from __future__ import annotations

import numpy as np

from vicinal._compiled import compiled
from vicinal._typing import FloatArray, Floats, Integers


@compiled
def _weights(t: float, weights: Floats) -> None:
    """Lagrange's cubic weights of the four nodes around a point, which is t beyond the second of them (N5)."""
    weights[0] = -t * (t - 1.0) * (t - 2.0) / 6.0
    weights[1] = (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0
    weights[2] = -(t + 1.0) * t * (t - 2.0) / 2.0
    weights[3] = (t + 1.0) * t * (t - 1.0) / 6.0


@compiled
def spread(start: int, stop: int, points: FloatArray, x0: float, y0: float, spacing: float, grid: FloatArray) -> None:
    """Add one unit of mass per point to the sixteen nodes around it."""
    across, along = np.empty(4), np.empty(4)
    for i in range(start, stop):
        x, y = (points[i, 0] - x0) / spacing, (points[i, 1] - y0) / spacing
        column, row = int(x), int(y)
        _weights(x - column, across)
        _weights(y - row, along)
        for a in range(4):
            for b in range(4):
                grid[column + a - 1, row + b - 1] += across[a] * along[b]


@compiled
def gather(
    start: int, stop: int, points: FloatArray, x0: float, y0: float, spacing: float, fields: FloatArray, found: FloatArray
) -> None:
    """Interpolate three fields of the grid at points."""
    across, along = np.empty(4), np.empty(4)
    for i in range(start, stop):
        x, y = (points[i, 0] - x0) / spacing, (points[i, 1] - y0) / spacing
        column, row = int(x), int(y)
        _weights(x - column, across)
        _weights(y - row, along)
        for field in range(3):
            total = 0.0
            for a in range(4):
                for b in range(4):
                    total += across[a] * along[b] * fields[field, column + a - 1, row + b - 1]
            found[i, field] = total


@compiled
def sum_over_pairs(start: int, stop: int, points: FloatArray, found: FloatArray) -> None:
    """What the fields are at points, from every other point (N4)."""
    for i in range(start, stop):
        total, push_x, push_y = 0.0, 0.0, 0.0
        for j in range(points.shape[0]):
            dx, dy = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]
            near = 1.0 / (1.0 + dx * dx + dy * dy)
            total += near
            push_x += near * near * dx
            push_y += near * near * dy
        found[i, 0], found[i, 1], found[i, 2] = total, push_x, push_y


@compiled
def attraction(i: int, starts: Integers, neighbors: Integers, affinities: Floats, points: FloatArray) -> tuple[float, float]:
    """The pull of its neighbours on one point (N3), which ends near them: within the square root of ``core``."""
    pull_x, pull_y, core = 0.0, 0.0, 0.0025
    for at in range(starts[i], starts[i + 1]):
        j = neighbors[at]
        dx, dy = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]
        squared = dx * dx + dy * dy
        pull = affinities[at] * squared / ((1.0 + squared) * (squared + core))
        pull_x += pull * dx
        pull_y += pull * dy
    return pull_x, pull_y


@compiled
def step(
    start: int,
    stop: int,
    starts: Integers,
    neighbors: Integers,
    affinities: Floats,
    points: FloatArray,
    repulsion: FloatArray,
    pull: float,
    push: float,
    home: float,
    rates: FloatArray,
    momentum: float,
    gains: FloatArray,
    velocity: FloatArray,
    moved: FloatArray,
) -> None:
    """Move each point along its gradient: every point is read where it was, and written elsewhere (N6)."""
    gradient, longest = np.empty(2), 5.0
    for i in range(start, stop):
        gradient[0], gradient[1] = attraction(i, starts, neighbors, affinities, points)
        for c in range(2):
            slope = 4.0 * (pull * gradient[c] - push * repulsion[i, c + 1] + home * points[i, c])
            turned = slope * velocity[i, c] > 0.0
            gains[i, c] = max(0.01, gains[i, c] * 0.8) if turned else min(4.0, gains[i, c] + 0.2)
            velocity[i, c] = momentum * velocity[i, c] - rates[i] * gains[i, c] * slope
        length = np.sqrt(velocity[i, 0] ** 2 + velocity[i, 1] ** 2)
        for c in range(2):
            if length > longest:
                velocity[i, c] *= longest / length
            moved[i, c] = points[i, c] + velocity[i, c]


@compiled
def _cost(at: int, starts: Integers, neighbors: Integers, weights: Floats, points: FloatArray, i: int) -> float:
    """What it costs document i to be where its neighbour ``at`` is (N7)."""
    total, here = 0.0, neighbors[at]
    for other in range(starts[i], starts[i + 1]):
        j = neighbors[other]
        dx, dy = points[here, 0] - points[j, 0], points[here, 1] - points[j, 1]
        total += weights[other] * np.log(1.0 + dx * dx + dy * dy)
    return total


@compiled
def settle(
    start: int,
    stop: int,
    starts: Integers,
    neighbors: Integers,
    weights: Floats,
    points: FloatArray,
    n_steps: int,
    found: FloatArray,
) -> None:
    """Put each new document where its best neighbour is, and move it to the weighted mean of the neighbours around it (N7)."""
    for i in range(start, stop):
        if starts[i] == starts[i + 1]:
            continue
        best, lowest = starts[i], _cost(starts[i], starts, neighbors, weights, points, i)
        for at in range(starts[i] + 1, starts[i + 1]):
            cost = _cost(at, starts, neighbors, weights, points, i)
            if cost < lowest:
                best, lowest = at, cost
        x, y = points[neighbors[best], 0], points[neighbors[best], 1]
        for _ in range(n_steps):
            total, sum_x, sum_y = 0.0, 0.0, 0.0
            for at in range(starts[i], starts[i + 1]):
                j = neighbors[at]
                dx, dy = x - points[j, 0], y - points[j, 1]
                share = weights[at] / (1.0 + dx * dx + dy * dy)
                total += share
                sum_x += share * points[j, 0]
                sum_y += share * points[j, 1]
            x, y = sum_x / total, sum_y / total
        found[i, 0], found[i, 1] = x, y
