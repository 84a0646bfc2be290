"""What is known of clusters before a fit: constraints, the classes of labels and seed words, and documents that are linked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._consensus.pairwise import Links
from vicinal._content_keys import keys_of_rows
from vicinal._matrix import csr, nonzero_rows
from vicinal._store import Documents, Store
from vicinal._typing import BoolArray, IntArray, Terms
from vicinal._warn import warn
from vicinal.errors import BadParameter, UnknownWords
from vicinal.index._clusters.hints import CANNOT_LINK, MUST_LINK, SEED_WORDS, Hint, without_missing_links
from vicinal.index._steering.fit_classes import FitClasses, classes_of_fit, labels_of, unused_labels
from vicinal.index._steering.steered_fit import FitConstraints, constraints_of_fit, positions_of_held
from vicinal.uses._topics.topics_links import Beforehand, links_of_pairs
from vicinal.uses._topics.topics_seeds import KnownClasses, Vocabulary, terms_by_class, with_terms_of_classes

if TYPE_CHECKING:
    from vicinal.index._fit.fit_model import FittedModel
    from vicinal.index._model import IndexVocabulary
    from vicinal.index._recipe import Recipe


_UNKNOWN = "no two documents have it as a term: it is in none or one of them, or a stop word"


@final
@dataclass(frozen=True, eq=False)
class FitKnowledge:
    """What is known of clusters before a fit.

    Attributes
    ----------
    constraints : FitConstraints
    classes : FitClasses
    known : int array (documents,)
        The number of the cluster in which a constraint or a label holds a document, -1 for none.
    seeds : int array (documents,)
        The same, and the most typical documents of clusters that continue.
    words : tuple of Hint
        Seed words.
    new : frozenset of int
        The numbers of hints that this fit is given, and not only kept.
    links : Links or None
    notes : tuple of str
    """

    constraints: FitConstraints
    classes: FitClasses
    known: IntArray
    seeds: IntArray
    words: tuple[Hint, ...] = ()
    new: frozenset[int] = frozenset()
    links: Links | None = None
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What is kept, for the report of changes."""
        words = f"Seed words start {_clusters(len(self.words))}." if self.words else ""
        n_linked = 0 if self.links is None else int(np.count_nonzero(self.links.linked))
        linked = f"Links keep {n_linked:,} documents together or apart." if n_linked else ""
        return " ".join(each for each in (self.constraints.sentence, self.classes.sentence, words, linked) if each)

    @property
    def any(self) -> bool:
        """Whether something is known."""
        return bool((self.seeds >= 0).any() or self.words or self.links is not None)

    def called(self, number: int) -> str:
        """What a cluster is called in messages: by its classes, or its number."""
        return self.classes.name(number) or f"cluster {number}"


def _clusters(number: int) -> str:
    return "1 cluster" if number == 1 else f"{number} clusters"


def knowledge_of_fit(store: Store, documents: IntArray, recipe: Recipe, new: Collection[int], before: IntArray) -> FitKnowledge:
    """What the file knows of documents; BadParameter where it contradicts itself.

    Parameters
    ----------
    store : Store
        As it was before the fit, with the hints that the fit is given.
    documents : int array (documents,)
        Their numbers in the store.
    recipe : Recipe
    new : collection of int
        The numbers of hints that the fit is given.
    before : int array (documents,)
        The number of the cluster that each document was in; -1 for none.
    """
    constraints = constraints_of_fit(store, documents, recipe.n_clusters)
    hints, dropped = without_missing_links(store, set(documents.tolist()))
    words = tuple(each for each in hints if each.kind == SEED_WORDS)
    every = labels_of(store, documents)
    labelled = every if recipe.use_labels else {}
    classes = classes_of_fit(store, documents, labelled, (each.name for each in words), constraints, before)
    known = np.where(constraints.known >= 0, constraints.known, classes.known)
    notes = (*dropped, *classes.notes, *(unused_labels(every) if recipe.use_labels is None else ()))
    found = FitKnowledge(constraints, classes, known, known, words, frozenset(new), None, notes)
    links = _linked(store, documents, hints, found)
    seeds = _seeds(found, links, before)
    return replace(found, links=links, seeds=seeds)


def _seeds(known: FitKnowledge, links: Links | None, before: IntArray) -> IntArray:
    """Typical documents of clusters that continue are known too, but for clusters that labels or new seed words shape anew."""
    constraints, held = known.constraints, known.constraints.known
    typical = (constraints.seeds >= 0) & (held < 0)
    shaped = np.unique(before[known.classes.known >= 0])
    if any(known.classes.numbers[each.name] not in constraints.seeds for each in known.words):
        shaped = np.unique(constraints.seeds)
    typical &= ~np.isin(constraints.seeds, np.setdiff1d(shaped, held))
    if links is not None:
        typical &= ~links.linked
    return np.where(known.known >= 0, known.known, np.where(typical, constraints.seeds, -1))


def _linked(store: Store, documents: IntArray, hints: Sequence[Hint], known: FitKnowledge) -> Links | None:
    """The links between documents, by their rows; BadParameter where constraints or labels contradict them."""
    together, apart = (
        np.searchsorted(documents, [each.documents for each in hints if each.kind == kind]).reshape(-1, 2)
        for kind in (MUST_LINK, CANNOT_LINK)
    )
    if not len(together) and not len(apart):
        return None

    def named(row: int) -> str:
        """A document by its id, for a message."""
        return repr(Documents(store).ids([int(documents[row])])[0])

    links = links_of_pairs(together, apart, len(documents), named)
    _refuse_contradiction(links, apart, known, named)
    return links


def _refuse_contradiction(links: Links, apart: IntArray, known: FitKnowledge, named: Callable[[int], str]) -> None:
    units, clusters = links.units, known.known
    of_unit = links.fixed_units(clusters)
    for row in np.flatnonzero((clusters >= 0) & (clusters != of_unit[units]))[:1]:
        other = np.flatnonzero((units == units[row]) & (clusters == of_unit[units[row]]))[0]
        both = f"{known.called(int(clusters[row]))!r:.80} and {known.called(int(clusters[other]))!r:.80}"
        raise BadParameter(
            f"must_link joins {named(row)} and {named(other)}, directly or by other documents, but labels or constraints hold "
            f"them in {both}. Correct a label, or undo a constraint."
        )
    for a, b in apart.tolist():
        if of_unit[units[a]] >= 0 and of_unit[units[a]] == of_unit[units[b]]:
            raise BadParameter(
                f"cannot_link keeps {named(a)} and {named(b)} apart, but labels or constraints hold both "
                f"in {known.called(int(of_unit[units[a]]))!r:.80}. Correct a label, or undo a constraint."
            )


@final
@dataclass(frozen=True, eq=False)
class NumberedClasses:
    """What a clustering is told, and the number of the cluster that each of its classes is, the first clusters in that order."""

    beforehand: Beforehand
    numbers: tuple[int, ...]


def numbered_classes(known: FitKnowledge, vocabulary: IndexVocabulary, counts: Terms, order: IntArray) -> NumberedClasses:
    """What a clustering is told of documents in another order.

    Parameters
    ----------
    known : FitKnowledge
    vocabulary : IndexVocabulary
    counts : sparse (documents, terms)
        Logarithms of counts of the terms of clusters, in that order.
    order : int array (documents,)
    """
    seeds = np.where(nonzero_rows(counts), known.seeds[order], -1)
    numbers = np.unique(seeds[seeds >= 0])
    names = np.array([*map(known.called, numbers.tolist()), None], dtype=object)[:-1]
    labels = np.where(seeds >= 0, np.searchsorted(numbers, seeds), -1)
    classes = KnownClasses(names, labels) if len(numbers) else KnownClasses(None, None)
    columns = _columns(known, vocabulary)
    if columns:
        classes = with_terms_of_classes(columns, csr(counts), keys_of_rows(counts, None), classes)
    number = {known.called(each): each for each in [*numbers.tolist(), *known.classes.numbers.values()]}
    links = None if known.links is None else known.links.restrict(order)
    found = () if classes.names is None else tuple(number[name] for name in classes.names)
    return NumberedClasses(Beforehand(classes, links), found)


def _columns(known: FitKnowledge, vocabulary: IndexVocabulary) -> dict[object, list[int]]:
    """The terms of the seed words of each cluster, among those that clusters are found by."""
    read = Vocabulary(vocabulary.forms[vocabulary.shared], lambda word: _columns_of(word, vocabulary), _UNKNOWN)
    usable: dict[object, list[str]] = {each.name: list(each.words) for each in known.words if _is_usable(each, read, known.new)}
    found: dict[object, list[int]] = {}
    for name, columns in terms_by_class(usable, read).items():
        called = known.called(known.classes.numbers[str(name)])
        found[called] = sorted({*found.get(called, []), *columns})
    return found


def _columns_of(word: str, vocabulary: IndexVocabulary) -> list[int]:
    return np.flatnonzero(np.isin(vocabulary.shared, csr(vocabulary.counts([word])).indices)).tolist()


def _is_usable(hint: Hint, vocabulary: Vocabulary, new: Collection[int]) -> bool:
    """Whether a document has a word of a class; words that are new are checked, and others are left out with a warning."""
    if hint.number in new or any(vocabulary.columns_of(word) for word in hint.words):
        return True
    warn(f"{hint.shown({})} has no effect: no two documents have a word of it any more.", UnknownWords)
    return False


def obey_links(found: FittedModel, known: FitKnowledge) -> FittedModel:
    """Put linked documents where links allow, each as near to what its terms say as possible."""
    if known.links is None:
        return found
    clusters, model = found.embedded.clusters, found.model
    scores = model.rule.log_probabilities(model.evidence(found.embedded.counts))
    fixed = np.where(clusters >= 0, positions_of_held(found.held, known.known), -1)
    return replace(found, embedded=replace(found.embedded, clusters=known.links.obey(scores, clusters, fixed)))


def without_terms(known: FitKnowledge, embedded: BoolArray) -> tuple[str, ...]:
    """A sentence on labelled and on linked documents that have no terms and so are in no cluster."""
    labelled = int(np.count_nonzero((known.classes.known >= 0) & ~embedded))
    linked = 0 if known.links is None else int(np.count_nonzero(known.links.linked & ~embedded))
    said = ((labelled, "labelled"), (linked, "linked"))
    return tuple(f"{n} {what} document{'s have' if n > 1 else ' has'} no terms, in no cluster." for n, what in said if n)
