"""What all points of a layout do to each other, by a grid: one convolution in place of a sum over pairs (N4, N5)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from vicinal._threads import over_rows
from vicinal._typing import FloatArray
from vicinal.uses._layout.layout_loops import gather, spread, sum_over_pairs

SPACING = 0.5  # of the nodes; the kernels change over a length of one
MARGIN = 2  # nodes beyond the outermost point
LARGEST = 1024  # nodes of a side; a wider layout has its nodes farther apart
SMALLEST = 32
FEW = 700  # points for which the sum over pairs is as fast, and exact
BLOCK = 4096  # points of a task
PARTS = 4  # grids that points are spread over, whatever the number of threads, and added up in order


@final
@dataclass(frozen=True)
class Grid:
    """A square of nodes that covers all points.

    Attributes
    ----------
    x0, y0 : float
        The first node.
    spacing : float
    side : int
        Number of nodes of a side.
    """

    x0: float
    y0: float
    spacing: float
    side: int


def grid_around(points: FloatArray) -> Grid:
    """The smallest grid around points whose side is one of few, so that the kernels need not be made anew at each step."""
    low, high = points.min(axis=0), points.max(axis=0)
    extent = float((high - low).max())
    spacing = max(SPACING, extent / (LARGEST - 2 * MARGIN - 1))
    side = _round_side(int(extent / spacing) + 2 * MARGIN + 1)
    middle = (low + high - (side - 1) * spacing) / 2
    return Grid(float(middle[0]), float(middle[1]), spacing, side)


def _round_side(needed: int) -> int:
    """The next of 32, 40, 48, 56, 64, 80, …: four of them from one power of two to the next, all fast to transform."""
    power = SMALLEST
    while 2 * power <= needed:
        power *= 2
    return min(side for side in (power, power * 5 // 4, power * 3 // 2, power * 7 // 4, 2 * power) if side >= needed)


@lru_cache(maxsize=1)  # they are large, and the grid seldom changes from step to step
def _transformed_kernels(side: int, spacing: float) -> NDArray[np.complex128]:
    """Transforms of 1 / (1 + d²), and of the vector d / (1 + d²)², between the nodes of a grid."""
    ahead = np.arange(2 * side)
    offset = spacing * np.where(ahead < side, ahead, ahead - 2 * side)
    dx, dy = offset[:, None], offset[None, :]
    near = 1.0 / (1.0 + dx**2 + dy**2)
    return np.asarray(scipy.fft.rfft2(np.stack([near, dx * near**2, dy * near**2])))


def forget_kernels() -> None:
    """Free what was kept from step to step."""
    _transformed_kernels.cache_clear()


def repulsion(points: FloatArray, n_jobs: int | None) -> FloatArray:
    """At each point the sums over all points of 1 / (1 + d²), itself included, and of the two parts of d / (1 + d²)².

    Parameters
    ----------
    points : (documents, 2)
    n_jobs : int or None

    Returns
    -------
    (documents, 3)
    """
    found = np.empty((len(points), 3))
    if len(points) <= FEW:
        over_rows(lambda a, b: sum_over_pairs(a, b, points, found), len(points), n_jobs, BLOCK)
    else:
        _by_grid(points, found, n_jobs)
    return found


def _by_grid(points: FloatArray, found: FloatArray, n_jobs: int | None) -> None:
    grid = grid_around(points)
    scale = grid.x0, grid.y0, grid.spacing
    mass = _mass(points, scale, grid.side, n_jobs)
    fields = _fields(mass, grid, n_jobs)
    over_rows(lambda a, b: gather(a, b, points, *scale, fields, found), len(points), n_jobs, BLOCK)


def _mass(points: FloatArray, scale: tuple[float, float, float], side: int, n_jobs: int | None) -> FloatArray:
    n, parts = len(points), PARTS if len(points) > PARTS * BLOCK else 1
    grids, bounds = np.zeros((parts, side, side)), [n * part // parts for part in range(parts + 1)]

    def task(start: int, stop: int) -> None:
        """Spread some parts of the points over their grids."""
        for part in range(start, stop):
            spread(bounds[part], bounds[part + 1], points, *scale, grids[part])

    over_rows(task, parts, n_jobs, 1)
    return np.asarray(grids.sum(axis=0)) if parts > 1 else grids[0]


def _fields(mass: FloatArray, grid: Grid, n_jobs: int | None) -> FloatArray:
    transformed = scipy.fft.rfft2(mass, (2 * grid.side, 2 * grid.side))
    kernels, fields = _transformed_kernels(grid.side, grid.spacing), np.empty((3, grid.side, grid.side))

    def task(start: int, stop: int) -> None:
        """Convolve the grid with some of the kernels."""
        for each in range(start, stop):
            whole = scipy.fft.irfft2(transformed * kernels[each], (2 * grid.side, 2 * grid.side))
            fields[each] = whole[: grid.side, : grid.side]

    over_rows(task, 3, n_jobs, 1)
    return fields
