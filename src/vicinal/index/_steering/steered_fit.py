"""A fit under constraints: held documents are known classes of the clustering; what comes off a merged cluster is joined again.

A cluster is more than the documents that somebody moved into it: its most typical documents are known to the clustering too, and
where as many clusters are asked for, those of all other clusters, so that a constraint on one does not upset the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._choice import is_auto
from vicinal._consensus.mixture import refine
from vicinal._consensus.regrown import regrow
from vicinal._store import Arrays, Settings, Store
from vicinal._typing import BoolArray, IntArray
from vicinal.index._clusters.cluster_table import load_cluster_table
from vicinal.index._clusters.constraints import (
    MERGE,
    MOVE,
    KeptConstraint,
    held_clusters,
    load_constraints,
    refuse_contradictions,
    save_constraints,
    without_missing,
)
from vicinal.index._clusters.typical import typical_rows
from vicinal.index._steering.relabel import DESCRIBED_BY, relabelled
from vicinal.index._stored import CLUSTER_TABLE, NUMBERS, load_names, n_fitted_to, save_names
from vicinal.projection._products import Products

if TYPE_CHECKING:
    from vicinal.index._clusters.cluster_table import ClusterMatch
    from vicinal.index._fit.fit_model import FittedModel
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
    positions = positions_of_held(held, known)
    if not (positions >= 0).any():
        return embedded
    is_held = (positions >= 0) & (embedded.clusters >= 0)
    return replace(embedded, clusters=np.where(is_held, positions, embedded.clusters))


def positions_of_held(held: Sequence[int], known: IntArray) -> IntArray:
    """The position of each number among those of clusters; -1 for -1, and for a number that is not among them."""
    place = {number: position for position, number in enumerate(held)}
    return np.array([place.get(number, -1) for number in known.tolist()], dtype=np.int64)


def known_before(store: Store, constraints: FitConstraints, documents: IntArray, before: IntArray) -> IntArray:
    """The number of the cluster that each document was in; -1 for none, and for one that came since and no constraint knows.

    The old model has put such a document into the cluster that its terms fit best, which nobody has decided and no fit has found.

    Parameters
    ----------
    store : Store
        As it was before the fit.
    constraints : FitConstraints
    documents : int array (documents,)
        Their numbers in the store.
    before : int array (documents,)
        The number of the cluster that each document was in; -1 for none.
    """
    if not constraints.constraints or not (before >= 0).any():
        return before
    rows, n_fitted = Arrays(store).get(NUMBERS), n_fitted_to(store)
    fitted = np.isin(documents, rows[:n_fitted]) & ~np.isin(documents, rows[n_fitted:])
    named = [each for one in constraints.constraints for part in one.parts for each in part.documents]
    return np.where(fitted | np.isin(documents, named), before, -1)


def keep_together(
    found: FittedModel, constraints: FitConstraints, documents: IntArray, before: IntArray, known: IntArray | None = None
) -> FittedModel:
    """Give back what the clustering took from clusters with constraints; then the terms correct all that is not held.

    A new cluster is joined with a merged one if most of its documents were merged, or if it took most of what was merged and
    its other documents are new. Of the documents that constraints are about, those that are free go back if most of them were
    put elsewhere. Documents that came later never take a cluster along: terms decide about them.

    Parameters
    ----------
    found : FittedModel
    constraints : FitConstraints
    documents : int array (documents,)
        Their numbers in the store.
    before : int array (documents,)
        The number of the cluster that each document was in; -1 for none, as `known_before` gives it.
    known : int array (documents,), optional
        Where constraints and labels hold documents; by default those of constraints alone.
    """
    to = _joins(found, constraints, documents, before)
    kept = np.flatnonzero(to == np.arange(len(to)))
    clusters = found.embedded.clusters
    clusters = np.where(clusters >= 0, np.searchsorted(kept, to[clusters]), -1)
    returned = _returns(found.held, constraints, documents, before, clusters)
    if len(kept) == len(to) and np.array_equal(returned, clusters):
        return found
    known = constraints.known if known is None else known
    fixed = np.where(clusters >= 0, positions_of_held(found.held, known), -1)
    counts = Products(found.model.evidence(found.embedded.counts))
    return _relabelled(found, refine(counts, returned, len(kept), fixed=fixed), kept, len(to) - len(kept))


def _joins(found: FittedModel, constraints: FitConstraints, documents: IntArray, before: IntArray) -> IntArray:
    """For each cluster itself, or the merged cluster that it came off."""
    merged = [(part.cluster, part) for each in constraints.constraints if each.kind == MERGE for part in each.parts]
    to = np.arange(found.model.n_clusters)
    for number in {number for number, _ in merged} & set(found.held):
        parts = [part for cluster, part in merged if cluster == number]
        inside = np.isin(documents, [each for part in parts for each in part.documents]) & (before == number)
        free = [np.isin(documents, part.others) & (before == number) for part in parts]
        for cluster in range(len(found.held), found.model.n_clusters):
            if _came_off(found.embedded.clusters == cluster, inside, free, before):
                to[cluster] = found.held.index(number)
    return to


def _came_off(here: BoolArray, merged: BoolArray, free: Sequence[BoolArray], before: IntArray) -> bool:
    """Whether most documents of a new cluster were merged; or most that are not new, with most of the free ones of a part."""
    n_merged = np.count_nonzero(here & merged)
    if 2 * n_merged > np.count_nonzero(here):
        return True
    took_most = any(2 * np.count_nonzero(here & each) > np.count_nonzero(each) for each in free)
    return took_most and bool(2 * n_merged > np.count_nonzero(here & (before >= 0)))


def _returns(
    held: tuple[int, ...], constraints: FitConstraints, documents: IntArray, before: IntArray, clusters: IntArray
) -> IntArray:
    """The clusters of documents, with every set of them that must stay together and lost most of its free documents put back."""
    returned, free = clusters.copy(), (constraints.known < 0) & (clusters >= 0)
    numbers = sorted(set(constraints.known[constraints.known >= 0].tolist()) & set(held))
    own = {number: _own(number, constraints, documents, before) for number in numbers}
    parts = [part for each in constraints.constraints if each.kind == MERGE for part in each.parts if part.cluster in own]
    sets = [*own.items(), *((part.cluster, np.isin(documents, part.others) & own[part.cluster]) for part in parts)]
    for number, inside in sets:
        here, target = clusters[inside & free], held.index(number)
        if 2 * np.count_nonzero(here == target) < len(here):
            back = free & own[number]
            late = ~back & free & ((before < 0) | (before == number))
            for giver in np.setdiff1d(here, [target]):
                if ((clusters == giver) & ~back & ~late).any():  # it goes on without those that came for what goes back
                    returned[(clusters == giver) & late] = -1
            returned[back] = target
    return returned


def _own(number: int, constraints: FitConstraints, documents: IntArray, before: IntArray) -> BoolArray:
    """The documents of a cluster that constraints are about; all of them where documents were only moved into it."""
    parts = [part for each in constraints.constraints if each.kind != MOVE for part in each.parts if part.cluster == number]
    inside: BoolArray = before == number
    return inside & np.isin(documents, [each for part in parts for each in part.documents]) if parts else inside


def _relabelled(found: FittedModel, clusters: IntArray, kept: IntArray, n_joined: int) -> FittedModel:
    """The same model with other clusters, those of ``kept``."""
    again = relabelled(found.model, found.embedded.counts, clusters, len(kept))
    typical = [
        typical_rows(found.embedded.embeddings, np.flatnonzero(clusters == each))[:DESCRIBED_BY] for each in range(len(kept))
    ]
    described = [(list(terms), rows) for terms, rows in zip(again.terms, typical, strict=True)]
    note = f"{n_joined} cluster{'s' if n_joined > 1 else ''} of the fit joined with a merged one: there are {len(kept)}."
    embedded = replace(found.embedded, clusters=clusters, uncertainty=again.uncertainty)
    notes = (*found.notes, note) if n_joined else found.notes
    evidence = found.model.evidence(embedded.counts)
    tree = regrow(found.tree.leaves, found.tree.between, evidence, clusters, len(kept))
    stable = tuple(
        found.stability[each] if np.array_equal(clusters == new, found.embedded.clusters == each) else None
        for new, each in enumerate(kept.tolist())
    )
    changed = replace(found, model=again.model, embedded=embedded, descriptions=described, notes=notes, tree=tree)
    return replace(changed, stability=stable)


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
