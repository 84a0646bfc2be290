"""Gradient descent of a layout from where it starts: neighbours attract each other, all points repel each other (N6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from vicinal._threads import over_rows
from vicinal._typing import FloatArray, SparseMatrix
from vicinal.uses._layout.layout_loops import step
from vicinal.uses._layout.repulsion import BLOCK, forget_kernels, repulsion

HOME = 1e-4  # pull towards the middle, in shares of that of all neighbours: what no edge holds stays in sight


@final
@dataclass(frozen=True)
class Phase:
    """Some steps of the descent with the same forces.

    Attributes
    ----------
    n_steps : int
    pull : float
        How many times the attraction counts.
    momentum : float
    """

    n_steps: int
    pull: float
    momentum: float


def descend(affinities: SparseMatrix, points: FloatArray, phases: Sequence[Phase], n_jobs: int | None) -> FloatArray:
    """Points after all steps.

    Parameters
    ----------
    affinities : csr (documents, documents)
        Symmetric, of sum one.
    points : (documents, 2)
    phases : sequence of Phase
    n_jobs : int or None
    """
    n, edges = len(points), (affinities.indptr, affinities.indices, affinities.data)
    gains, velocity = np.ones((n, 2)), np.zeros((n, 2))
    pulled = np.asarray(affinities.sum(axis=1)).ravel()
    points, moved = np.array(points, dtype=np.float64), np.empty((n, 2))
    for phase in phases:
        rates = 1.0 / (4.0 * phase.pull * pulled)
        for _ in range(phase.n_steps):
            found = repulsion(points, n_jobs)
            push = 1.0 / max(float(found[:, 0].sum()) - n, 1e-12)
            forces = points, found, phase.pull, push, HOME / n, rates, phase.momentum, gains, velocity, moved
            over_rows(partial(_move, edges, forces), n, n_jobs, BLOCK)
            points, moved = moved, points
            points -= points.mean(axis=0)
    forget_kernels()
    return points


def _move(edges: tuple[Any, ...], forces: tuple[Any, ...], start: int, stop: int) -> None:
    step(start, stop, *edges, *forces)
