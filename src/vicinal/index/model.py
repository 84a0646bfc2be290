"""What an index has learnt: words, a space and topics, made of arrays and numbers alone, so that it can be kept in a file."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, final

import numpy as np
import scipy.sparse as sp

from vicinal._consensus import ClusterRule
from vicinal._consensus.mixture import log_counts
from vicinal._matrix import unit_rows
from vicinal._probabilities import normalized_entropy
from vicinal._store import Arrays, Settings, Store
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.errors import DamagedIndex, FewerComponents, UnembeddedDocuments, VicinalWarning
from vicinal.index.recipe import Recipe
from vicinal.index.words import Words, language, learn_words, load_words, save_words
from vicinal.methods import RLPI
from vicinal.projection import LinearMap, Projection
from vicinal.uses import Topics
from vicinal.uses._ranking import averaging

Linear = TypeVar("Linear", bound=LinearMap)

FEWEST = 4  # documents that something can be learnt from
TOLD = 20  # words and exemplars that are kept of a topic


@final
@dataclass(frozen=True, eq=False)
class Placed:
    """Documents as the model sees them, a row each.

    Attributes
    ----------
    counts : sparse (documents, words), int32
        How often each has each word.
    places : (documents, d), float32
        Rows of length one, or of zeros.
    topics : int array (documents,)
        -1 for a document without known words.
    uncertainty : float32 array (documents,)
        From 0, where the words leave no uncertainty of the topic, to 1.
    """

    counts: Any
    places: FloatArray
    topics: IntArray
    uncertainty: FloatArray


@final
@dataclass(frozen=True, eq=False)
class Model:
    """Everything that is needed to place a document.

    Attributes
    ----------
    words : Words
    space : Projection
        From the words of the space to places.
    rule : ClusterRule
        From the words of topics to how likely each is.
    generation : int
        Which fit of the index this is of, from 1.
    """

    words: Words
    space: Projection
    rule: ClusterRule
    generation: int

    @property
    def n_topics(self) -> int:
        """How many topics there are."""
        return self.rule.scores.n_components

    def place(self, counts: Terms) -> Placed:
        """Place documents by how often they have each word."""
        counts = sp.csr_array(counts)
        places = unit_rows(self.space.transform(self.words.rows(counts))).astype(np.float32)
        log_p = self.rule.log_probabilities(self.evidence(counts))
        topics = np.where(np.diff(counts.indptr) > 0, np.argmax(log_p, axis=1), -1).astype(np.int64)
        return Placed(counts.astype(np.int32), places, topics, normalized_entropy(log_p).astype(np.float32))

    def evidence(self, counts: Terms) -> Terms:
        """What the rule of topics is applied to."""
        return log_counts(sp.csr_array(counts[:, self.words.shared]), whole=True)


@final
@dataclass(frozen=True, eq=False)
class Learnt:
    """A model, and what was found of the documents it was learnt from.

    Attributes
    ----------
    model : Model
    placed : Placed
    lenders : sparse (documents, documents), float32
        Who lends words to whom.
    told : list of (words, exemplars)
        Of each topic: telling words with their weights, and rows of typical documents.
    chosen : dict
        What was chosen without being told, with the reason.
    notes : tuple of str
        What else there is to say.
    """

    model: Model
    placed: Placed
    lenders: Any
    told: list[tuple[list[tuple[str, float]], IntArray]]
    chosen: dict[str, str]
    notes: tuple[str, ...] = ()


def learn(texts: Any, recipe: Recipe, generation: int, tell: Callable[[str], object] = str) -> Learnt:
    """Learn from texts, which are read once; what there is to say of them is kept as notes and not given as warnings.

    Before each step ``tell`` is given its name.
    """
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        learnt = _learn(texts, recipe, generation, tell)
    for each in given:
        if not issubclass(each.category, VicinalWarning):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    notes = (str(each.message) for each in given if issubclass(each.category, VicinalWarning) and not _said_elsewhere(each, recipe))
    return replace(learnt, notes=tuple(dict.fromkeys(notes)))


def _said_elsewhere(warning: warnings.WarningMessage, recipe: Recipe) -> bool:
    """Documents without a place are told of by name; of fewer dimensions than usual nobody needs to hear who asked for none."""
    usual = issubclass(warning.category, FewerComponents) and recipe.n_components == Recipe().n_components
    return usual or issubclass(warning.category, UnembeddedDocuments)


def _learn(texts: Any, recipe: Recipe, generation: int, tell: Callable[[str], object]) -> Learnt:
    words, counts = learn_words(texts, language(recipe.stem))
    tell("embedding")
    space, lenders = _space(words, counts, recipe)
    tell("clusters")
    topics = Topics(recipe.n_clusters, random_state=recipe.random_state).fit(counts[:, words.shared])
    model = Model(words, space, replace(topics.rule_, scores=_single(topics.rule_.scores)), generation)
    told = [(_telling(topics.rule_, k, words), topics.exemplars(k, TOLD)) for k in range(topics.n_clusters_)]
    evidence = topics.n_clusters_evidence_
    tell("embed")
    return Learnt(model, model.place(counts), lenders, told, {} if evidence is None else {"n_clusters": evidence.why})


def _telling(rule: ClusterRule, topic: int, words: Words) -> list[tuple[str, float]]:
    """The words that tell a topic from the rest, heaviest first."""
    return [(str(words.forms[words.shared[term]]), weight) for term, weight in rule.top_terms(topic, TOLD)]


def _space(words: Words, counts: Terms, recipe: Recipe) -> tuple[Projection, Any]:
    """The map to places, in single precision as it is kept, and who lends to whom."""
    X = words.rows(counts)
    n_documents = counts.shape[0]
    neighbors = min(recipe.n_neighbors, n_documents - 1)
    method: Any = RLPI(recipe.n_components, n_neighbors=neighbors, alpha=recipe.alpha, random_state=recipe.random_state).fit(X)
    space = _single(method.projection_).named(words.forms[words.columns])
    return space, averaging(method.graph_.weights).astype(np.float32)


def _single(linear: Linear) -> Linear:
    """A map in single precision, as it is kept."""
    offset = None if linear.offset is None else linear.offset.astype(np.float32).astype(np.float64)
    return replace(linear, weights=linear.weights.astype(np.float32).astype(np.float64), offset=offset)


def save_model(model: Model, store: Store) -> None:
    """Keep a model in a file."""
    save_words(model.words, store)
    arrays = Arrays(store)
    for name, projection in (("space", model.space), ("topics", model.rule.scores)):
        arrays.put(f"{name}/weights", projection.weights.astype(np.float32))
        values = projection.eigenvalues if isinstance(projection, Projection) else None
        arrays.put(f"{name}/values", np.full(projection.n_components, np.nan) if values is None else values)
        arrays.put(f"{name}/offset", np.zeros(0) if projection.offset is None else np.asarray(projection.offset))
    arrays.put("topics/shares", np.asarray(model.rule.log_shares, dtype=np.float64))
    Settings(store).set("model", {"generation": model.generation, "temperature": float(model.rule.temperature)})


def load_model(store: Store) -> Model | None:
    """As it was kept; None where nothing was learnt yet."""
    kept = Settings(store).get("model")
    if kept is None:
        return None
    words, arrays = load_words(store), Arrays(store)
    space = _projection(arrays, "space", words.forms[words.columns])
    scores = _projection(arrays, "topics", words.forms[words.shared])
    if (space.n_terms, scores.n_terms) != (len(words.columns), len(words.shared)):
        raise DamagedIndex(f"{store.path}: the space and the topics are of other words than the index has. Fit it anew.")
    rule = ClusterRule(scores, float(kept["temperature"]), arrays.get("topics/shares"), np.zeros((0, 0)))
    return Model(words, space, rule, int(kept["generation"]))


def _projection(arrays: Arrays, name: str, vocabulary: Any) -> Projection:
    weights = arrays.get(f"{name}/weights").astype(np.float64)
    offset = arrays.get(f"{name}/offset")
    projection = Projection(weights, offset if len(offset) else None, eigenvalues=arrays.get(f"{name}/values"))
    return projection.named(vocabulary) if len(vocabulary) == len(weights) else projection
