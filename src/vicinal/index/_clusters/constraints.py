"""Constraints on clusters in the file: which documents a fit must leave in which cluster, and which of them contradict each other.

A merge holds the most typical documents of the merged clusters together, a split those of its parts apart; a move holds the moved
documents, and a pin all documents of its cluster.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

from vicinal._store import Settings, Store
from vicinal._typing import Json
from vicinal.errors import BadParameter
from vicinal.index._clusters.cluster_results import Constraint
from vicinal.index._stored import CONSTRAINTS, consistent

MERGE, SPLIT, MOVE, PIN = "merge", "split", "move", "pin"


@final
@dataclass(frozen=True)
class HeldPart:
    """Documents that a constraint is about, by their numbers in the store.

    Attributes
    ----------
    cluster : int
        The cluster that they are held in.
    was : int
        The cluster that they were in before.
    held : tuple of int
        Those that every fit leaves in the cluster.
    others : tuple of int
        Those that go back with them when the constraint is undone.
    """

    cluster: int
    was: int
    held: tuple[int, ...]
    others: tuple[int, ...] = ()

    @property
    def documents(self) -> tuple[int, ...]:
        """All of them."""
        return *self.held, *self.others

    def only(self, there: Collection[int]) -> HeldPart:
        """The same of documents that are there."""
        held, others = (tuple(each for each in some if each in there) for some in (self.held, self.others))
        return replace(self, held=held, others=others)


@final
@dataclass(frozen=True)
class KeptConstraint:
    """A constraint with its documents.

    Attributes
    ----------
    number : int
    kind : str
    parts : tuple of HeldPart
    names : dict from int to str
        Names of clusters that ended by it.
    """

    number: int
    kind: str
    parts: tuple[HeldPart, ...]
    names: Mapping[int, str] = field(default_factory=dict)

    @property
    def clusters(self) -> tuple[int, ...]:
        """The clusters that it names, in the order of `Constraint`."""
        each = [part.was for part in self.parts] if self.kind == MERGE else [part.cluster for part in self.parts]
        return tuple(dict.fromkeys([self.parts[0].cluster, *each]))

    @property
    def effective(self) -> bool:
        """Whether it still says something: a merge or a split needs two parts that have documents."""
        return sum(1 for part in self.parts if part.held) >= (2 if self.kind in (MERGE, SPLIT) else 1)

    def shown(self, notes: Iterable[str] = ()) -> Constraint:
        """The constraint as it is told."""
        return Constraint(self.number, self.kind, self.clusters, sum(len(part.held) for part in self.parts), tuple(notes))

    def with_parts(self, parts: Iterable[HeldPart]) -> KeptConstraint:
        """The same constraint on other documents, without parts that have none."""
        return replace(self, parts=tuple(part for part in parts if part.held))


def load_constraints(store: Store) -> list[KeptConstraint]:
    """All constraints, oldest first."""
    with consistent(store):
        return [_read(each) for each in Settings(store).get(CONSTRAINTS, {}).get("each", [])]


def _read(kept: Mapping[str, Any]) -> KeptConstraint:
    parts = tuple(
        HeldPart(int(part["cluster"]), int(part["was"]), tuple(map(int, part["held"])), tuple(map(int, part["others"])))
        for part in kept["parts"]
    )
    names = {int(number): str(name) for number, name in kept["names"].items()}
    return KeptConstraint(int(kept["number"]), str(kept["kind"]), parts, names)


def save_constraints(store: Store, constraints: Sequence[KeptConstraint]) -> None:
    """Keep constraints in place of those that there were; BadParameter where two contradict each other."""
    refuse_contradictions(constraints)
    last = max([last_constraint(store), *(each.number for each in constraints)])
    Settings(store).set(CONSTRAINTS, {"last": last, "each": [_written(each) for each in constraints]})


def _written(constraint: KeptConstraint) -> dict[str, Json]:
    parts = [vars(part) | {"held": list(part.held), "others": list(part.others)} for part in constraint.parts]
    names = {str(number): name for number, name in constraint.names.items()}
    return {"number": constraint.number, "kind": constraint.kind, "parts": parts, "names": names}


def last_constraint(store: Store) -> int:
    """The largest number that a constraint ever had; 0 before the first."""
    return int(Settings(store).get(CONSTRAINTS, {}).get("last", 0))


def give_number(store: Store) -> int:
    """A number that no constraint ever had, which is given now."""
    kept = Settings(store).get(CONSTRAINTS, {})
    number = last_constraint(store) + 1
    Settings(store).set(CONSTRAINTS, {"each": [], **kept, "last": number})
    return number


def refuse_contradictions(constraints: Sequence[KeptConstraint]) -> None:
    """Refuse constraints that hold one document in two clusters, and a split whose parts are one cluster again."""
    holder: dict[int, tuple[int, KeptConstraint]] = {}
    for each in constraints:
        if each.kind == SPLIT and len({part.cluster for part in each.parts}) < 2:
            raise BadParameter(f"{each.shown()} keeps apart what would be one cluster. Undo it first: undo({each.number}).")
        for document, cluster in held_by(each):
            other, earlier = holder.setdefault(document, (cluster, each))
            if other != cluster:
                raise BadParameter(_contradiction(earlier, each, (other, cluster)))


def _contradiction(earlier: KeptConstraint, later: KeptConstraint, clusters: tuple[int, int]) -> str:
    return (
        f"{later.shown()} contradicts {earlier.shown()}: one holds documents in cluster {clusters[1]} that the other holds in "
        f"cluster {clusters[0]}. Undo the earlier one first: undo({earlier.number})."
    )


def held_by(constraint: KeptConstraint) -> Iterator[tuple[int, int]]:
    """Document and cluster of everything that a constraint holds."""
    return ((document, part.cluster) for part in constraint.parts for document in part.held)


def held_clusters(constraints: Iterable[KeptConstraint]) -> dict[int, int]:
    """The number of the cluster in which each document is held."""
    return {document: cluster for each in constraints for document, cluster in held_by(each)}


def without_missing(constraints: Iterable[KeptConstraint], there: Collection[int]) -> tuple[list[KeptConstraint], list[str]]:
    """Constraints on documents that are still there, and a sentence on each that lost some or all of them."""
    kept, notes = [], []
    for each in constraints:
        left = each.with_parts(part.only(there) for part in each.parts)
        lost = each.shown().n_documents - left.shown().n_documents if left.parts else each.shown().n_documents
        if left.effective:
            kept.append(left)
        else:
            notes.append(f"{each.shown()} is dropped: its documents were removed.")
        if lost and left.effective:
            notes.append(f"{each.shown()}: {lost} of the {each.shown().n_documents} documents that it held were removed.")
    return kept, notes
