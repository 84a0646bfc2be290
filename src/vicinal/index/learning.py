"""Learning: all documents of a file become a model, rows and clusters; documents that come later are placed by it."""

from __future__ import annotations

from collections.abc import Iterator

from vicinal._progress import Progress
from vicinal._store import Arrays, Documents, Settings, Store
from vicinal._typing import IntArray
from vicinal.errors import BadLabels, EmptyCorpus, TooFewDocuments
from vicinal.index import sorting
from vicinal.index._results import Fitted
from vicinal.index.groups import numbered, save_groups
from vicinal.index.kept import LENDERS
from vicinal.index.model import FEWEST, Learnt, learn, save_model
from vicinal.index.recipe import Recipe, save_recipe
from vicinal.index.rows import add_rows, put_rows
from vicinal.index.state import Loaded

BATCH = 1000


def fit(store: Store, loaded: Loaded, recipe: Recipe, progress: Progress) -> Fitted:
    """Learn from all documents, and keep all of it or nothing.

    The file is held from the first text to the last array: nobody changes a document meanwhile, and all may read.
    """
    with store.writing():
        before = loaded.state()
        numbers = Documents(store).numbers()
        _refuse_few(store, len(numbers), recipe)
        generation = 1 if before is None else before.model.generation + 1
        learnt = learn(_texts(store, numbers.tolist(), progress), recipe, generation, lambda step: progress(step, 0, 0))
        match = numbered(before, numbers, learnt)
        progress("save", 0, 0)
        save_recipe(recipe, store)
        save_model(learnt.model, store)
        put_rows(store, numbers, learnt.placed, learnt.lenders)
        save_groups(store, learnt, match, numbers)
        Documents(store).set_generation(numbers.tolist(), generation)
        _relearn_labels(store, loaded, recipe.random_state)
        unplaced = _unplaced(store, numbers, learnt)
    return _fitted(learnt, len(numbers), "" if before is None else match.sentence, unplaced)


def n_fitted(store: Store) -> int:
    """How many documents the model was fitted to, whether or not they are still there."""
    return Arrays(store).outline(LENDERS).shape[0]


def _refuse_few(store: Store, n_documents: int, recipe: Recipe) -> None:
    if n_documents == 0:
        raise EmptyCorpus(f"{store.path} holds no documents, and words are learnt from documents. Add some first.")
    if n_documents < FEWEST:
        raise TooFewDocuments(f"to learn from {store.path} takes at least {FEWEST} documents, got {n_documents}. Add documents.")
    for name, most in (("n_clusters", n_documents), ("n_neighbors", n_documents - 1)):
        asked = getattr(recipe, name)
        if asked != getattr(Recipe(), name) and asked > most:
            raise TooFewDocuments(f"asked for {name}={asked}, but {store.path} holds {n_documents} documents. Use at most {most}.")


def _texts(store: Store, numbers: list[int], progress: Progress) -> Iterator[str]:
    documents = Documents(store)
    for start in range(0, len(numbers), BATCH):
        progress("terms", start, len(numbers))
        yield from (stored.document.full_text for stored in documents.at(numbers[start : start + BATCH]))


def _relearn_labels(store: Store, loaded: Loaded, seed: int) -> None:
    """Classes are of the words that there were; after a fit they are learnt again, or forgotten where too few labels are left."""
    if Settings(store).get(sorting.NAME) is not None and (state := loaded.state()) is not None:
        try:
            sorting.learn_labels(store, state, seed)
        except BadLabels:  # their documents were removed since
            Settings(store).drop(sorting.NAME)


def _unplaced(store: Store, numbers: IntArray, learnt: Learnt) -> tuple[str, ...]:
    """A sentence on the documents that have no place, with the name of the first; none where all have one."""
    without = numbers[~learnt.placed.places.any(axis=1)]
    if not len(without):
        return ()
    [first] = Documents(store).at(without[:1].tolist())
    return (
        f"{len(without):,} of {len(numbers):,} documents have no terms, or none in common with another, and are not embedded; "
        f"the first is {first.document.id!r:.80}.",
    )


def _fitted(learnt: Learnt, n_documents: int, change: str, unplaced: tuple[str, ...]) -> Fitted:
    model = learnt.model
    sizes = n_documents, len(model.words.forms), model.space.n_components, model.n_topics
    return Fitted(*sizes, change, learnt.chosen, (*unplaced, *learnt.notes))


def embed_new(store: Store, loaded: Loaded, progress: Progress) -> int:
    """Place documents that were not placed by the present model, a batch at a time, each kept whole; return how many.

    Somebody else may write between two batches, so each asks again for the model and for what still waits.
    """
    model, documents, placed = loaded.model(), Documents(store), 0
    waiting = [] if model is None else documents.where([("generation", "!=", model.generation)]).tolist()
    for start in range(0, len(waiting), BATCH):
        progress("embed", start, len(waiting))
        with store.writing():
            placed += _place(store, loaded, waiting[start : start + BATCH])
    return placed


def _place(store: Store, loaded: Loaded, numbers: list[int]) -> int:
    model, documents = loaded.model(), Documents(store)
    if model is None:
        return 0
    waiting = documents.where([("generation", "!=", model.generation)], among=numbers)
    if len(waiting):
        texts = [stored.document.full_text for stored in documents.at(waiting)]
        add_rows(store, waiting, model.place(model.words.counts(texts)))
        documents.set_generation(waiting.tolist(), model.generation)
    return len(waiting)
