"""Clusters of an index: their numbers, which last over a refit, and their description by terms and exemplars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from vicinal._cluster_names import named_by_terms
from vicinal._store import Settings, Store
from vicinal._typing import FloatArray, IntArray, Json
from vicinal.errors import BadParameter, DamagedIndex
from vicinal.index._clusters.constraints import PIN, load_constraints
from vicinal.index._results import Cluster
from vicinal.index._stored import CLUSTER_TABLE, CLUSTER_TERMS, STABILITY, load_names

if TYPE_CHECKING:
    from vicinal._consensus import ClusterRule
    from vicinal.index._clusters.earlier_fit import EarlierFit
    from vicinal.index._fit.fit_model import FittedModel
    from vicinal.index._index_state import IndexState

SHOWN = 10  # terms and exemplars that are shown
OPEN = 1 << 40  # and above: numbers, during a fit, of clusters that get another: that of the cluster they share most with
SAME = 0.5  # share of the documents of either that two clusters must have in common to be one


@final
@dataclass(frozen=True)
class ClusterTable:
    """The clusters of one fit, in the order of the model.

    Attributes
    ----------
    numbers : tuple of int
        The numbers that last over a refit.
    terms : tuple of tuples of (str, float)
        The terms that distinguish each from the others.
    exemplars : tuple of tuples of int
        Numbers of typical documents in the store.
    last : int
        The largest number ever given to a cluster of this index.
    stability : tuple of float or None
        How much of each another random seed would find again; None where that is not known.
    overall_stability : float or None
        Of the clusters of the fit.
    """

    numbers: tuple[int, ...]
    terms: tuple[tuple[tuple[str, float], ...], ...]
    exemplars: tuple[tuple[int, ...], ...]
    last: int
    stability: tuple[float | None, ...] = ()
    overall_stability: float | None = None

    def position(self, number: int) -> int:
        """The position of the cluster with a number; BadParameter where there is none."""
        if number not in self.numbers:
            known = ", ".join(map(str, sorted(self.numbers)))
            raise BadParameter(f"there is no cluster {number}. There are: {known}.")
        return self.numbers.index(number)


def cluster_table(model: FittedModel, match: ClusterMatch, documents: IntArray) -> ClusterTable:
    """The clusters of a new fit to documents with these numbers in the store."""
    terms, exemplars = zip(*model.descriptions, strict=True)
    typical = tuple(tuple(documents[rows].tolist()) for rows in exemplars)
    numbers, stable = tuple(match.numbers.tolist()), (model.stability, model.overall_stability)
    return ClusterTable(numbers, tuple(map(tuple, terms)), typical, match.last, *stable)


def save_cluster_table(store: Store, table: ClusterTable) -> None:
    """Keep the description of each cluster, and the largest number ever given."""
    clusters: list[Json] = [
        {
            "number": int(number),
            CLUSTER_TERMS: [[term, float(weight)] for term, weight in terms],
            "exemplars": [int(each) for each in exemplars],
            STABILITY: stability,
        }
        for number, terms, exemplars, stability in zip(table.numbers, table.terms, table.exemplars, table.stability, strict=True)
    ]
    Settings(store).set(CLUSTER_TABLE, {"last": table.last, "clusters": clusters, STABILITY: table.overall_stability})


def load_cluster_table(store: Store) -> ClusterTable:
    """The stored table. An older index may not have the numbers of clusters that ended; numbering continues after those it has."""
    kept: dict[str, Any] = Settings(store).get(CLUSTER_TABLE)
    each = kept["clusters"]
    numbers = tuple(int(one["number"]) for one in each)
    terms = tuple(tuple((str(term), float(weight)) for term, weight in one[CLUSTER_TERMS]) for one in each)
    if not all(0 <= number < OPEN for number in numbers) or not all(isfinite(weight) for one in terms for _, weight in one):
        raise DamagedIndex(f"{store.path}: a number in the table of clusters is none that it can be. Fit the index again.")
    return ClusterTable(
        numbers,
        terms,
        tuple(tuple(map(int, one["exemplars"])) for one in each),
        max(int(kept["last"]), *numbers, -1),
        tuple(_number(one.get(STABILITY)) for one in each),
        _number(kept.get(STABILITY)),
    )


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def describe_clusters(state: IndexState) -> list[Cluster]:
    """The clusters of an index, largest first."""
    rows, table = state.rows, state.cluster_table
    there, names = set(rows.numbers.tolist()), load_names(state.store)
    pinned = {each.parts[0].cluster for each in load_constraints(state.store) if each.kind == PIN}
    found = []
    for position, number in enumerate(table.numbers):
        members = np.flatnonzero(rows.clusters == position)
        typical = [each for each in table.exemplars[position] if each in there]
        terms = table.terms[position][:SHOWN]
        share = len(members) / max(1, len(rows.clusters))
        uncertainty = float(rows.uncertainty[members].mean()) if len(members) else 0.0
        facts = number, str(number), names.get(number, name_of(terms)), len(members), share, uncertainty, terms
        decided = number in names, number in pinned
        found.append(Cluster(*facts, titled(state, typical[:SHOWN]), *decided, table.stability[position]))
    return sorted(found, key=lambda each: (-each.size, each.number))


def name_of(terms: tuple[tuple[str, float], ...]) -> str:
    """The name of a cluster: its first terms."""
    return named_by_terms(terms)


def names_of(table: ClusterTable, store: Store) -> dict[int, str]:
    """The name of each cluster by its number: the one that it was given, or else its first terms."""
    given = load_names(store)
    return {number: given.get(number, name_of(terms)) for number, terms in zip(table.numbers, table.terms, strict=True)}


def distinguishing_terms(rule: ClusterRule, cluster: int, forms: NDArray[np.object_], limit: int) -> list[tuple[str, float]]:
    """The terms that distinguish a cluster from the others, in the form in which they are shown, heaviest first."""
    return [(str(forms[term]), weight) for term, weight in rule.top_terms(cluster, limit)]


def titled(state: IndexState, numbers: list[int]) -> tuple[tuple[str, str], ...]:
    """Id and title of documents by their numbers."""
    return tuple((stored.document.id, stored.document.title) for stored in state.documents.at(numbers))


@final
@dataclass(frozen=True, eq=False)
class ClusterMatch:
    """The numbers of new clusters, matched with the old ones by the documents they share.

    Attributes
    ----------
    numbers : int array (clusters,)
        The number of each new cluster.
    kept, lost, new : tuples of int
        Numbers that continue, that ended, and that were not there before.
    moved : int
        Documents of clusters that continue which are in another cluster now.
    last : int
        The largest number ever given.
    """

    numbers: IntArray
    kept: tuple[int, ...]
    lost: tuple[int, ...]
    new: tuple[int, ...]
    moved: int
    last: int

    @property
    def sentence(self) -> str:
        """The change as a sentence."""
        parts = [f"{len(self.kept)} clusters continue" if len(self.kept) != 1 else "1 cluster continues"]
        parts += [f"{name}: {', '.join(map(str, each))}" for name, each in (("new", self.new), ("ended", self.lost)) if each]
        return f"{'; '.join(parts)}; {self.moved:,} document{'' if self.moved == 1 else 's'} changed cluster."


def number_clusters(before: EarlierFit, found: FittedModel) -> ClusterMatch:
    """Number the clusters of a new fit: a cluster that continues keeps its number, and no number is ever given twice.

    Parameters
    ----------
    before : EarlierFit
    found : FittedModel
    """
    held = [-1 if each >= OPEN else each for each in found.held]
    clusters = np.asarray(found.embedded.clusters, dtype=np.int64)
    return match_clusters(before.clusters, clusters, found.model.n_clusters, before.last, held)


def match_clusters(before: IntArray, after: IntArray, n_after: int, last: int, held: Sequence[int] = ()) -> ClusterMatch:
    """Number new clusters by the old ones that they share most documents with.

    Parameters
    ----------
    before : int array (documents,)
        Numbers of the old clusters; -1 for none.
    after : int array (documents,)
        New clusters, from 0; -1 for none.
    n_after : int
        How many new ones there are.
    last : int
        The largest number ever given, so that none is given twice; -1 at first.
    held : sequence of int, default=()
        Numbers of the first new clusters, in which constraints or labels hold documents; -1 for one that has none yet.
    """
    old = np.unique(before[before >= 0])
    both = (before >= 0) & (after >= 0)
    numbers = np.full(n_after, -1, dtype=np.int64)
    numbers[: len(held)] = held
    given = np.flatnonzero(numbers >= 0)
    overlap = _overlap(np.searchsorted(old, before[both]), after[both], (len(old), n_after), after)
    overlap[np.isin(old, held)] = 0.0
    overlap[:, given] = 0.0
    from scipy.optimize import linear_sum_assignment

    for i, j in zip(*linear_sum_assignment(-overlap), strict=True):
        if overlap[i, j] >= SAME:
            numbers[j] = old[i]
    fresh = np.flatnonzero(numbers < 0)
    last = max(last, *held, -1)
    numbers[fresh] = last + 1 + np.arange(len(fresh))
    kept = np.intersect1d(old, numbers)
    moved = int(np.count_nonzero(both & (numbers[np.maximum(after, 0)] != before) & np.isin(before, kept)))
    lost, new = np.setdiff1d(old, kept), numbers[fresh]
    return ClusterMatch(numbers, tuple(kept.tolist()), tuple(lost.tolist()), tuple(new.tolist()), moved, last + len(fresh))


def _overlap(old: IntArray, new: IntArray, shape: tuple[int, int], after: IntArray) -> FloatArray:
    """The share of documents that each old and each new cluster have in common, of the larger of the two."""
    shared = np.zeros(shape)
    np.add.at(shared, (old, new), 1.0)
    sizes = np.bincount(after[after >= 0], minlength=shape[1])
    larger = np.maximum(shared.sum(axis=1)[:, None], np.minimum(sizes, shared.sum(axis=0))[None, :])
    return np.asarray(np.divide(shared, larger, out=np.zeros_like(shared), where=larger > 0))
