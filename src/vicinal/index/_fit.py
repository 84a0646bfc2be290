"""Fit: a model, embedded rows and clusters from all documents of an index; documents that come later are embedded by the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

from vicinal._progress import Progress
from vicinal._store import Documents, Settings, Store
from vicinal._typing import IntArray
from vicinal.errors import (
    BadLabels,
    EmptyCorpus,
    TooFewDocuments,
)
from vicinal.index._clusters.cluster_luck import notes_on_luck
from vicinal.index._clusters.cluster_table import (
    ClusterMatch,
    cluster_table,
    load_cluster_table,
    number_clusters,
    old_clusters,
    save_cluster_table,
)
from vicinal.index._clusters.cluster_tree import save_tree_of_fit, stored_tree
from vicinal.index._clusters.hints import NO_HINTS, GivenHints, add_hints
from vicinal.index._clusters.subclusters import FEWEST
from vicinal.index._drift_rows import append_drift, put_drift
from vicinal.index._fit_evidence import Vectors, evidence_of
from vicinal.index._fit_model import FittedModel, fit_model
from vicinal.index._labels.classes import learn_labels
from vicinal.index._model import (
    Embedded,
    save_model,
)
from vicinal.index._recipe import Recipe, requested, save_recipe
from vicinal.index._results import Fitted
from vicinal.index._snapshot import SnapshotCache, append_rows, put_rows
from vicinal.index._steering.fit_classes import decided_clusters, keep_classes, labels_of, refuse_without_labels
from vicinal.index._steering.fit_knowledge import (
    FitKnowledge,
    knowledge_of_fit,
    obey_links,
    without_terms,
)
from vicinal.index._steering.steered_fit import hold, keep_steering, keep_together, known_before, without_effect
from vicinal.index._stored import CLASSES, keep_current

BATCH = 1000


@final
@dataclass(frozen=True, eq=False)
class FitRequest:
    """What one call of `Index.fit` asks for.

    Attributes
    ----------
    given : mapping from str to value
        Parameters of the recipe; None for one that is as in the last fit.
    embeddings : Vectors or None
    hints : GivenHints
    """

    given: Mapping[str, Any]
    embeddings: Vectors | None = None
    hints: GivenHints = NO_HINTS


def fit(store: Store, cache: SnapshotCache, request: FitRequest, progress: Progress) -> Fitted:
    """Fit a model to all documents and store it in one transaction.

    The file is locked for writing from the first text to the last array; others may read meanwhile.
    """
    try:
        with store.writing():
            return _fit(store, cache, request, progress)
    except BaseException:
        cache.forget()
        raise


def _fit(store: Store, cache: SnapshotCache, request: FitRequest, progress: Progress) -> Fitted:
    before, numbers, recipe = cache.snapshot(), Documents(store).numbers(), requested(store, request.given)
    _refuse_few(store, len(numbers), recipe)
    old = old_clusters(before, numbers)
    known = _known(store, numbers, recipe, request, old)
    texts = _Texts(store, numbers.tolist(), progress)
    asked = [name for name, value in request.given.items() if value is not None]
    evidence = partial(evidence_of, store, numbers, recipe, request.embeddings, progress, asked)
    generation = before.model.generation + 1 if before.fitted else 1
    found = fit_model(texts, recipe, generation, progress, known, evidence)
    found = replace(found, embedded=hold(found.embedded, found.held, known.known))
    held = known.constraints
    found = keep_together(found, held, numbers, known_before(store, held, numbers, old), known.known)
    found = obey_links(found, known)
    match = number_clusters(before, old, found)
    progress("save", 0, 0)
    save_recipe(recipe, store)
    cuts = _save(store, found, match, numbers)
    notes = (*_note_unembedded(store, numbers, found.embedded), *found.notes, *notes_on_luck(found, match))
    notes += (*_keep_decisions(store, found, known, match), *_fit_classes_again(store, cache))
    change = f"{match.sentence} {known.sentence}".strip() if before.fitted else known.sentence
    return replace(_fitted(found, len(numbers), change, notes), cuts=cuts)


def _known(store: Store, numbers: IntArray, recipe: Recipe, request: FitRequest, old: IntArray) -> FitKnowledge:
    """What is known of clusters, with what the call gives; BadLabels where it asks for labels, and there are none."""
    new = add_hints(store, request.hints)
    if request.given.get("use_labels"):
        refuse_without_labels(store, labels_of(store, numbers))
    return knowledge_of_fit(store, numbers, recipe, {each.number for each in new}, old)


def _keep_decisions(store: Store, found: FittedModel, known: FitKnowledge, match: ClusterMatch) -> tuple[str, ...]:
    """Keep constraints, names and classes; sentences on what of them is dropped, or has no effect."""
    embedded = found.embedded.clusters >= 0
    steering = keep_steering(store, known.constraints, match)
    classes = keep_classes(store, known.classes, found.held, match)
    lost = (*without_effect(known.constraints, embedded), *without_terms(known, embedded))
    return (*known.notes, *steering, *classes, *lost)


def _save(store: Store, found: FittedModel, match: ClusterMatch, numbers: IntArray) -> tuple[str, ...]:
    """Keep all that was found; return what the cuts next to that of the fit would be."""
    save_model(found.model, store)
    put_rows(store, numbers, found.embedded, found.neighbors)
    put_drift(store, found.model, found.embedded)
    save_cluster_table(store, cluster_table(found, match, numbers))
    Documents(store).set_generation(numbers.tolist(), found.model.generation)
    keep_current(store)
    save_tree_of_fit(store, found.tree, match.numbers, numbers)
    return tuple(neighbor.why for neighbor in stored_tree(store, found.model).neighbors)


def _refuse_few(store: Store, n_documents: int, recipe: Recipe) -> None:
    if n_documents == 0:
        raise EmptyCorpus(f"{store.path} holds no documents, and a model is fitted to documents. Add some first.")
    if n_documents < FEWEST:
        raise TooFewDocuments(f"to fit {store.path} takes at least {FEWEST} documents, got {n_documents}. Add documents.")
    for name, most in (("n_clusters", n_documents), ("n_neighbors", n_documents - 1)):
        asked = getattr(recipe, name)
        if asked != getattr(Recipe(), name) and asked > most:
            raise TooFewDocuments(f"asked for {name}={asked}, but {store.path} holds {n_documents} documents. Use at most {most}.")


@final
class _Texts(Sequence[str]):
    """The texts of documents, read from the file when they are asked for; progress is reported while all are."""

    def __init__(self, store: Store, numbers: list[int], progress: Progress) -> None:
        self._documents, self._numbers, self._progress = Documents(store), numbers, progress

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, slice):
            return self[key : key + 1][0]
        return [stored.document.full_text for stored in self._documents.at(self._numbers[key])]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), BATCH):
            self._progress("terms", start, len(self))
            yield from self[start : start + BATCH]


def _fit_classes_again(store: Store, cache: SnapshotCache) -> tuple[str, ...]:
    """Classes are of the vocabulary that there was: they are fitted again, or dropped with a note where too few labels are left."""
    if Settings(store).get(CLASSES) is None:
        return ()
    try:
        classes = learn_labels(cache.snapshot()).classes
    except BadLabels:  # their documents were removed since
        classes = ()
        Settings(store).drop(CLASSES)
    if len(classes) > 1:
        return ()
    left = f"{classes[0][0]!r:.80} is the only class that is left" if classes else "no labelled document with terms is left"
    return (f"the classes of the index are dropped, and it cannot classify: {left}. Label documents of two classes.",)


def _note_unembedded(store: Store, numbers: IntArray, embedded: Embedded) -> tuple[str, ...]:
    """A sentence on the documents without an embedding, with the id of the first; none where all have one."""
    without = numbers[~embedded.embeddings.any(axis=1)]
    if not len(without):
        return ()
    [first] = Documents(store).at(without[:1].tolist())
    return (
        f"{len(without):,} of {len(numbers):,} documents have no terms, or none in common with another, and are not embedded; "
        f"the first is {first.document.id!r:.80}.",
    )


def _fitted(found: FittedModel, n_documents: int, change: str, notes: tuple[str, ...]) -> Fitted:
    model = found.model
    sizes = n_documents, len(model.vocabulary.forms), model.projection.n_components, model.n_clusters
    return Fitted(*sizes, change, found.chosen, notes, stability=found.overall_stability)


def embed_new(store: Store, cache: SnapshotCache, progress: Progress) -> int:
    """Embed documents that the present model has not, a batch at a time, each kept whole; return how many.

    Another process may write between two batches, so each batch reads the model again, and the last one looks for all that wait.
    """
    n_embedded, n_waiting = 0, 0
    while cache.model() is not None:
        with store.writing():
            waiting = _waiting(store, cache)
            n_waiting = n_waiting or len(waiting)
            progress("embed", n_embedded, n_waiting)
            n_embedded += _embed_batch(store, cache, waiting[:BATCH])
            if len(waiting) <= BATCH:
                keep_current(store)
                break
        for start in range(BATCH, len(waiting) - BATCH, BATCH):
            progress("embed", n_embedded, n_waiting)
            with store.writing():
                n_embedded += _embed_batch(store, cache, waiting[start : start + BATCH])
    return n_embedded


def _waiting(store: Store, cache: SnapshotCache) -> list[int]:
    """Numbers of the documents that the present model has not embedded."""
    model = cache.model()
    return [] if model is None else Documents(store).where([("generation", "!=", model.generation)]).tolist()


def _embed_batch(store: Store, cache: SnapshotCache, numbers: list[int]) -> int:
    model, documents = cache.model(), Documents(store)
    if model is None:
        return 0
    waiting = documents.where([("generation", "!=", model.generation)], among=numbers)
    if len(waiting):
        texts = [stored.document.full_text for stored in documents.at(waiting)]
        known = decided_clusters(store, waiting)
        counts, n_unknown = model.vocabulary.counts_and_unknown(texts)
        embedded = hold(model.embed(counts), load_cluster_table(store).numbers, known)
        append_drift(store, model, counts, n_unknown)
        append_rows(store, waiting, embedded)
        documents.set_generation(waiting.tolist(), model.generation)
    return len(waiting)
