"""Documents near one, by the retrieval engine; and explanations of clusters, components and similarities by their terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from vicinal._store.filters import Filters
from vicinal.errors import BadParameter
from vicinal.index._search.hits import Hit
from vicinal.index._search.hits_with_passages import ToMark, hits
from vicinal.index._search.requirements import among_rows, passing
from vicinal.projection import Explanation
from vicinal.projection._projection import explain_component, explain_cosine
from vicinal.uses._ranking import near as similar_to

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


def near(state: IndexState, id: str, limit: int, where: Filters) -> list[Hit]:
    """The documents most similar to one."""
    row = state.row_of(id)
    if row < 0:
        return []
    retrieved = similar_to(state.unit_terms, state.model.vocabulary.forms, np.asarray(state.rows.embeddings), row)
    others = np.arange(len(state.rows.numbers)) != row
    among = among_rows(state, passing(state, where))
    rows = retrieved.best(limit, others if among is None else others & among)
    return hits(state, rows, retrieved.whys(rows), retrieved.relevance(retrieved.ranked.of(rows)), ToMark())


def explain(
    state: IndexState, id: str | None, other: str | None, cluster: int | None, component: int | None, limit: int
) -> Explanation:
    """The explanation for one of the allowed combinations of arguments; BadParameter for any other."""
    match (id, other, cluster, component):
        case (str(), str(), None, None):
            return _similarity(state, id, other)
        case (str(), None, _, None):
            return _cluster_of(state, id, cluster)
        case (None, None, int(), None):
            table = state.cluster_table
            return _listed(list(table.terms[table.position(cluster)][:limit]))
        case (None, None, None, int()):
            return _listed(state.model.projection.top_terms(component, limit))
    raise BadParameter(
        "explain takes a document, two documents, a document and a cluster, a cluster, or a component. Give one of these."
    )


def _listed(terms: list[tuple[str, float]]) -> Explanation:
    parts = np.array([part for _, part in terms])
    return Explanation(tuple(term for term, _ in terms), parts, float(parts.sum()))


def _cluster_of(state: IndexState, id: str, number: int | None) -> Explanation:
    """The contribution of each term of a document to its score for a cluster: its own, or another one."""
    row = _row(state, id)
    position = int(state.rows.clusters[row]) if number is None else state.cluster_table.position(number)
    if position < 0:
        raise BadParameter(f"{id!r} has no known terms and is in no cluster, so nothing explains it. Name another document.")
    evidence = state.model.evidence(sp.csr_array(state.rows.counts[[row]]))
    return explain_component(state.model.rule.scores, evidence, position)


def _similarity(state: IndexState, one: str, other: str) -> Explanation:
    """The contribution of each term of one document to the cosine of its embedding with that of another."""
    weighted = state.model.vocabulary.weighted
    x, y = (weighted(sp.csr_array(state.rows.counts[[_row(state, id)]])) for id in (one, other))
    return explain_cosine(state.model.projection, x, y)


def _row(state: IndexState, id: str) -> int:
    row = state.row_of(id)
    if row < 0:
        raise BadParameter(f"{id!r} is not embedded yet. Add it again, or fit the index.")
    return row
