"""Explaining: a dimension, a cluster, a document's place, why two documents are alike. Each answer is words with numbers."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._store import Documents, Store
from vicinal._typing import IntArray
from vicinal.errors import BadParameter
from vicinal.index.state import State
from vicinal.projection import Explanation


def explain(
    state: State, store: Store, id: str | None, other: str | None, cluster: int | None, component: int | None, limit: int
) -> Explanation:
    """Whatever was asked for; BadParameter where that is nothing, or too much."""
    match (id, other, cluster, component):
        case (str(), str(), None, None):
            return pair(state, store, id, other)
        case (str(), None, _, None):
            return document(state, store, id, cluster)
        case (None, None, int(), None):
            return _words(cluster_words(state, cluster, limit))
        case (None, None, None, int()):
            return _words(state.model.space.top_terms(component, limit))
    raise BadParameter("explain takes a document, two documents, a document and a cluster, a cluster, or a component.")


def _words(found: list[tuple[str, float]]) -> Explanation:
    parts = np.array([part for _, part in found])
    return Explanation(tuple(word for word, _ in found), parts, float(parts.sum()))


def cluster_words(state: State, number: int, limit: int) -> list[tuple[str, float]]:
    """The words that tell a cluster from the rest."""
    return list(state.groups.words[topic_of(state, number)][:limit])


def topic_of(state: State, number: int) -> int:
    """The topic of a lasting number."""
    if number not in state.groups.numbers:
        known = ", ".join(map(str, sorted(state.groups.numbers)))
        raise BadParameter(f"there is no cluster {number}. There are: {known}.")
    return state.groups.numbers.index(number)


def document(state: State, store: Store, id: str, number: int | None = None) -> Explanation:
    """What each word of a document adds to its score for a cluster: its own, or another one."""
    row = _row(state, store, id)
    topic = int(state.rows.topics[row]) if number is None else topic_of(state, number)
    if topic < 0:
        raise BadParameter(f"{id!r} has no known words and is in no cluster, so there is nothing to explain.")
    evidence = state.model.evidence(sp.csr_array(state.rows.counts[[row]]))
    return state.model.rule.scores.explain(evidence, topic)


def pair(state: State, store: Store, one: str, other: str) -> Explanation:
    """What each word of one document adds to the cosine of its place with that of another."""
    rows: IntArray = np.array([_row(state, store, one), _row(state, store, other)])
    x, y = (state.model.words.rows(sp.csr_array(state.rows.counts[[row]])) for row in rows)
    return state.model.space.explain_similarity(x, y)


def _row(state: State, store: Store, id: str) -> int:
    row = state.rows.row(int(Documents(store).numbers([id])[0]))
    if row < 0:
        raise BadParameter(f"{id!r} was not placed yet. Add it again, or fit the index.")
    return row
