"""Clusters keep their numbers over a refit, where they are the same clusters: matched by the documents they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.optimize import linear_sum_assignment

from vicinal._typing import IntArray

SAME = 0.5  # of the documents of either that must be shared


@final
@dataclass(frozen=True, eq=False)
class Match:
    """How new clusters are numbered.

    Attributes
    ----------
    numbers : int array (clusters,)
        The lasting number of each new cluster.
    kept, lost, new : tuples of int
        Numbers that go on, that are no more, and that were not there before.
    moved : int
        Documents of clusters that go on which changed their cluster.
    """

    numbers: IntArray
    kept: tuple[int, ...]
    lost: tuple[int, ...]
    new: tuple[int, ...]
    moved: int

    @property
    def sentence(self) -> str:
        """The change, in words."""
        parts = [f"{len(self.kept)} clusters go on" if len(self.kept) != 1 else "1 cluster goes on"]
        parts += [f"{name}: {', '.join(map(str, each))}" for name, each in (("new", self.new), ("gone", self.lost)) if each]
        return f"{'; '.join(parts)}; {self.moved:,} document{'' if self.moved == 1 else 's'} changed cluster."


def match(before: IntArray, after: IntArray, n_after: int, last_number: int) -> Match:
    """Number new clusters by the old ones that they share most documents with.

    Parameters
    ----------
    before : int array (documents,)
        Lasting numbers of the old clusters; -1 for none.
    after : int array (documents,)
        New clusters, from 0; -1 for none.
    n_after : int
        How many new ones there are.
    last_number : int
        The largest number ever given, so that none is given twice; -1 at first.
    """
    old = np.unique(before[before >= 0])
    shared = np.zeros((len(old), n_after))
    both = (before >= 0) & (after >= 0)
    np.add.at(shared, (np.searchsorted(old, before[both]), after[both]), 1.0)
    sizes = np.bincount(after[after >= 0], minlength=n_after)
    larger = np.maximum(shared.sum(axis=1)[:, None], np.minimum(sizes, shared.sum(axis=0))[None, :])
    overlap = np.divide(shared, larger, out=np.zeros_like(shared), where=larger > 0)
    numbers = np.full(n_after, -1, dtype=np.int64)
    for i, j in zip(*linear_sum_assignment(-overlap), strict=True):
        if overlap[i, j] >= SAME:
            numbers[j] = old[i]
    fresh = np.flatnonzero(numbers < 0)
    numbers[fresh] = last_number + 1 + np.arange(len(fresh))
    kept = np.intersect1d(old, numbers)
    moved = int(np.count_nonzero(both & (numbers[np.maximum(after, 0)] != before) & np.isin(before, kept)))
    lost = np.setdiff1d(old, kept)
    return Match(numbers, tuple(kept.tolist()), tuple(lost.tolist()), tuple(numbers[fresh].tolist()), moved)
