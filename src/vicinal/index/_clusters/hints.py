"""Hints in the file, which every fit follows: seed words of classes, and pairs of documents that must or cannot be in one cluster.

They are constraints like merges and pins, with numbers of the same series, but say nothing of clusters that there are already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, final

from vicinal._store import Documents, Settings, Store
from vicinal.errors import BadParameter
from vicinal.index._clusters.cluster_results import Constraint
from vicinal.index._clusters.constraints import KeptConstraint, give_number, held_clusters, load_constraints
from vicinal.index._stored import HINTS, consistent

SEED_WORDS, MUST_LINK, CANNOT_LINK = "seed_words", "must_link", "cannot_link"
#: Pairs of ids.
IdPairs: TypeAlias = "Iterable[tuple[str, str]]"
_OPPOSITE = {MUST_LINK: CANNOT_LINK, CANNOT_LINK: MUST_LINK}


@final
@dataclass(frozen=True)
class Hint:
    """Seed words of a class, or a pair of documents.

    Attributes
    ----------
    number : int
        Among those of constraints.
    kind : {"seed_words", "must_link", "cannot_link"}
    name : str
        The class of seed words.
    words : tuple of str
    documents : tuple of int
        The numbers of two documents in the store, the smaller one first.
    """

    number: int
    kind: str
    name: str = ""
    words: tuple[str, ...] = ()
    documents: tuple[int, ...] = ()

    def shown(self, ids: Mapping[int, str], notes: Iterable[str] = ()) -> Constraint:
        """The hint as it is told; ``ids`` are those of documents that are there."""
        named = tuple(ids.get(each, "a document that was removed") for each in self.documents)
        facts = self.number, self.kind, (), len(self.documents), tuple(notes)
        return Constraint(*facts, name=self.name, words=self.words, ids=named)


@final
@dataclass(frozen=True)
class GivenHints:
    """The hints of one call of `Index.fit`, not checked yet."""

    seed_words: Mapping[str, Iterable[str]] | None = None
    must_link: IdPairs | None = None
    cannot_link: IdPairs | None = None


NO_HINTS = GivenHints()


def load_hints(store: Store) -> list[Hint]:
    """All hints, oldest first."""
    with consistent(store):
        return [_read(each) for each in Settings(store).get(HINTS, [])]


def _read(kept: Mapping[str, Any]) -> Hint:
    words, documents = tuple(map(str, kept["words"])), tuple(map(int, kept["documents"]))
    return Hint(int(kept["number"]), str(kept["kind"]), str(kept["name"]), words, documents)


def save_hints(store: Store, hints: Sequence[Hint]) -> None:
    """Keep hints in place of those that there were."""
    if hints or Settings(store).get(HINTS) is not None:
        Settings(store).set(HINTS, [vars(each) | {"words": list(each.words), "documents": list(each.documents)} for each in hints])


def add_hints(store: Store, given: GivenHints) -> list[Hint]:
    """Keep what a call gives besides what was kept: words of a class in place of those it had, and each pair once.

    Returns
    -------
    list of Hint
        Those that the call gives, new or not.
    """
    kept = load_hints(store)
    named = [_of_words(store, kept, name, words) for name, words in _words(given.seed_words).items()]
    pairs = ((MUST_LINK, given.must_link), (CANNOT_LINK, given.cannot_link))
    linked = [_of_pair(store, [*kept, *named], kind, pair) for kind, each in pairs for pair in _pairs(store, kind, each)]
    found = {each.number: each for each in [*kept, *named, *linked]}
    save_hints(store, sorted(found.values(), key=lambda each: each.number))
    refuse_against_links(load_constraints(store), list(found.values()), store)
    return [*named, *linked]


def _words(given: object) -> dict[str, list[str]]:
    if given is None:
        return {}
    from vicinal.uses._topics.topics_seeds import check_seed_words

    checked = check_seed_words(given)
    unnamed = [name for name in checked if not isinstance(name, str) or not name.strip()]
    if unnamed:
        raise BadParameter(f"the classes of seed_words in an index are texts, got {unnamed[0]!r}. Use {{'rugby': ['scrum']}}.")
    return {str(name): words for name, words in checked.items()}


def _of_words(store: Store, kept: Sequence[Hint], name: str, words: Sequence[str]) -> Hint:
    same = [each for each in kept if each.kind == SEED_WORDS and each.name == name]
    number = same[0].number if same else give_number(store)
    return Hint(number, SEED_WORDS, name, tuple(words))


def _pairs(store: Store, kind: str, given: object) -> list[tuple[int, ...]]:
    """The numbers of the documents of each pair, the smaller one first, each pair once."""
    if given is None:
        return []
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise BadParameter(f"{kind} must be pairs of ids of documents, got {given!r:.80}. Use {kind}=[('a', 'b')].")
    pairs = [_ids(kind, pair) for pair in given]
    named = [id for pair in pairs for id in pair]
    numbers: list[list[int]] = Documents(store).numbers(named).reshape(-1, 2).tolist() if named else []
    for pair, (a, b) in zip(pairs, numbers, strict=True):
        if a == b:
            raise BadParameter(f"{kind} has {pair!r:.80}, which is one document and not two. Leave it out.")
    return list(dict.fromkeys((min(a, b), max(a, b)) for a, b in numbers))


def _ids(kind: str, pair: object) -> tuple[str, str]:
    both = list(pair) if isinstance(pair, Iterable) and not isinstance(pair, str | bytes) else []
    if len(both) != 2 or not all(isinstance(each, str) for each in both):
        raise BadParameter(f"{kind} must be pairs of ids of documents, got {pair!r:.80}. Use {kind}=[('a', 'b')].")
    return both[0], both[1]


def _of_pair(store: Store, kept: Sequence[Hint], kind: str, pair: tuple[int, ...]) -> Hint:
    opposite = [each for each in kept if each.kind == _OPPOSITE[kind] and each.documents == pair]
    if opposite:
        told = opposite[0].shown(ids_of(store, opposite))
        raise BadParameter(f"{kind} of the same documents contradicts {told}. Undo it first: undo({told.number}).")
    same = [each for each in kept if each.kind == kind and each.documents == pair]
    return same[0] if same else Hint(give_number(store), kind, documents=pair)


def remove_hint(store: Store, number: int) -> Constraint | None:
    """Forget the hint with a number, and tell which it was; None where there is none."""
    hints = load_hints(store)
    found = [each for each in hints if each.number == number]
    if not found:
        return None
    save_hints(store, [each for each in hints if each.number != number])
    return found[0].shown(ids_of(store, found), ["the next fit does without it."])


def without_missing_links(store: Store, there: Collection[int]) -> tuple[list[Hint], list[str]]:
    """Hints on documents that are there, and a sentence on each of the others, which is forgotten."""
    every = load_hints(store)
    kept = [each for each in every if set(each.documents) <= set(there)]
    ids = ids_of(store, every)
    dropped = [f"{each.shown(ids)} is dropped: its documents were removed." for each in every if each not in kept]
    if dropped:
        save_hints(store, kept)
    return kept, dropped


def ids_of(store: Store, hints: Iterable[Hint]) -> dict[int, str]:
    """The ids of the documents of hints that are still there, by their numbers."""
    numbers = sorted({each for hint in hints for each in hint.documents})
    there = Documents(store).where((), among=numbers).tolist() if numbers else []
    return dict(zip(there, Documents(store).ids(there), strict=True))


def show_hints(store: Store) -> list[Constraint]:
    """All hints as they are told."""
    hints = load_hints(store)
    ids = ids_of(store, hints)
    return [each.shown(ids) for each in hints]


def refuse_against_links(constraints: Sequence[KeptConstraint], hints: Sequence[Hint], store: Store) -> None:
    """Refuse constraints that hold two documents in one cluster that cannot be, or in two that must be in one."""
    held = held_clusters(constraints)
    for hint in hints:
        clusters = [held[each] for each in hint.documents if each in held]
        together = len(set(clusters)) == 1
        if len(clusters) == 2 and together == (hint.kind == CANNOT_LINK):
            holding = [each for each in constraints if set(hint.documents) & set(held_clusters([each]))]
            numbers = " and ".join(str(each.shown()) for each in holding)
            undo = f"undo({holding[-1].number})"
            raise BadParameter(f"{hint.shown(ids_of(store, [hint]))} contradicts {numbers}. Undo one of them first: {undo}.")
