"""Classes of a fit: each class that labels or seed words name is a cluster, whose number lasts and which is named by the class.

What people decided about clusters counts more than labels: a merge makes the clusters of two classes one, and a document that was
moved, pinned or split off stays there, whatever its label says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._store import Labels, Settings, Store
from vicinal._typing import BoolArray, IntArray
from vicinal.errors import BadLabels
from vicinal.index._clusters.cluster_table import OPEN, ClusterMatch, load_cluster_table
from vicinal.index._clusters.constraints import MERGE, SPLIT, KeptConstraint, held_clusters, load_constraints
from vicinal.index._recipe import load_recipe
from vicinal.index._steering.changes import LONGEST_NAME
from vicinal.index._stored import CLASS_CLUSTERS, CLUSTER_TABLE, consistent, load_names, save_names

if TYPE_CHECKING:
    from vicinal.index._steering.steered_fit import FitConstraints


@final
@dataclass(frozen=True, eq=False)
class FitClasses:
    """The classes of a fit.

    Attributes
    ----------
    numbers : dict from str to int
        The number of the cluster of each class; from `OPEN` on where it has none yet.
    known : int array (documents,)
        The number of the class of each labelled document, -1 for none.
    notes : tuple of str
    """

    numbers: Mapping[str, int]
    known: IntArray
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What labels do, for the report of changes; empty where they do nothing."""
        n_held, n_classes = int(np.count_nonzero(self.known >= 0)), len(np.unique(self.known[self.known >= 0]))
        if not n_held:
            return ""
        labels = "1 label holds its document" if n_held == 1 else f"{n_held:,} labels hold their documents"
        return f"{labels} in the cluster{'' if n_classes == 1 else 's'} of {_counted(n_classes)}."

    def name(self, number: int) -> str:
        """What the cluster with a number is called in messages: its classes."""
        return " and ".join(name for name, each in self.numbers.items() if each == number)


def _counted(n_classes: int) -> str:
    return "1 class" if n_classes == 1 else f"{n_classes:,} classes"


def labels_of(store: Store, documents: IntArray) -> dict[str, IntArray]:
    """The rows of the documents that have each label, by label in sorted order."""
    rows: dict[str, list[int]] = {}
    place = {number: row for row, number in enumerate(documents.tolist())}
    for number, each in Labels(store).get().items():
        if number in place:
            rows.setdefault(each.label, []).append(place[number])
    return {label: np.array(each, dtype=np.int64) for label, each in sorted(rows.items())}


def unused_labels(labelled: Mapping[str, IntArray]) -> tuple[str, ...]:
    """A sentence on labels that do not shape the clusters, where nobody has decided whether they should."""
    if len(labelled) < 2:
        return ()
    n = sum(map(len, labelled.values()))
    why = f"the labels of {n:,} documents, of {_counted(len(labelled))}, do not shape the clusters"
    return (f"{why}. use_labels=True makes each class a cluster; use_labels=False says no more of it.",)


def refuse_without_labels(store: Store, labelled: Mapping[str, IntArray]) -> None:
    """Refuse to use labels where there are none."""
    if not labelled:
        raise BadLabels(f"no document of {store.path} has a label that clusters could follow. Label some documents first.")


def classes_of_fit(
    store: Store,
    documents: IntArray,
    labelled: Mapping[str, IntArray],
    words: Iterable[str],
    constraints: FitConstraints,
    before: IntArray,
) -> FitClasses:
    """Which cluster each class is, and which documents labels hold there.

    Parameters
    ----------
    store : Store
        As it was before the fit.
    documents : int array (documents,)
        Their numbers in the store.
    labelled : mapping from label to rows
        Empty where labels are not used.
    words : iterable of str
        Classes of seed words.
    constraints : FitConstraints
    before : int array (documents,)
        The number of the cluster that each document was in; -1 for none.
    """
    names = [*labelled, *sorted(set(words) - set(labelled))]
    numbers = _homes(store, names, labelled, constraints, before)
    known = np.full(len(before), -1, dtype=np.int64)
    for label, rows in labelled.items():
        known[rows] = numbers[label]
    elsewhere = _decided_elsewhere(documents, known, constraints)
    notes = _notes(labelled, elsewhere)
    return FitClasses(numbers, np.where(elsewhere, -1, known), notes)


def _homes(
    store: Store, names: Sequence[str], labelled: Mapping[str, IntArray], constraints: FitConstraints, before: IntArray
) -> dict[str, int]:
    """The cluster of each class: that of the last fit, the one with its name, or the one that constraints hold its documents in."""
    merged = merged_clusters(constraints.constraints)
    there = _numbers(store) | set(constraints.known[constraints.known >= 0].tolist())
    given = {name: number for number, name in load_names(store).items()}
    last = load_class_clusters(store)
    homes: dict[str, int] = {}
    for name in names:
        number = last.get(name, given.get(cluster_name(name), -1))
        number = merged.get(number, number)
        if number in there:
            homes[name] = number
    held = _held_most(labelled, constraints, before, set(homes.values()) - set(merged.values()))
    opened = iter(range(OPEN, OPEN + len(names)))
    return {name: homes.get(name, held.get(name, -1)) if name in homes or name in held else next(opened) for name in names}


def merged_clusters(constraints: Iterable[KeptConstraint]) -> dict[int, int]:
    """The cluster that continues, of each that was merged."""
    return {part.was: part.cluster for each in constraints if each.kind == MERGE for part in each.parts}


def _numbers(store: Store) -> set[int]:
    return set() if Settings(store).get(CLUSTER_TABLE) is None else set(load_cluster_table(store).numbers)


def _held_most(labelled: Mapping[str, IntArray], constraints: FitConstraints, before: IntArray, taken: set[int]) -> dict[str, int]:
    """Classes more than half of whose documents are in a cluster with constraints: all such classes of a cluster that was merged,
    of any other the one with most documents there.
    """
    where = np.where(constraints.known >= 0, constraints.known, before)
    merged = set(merged_clusters(constraints.constraints).values())
    free = set(constraints.known[constraints.known >= 0].tolist()) - taken
    most: dict[int, tuple[int, str]] = {}
    found: dict[str, int] = {}
    for label, rows in labelled.items():
        [(number, n_there)] = Counter(where[rows].tolist()).most_common(1)
        if number not in free or 2 * n_there <= len(rows):
            continue
        if number in merged:
            found[label] = number
        elif n_there > most.get(number, (0, ""))[0]:
            most[number] = n_there, label
    return found | {label: number for number, (_, label) in most.items()}


def _decided_elsewhere(documents: IntArray, known: IntArray, constraints: FitConstraints) -> BoolArray:
    """Labelled documents that constraints hold, or have split off, in another cluster than that of their class."""
    held = constraints.known
    split = np.full(len(known), -1, dtype=np.int64)
    for part in [part for each in constraints.constraints if each.kind == SPLIT for part in each.parts]:
        split[np.isin(documents, part.documents)] = part.cluster
    decided = np.where(held >= 0, held, split)
    return np.asarray((known >= 0) & (decided >= 0) & (decided != known))


def _notes(labelled: Mapping[str, IntArray], elsewhere: BoolArray) -> tuple[str, ...]:
    n = int(np.count_nonzero(elsewhere))
    if not n:
        return ()
    stay = "1 labelled document stays in the cluster" if n == 1 else f"{n:,} labelled documents stay in the clusters"
    notes = [f"{stay} that constraints hold {'it' if n == 1 else 'them'} in, not in {'that' if n == 1 else 'those'} of the label."]
    lost = [label for label, rows in labelled.items() if elsewhere[rows].all()]
    notes += [f"class {label!r:.80} has no cluster of its own: constraints hold all its documents elsewhere." for label in lost]
    return tuple(notes)


def cluster_name(name: str) -> str:
    """The name of the cluster of a class: its own, as one line that is not too long."""
    line = " ".join(name.split())[:LONGEST_NAME].strip()
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)


def load_class_clusters(store: Store) -> dict[str, int]:
    """The number of the cluster of each class of the last fit, before a merge made it one with another."""
    with consistent(store):
        return {str(name): int(number) for name, number in Settings(store).get(CLASS_CLUSTERS, {}).items()}


def decided_clusters(store: Store, documents: IntArray) -> IntArray:
    """The number of the cluster in which a constraint, or a label that the last fit used, holds each document; -1 for none.

    Parameters
    ----------
    store : Store
    documents : int array (documents,)
        Their numbers in the store, rising.
    """
    constraints, classes = load_constraints(store), load_class_clusters(store)
    held, merged = held_clusters(constraints), merged_clusters(constraints)
    known = np.full(len(documents), -1, dtype=np.int64)
    if classes and load_recipe(store).use_labels:
        for label, rows in labels_of(store, documents).items():
            number = classes.get(label, -1)
            known[rows] = merged.get(number, number)
    for row, number in enumerate(documents.tolist()):
        known[row] = held.get(number, known[row])
    return known


def keep_classes(store: Store, classes: FitClasses, held: Sequence[int], match: ClusterMatch) -> tuple[str, ...]:
    """Keep which cluster each class is, and name clusters without a name by their classes; a sentence on each named otherwise.

    Parameters
    ----------
    store : Store
    classes : FitClasses
    held : sequence of int
        The number of each of the first clusters, as before the fit.
    match : ClusterMatch
    """
    old, names = load_class_clusters(store), load_names(store)
    place = {number: position for position, number in enumerate(held)}
    new = {name: int(match.numbers[place[number]]) for name, number in classes.numbers.items() if number in place}
    merged = merged_clusters(load_constraints(store))
    stale = {number for name, number in old.items() if name not in new and names.get(number) == cluster_name(name)}
    kept = {number: name for number, name in names.items() if number not in stale}
    for name, number in new.items():
        if number not in kept and cluster_name(name) and cluster_name(name) not in kept.values():
            kept[number] = cluster_name(name)
    if kept != names:
        save_names(store, dict(sorted(kept.items())))
    own = {name: old[name] if merged.get(old.get(name, -1)) == number else number for name, number in new.items()}
    if own != old:
        Settings(store).set(CLASS_CLUSTERS, own)
    return tuple(_named_otherwise(new, kept))


def _named_otherwise(classes: Mapping[str, int], names: Mapping[int, str]) -> Iterator[str]:
    """A sentence on each class whose cluster has another name, which tells where the class is."""
    for name, number in classes.items():
        if names.get(number) != cluster_name(name):
            called = f", which is named {names[number]!r}" if number in names else ""
            yield f"class {name!r:.80} is cluster {number}{called}."
