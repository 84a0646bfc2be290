"""What merging two clusters costs: the information about terms that is lost (V15), against the edges between them (V16)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, final

import numpy as np
from scipy.special import xlogy

from vicinal._consensus.merge import TINY, add_edges
from vicinal._typing import FloatArray, IntArray

EDGES = 0.5  # the power of the edges between two clusters that divides the information lost (V16)
FEWEST_EDGES = 1e-6  # of those expected at random; fewer count as these


class Merge(NamedTuple):
    """One merge.

    Attributes
    ----------
    kept, gone : int
        The second cluster becomes part of the first.
    cost : float
        By which the pair was chosen: the lowest of all.
    loss : float
        What is lost, never below zero: information about terms, or edges between clusters where terms cannot be counted.
    """

    kept: int
    gone: int
    cost: float
    loss: float


@final
class Merging:
    """Clusters while they are merged pair by pair.

    Parameters
    ----------
    counts : float array (clusters, terms) or None
        Sums of counts, of which a copy is changed; None where terms cannot be counted.
    between : float array (clusters, clusters)
        Share of all edges between each two.
    volume : float array (clusters,)
        Share of all edges at each cluster, also of those to clusters that are not merged here.
    """

    def __init__(self, counts: FloatArray | None, between: FloatArray, volume: FloatArray) -> None:
        self.between, self.volume = between.copy(), volume.copy()
        self.alive = np.arange(len(between))
        self.losses = 2.0 * between if counts is None else np.zeros(between.shape)
        self.counted = counts is not None
        if counts is not None:
            self.mass = counts.sum(axis=1)
            self.counts = counts[:, np.count_nonzero(counts, axis=0) > 1]  # terms of one cluster cancel out in (V15)
            self.own = _entropies(self.counts, self.mass)
            for cluster in range(1, len(self.alive)):
                self._compare(cluster, self.alive[:cluster])

    def path(self) -> Iterator[Merge]:
        """Merges until one cluster is left, each time the pair with the lowest cost, the first of equals."""
        while len(self.alive) > 1:
            costs = self._costs()
            a, b = np.unravel_index(np.argmin(costs), costs.shape)
            kept, gone = sorted((int(self.alive[a]), int(self.alive[b])))
            merge = Merge(kept, gone, float(costs[a, b]), max(float(self.losses[kept, gone]), 0.0))
            self._merge(kept, gone)
            yield merge

    def _costs(self) -> FloatArray:
        """ln of the cost of every pair (V16)."""
        here = np.ix_(self.alive, self.alive)
        volume = self.volume[self.alive]
        edges = np.log(np.maximum(self.between[here] / np.maximum(np.outer(volume, volume), TINY), FEWEST_EDGES))
        costs = np.log(np.maximum(self.losses[here], TINY)) - EDGES * edges if self.counted else -edges
        np.fill_diagonal(costs, np.inf)
        return np.asarray(costs)

    def _merge(self, kept: int, gone: int) -> None:
        add_edges(self.between, kept, gone)
        self.volume[kept] += self.volume[gone]
        self.alive = self.alive[self.alive != gone]
        if self.counted:
            self.counts[kept] += self.counts[gone]
            self.mass[kept] += self.mass[gone]
            self.own[kept] = _entropies(self.counts[kept], self.mass[kept])
            self._compare(kept, self.alive[self.alive != kept])
        else:
            self.losses = 2.0 * self.between

    def _compare(self, cluster: int, others: IntArray) -> None:
        """What a cluster and each of some others would lose together (V15)."""
        together = _entropies(self.counts[others] + self.counts[cluster], self.mass[others] + self.mass[cluster])
        lost = self.own[cluster] + self.own[others] - together
        self.losses[cluster, others] = self.losses[others, cluster] = lost


def _entropies(counts: FloatArray, mass: FloatArray) -> FloatArray:
    """Σ N ln N over terms, without that of their sum: minus the entropy of terms, times their number."""
    return np.asarray(xlogy(counts, counts).sum(axis=-1) - xlogy(mass, mass))


def in_order(paths: list[list[Merge]]) -> Iterator[tuple[int, Merge]]:
    """The merges of several clusters in one order: of those that come next in each, the cheapest first; the first of equals."""
    waiting: IntArray = np.zeros(len(paths), dtype=np.int64)
    costs = np.array([path[0].cost if path else np.inf for path in paths])
    for _ in range(sum(map(len, paths))):
        place = int(np.argmin(costs))
        yield place, paths[place][waiting[place]]
        waiting[place] += 1
        costs[place] = paths[place][waiting[place]].cost if waiting[place] < len(paths[place]) else np.inf
