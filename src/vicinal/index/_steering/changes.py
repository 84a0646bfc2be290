"""Steering: a person names, merges, splits and pins clusters and moves documents; the clusters follow at once, and fits keep it.

Every function changes the file inside the transaction of its caller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vicinal._choice import is_auto
from vicinal._store import Settings
from vicinal._typing import IntArray
from vicinal._validate import check_count, check_texts
from vicinal.errors import BadParameter
from vicinal.index._clusters.cluster_results import Constraint
from vicinal.index._clusters.constraints import (
    MERGE,
    MOVE,
    PIN,
    SPLIT,
    HeldPart,
    KeptConstraint,
    held_clusters,
    last_constraint,
    load_constraints,
    refuse_contradictions,
    save_constraints,
)
from vicinal.index._clusters.hints import load_hints, refuse_against_links, remove_hint, show_hints
from vicinal.index._clusters.subclusters import parts_of
from vicinal.index._clusters.typical import by_typicality
from vicinal.index._recipe import load_recipe, save_recipe
from vicinal.index._steering.relabel import by_terms, relabel
from vicinal.index._stored import CLUSTER_NAMES, load_names, save_names

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState

LONGEST_NAME = 200
FEWEST_CLUSTERS = 2
REPRESENTATIVES, THEIR_SHARE = 100, 0.5  # documents of a merged or split cluster that a fit leaves in place: at most, and of all


def name_cluster(state: IndexState, cluster: int, name: str | None) -> None:
    """Give a cluster a name, or take it away."""
    number = _checked(state, cluster)
    names = load_names(state.store)
    names.pop(number, None)
    if name is not None and name != "":
        names[number] = _checked_name(name, number, names)
    if names:
        save_names(state.store, names)
    else:
        Settings(state.store).drop(CLUSTER_NAMES)


def _checked_name(name: str, number: int, names: dict[int, str]) -> str:
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name.strip()) <= LONGEST_NAME:
        what = f"the name of a cluster is one line of 1 to {LONGEST_NAME} characters, got {name!r:.80}"
        raise BadParameter(f"{what}. Give a text of that length without line breaks and tabs.")
    same = [other for other, given in names.items() if given == name.strip()]
    if same:
        raise BadParameter(f"cluster {same[0]} has the name {name!r} already. Use another for cluster {number}, or merge the two.")
    return name.strip()


def merge_clusters(state: IndexState, clusters: Iterable[int]) -> Constraint:
    """Make clusters one: the first continues, the others end."""
    numbers = list(dict.fromkeys(_checked(state, each) for each in clusters))
    if len(numbers) < 2:
        raise BadParameter(f"a merge takes two different clusters at least, got {numbers}. Use merge_clusters([1, 4]).")
    first, *others = numbers
    parts = [_typical_part(state, np.flatnonzero(state.cluster_numbers == each), first, each) for each in numbers]
    earlier = [_retargeted(each, dict.fromkeys(others, first)) for each in load_constraints(state.store)]
    labels = np.where(np.isin(state.cluster_numbers, others), first, state.cluster_numbers)
    return _keep(state, labels, earlier, _new(state, MERGE, parts))


def split_cluster(state: IndexState, cluster: int, n_clusters: int | str) -> Constraint:
    """Make a cluster several: its largest part continues, the others get new numbers."""
    number, earlier = _checked(state, cluster), load_constraints(state.store)
    _refuse_whole(number, earlier)
    found = parts_of(state, number, n_clusters)
    if len(found) < 2:
        why = "too few of its documents share terms, or nothing tells them apart"
        raise BadParameter(f"cluster {number} cannot be split: {why}. Move documents to another cluster instead.")
    labels = state.cluster_numbers.copy()
    free = ~np.isin(state.rows.numbers, list(held_clusters(each for each in earlier if each.kind == MOVE)))
    targets = [number, *range(state.cluster_table.last + 1, state.cluster_table.last + len(found))]
    parts = []
    for part, target in zip(found, targets, strict=True):
        rows = part.rows[free[part.rows]]
        labels[rows] = target
        parts.append(_typical_part(state, rows, target, number))
    there = dict(zip(state.rows.numbers.tolist(), labels.tolist(), strict=True))
    earlier = [_divided(each, number, there) if each.kind == SPLIT else each for each in earlier]
    return _keep(state, labels, earlier, _new(state, SPLIT, parts))


def _refuse_whole(number: int, constraints: Iterable[KeptConstraint]) -> None:
    """Refuse to split what was merged or pinned."""
    for each in constraints:
        if each.kind in (MERGE, PIN) and any(part.cluster == number for part in each.parts):
            raise BadParameter(
                f"splitting cluster {number} contradicts {each.shown()}, which keeps it whole. Undo it first: undo({each.number})."
            )


def move_documents(state: IndexState, ids: Iterable[str], cluster: int | None) -> Constraint:
    """Put documents into a cluster, or into a new one; the last move of a document counts."""
    state.require_fitted("change clusters")
    number = state.cluster_table.last + 1 if cluster is None else _checked(state, cluster)
    given = list(dict.fromkeys(check_texts("ids", ids)))
    if not given:
        raise BadParameter("no document is named that could be moved, got an empty list. Give the ids of some.")
    rows = np.array([_row(state, id) for id in given], dtype=np.int64)
    documents, before = state.rows.numbers[rows], state.cluster_numbers[rows]
    parts = [HeldPart(number, int(was), tuple(documents[before == was].tolist())) for was in np.unique(before)]
    labels = state.cluster_numbers.copy()
    labels[rows] = number
    moved = set(documents.tolist())
    earlier = [_released(each, moved, number) for each in load_constraints(state.store)]
    return _keep(state, labels, earlier, _new(state, MOVE, parts))


def _row(state: IndexState, id: str) -> int:
    row = state.row_of(id)
    if row < 0 or state.rows.clusters[row] < 0:
        raise BadParameter(f"{id!r} has no known terms, so it is in no cluster and cannot be moved. Leave it out.")
    return row


def pin_cluster(state: IndexState, cluster: int) -> Constraint:
    """Keep all documents of a cluster in it; a pin that there was is replaced."""
    number = _checked(state, cluster)
    documents = state.rows.numbers[state.cluster_numbers == number]
    if not len(documents):
        raise BadParameter(f"cluster {number} has no documents any more, so there is nothing to pin. Pin another.")
    earlier = [each for each in load_constraints(state.store) if not _pins(each, number)]
    pin = _new(state, PIN, [HeldPart(number, number, tuple(documents.tolist()))])
    return _keep(state, state.cluster_numbers, earlier, pin)


def unpin_cluster(state: IndexState, cluster: int) -> Constraint:
    """Let a fit move the documents of a cluster again."""
    number, every = _checked(state, cluster), load_constraints(state.store)
    pins = [each for each in every if _pins(each, number)]
    if not pins:
        raise BadParameter(f"cluster {number} is not pinned. The constraints are: {_listed(every)}.")
    save_constraints(state.store, [each for each in every if not _pins(each, number)])
    return pins[-1].shown()


def _pins(constraint: KeptConstraint, number: int) -> bool:
    return constraint.kind == PIN and constraint.parts[0].cluster == number


def undo(state: IndexState, constraint: int) -> Constraint:
    """Forget a constraint; its documents go back to where they were, unless another constraint holds them."""
    every, number = load_constraints(state.store), check_count("constraint", constraint)
    found = [each for each in every if each.number == number]
    if not found:
        hint = remove_hint(state.store, number)
        if hint is None:
            raise BadParameter(f"there is no constraint {constraint}. There are: {_listed(every, show_hints(state.store))}.")
        return hint
    [old], others = found, [each for each in every if each.number != constraint]
    labels, others = (_joined if old.kind == SPLIT else _returned)(state, old, others)
    labels, notes = _without_latecomers(state, old, others, labels) if old.kind == MERGE else (labels, [])
    return _keep(state, labels, others, None, undone=old, notes=notes)


def _joined(state: IndexState, split: KeptConstraint, others: list[KeptConstraint]) -> tuple[IntArray, list[KeptConstraint]]:
    """The parts of a split are one cluster again, which is where the part that continued is now."""
    there = state.cluster_table.numbers
    home = {part.was: part.was if part.was in there else split.parts[0].cluster for part in split.parts}
    back = {part.cluster: home[part.was] for part in split.parts if part.cluster != home[part.was]}
    _refuse_merged(split, back, others)
    labels = state.cluster_numbers.copy()
    for cluster, to in back.items():
        labels[labels == cluster] = to
    return labels, [_retargeted(each, back) for each in others]


def _refuse_merged(split: KeptConstraint, back: Collection[int], others: Iterable[KeptConstraint]) -> None:
    """Refuse to undo a split of which a part was merged with another cluster since: both would go back."""
    for each in others:
        if each.kind == MERGE and any(part.cluster in back for part in each.parts):
            why = f"{each.shown()}, which made one of its parts one with another cluster"
            raise BadParameter(f"undoing {split.shown()} contradicts {why}. Undo that first: undo({each.number}).")


def _returned(state: IndexState, old: KeptConstraint, others: list[KeptConstraint]) -> tuple[IntArray, list[KeptConstraint]]:
    """The documents of a merge go back to the clusters that they were in, those of a move where these are still there."""
    labels = state.cluster_numbers.copy()
    for part in old.parts:
        if old.kind == MERGE or part.was in state.cluster_table.numbers:
            back = set(part.documents)
            others = [_taken_along(each, part, back) for each in others]
            free = sorted(back - held_clusters(others).keys())
            rows = np.isin(state.rows.numbers, free) & (labels == part.cluster)
            along = [number for number, cluster in held_clusters(others).items() if number in back and cluster == part.was]
            labels[rows | (np.isin(state.rows.numbers, along) & (labels == part.cluster))] = part.was
    return labels, others


def _without_latecomers(
    state: IndexState, merge: KeptConstraint, others: Sequence[KeptConstraint], labels: IntArray
) -> tuple[IntArray, list[str]]:
    """Documents that came into a merged cluster since go to the cluster of the undone merge that their terms fit best."""
    known = [*(each for part in merge.parts for each in part.documents), *held_clusters(others)]
    late = (labels == merge.parts[0].cluster) & ~np.isin(state.rows.numbers, known)
    choices = sorted({part.was for part in merge.parts} & set(labels[~late].tolist()))
    if not late.any() or len(choices) < 2:
        return labels, []
    labels = by_terms(state, labels, late, choices)
    went = ", ".join(f"{np.count_nonzero(labels[late] == each)} to cluster {each}" for each in choices)
    came = f"{np.count_nonzero(late)} document{'' if np.count_nonzero(late) == 1 else 's'} came after the merge"
    return labels, [f"{came}: by their terms {went}."]


def _taken_along(constraint: KeptConstraint, part: HeldPart, back: set[int]) -> KeptConstraint:
    """A constraint that holds nothing but documents that go back goes with them."""
    parts = [replace(e, cluster=part.was) if e.cluster == part.cluster and back.issuperset(e.held) else e for e in constraint.parts]
    return constraint.with_parts(parts)


def _listed(constraints: Sequence[KeptConstraint], hints: Sequence[Constraint] = ()) -> str:
    told = sorted([*(each.shown() for each in constraints), *hints], key=lambda each: each.number)
    return "; ".join(map(str, told)) or "none"


def _checked(state: IndexState, cluster: int) -> int:
    state.require_fitted("change clusters")
    number = check_count("cluster", cluster, 0)
    state.cluster_table.position(number)
    return number


def _typical_part(state: IndexState, rows: IntArray, cluster: int, was: int) -> HeldPart:
    """The documents of a cluster, of which the most typical half is held, up to a limit."""
    documents = state.rows.numbers[by_typicality(state, rows)].tolist() if len(rows) else []
    n_held = min(REPRESENTATIVES, int(np.ceil(THEIR_SHARE * len(documents))))
    return HeldPart(cluster, was, tuple(documents[:n_held]), tuple(documents[n_held:]))


def _new(state: IndexState, kind: str, parts: Sequence[HeldPart]) -> KeptConstraint:
    empty = [part.was for part in parts if not part.held]
    if empty:
        raise BadParameter(f"cluster {empty[0]} has no documents that a {kind} could keep. Fit the index again first.")
    return KeptConstraint(last_constraint(state.store) + 1, kind, tuple(parts))


def _retargeted(constraint: KeptConstraint, to: dict[int, int]) -> KeptConstraint:
    """A constraint on clusters that go on under other numbers."""
    return constraint.with_parts(replace(part, cluster=to.get(part.cluster, part.cluster)) for part in constraint.parts)


def _divided(constraint: KeptConstraint, number: int, there: dict[int, int]) -> KeptConstraint:
    """An earlier split, one part of which was split again: its documents are held where they are now."""
    parts: list[HeldPart] = []
    for part in constraint.parts:
        targets = {there[each] for each in part.held if each in there} if part.cluster == number else {part.cluster}
        parts += [_at(part, each, there) if part.cluster == number else part for each in sorted(targets)]
    return constraint.with_parts(parts)


def _at(part: HeldPart, cluster: int, there: dict[int, int]) -> HeldPart:
    """The documents of a part that are in a cluster now."""
    return replace(part.only([each for each in (*part.held, *part.others) if there.get(each) == cluster]), cluster=cluster)


def _released(constraint: KeptConstraint, documents: set[int], cluster: int) -> KeptConstraint:
    """A constraint without documents that were moved elsewhere; a pin keeps them, and so contradicts the move."""
    if constraint.kind == PIN:
        return constraint
    stay = [part.cluster == cluster and constraint.kind != MOVE for part in constraint.parts]
    kept = [{*part.held, *part.others} - (set() if same else documents) for part, same in zip(constraint.parts, stay, strict=True)]
    return constraint.with_parts(part.only(there) for part, there in zip(constraint.parts, kept, strict=True))


def _keep(
    state: IndexState,
    labels: IntArray,
    constraints: list[KeptConstraint],
    new: KeptConstraint | None,
    *,
    undone: KeptConstraint | None = None,
    notes: Sequence[str] = (),
) -> Constraint:
    """Write clusters, names, constraints and the number of clusters that fits ask for; tell what was made or undone."""
    dropped = [f"{each.shown()} is dropped: nothing of it is left." for each in constraints if each.parts and not each.effective]
    constraints = [each for each in constraints if each.effective] + ([] if new is None else [new])
    refuse_contradictions(constraints)
    refuse_against_links(constraints, load_hints(state.store), state.store)
    told = new if undone is None else undone
    assert told is not None
    ended, names = _write_labels(state, labels), load_names(state.store)
    lost = {each: names.pop(each) for each in ended if each in names}
    heir = _heir(names, lost, new)
    named = _restored(names, undone, labels) if undone is not None else []
    save_names(state.store, names)
    if new is not None and lost:
        constraints[-1] = replace(new, names=lost)
    save_constraints(state.store, constraints)
    said = [f"cluster {each} ended{_called(lost.get(each), heir)}." for each in ended]
    return told.shown([*dropped, *said, *notes, *named])


def _heir(names: dict[int, str], lost: dict[int, str], new: KeptConstraint | None) -> tuple[int, str] | None:
    """Give the first of the lost names to the cluster of a merge that has none; return the cluster and the name."""
    if new is None or new.kind != MERGE or not lost or new.parts[0].cluster in names:
        return None
    cluster, name = new.parts[0].cluster, lost[min(lost)]
    names[cluster] = name
    return cluster, name


def _called(name: str | None, heir: tuple[int, str] | None) -> str:
    if name is None:
        return ""
    return f"; its name {name!r} goes on with cluster {heir[0]}" if heir and heir[1] == name else f", and with it the name {name!r}"


def _restored(names: dict[int, str], undone: KeptConstraint, labels: IntArray) -> list[str]:
    """Give lost names back to their clusters, also one that went on with the merged cluster; a sentence on each that is not."""
    merged, notes = undone.parts[0].cluster, []
    if names.get(merged) in {name for number, name in undone.names.items() if number != merged}:
        del names[merged]
    for number, name in undone.names.items():
        holder = [other for other, given in names.items() if given == name and other != number]
        if holder:
            notes.append(f"cluster {number} does not get back the name {name!r}: cluster {holder[0]} has it.")
        elif number not in names and number in labels:
            names[number] = name
    return notes


def _write_labels(state: IndexState, labels: IntArray) -> tuple[int, ...]:
    """Keep the clusters of documents, and as many more or fewer clusters in the recipe; return the clusters that ended."""
    if np.array_equal(labels, state.cluster_numbers):
        return ()
    n_before, n_after = len(state.cluster_table.numbers), len(np.unique(labels[labels >= 0]))
    if n_after < FEWEST_CLUSTERS:
        raise BadParameter(f"this would leave {n_after} cluster, and an index has {FEWEST_CLUSTERS} at least. Leave one apart.")
    recipe = load_recipe(state.store)
    if not is_auto(recipe.n_clusters):
        n_clusters = max(FEWEST_CLUSTERS, int(recipe.n_clusters) + n_after - n_before)
        save_recipe(replace(recipe, n_clusters=n_clusters), state.store)
    return relabel(state, labels)
