"""Opening a cluster: topics are learnt anew from its documents alone, so that the words that tell its parts apart are those that
matter inside. Nothing is written."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._choice import is_auto
from vicinal._store import Documents, Store
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal._warn import warn
from vicinal.errors import BadParameter, ClusterCount, NoNeighbors, NoVariation, TooFewDocuments, TooFewTerms, VicinalWarning
from vicinal.index._results import Cluster, Hit
from vicinal.index.explaining import topic_of
from vicinal.index.groups import NAMED_BY, SHOWN, described
from vicinal.index.model import FEWEST
from vicinal.index.paths import Of, Path, parse
from vicinal.index.recipe import Recipe, load_recipe
from vicinal.index.typical import by_typicality, typical_hits
from vicinal.index.words import SHARED
from vicinal.uses import Topics

if TYPE_CHECKING:
    from vicinal.index.state import State


@final
@dataclass(frozen=True, eq=False)
class Part:
    """The documents of a cluster, or of a part of one.

    Attributes
    ----------
    path : Path
    rows : int array
        In the state, rising.
    uncertainty : float array
        Of each, that it belongs here.
    words : tuple of (str, float)
        That tell it from the other parts.
    """

    path: Path
    rows: IntArray
    uncertainty: FloatArray
    words: tuple[tuple[str, float], ...]


def clusters(state: State, store: Store, of: Of | None, topics: int | str) -> list[Cluster]:
    """The clusters of an index, or the parts of one of them; largest first."""
    recipe = replace(load_recipe(store), n_clusters=topics).checked()
    if of is None:
        _refuse_number(topics)
        return described(state, store)
    path = parse(of)
    n_documents = len(_at(state, path, recipe).rows)
    found = _opened(state, path, recipe)
    if found and not is_auto(topics) and len(found) < int(topics):
        why = f"asked for {topics} parts of cluster {path} but there are {len(found)}: its documents fall into no more."
        warn(f"{why} Continuing with {len(found)}.", ClusterCount)
    return [_told(state, store, part, n_documents) for part in found]


def members(state: State, store: Store, cluster: Of, limit: int) -> list[Hit]:
    """The documents of a cluster or of a part of one, the most typical first."""
    return typical_hits(state, store, _at(state, parse(cluster), load_recipe(store)).rows, limit)


def _refuse_number(topics: int | str) -> None:
    if not is_auto(topics):
        raise BadParameter(
            f"n_clusters is the number of parts that a cluster is opened in, got n_clusters={topics} and no cluster. "
            f"Use of=3, n_clusters={topics}; or fit(n_clusters={topics}) for that many clusters."
        )


def _at(state: State, path: Path, recipe: Recipe) -> Part:
    """The cluster at a path, for which those around it are opened; BadParameter where there is none."""
    *_, number = path.numbers
    if not path.topics:
        topic = topic_of(state, number)
        rows = np.flatnonzero(state.rows.topics == topic)
        return Part(path, rows, state.rows.uncertainty[rows], state.groups.words[topic])
    found = _opened(state, path.parent, replace(recipe, n_clusters=path.topics[-1]).checked())
    if not found:
        raise BadParameter(f"there is no cluster {path}: cluster {path.parent} cannot be opened further.")
    if number >= len(found):
        known = ", ".join(str(part.path) for part in found)
        raise BadParameter(f"there is no cluster {path}. Cluster {path.parent} has the parts {known}.")
    return found[number]


def _opened(state: State, path: Path, recipe: Recipe) -> tuple[Part, ...]:
    """The parts of the cluster at a path, learnt when they are first asked for; none where it cannot be opened."""
    key = path, recipe.n_clusters
    if key not in state.opened:
        state.opened[key] = _learnt(state, _at(state, path, recipe), recipe)
    return state.opened[key]


def _learnt(state: State, whole: Part, recipe: Recipe) -> tuple[Part, ...]:
    counts, rows, columns = _shared(state, whole.rows)
    _refuse_more(whole, recipe.n_clusters, len(rows))
    topics = _topics(counts, recipe) if len(rows) >= FEWEST else None
    if topics is None:
        return ()
    sizes = np.bincount(topics.labels_[topics.labels_ >= 0])
    largest = [int(topic) for topic in np.argsort(-sizes, kind="stable") if sizes[topic]]
    if len(largest) < 2:
        return ()
    forms = state.model.words.forms[columns]
    inside = [np.flatnonzero(topics.labels_ == topic) for topic in largest]
    return tuple(
        Part(whole.path.part(recipe.n_clusters, number), rows[here], topics.uncertainty_[here], _telling(topics, topic, forms))
        for number, (topic, here) in enumerate(zip(largest, inside, strict=True))
    )


def _shared(state: State, rows: IntArray) -> tuple[Terms, IntArray, IntArray]:
    """Counts of the words that two of the documents have at least, the documents that have any, and the words."""
    counts = sp.csr_array(state.rows.counts[rows])
    columns = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]) >= SHARED)
    counts = sp.csr_array(counts[:, columns])
    worded = np.flatnonzero(np.diff(counts.indptr) > 0)
    return counts[worded], rows[worded], columns


def _refuse_more(whole: Part, topics: int | str, n_documents: int) -> None:
    if not is_auto(topics) and int(topics) > n_documents:
        raise TooFewDocuments(
            f"cluster {whole.path} cannot be opened in {topics} parts: of its {len(whole.rows)} documents {n_documents} have a "
            'term that another has. Ask for fewer parts, or n_clusters="auto".'
        )


def _topics(counts: Terms, recipe: Recipe) -> Any:
    """What the documents are about, or None where nothing tells them apart."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # of fewer topics `clusters` warns each time, in words of its own
        try:
            return Topics(recipe.n_clusters, random_state=recipe.random_state).fit(counts)
        except (TooFewDocuments, TooFewTerms, NoVariation, NoNeighbors):
            return None


def _telling(topics: Any, topic: int, forms: Sequence[str]) -> tuple[tuple[str, float], ...]:
    """The words that tell a part from the others, heaviest first."""
    return tuple((str(forms[term]), weight) for term, weight in topics.rule_.top_terms(topic, SHOWN))


def _told(state: State, store: Store, part: Part, n_documents: int) -> Cluster:
    typical = state.rows.numbers[by_typicality(state, part.rows)[:SHOWN]].tolist()
    return Cluster(
        part.path.numbers[-1],
        str(part.path),
        ", ".join(word for word, _ in part.words[:NAMED_BY]),
        len(part.rows),
        len(part.rows) / n_documents,
        float(part.uncertainty.mean()),
        part.words,
        tuple((stored.document.id, stored.document.title) for stored in Documents(store).at(typical)),
    )
