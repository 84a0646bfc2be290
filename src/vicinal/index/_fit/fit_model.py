"""From texts to a fitted model: vocabulary, embedding, clusters, and what was found of the documents."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import cast, final

import numpy as np

from vicinal._consensus.embeddings import N_NEIGHBORS
from vicinal._consensus.merge_tree import MergeTree
from vicinal._consensus.mixture import log_counts
from vicinal._content_keys import content_order
from vicinal._matrix import csr
from vicinal._progress import Progress, silent
from vicinal._typing import FloatArray, Floats, IntArray, SparseMatrix, Terms
from vicinal.engines import Engine
from vicinal.errors import (
    FewerComponents,
    IndistinctComponents,
    UnembeddedDocuments,
    UnstableClusters,
    VicinalWarning,
)
from vicinal.graph import SparseGraph
from vicinal.index._clusters.cluster_table import (
    distinguishing_terms,
)
from vicinal.index._model import (
    Embedded,
    IndexVocabulary,
    Model,
    fit_vocabulary,
    languages_of,
    single_precision,
    stemmer_of,
)
from vicinal.index._recipe import Recipe
from vicinal.index._steering.fit_knowledge import (
    FitKnowledge,
    NumberedClasses,
    numbered_classes,
)
from vicinal.index._steering.relabel import DESCRIBED_BY
from vicinal.methods import RLPI
from vicinal.methods._base import fit_of_checked
from vicinal.projection import Projection
from vicinal.terms._block_terms import BlockTerms, block_terms
from vicinal.uses import Topics
from vicinal.uses._layout.layout import layout_of_graph
from vicinal.uses._layout.orientation import known as has_point
from vicinal.uses._ranking import row_stochastic
from vicinal.uses._topics.topics import fit_to_counts
from vicinal.uses._topics.topics_evidence import Given, check_evidence
from vicinal.uses._topics.topics_fit import (
    EACH_CLASS_OF_BOTH,
    EACH_CLASS_OF_Y,
)


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
        The numbers of the first clusters, those in which constraints or labels hold documents, or which seed words start.
    stability : tuple of float or None
        Of each cluster, as `Topics.stability_`; None for one that was put together after the clustering.
    overall_stability : float
    points : float32 array (documents, 2) or None
        The layout, where the recipe asks for one.
    """

    model: Model
    embedded: Embedded
    neighbors: SparseMatrix
    descriptions: list[tuple[list[tuple[str, float]], IntArray]]
    chosen: dict[str, str]
    tree: MergeTree
    notes: tuple[str, ...] = ()
    held: tuple[int, ...] = ()
    stability: tuple[float | None, ...] = ()
    overall_stability: float = 1.0
    points: Floats | None = None


def fit_model(
    texts: Iterable[str],
    recipe: Recipe,
    generation: int,
    progress: Progress = silent,
    known: FitKnowledge | None = None,
    evidence: Callable[[], Given] = Given,
    like: FloatArray | None = None,
    engine: Engine | None = None,
) -> FittedModel:
    """Fit a model to texts, which are read once; what is noticed is kept as notes and not given as warnings.

    ``progress`` is called before each step. ``evidence`` is called before all steps, as what it refuses needs no fit. ``like`` has
    the points of an earlier layout. With an ``engine``, neighbours and the regression run there.
    """
    known = known if known is not None and known.any else None
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        found = _fit_model(texts, recipe, generation, progress, known, evidence(), like, engine)
    for each in given:
        if not issubclass(each.category, VicinalWarning):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    notes = (
        _of_index(str(each.message), known)
        for each in given
        if issubclass(each.category, VicinalWarning) and not _is_known(each, recipe, found.model.projection.n_components)
    )
    return replace(found, notes=tuple(dict.fromkeys([*found.notes, *notes])))


def _of_index(text: str, known: FitKnowledge | None) -> str:
    """What is said of the number of clusters, in words of somebody who steers an index and knows of no ``y``."""
    classes = known is not None and known.classes.numbers
    why = "each class is a cluster" if classes else "constraints keep so many clusters"
    return text.replace(EACH_CLASS_OF_Y, why).replace(EACH_CLASS_OF_BOTH, why)


def _is_known(warning: warnings.WarningMessage, recipe: Recipe, n_found: int) -> bool:
    """Whether a note would repeat another, or speak of components that nobody asked for or that are not there.

    Documents without an embedding are noted by id, and luck by number. Fewer components matter only if a number was given;
    functions of the graph that cannot be told apart only if it was, and if as many components were found as were asked for.
    """
    default = recipe.n_components == Recipe().n_components
    fewer = issubclass(warning.category, FewerComponents) and default
    indistinct = issubclass(warning.category, IndistinctComponents) and (default or n_found < recipe.n_components)
    return fewer or indistinct or issubclass(warning.category, UnembeddedDocuments | UnstableClusters)


def _fit_model(
    texts: Iterable[str],
    recipe: Recipe,
    generation: int,
    progress: Progress,
    known: FitKnowledge | None,
    given: Given,
    like: FloatArray | None,
    engine: Engine | None,
) -> FittedModel:
    detected, language, texts = languages_of(texts, recipe.language)
    vocabulary, counts = fit_vocabulary(texts, stemmer_of(recipe.stem, language), language, recipe.segmenter)
    besides_terms, order = check_evidence(given, counts.shape[0]), content_order(counts)
    classes = None if known is None else _classes(known, vocabulary, counts[order], order)
    progress("embedding", 0, 0)
    projection, graph = _fit_projection(vocabulary, counts[order], recipe, engine)
    progress("clusters", 0, 0)
    evidence = Given(views=[each.restrict(order) for each in besides_terms])
    topics = _fit_clusters(vocabulary, counts[order], recipe, graph, classes, evidence)
    rule = replace(topics.rule_, scores=single_precision(topics.rule_.scores))
    model = Model(vocabulary, projection, rule, generation)
    descriptions = [_description(topics, cluster, vocabulary, order) for cluster in range(topics.n_clusters_)]
    progress("embed", 0, 0)
    place = np.argsort(order)
    neighbors = csr(row_stochastic(graph.weights).astype(np.float32)[place][:, place])
    number = topics.n_clusters_evidence_
    chosen = ({} if number is None else {"n_clusters": _of_index(number.why, known)}) | _recall_said(graph, recipe)
    tree = replace(topics._merge_tree, leaves=topics._merge_tree.leaves[place])
    notes = (detected.sentence(),) if detected is not None and detected.sentence() else ()
    embedded, held = _every_cluster(model.embed(counts), topics.labels_[place]), () if classes is None else classes.numbers
    if recipe.layout:
        progress("layout", 0, 0)
    points = _points(graph, embedded, order, recipe.random_state, like) if recipe.layout else None
    stability = tuple(topics.stability_.tolist()), topics.overall_stability_
    return FittedModel(model, embedded, neighbors, descriptions, chosen, tree, notes, held, *stability, points)


def _recall_said(graph: SparseGraph, recipe: Recipe) -> dict[str, str]:
    """That the search for neighbours was a pruned one, where it was."""
    if graph.recall >= 1.0:
        return {}
    return {"recall": f"the search for neighbours found {graph.recall:.1%} of them, on a sample; {recipe.recall:.1%} was enough"}


def _points(graph: SparseGraph, embedded: Embedded, order: IntArray, seed: int, like: FloatArray | None) -> Floats:
    """The layout; that of the last fit where no document came since, so that nobody has to find his way anew."""
    if like is not None and has_point(like)[order][graph.has_edges].all():
        return like.astype(np.float32)
    points = np.empty((len(order), 2), dtype=np.float32)
    earlier = None if like is None else like[order]
    points[order] = layout_of_graph(graph.weights, embedded.embeddings[order].astype(np.float64), seed, earlier)
    return points


def _classes(known: FitKnowledge, vocabulary: IndexVocabulary, counts: Terms, order: IntArray) -> NumberedClasses:
    """What is known, in the order of the clustering."""
    return numbered_classes(known, vocabulary, log_counts(csr(counts[:, vocabulary.shared]), whole=True), order)


def _every_cluster(embedded: Embedded, found: IntArray) -> Embedded:
    """A cluster of seed words that the rule leaves empty has the documents that the clustering found for it."""
    lost = (embedded.clusters >= 0) & (found >= 0) & ~np.isin(found, embedded.clusters)
    return replace(embedded, clusters=np.where(lost, found, embedded.clusters)) if lost.any() else embedded


def _fit_clusters(
    vocabulary: IndexVocabulary, counts: Terms, recipe: Recipe, graph: SparseGraph, known: NumberedClasses | None, given: Given
) -> Topics:
    """The clusters; each one that is known of some documents is one of the first, in the order of their numbers."""
    topics = Topics(recipe.n_clusters, recall=recipe.recall, random_state=recipe.random_state)
    shared = csr(counts[:, vocabulary.shared])
    beforehand = None if known is None else known.beforehand
    return fit_to_counts(topics, shared, beforehand, graph if _serves_clusters(recipe) else None, given)


def _serves_clusters(recipe: Recipe) -> bool:
    """Whether the neighbour graph of the embedding is also that of the clusters: where it has as many neighbours.

    The clusters also count terms of more than half of the documents, by which neighbours are hardly told apart. Where there is no
    such term, the graph is theirs to the bit; on 20 Newsgroups, which has two, a graph of their own gives clusters as good (NMI
    0.743 both, two seeds).
    """
    return recipe.n_neighbors == N_NEIGHBORS


def _description(
    topics: Topics, cluster: int, vocabulary: IndexVocabulary, order: IntArray
) -> tuple[list[tuple[str, float]], IntArray]:
    terms = distinguishing_terms(topics.rule_, cluster, vocabulary.forms[vocabulary.shared], DESCRIBED_BY)
    return terms, order[topics.exemplars(cluster, DESCRIBED_BY)]


def _fit_projection(
    vocabulary: IndexVocabulary, counts: Terms, recipe: Recipe, engine: Engine | None
) -> tuple[Projection, SparseGraph]:
    """The projection, in single precision as it is kept, and the neighbour graph; in row blocks where there is an engine."""
    X: Terms | BlockTerms = vocabulary.weighted(counts)
    X = X if engine is None else block_terms(X, engine)
    n_neighbors = min(recipe.n_neighbors, counts.shape[0] - 1)
    method = RLPI(
        recipe.n_components,
        n_neighbors=n_neighbors,
        alpha=recipe.alpha,
        recall=recipe.recall,
        random_state=recipe.random_state,
    )
    fit_of_checked(method, cast("Terms", X))  # what is below asks whether X is in blocks
    projection = single_precision(method.projection_).named(vocabulary.forms[vocabulary.columns])
    return projection, cast(SparseGraph, method.graph_)  # nearest neighbours are stored
