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


def near(snapshot: IndexState, id: str, limit: int, where: Filters) -> list[Hit]:
    """The documents most similar to one."""
    row = snapshot.row_of(id)
    if row < 0:
        return []
    retrieved = similar_to(snapshot.unit_terms, snapshot.model.vocabulary.forms, np.asarray(snapshot.rows.embeddings), row)
    others = np.arange(len(snapshot.rows.numbers)) != row
    among = among_rows(snapshot, passing(snapshot, where))
    rows = retrieved.best(limit, others if among is None else others & among)
    return hits(
        snapshot, rows, [retrieved.why(int(each)) for each in rows], retrieved.relevance(retrieved.ranked.of(rows)), ToMark()
    )


def explain(
    snapshot: IndexState, id: str | None, other: str | None, cluster: int | None, component: int | None, limit: int
) -> Explanation:
    """The explanation for one of the allowed combinations of arguments; BadParameter for any other."""
    match (id, other, cluster, component):
        case (str(), str(), None, None):
            return _similarity(snapshot, id, other)
        case (str(), None, _, None):
            return _cluster_of(snapshot, id, cluster)
        case (None, None, int(), None):
            table = snapshot.cluster_table
            return _listed(list(table.terms[table.position(cluster)][:limit]))
        case (None, None, None, int()):
            return _listed(snapshot.model.projection.top_terms(component, limit))
    raise BadParameter("explain takes a document, two documents, a document and a cluster, a cluster, or a component.")


def _listed(terms: list[tuple[str, float]]) -> Explanation:
    parts = np.array([part for _, part in terms])
    return Explanation(tuple(term for term, _ in terms), parts, float(parts.sum()))


def _cluster_of(snapshot: IndexState, id: str, number: int | None) -> Explanation:
    """The contribution of each term of a document to its score for a cluster: its own, or another one."""
    row = _row(snapshot, id)
    position = int(snapshot.rows.clusters[row]) if number is None else snapshot.cluster_table.position(number)
    if position < 0:
        raise BadParameter(f"{id!r} has no known terms and is in no cluster, so there is nothing to explain.")
    evidence = snapshot.model.evidence(sp.csr_array(snapshot.rows.counts[[row]]))
    return explain_component(snapshot.model.rule.scores, evidence, position)


def _similarity(snapshot: IndexState, one: str, other: str) -> Explanation:
    """The contribution of each term of one document to the cosine of its embedding with that of another."""
    weighted = snapshot.model.vocabulary.weighted
    x, y = (weighted(sp.csr_array(snapshot.rows.counts[[_row(snapshot, id)]])) for id in (one, other))
    return explain_cosine(snapshot.model.projection, x, y)


def _row(snapshot: IndexState, id: str) -> int:
    row = snapshot.row_of(id)
    if row < 0:
        raise BadParameter(f"{id!r} is not embedded yet. Add it again, or fit the index.")
    return row
