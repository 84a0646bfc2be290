"""Links between documents: those that must be in one cluster are assigned as one, and those that cannot be are kept apart (V22).

Every assignment obeys links, from the correction of views to the last decision. Documents without a link are not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from vicinal._content_keys import Keys, mixed
from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal.errors import BadParameter

MAX_STEPS = 20_000  # of a search for clusters, back and forth, before it is given up
NOT_ENOUGH = (
    "cannot_link keeps more documents apart than {n} clusters allow, so that no assignment was found. "
    "Use a larger n_clusters, or leave out some of the pairs."
)


@final
@dataclass(frozen=True, eq=False)
class Links:
    """Which documents must be in one cluster, and which cannot be.

    Attributes
    ----------
    units : int array (documents,)
        Documents with the same number must be in one cluster: one unit. Numbered in the order of their first documents.
    apart : int array (pairs, 2)
        Units that cannot be in one cluster, the smaller number first, each pair once.
    """

    units: IntArray
    apart: IntArray

    def restrict(self, documents: IntArray) -> Links:
        """The same of some of the documents, or of all in another order."""
        units = numbered_by_first(self.units[documents])
        number = np.full(int(self.units.max(initial=-1)) + 1, -1, dtype=np.int64)
        number[self.units[documents]] = units
        pairs = number[self.apart]
        return Links(units, distinct_pairs(pairs[(pairs >= 0).all(axis=1)]))

    def tie_keys(self, keys: Keys) -> Keys:
        """Keys that tell documents of the same content apart by the content of what they are linked to."""
        together = np.zeros(int(self.units.max(initial=-1)) + 1, dtype=np.uint64)
        np.add.at(together, self.units, mixed(keys))
        away, (a, b) = np.zeros_like(together), self.apart.T
        np.add.at(away, a, mixed(together)[b])
        np.add.at(away, b, mixed(together)[a])
        return np.asarray((together + mixed(away))[self.units])

    def obey(self, scores: FloatArray, labels: IntArray, fixed: IntArray | None = None) -> IntArray:
        """Labels that obey the links: a unit goes where the sum of its scores is largest, of those where it can be.

        Parameters
        ----------
        scores : float array (documents, clusters)
        labels : int array (documents,)
            What documents without a link keep; -1, for a document without terms, is kept as well.
        fixed : int array (documents,), optional
            Clusters that stay, -1 elsewhere.
        """
        members = np.flatnonzero(self.linked & (labels >= 0))
        if len(members) == 0:
            return labels
        inside = self.restrict(members)
        sums = np.zeros((int(inside.units.max()) + 1, scores.shape[1]))
        np.add.at(sums, inside.units, scores[members])
        clusters = assign_units(sums, inside.fixed_units(None if fixed is None else fixed[members]), inside.apart)
        obeyed = labels.copy()
        obeyed[members] = clusters[inside.units]
        return obeyed

    def fixed_units(self, fixed: IntArray | None) -> IntArray:
        """The cluster of each unit that has a document whose cluster stays, -1 for others."""
        found = np.full(int(self.units.max(initial=-1)) + 1, -1, dtype=np.int64)
        if fixed is not None:
            np.maximum.at(found, self.units, fixed)
        return found

    def can_be_obeyed(self, n_clusters: int, documents: IntArray, fixed: IntArray | None) -> bool:
        """Whether so many clusters are enough for those of some documents that are kept apart."""
        inside = self.restrict(documents)
        units = inside.fixed_units(None if fixed is None else fixed[documents])
        return _without_scores(units, inside.apart, n_clusters) is not None

    @property
    def linked(self) -> BoolArray:
        """Whether each document has a link to another."""
        linked = np.bincount(self.units) > 1
        linked[self.apart.ravel()] = True
        return np.asarray(linked[self.units])


def numbered_by_first(units: IntArray) -> IntArray:
    """The same units, numbered 0, 1, … in the order in which they come first."""
    _, first, numbers = np.unique(units, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[numbers].astype(np.int64)


def distinct_pairs(pairs: IntArray) -> IntArray:
    """Each pair once, the smaller number first, in order."""
    return np.unique(np.sort(pairs.reshape(-1, 2), axis=1), axis=0).astype(np.int64)


def links_of(links: Links | None, documents: IntArray) -> Links | None:
    """Links of some of the documents, where there are any."""
    return None if links is None else links.restrict(documents)


def assign_units(scores: FloatArray, fixed: IntArray, apart: IntArray) -> IntArray:
    """The cluster of each unit: of the largest score, except where units that must be apart would meet.

    Of these the one with the larger margin chooses first, as in COP-k-means (Wagstaff and others, 2001), and the others take their
    best cluster among those left. Where that ends nowhere, the last choices are taken back.
    """
    clusters = np.where(fixed >= 0, fixed, np.argmax(scores, axis=1)).astype(np.int64)
    for part in _parts(apart, len(clusters)):
        if not np.any(clusters[part[:, 0]] == clusters[part[:, 1]]):
            continue
        order, preferences = _by_margin(scores, part)
        found = _search(order, preferences, fixed, part)
        if found is None:
            found = _without_scores(fixed, part, scores.shape[1])
        if found is None:
            raise BadParameter(NOT_ENOUGH.format(n=scores.shape[1]))
        clusters[np.unique(part)] = found[np.unique(part)]
    return clusters


def _parts(apart: IntArray, n_units: int) -> list[IntArray]:
    """The pairs of each connected component of the graph that they are the edges of."""
    if len(apart) == 0:
        return []
    graph = sp.csr_array((np.ones(len(apart)), (apart[:, 0], apart[:, 1])), shape=(n_units, n_units))
    of_pair = connected_components(graph, directed=False)[1][apart[:, 0]]
    return [apart[of_pair == number] for number in np.unique(of_pair)]


def _by_margin(scores: FloatArray, part: IntArray) -> tuple[IntArray, IntArray]:
    """Units in the order in which they choose, the one with the largest margin first, and the clusters that each prefers."""
    units = np.unique(part)
    preferences = np.argsort(-scores, axis=1, kind="stable")
    ranked = -np.sort(-scores[units], axis=1)
    margins = ranked[:, 0] - ranked[:, min(1, scores.shape[1] - 1)]
    return units[np.argsort(-margins, kind="stable")], preferences


def _without_scores(fixed: IntArray, apart: IntArray, n_clusters: int) -> IntArray | None:
    """Any assignment that keeps units apart, those with the most pairs first; None where none was found."""
    clusters = np.maximum(fixed, 0)
    for part in _parts(apart, len(fixed)):
        units, n_pairs = np.unique(part, return_counts=True)
        preferences = np.tile(np.arange(n_clusters), (len(fixed), 1))
        found = _search(units[np.argsort(-n_pairs, kind="stable")], preferences, fixed, part)
        if found is None:
            return None
        clusters[units] = found[units]
    return clusters


def _search(order: IntArray, preferences: IntArray, fixed: IntArray, part: IntArray) -> IntArray | None:
    """Go through units in order, each taking its best cluster that no unit apart from it has; back where none is left."""
    clusters, others = fixed.copy(), _others(part)
    free = [int(unit) for unit in order if fixed[unit] < 0]
    tried, at = [0] * len(free), 0
    for _ in range(MAX_STEPS + len(free)):
        if at == len(free):
            return clusters
        unit = free[at]
        clusters[unit] = -1
        taken = {int(clusters[other]) for other in others[unit]}
        left = [j for j in range(tried[at], preferences.shape[1]) if int(preferences[unit, j]) not in taken]
        if left:
            clusters[unit], tried[at], at = preferences[unit, left[0]], left[0] + 1, at + 1
        else:
            tried[at], at = 0, at - 1
        if at < 0:
            return None
    return clusters if at == len(free) else None


def _others(part: IntArray) -> dict[int, list[int]]:
    """The units that each unit is kept apart from."""
    others: dict[int, list[int]] = {int(unit): [] for unit in np.unique(part)}
    for a, b in part.tolist():
        others[a].append(b)
        others[b].append(a)
    return others
