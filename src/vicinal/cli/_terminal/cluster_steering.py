"""Changes of clusters that ``vicinal clusters`` makes: all options of one command together, or none of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, final

import typer

if TYPE_CHECKING:
    from vicinal.index import Cluster, Constraint, Index, Uncertain

ENOUGH, STABLE = 100, 0.5  # documents for which stability says something, and a value above which nothing is said of it
_SHOWN = 20  # uncertain documents that are listed where no number is given


@final
@dataclass(frozen=True)
class ClusterChanges:
    """What the options of one command ask for; the verb has an option for each.

    Attributes
    ----------
    name : sequence of (int, str)
    merge : sequence of sequences of int
    split : int, optional
    parts : int or "auto"
        Of the cluster to split.
    move : sequence of str
        Ids of documents.
    to : int, optional
        The cluster that they are moved to.
    pin, unpin, undo : sequences of int
    """

    name: Sequence[tuple[int, str]] = ()
    merge: Sequence[Sequence[int]] = ()
    split: int | None = None
    parts: int | str = "auto"
    move: Sequence[str] = ()
    to: int | None = None
    pin: Sequence[int] = ()
    unpin: Sequence[int] = ()
    undo: Sequence[int] = ()

    @property
    def any(self) -> bool:
        """Whether something is to be changed."""
        asked = (getattr(self, each.name) for each in fields(self) if each.name != "parts")
        return any(value is not None and value != () for value in asked)

    def checked(self) -> ClusterChanges:
        """Refuse options that need others, and two names for one cluster."""
        if bool(self.move) != (self.to is not None):
            raise typer.BadParameter("documents are moved to a cluster: give --move DOC_ID and --to CLUSTER.", param_hint="--move")
        named = [number for number, _ in self.name]
        twice = sorted({number for number in named if named.count(number) > 1})
        if twice:
            raise typer.BadParameter(f"cluster {twice[0]} is given two names. Give it one.", param_hint="--name")
        return self

    def made(self, index: Index) -> list[Constraint]:
        """Make the changes, in the order of the attributes, and return the constraints that were made or undone."""
        with index.transaction():
            for number, name in self.name:
                index.name_cluster(number, name)
            return list(self._constraints(index))

    def _constraints(self, index: Index) -> Iterator[Constraint]:
        yield from (index.undo(each) for each in self.undo)
        yield from (index.unpin_cluster(each) for each in self.unpin)
        yield from (index.merge_clusters(each) for each in self.merge)
        if self.split is not None:
            yield index.split_cluster(self.split, self.parts)
        if self.to is not None:
            yield index.move_documents(self.move, self.to)
        yield from (index.pin_cluster(each) for each in self.pin)


def number_of(option: str, text: str, what: str = "cluster") -> int:
    """The number that an option was given; a part of a cluster is refused, since it has none of its own."""
    if re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    if what == "cluster" and re.fullmatch(r"[0-9]{1,9}(:[0-9]{1,9})?(\.[0-9]{1,9}(:[0-9]{1,9})?)+", text):
        whole = re.split(r"[.:]", text)[0]
        why = f"{text} is a part of cluster {whole}, and the option takes a cluster of the index"
        raise typer.BadParameter(
            f"{why}. Make its parts clusters first: --split {whole}; then the list has their numbers.", param_hint=option
        )
    raise typer.BadParameter(f"it takes the number of a {what}, got {text!r}. Write {option} 3.", param_hint=option)


def numbers_of(option: str, texts: Iterable[str] | None, what: str = "cluster") -> tuple[int, ...]:
    """The numbers that an option was given."""
    return tuple(number_of(option, each, what) for each in texts or ())


def merged_numbers(texts: Iterable[str] | None) -> tuple[tuple[int, ...], ...]:
    """The clusters of each ``--merge``: numbers with commas between them."""
    found = tuple(numbers_of("--merge", each.split(",")) if "," in each else () for each in texts or ())
    short = [text for text, numbers in zip(texts or (), found, strict=True) if not numbers]
    if short:
        raise typer.BadParameter(f"numbers of clusters with commas between them, got {short[0]!r}.", param_hint="--merge")
    return found


def change_clusters(path: str, changes: ClusterChanges, limit: int, as_json: bool) -> None:
    """Make the changes, say what was done, and list the clusters as they are now."""
    from vicinal.cli._terminal.exit_codes import print_to_stderr, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.rendering import cluster_facts, cluster_lines

    with reporting_errors("clusters"), open_index(path) as index:
        done, kept = changes.made(index), index.constraints()
        found = index.clusters()
    for each in done:
        gone = "" if each.number in {one.number for one in kept} else "undone: "
        for line in (f"{gone}{each}", *each.notes):
            print_to_stderr(line)
    if as_json:
        print_json(
            {"changes": [constraint_facts(each) for each in done], "clusters": [cluster_facts(each, limit) for each in found]}
        )
    else:
        print_lines(cluster_lines(found, limit))


def constraint_facts(constraint: Constraint) -> dict[str, object]:
    """A constraint as plain values."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(constraint).items()}


def list_constraints(path: str, as_json: bool) -> None:
    """List the constraints of an index."""
    from vicinal._plural import counted
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.text import visible

    with reporting_errors("clusters"), open_index(path) as index:
        found = index.constraints()
    if as_json:
        print_json({"constraints": [constraint_facts(each) for each in found]})
        return
    for each in found:
        typer.echo(visible(f"{each}: {counted(each.n_documents, 'document')}" if each.n_documents else str(each)))
    if not found:
        raise nothing_found(f"There are no constraints on the clusters of {path}.")


def list_uncertain(path: str, given: Sequence[str], as_json: bool) -> None:
    """List the documents whose cluster is least certain."""
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.rendering import uncertain_lines

    limit = _limit(given)
    with reporting_errors("clusters"), open_index(path) as index:
        found = index.uncertain(limit)
    if as_json:
        print_json({"uncertain": [uncertain_facts(each) for each in found]})
    else:
        print_lines(uncertain_lines(found))
    if not found:
        raise nothing_found(f"No document of {path} lies between two clusters: it is not fitted yet, or all were decided.")


def _limit(given: Sequence[str]) -> int:
    if not given:
        return _SHOWN
    if len(given) > 1 or not re.fullmatch(r"[1-9][0-9]{0,8}", given[0]):
        raise typer.BadParameter(
            f"it lists so many documents, got {' '.join(given)!r}. Write --uncertain 20.", param_hint="--uncertain"
        )
    return int(given[0])


def uncertain_facts(found: Uncertain) -> dict[str, object]:
    """An uncertain document as plain values."""
    clusters = [
        {"number": number, "name": name, "probability": probability, "terms": [list(each) for each in terms]}
        for (number, name, probability), terms in zip(found.clusters, found.terms, strict=True)
    ]
    return {"id": found.id, "title": found.title, "uncertainty": found.uncertainty, "clusters": clusters}


def unstable_lines(found: Sequence[Cluster]) -> list[str]:
    """A sentence on clusters of which another random seed would find less than half again."""
    weak = [each for each in found if each.stability is not None and each.stability < STABLE]
    if not weak or sum(each.size for each in found) < ENOUGH:
        return []
    listed = ", ".join(f"{each.number} ({each.stability:.2f})" for each in sorted(weak, key=lambda each: each.number))
    return [f"another random seed would find less than half of cluster{'s' if len(weak) > 1 else ''} {listed} again"]
