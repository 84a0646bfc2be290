"""Fit: a model, embedded rows and clusters from all documents of an index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import numpy as np

from vicinal._consensus.stability import Stability
from vicinal._progress import Progress
from vicinal._store import Arrays, Documents, Settings, Store
from vicinal._typing import FloatArray, IntArray
from vicinal.engines import Engine
from vicinal.engines._engine_choice import engine_of
from vicinal.errors import BadLabels, DamagedIndex, EmptyCorpus, TooFewDocuments
from vicinal.index._clusters.cluster_table import (
    ClusterMatch,
    cluster_table,
    number_clusters,
    save_cluster_table,
)
from vicinal.index._clusters.cluster_tree import save_tree_of_fit, stored_tree
from vicinal.index._clusters.earlier_fit import earlier_fit
from vicinal.index._clusters.hints import NO_HINTS, GivenHints, add_hints
from vicinal.index._clusters.subclusters import FEWEST
from vicinal.index._documents.neighbors_of_new import put_lenders
from vicinal.index._drift.drift_rows import put_drift
from vicinal.index._fit.fit_evidence import Vectors, evidence_of
from vicinal.index._fit.fit_model import FittedModel, fit_model
from vicinal.index._index_state import StateCache
from vicinal.index._labels.classes import learn_labels
from vicinal.index._layout.stored_layout import earlier_points, put_layout
from vicinal.index._model import (
    Embedded,
    save_model,
)
from vicinal.index._recipe import Recipe, requested, save_recipe
from vicinal.index._results import Fitted
from vicinal.index._rows import put_rows
from vicinal.index._steering.fit_classes import keep_classes, labels_of, refuse_without_labels
from vicinal.index._steering.fit_knowledge import (
    FitKnowledge,
    knowledge_of_fit,
    obey_links,
    without_terms,
)
from vicinal.index._steering.steered_fit import hold, keep_steering, keep_together, known_before, without_effect
from vicinal.index._stored import CLASSES, keep_current
from vicinal.uses._topics.topics_fit import LOPSIDED_ADVICE, UNSTABLE_ADVICE, signs_of_luck

BATCH = 1000
#: What to do about clusters that depend on luck, in words of an index.
_ADVICE = {
    UNSTABLE_ADVICE: "Try another n_clusters (tree() shows what divides or merges), or label documents and use_labels=True.",
    LOPSIDED_ADVICE: "It may be one subject; a larger n_clusters would divide it, and clusters(of={cluster}) shows its parts.",
}


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
    engine : Engine, str or None
        Where neighbours and the regression run.
    """

    given: Mapping[str, object]
    embeddings: Vectors | None = None
    hints: GivenHints = NO_HINTS
    engine: Engine | str | None = None


def fit(cache: StateCache, request: FitRequest, progress: Progress) -> Fitted:
    """Fit a model to all documents and store it in one transaction.

    The file is locked for writing from the first text to the last array; others may read meanwhile.
    """
    try:
        with _running(request.engine) as engine, cache.store.writing():
            return _fit(cache, request, progress, engine)
    except BaseException:
        cache.forget()
        raise


@contextmanager
def _running(given: Engine | str | None) -> Iterator[Engine | None]:
    """The engine of a fit; one that was made for it is closed behind it."""
    engine = engine_of(given)
    try:
        yield engine
    finally:
        if engine is not None and isinstance(given, str):
            engine.close()


def _fit(cache: StateCache, request: FitRequest, progress: Progress, engine: Engine | None) -> Fitted:
    store = cache.store
    numbers, recipe = Documents(store).numbers(), requested(store, request.given)
    _refuse_few(store, len(numbers), recipe)
    before = earlier_fit(cache, numbers)
    old = before.clusters
    known = _known(store, numbers, recipe, request, old)
    texts = _Texts(store, numbers.tolist(), progress)
    asked = [name for name, value in request.given.items() if value is not None]
    evidence = partial(evidence_of, store, numbers, recipe, request.embeddings, progress, asked)
    like = _earlier_points(cache, numbers) if recipe.layout else None
    found = fit_model(texts, recipe, before.generation + 1, progress, known, evidence, like, engine)
    found = replace(found, embedded=hold(found.embedded, found.held, known.known))
    held = known.constraints
    found = keep_together(found, held, numbers, known_before(store, held, numbers, old), known.known)
    found = obey_links(found, known)
    match = number_clusters(before, found)
    progress("save", 0, 0)
    save_recipe(recipe, store)
    cuts = _save(store, found, match, numbers)
    notes = (*before.notes, *_note_unembedded(store, numbers, found.embedded), *found.notes, *_notes_on_luck(found, match))
    notes += (*_keep_decisions(store, found, known, match), *_fit_classes_again(cache))
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


def _earlier_points(cache: StateCache, numbers: IntArray) -> FloatArray | None:
    """The points of the layout before, by which the new one is oriented; one that is damaged orients nothing."""
    try:
        return earlier_points(cache.state(), numbers)
    except DamagedIndex:
        return None


def _save(store: Store, found: FittedModel, match: ClusterMatch, numbers: IntArray) -> tuple[str, ...]:
    """Keep all that was found, and nothing of what there was; return what the cuts next to that of the fit would be."""
    Arrays(store).clear()
    save_model(found.model, store)
    put_rows(store, numbers, found.embedded, found.neighbors)
    put_drift(store, found.model, found.embedded)
    put_lenders(store, found.model, found.embedded.counts)
    put_layout(store, found.points, found.model.generation)
    save_cluster_table(store, cluster_table(found, match, numbers))
    Documents(store).set_generation(numbers.tolist(), found.model.generation)
    keep_current(store)
    save_tree_of_fit(store, found.tree, match.numbers, numbers)
    return tuple(neighbor.why for neighbor in stored_tree(store, found.model).neighbors)


def _refuse_few(store: Store, n_documents: int, recipe: Recipe) -> None:
    if n_documents == 0:
        raise EmptyCorpus(f"{store.path} holds no documents, and a model is fitted to documents. Add some first.")
    if n_documents < FEWEST:
        raise TooFewDocuments(
            f"to fit {store.path} takes at least {FEWEST} documents, got {n_documents}, which can be searched all the same. "
            "Add documents."
        )
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


def _fit_classes_again(cache: StateCache) -> tuple[str, ...]:
    """Classes are of the vocabulary that there was: they are fitted again, or dropped with a note where too few labels are left."""
    settings = Settings(cache.store)
    if settings.get(CLASSES) is None:
        return ()
    try:
        classes = learn_labels(cache.state()).classes
    except BadLabels:  # their documents were removed since
        classes = ()
        settings.drop(CLASSES)
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


def _notes_on_luck(found: FittedModel, match: ClusterMatch) -> tuple[str, ...]:
    """What is said of clusters that another random seed would change, and of one that has most documents, by their numbers."""
    clusters = found.embedded.clusters
    sizes = np.bincount(clusters[clusters >= 0], minlength=found.model.n_clusters)
    stable = np.array([1.0 if each is None else each for each in found.stability])
    said = signs_of_luck(sizes, Stability(stable, found.overall_stability), match.numbers.tolist())
    largest = int(match.numbers[int(np.argmax(sizes))])
    return tuple(f"{what} {_ADVICE[then].format(cluster=largest)}" for what, then in said)


def _fitted(found: FittedModel, n_documents: int, change: str, notes: tuple[str, ...]) -> Fitted:
    model = found.model
    sizes = n_documents, len(model.vocabulary.forms), model.projection.n_components, model.n_clusters
    return Fitted(*sizes, change, found.chosen, notes, stability=found.overall_stability)
