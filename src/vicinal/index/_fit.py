"""Fit: a model, embedded rows and clusters from all documents of an index; documents that come later are embedded by the model."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import numpy as np

from vicinal._consensus.embeddings import N_NEIGHBORS
from vicinal._consensus.merge_tree import MergeTree
from vicinal._content_keys import content_order
from vicinal._matrix import csr
from vicinal._progress import Progress
from vicinal._store import Documents, Settings, Store
from vicinal._typing import IntArray, Terms
from vicinal.errors import BadLabels, EmptyCorpus, FewerComponents, TooFewDocuments, UnembeddedDocuments, VicinalWarning
from vicinal.graph import SparseGraph
from vicinal.index._clusters.cluster_table import (
    ClusterMatch,
    cluster_table,
    distinguishing_terms,
    load_cluster_table,
    number_clusters,
    old_clusters,
    save_cluster_table,
)
from vicinal.index._clusters.cluster_tree import save_tree_of_fit, stored_tree
from vicinal.index._clusters.constraints import held_clusters, load_constraints
from vicinal.index._clusters.subclusters import FEWEST
from vicinal.index._fit_evidence import Vectors, evidence_of
from vicinal.index._labels.classes import learn_labels
from vicinal.index._model import (
    Embedded,
    IndexVocabulary,
    Model,
    fit_vocabulary,
    languages_of,
    save_model,
    single_precision,
    stemmer_of,
)
from vicinal.index._recipe import Recipe, save_recipe
from vicinal.index._results import Fitted
from vicinal.index._snapshot import SnapshotCache, append_rows, put_rows
from vicinal.index._steering.relabel import DESCRIBED_BY
from vicinal.index._steering.steered_fit import (
    constraints_of_fit,
    hold,
    keep_steering,
    keep_together,
    known_before,
    without_effect,
)
from vicinal.index._stored import CLASSES
from vicinal.methods import RLPI
from vicinal.projection import Projection
from vicinal.uses import Topics
from vicinal.uses._ranking import row_stochastic
from vicinal.uses._topics.topics import fit_topics
from vicinal.uses._topics.topics_evidence import Given, check_evidence
from vicinal.uses._topics.topics_fit import EACH_CLASS_OF_Y

BATCH = 1000


@final
@dataclass(frozen=True, eq=False)
class FittedModel:
    """A model, and what was found of the documents it was fitted to.

    Attributes
    ----------
    model : Model
    embedded : Embedded
    neighbors : sparse (documents, documents), float32
        Weights of the neighbour graph, each row adding up to one.
    descriptions : list of (terms, exemplars)
        Of each cluster: distinguishing terms with their weights, and rows of typical documents.
    chosen : dict
        What was chosen automatically, with the reason.
    tree : MergeTree
        Nested clusters.
    notes : tuple of str
        What was noticed.
    held : tuple of int
        The numbers of the first clusters, those in which constraints hold documents.
    """

    model: Model
    embedded: Embedded
    neighbors: Any
    descriptions: list[tuple[list[tuple[str, float]], IntArray]]
    chosen: dict[str, str]
    tree: MergeTree
    notes: tuple[str, ...] = ()
    held: tuple[int, ...] = ()


def fit(store: Store, cache: SnapshotCache, recipe: Recipe, progress: Progress, embeddings: Vectors | None = None) -> Fitted:
    """Fit a model to all documents and store it in one transaction.

    The file is locked for writing from the first text to the last array; others may read meanwhile.
    """
    try:
        with store.writing():
            return _fit(store, cache, recipe, progress, embeddings)
    except BaseException:
        cache.forget()
        raise


def _fit(store: Store, cache: SnapshotCache, recipe: Recipe, progress: Progress, embeddings: Vectors | None) -> Fitted:
    before, numbers = cache.snapshot(), Documents(store).numbers()
    _refuse_few(store, len(numbers), recipe)
    generation = before.model.generation + 1 if before.fitted else 1
    held, texts = constraints_of_fit(store, numbers, recipe.n_clusters), _Texts(store, numbers.tolist(), progress)
    evidence = partial(evidence_of, store, numbers, recipe, embeddings, progress)
    found = fit_model(texts, recipe, generation, lambda step: progress(step, 0, 0), held.seeds, evidence)
    found = replace(found, embedded=hold(found.embedded, found.held, held.known))
    old = old_clusters(before, numbers)
    found = keep_together(found, held, numbers, known_before(store, held, numbers, old))
    match = number_clusters(before, old, found)
    progress("save", 0, 0)
    save_recipe(recipe, store)
    cuts = _save(store, found, match, numbers)
    classes = _fit_classes_again(store, cache)
    notes = (*_note_unembedded(store, numbers, found.embedded), *found.notes, *keep_steering(store, held, match))
    notes += (*without_effect(held, found.embedded.clusters >= 0), *classes)
    change = f"{match.sentence} {held.sentence}".strip() if before.fitted else ""
    return replace(_fitted(found, len(numbers), change, notes), cuts=cuts)


def _save(store: Store, found: FittedModel, match: ClusterMatch, numbers: IntArray) -> tuple[str, ...]:
    """Keep all that was found; return what the cuts next to that of the fit would be."""
    save_model(found.model, store)
    put_rows(store, numbers, found.embedded, found.neighbors)
    save_cluster_table(store, cluster_table(found, match, numbers))
    Documents(store).set_generation(numbers.tolist(), found.model.generation)
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
    return Fitted(*sizes, change, found.chosen, notes)


def fit_model(
    texts: Iterable[str],
    recipe: Recipe,
    generation: int,
    step: Callable[[str], object] = str,
    known: IntArray | None = None,
    evidence: Callable[[], Given] = Given,
) -> FittedModel:
    """Fit a model to texts, which are read once; what is noticed is kept as notes and not given as warnings.

    Before each step ``step`` is called with its name. ``known`` has the number of the cluster in which a document is held, -1
    elsewhere. ``evidence`` is called before all steps, as what it refuses needs no fit.
    """
    known = known if known is not None and (known >= 0).any() else None
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        found = _fit_model(texts, recipe, generation, step, known, evidence())
    for each in given:
        if not issubclass(each.category, VicinalWarning):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    notes = (
        _of_index(str(each.message)) for each in given if issubclass(each.category, VicinalWarning) and not _is_known(each, recipe)
    )
    return replace(found, notes=tuple(dict.fromkeys([*found.notes, *notes])))


def _of_index(text: str) -> str:
    """What is said of the number of clusters, in words of somebody who steers an index and knows of no ``y``."""
    return text.replace(EACH_CLASS_OF_Y, "constraints keep so many clusters")


def _is_known(warning: warnings.WarningMessage, recipe: Recipe) -> bool:
    """Documents without an embedding are noted by id; fewer components than the default matter only if a number was given."""
    default = issubclass(warning.category, FewerComponents) and recipe.n_components == Recipe().n_components
    return default or issubclass(warning.category, UnembeddedDocuments)


def _fit_model(
    texts: Iterable[str], recipe: Recipe, generation: int, step: Callable[[str], object], known: IntArray | None, given: Given
) -> FittedModel:
    detected, language, texts = languages_of(texts, recipe.language)
    vocabulary, counts = fit_vocabulary(texts, stemmer_of(recipe.stem, language), language, recipe.segmenter)
    besides_terms, order = check_evidence(given, counts.shape[0]), content_order(counts)
    step("embedding")
    projection, graph = _fit_projection(vocabulary, counts[order], recipe)
    step("clusters")
    evidence = Given(views=[each.restrict(order) for each in besides_terms])
    topics = _fit_clusters(vocabulary, counts[order], recipe, graph, None if known is None else known[order], evidence)
    rule = replace(topics.rule_, scores=single_precision(topics.rule_.scores))
    model = Model(vocabulary, projection, rule, generation)
    descriptions = [_description(topics, cluster, vocabulary, order) for cluster in range(topics.n_clusters_)]
    step("embed")
    place = np.argsort(order)
    neighbors = csr(row_stochastic(graph.weights).astype(np.float32)[place][:, place])
    number = topics.n_clusters_evidence_
    chosen = {} if number is None else {"n_clusters": _of_index(number.why)}
    tree = replace(topics._merge_tree, leaves=topics._merge_tree.leaves[place])
    held = () if topics.classes_ is None else tuple(int(each) for each in topics.classes_)
    notes = (detected.sentence(),) if detected is not None and detected.sentence() else ()
    return FittedModel(model, model.embed(counts), neighbors, descriptions, chosen, tree, notes, held)


def _fit_clusters(
    vocabulary: IndexVocabulary, counts: Terms, recipe: Recipe, graph: SparseGraph, known: IntArray | None, given: Given
) -> Topics:
    """The clusters; each one that is known of some documents is one of the first, in the order of their numbers."""
    topics, shared = Topics(recipe.n_clusters, random_state=recipe.random_state), counts[:, vocabulary.shared]
    return fit_topics(topics, shared, known, graph if _is_graph_of_clusters(vocabulary, recipe) else None, given)


def _is_graph_of_clusters(vocabulary: IndexVocabulary, recipe: Recipe) -> bool:
    """Whether the neighbour graph of the embedding is that of the clusters, to the bit: as many neighbours by the same terms.

    The clusters also count terms of more than half of the documents. Where there is one, all weights differ (they depend on the
    length of a document in terms), and the clusters need a graph of their own.
    """
    return recipe.n_neighbors == N_NEIGHBORS and np.array_equal(vocabulary.columns, vocabulary.shared)


def _description(
    topics: Topics, cluster: int, vocabulary: IndexVocabulary, order: IntArray
) -> tuple[list[tuple[str, float]], IntArray]:
    terms = distinguishing_terms(topics.rule_, cluster, vocabulary.forms[vocabulary.shared], DESCRIBED_BY)
    return terms, order[topics.exemplars(cluster, DESCRIBED_BY)]


def _fit_projection(vocabulary: IndexVocabulary, counts: Terms, recipe: Recipe) -> tuple[Projection, SparseGraph]:
    """The projection, in single precision as it is kept, and the neighbour graph."""
    X = vocabulary.weighted(counts)
    n_neighbors = min(recipe.n_neighbors, counts.shape[0] - 1)
    method: Any = RLPI(recipe.n_components, n_neighbors=n_neighbors, alpha=recipe.alpha, random_state=recipe.random_state).fit(X)
    projection = single_precision(method.projection_).named(vocabulary.forms[vocabulary.columns])
    return projection, method.graph_


def embed_new(store: Store, cache: SnapshotCache, progress: Progress) -> int:
    """Embed documents that the present model has not, a batch at a time, each kept whole; return how many.

    Another process may write between two batches, so each batch reads the model and the remaining documents again.
    """
    model, n_embedded = cache.model(), 0
    waiting = [] if model is None else Documents(store).where([("generation", "!=", model.generation)]).tolist()
    for start in range(0, len(waiting), BATCH):
        progress("embed", start, len(waiting))
        with store.writing():
            n_embedded += _embed_batch(store, cache, waiting[start : start + BATCH])
    return n_embedded


def _embed_batch(store: Store, cache: SnapshotCache, numbers: list[int]) -> int:
    model, documents = cache.model(), Documents(store)
    if model is None:
        return 0
    waiting = documents.where([("generation", "!=", model.generation)], among=numbers)
    if len(waiting):
        texts = [stored.document.full_text for stored in documents.at(waiting)]
        held = held_clusters(load_constraints(store))
        known = np.array([held.get(int(each), -1) for each in waiting], dtype=np.int64)
        embedded = hold(model.embed(model.vocabulary.counts(texts)), load_cluster_table(store).numbers, known)
        append_rows(store, waiting, embedded)
        documents.set_generation(waiting.tolist(), model.generation)
    return len(waiting)
