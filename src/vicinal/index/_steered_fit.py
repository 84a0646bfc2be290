"""A fit under constraints: held documents are known classes of the clustering; what comes off a merged cluster is joined again.

A cluster is more than the documents that somebody moved into it: its most typical documents are known to the clustering too, and
where as many clusters are asked for, those of all other clusters, so that a constraint on one does not upset the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._choice import is_auto
from vicinal._store import Settings, Store
from vicinal._typing import BoolArray, IntArray
from vicinal.index._clusters import load_cluster_table
from vicinal.index._constraints import (
    MERGE,
    KeptConstraint,
    held_clusters,
    load_constraints,
    refuse_contradictions,
    save_constraints,
    without_missing,
)
from vicinal.index._relabel import relabelled
from vicinal.index._stored import CLUSTER_TABLE, load_names, save_names

if TYPE_CHECKING:
    from vicinal.index._clusters import ClusterMatch
    from vicinal.index._fit import FittedModel
    from vicinal.index._model import Embedded


@final
@dataclass(frozen=True, eq=False)
class FitConstraints:
    """The constraints of a fit.

    Attributes
    ----------
    constraints : tuple of KeptConstraint
        On documents that are there.
    known : int array (documents,)
        The number of the cluster in which a document is held, -1 for none.
    seeds : int array (documents,)
        The same, and the most typical documents of clusters that continue.
    notes : tuple of str
        What was dropped.
    """

    constraints: tuple[KeptConstraint, ...]
    known: IntArray
    seeds: IntArray
    notes: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What is kept, for the report of changes; empty where there is nothing to keep."""
        n_held, each = int(np.count_nonzero(self.known >= 0)), len(self.constraints)
        if not each:
            return ""
        hold = f"{each} constraints hold" if each > 1 else "1 constraint holds"
        return f"{hold} {n_held:,} document{'' if n_held == 1 else 's'} in place."


def constraints_of_fit(store: Store, documents: IntArray, n_clusters: int | str) -> FitConstraints:
    """The constraints in the file, as far as their documents are among those of the fit; BadParameter where two contradict."""
    kept, notes = without_missing(load_constraints(store), set(documents.tolist()))
    refuse_contradictions(kept)
    known, held = np.full(len(documents), -1, dtype=np.int64), held_clusters(kept)
    if held:
        known[np.searchsorted(documents, np.array(list(held), dtype=np.int64))] = list(held.values())
    seeds = known.copy()
    for number, typical in _typical(store, set(held.values()), n_clusters).items():
        rows = np.flatnonzero(np.isin(documents, typical))
        seeds[rows[seeds[rows] < 0]] = number
    return FitConstraints(tuple(kept), known, seeds, tuple(notes))


def _typical(store: Store, held: set[int], n_clusters: int | str) -> dict[int, list[int]]:
    """Typical documents of clusters with constraints, and of all others where as many clusters are asked for."""
    if not held or Settings(store).get(CLUSTER_TABLE) is None:
        return {}
    table = load_cluster_table(store)
    every = held | set(table.numbers)
    wanted = every if is_auto(n_clusters) or int(n_clusters) >= len(every) else held
    each = zip(table.numbers, table.exemplars, strict=True)
    return {number: list(typical[: (len(typical) + 1) // 2]) for number, typical in each if number in wanted}


def hold(embedded: Embedded, held: Sequence[int], known: IntArray) -> Embedded:
    """Leave held documents in their clusters, whatever the rule says of their terms.

    Parameters
    ----------
    embedded : Embedded
    held : sequence of int
        The number of each of the first clusters.
    known : int array (documents,)
        The number of the cluster of each held document, -1 elsewhere.
    """
    if not len(held) or not (known >= 0).any():
        return embedded
    order = np.argsort(held, kind="stable")
    found = order[np.minimum(np.searchsorted(np.asarray(held)[order], known), len(held) - 1)]
    is_held = (np.asarray(held)[found] == known) & (embedded.clusters >= 0)
    return replace(embedded, clusters=np.where(is_held, found, embedded.clusters).astype(np.int64))


def join_merged(found: FittedModel, constraints: Iterable[KeptConstraint], before: IntArray) -> FittedModel:
    """Join new clusters, most documents of which were in a merged cluster, with that cluster again.

    Parameters
    ----------
    found : FittedModel
    constraints : iterable of KeptConstraint
    before : int array (documents,)
        The number of the cluster that each document was in; -1 for none.
    """
    merged = [each for each in dict.fromkeys(e.parts[0].cluster for e in constraints if e.kind == MERGE) if each in found.held]
    to = np.arange(found.model.n_clusters)
    for cluster in range(len(found.held), found.model.n_clusters):
        inside = found.embedded.clusters == cluster
        for number in merged:
            if 2 * np.count_nonzero(inside & (before == number)) > np.count_nonzero(inside):
                to[cluster] = found.held.index(number)
    return found if np.array_equal(to, np.arange(len(to))) else _joined(found, to)


def _joined(found: FittedModel, to: IntArray) -> FittedModel:
    """The same model with fewer clusters: each goes on as another one, or as itself."""
    kept = np.flatnonzero(to == np.arange(len(to)))
    clusters = np.where(found.embedded.clusters >= 0, np.searchsorted(kept, to[found.embedded.clusters]), -1)
    again = relabelled(found.model, found.embedded.counts, clusters, len(kept))
    described = [(list(terms), found.descriptions[old][1]) for terms, old in zip(again.terms, kept, strict=True)]
    n_joined = len(to) - len(kept)
    note = f"{n_joined} cluster{'s' if n_joined > 1 else ''} of the fit joined with a merged one: there are {len(kept)}."
    embedded = replace(found.embedded, clusters=clusters, uncertainty=again.uncertainty)
    return replace(found, model=again.model, embedded=embedded, descriptions=described, notes=(*found.notes, note))


def keep_steering(store: Store, constraints: FitConstraints, match: ClusterMatch) -> tuple[str, ...]:
    """Keep the constraints that are left, and the names of clusters that go on; a sentence on each name and constraint dropped."""
    names = load_names(store)
    ended = {number: name for number, name in names.items() if number not in match.numbers}
    if ended:
        save_names(store, {number: name for number, name in names.items() if number not in ended})
    if constraints.notes:
        save_constraints(store, constraints.constraints)
    return (*constraints.notes, *(f"cluster {number} ended, and with it the name {name!r}." for number, name in ended.items()))


def without_effect(constraints: FitConstraints, embedded: BoolArray) -> tuple[str, ...]:
    """A sentence on held documents that have no terms and so are in no cluster."""
    n_without = int(np.count_nonzero((constraints.known >= 0) & ~embedded))
    return (f"{n_without} held by constraints have no terms, and are in no cluster.",) if n_without else ()
