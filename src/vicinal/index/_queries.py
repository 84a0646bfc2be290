"""Queries: search and near by the retrieval engine, whose rows become hits; explanations of clusters, components, similarities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from vicinal._store import match, snippets
from vicinal._store.filters import Filters
from vicinal._typing import BoolArray, IntArray
from vicinal.corpus import Document
from vicinal.errors import BadParameter
from vicinal.index._results import Hit
from vicinal.projection import Explanation
from vicinal.terms import Tokenizer
from vicinal.uses._ranking import LateTerm, Query

if TYPE_CHECKING:
    from vicinal.index._snapshot import Snapshot


MOST_LATE = 10_000  # documents that are looked at for a term that is not in the vocabulary


def search(snapshot: Snapshot, text: str, limit: int, by: str, where: Filters) -> list[Hit]:
    """The best documents for a query; before the first fit by the full-text index of the file alone."""
    if not snapshot.fitted and by != "embedding":
        return _search_full_text(snapshot, text, limit, where)
    snapshot.require_fitted("search by embedding")
    if not len(snapshot.rows.numbers):
        return []
    tokens = snapshot.model.vocabulary.tokens(text)
    shown = tokens or text.split()
    query = _query(snapshot, tokens, shown)
    retrieved = snapshot.ranking.rank(query, terms=by != "embedding", embedding=by != "terms")
    rows = retrieved.best(limit, _passing(snapshot, where))
    return hits(snapshot, rows, [retrieved.why(int(row)) for row in rows], shown)


def near(snapshot: Snapshot, id: str, limit: int, where: Filters) -> list[Hit]:
    """The documents most similar to one."""
    row = snapshot.row_of(id)
    if row < 0:
        return []
    retrieved = snapshot.ranking.near(row)
    others = np.arange(len(snapshot.rows.numbers)) != row
    passing = _passing(snapshot, where)
    rows = retrieved.best(limit, others if passing is None else others & passing)
    return hits(snapshot, rows, [retrieved.why(int(each)) for each in rows], [])


def _query(snapshot: Snapshot, tokens: Sequence[str], shown: Sequence[str]) -> Query:
    """A query by the terms of the vocabulary, and by those that only the texts of the file have."""
    vocabulary = snapshot.model.vocabulary
    terms = vocabulary.terms_of(tokens)
    columns, times = np.unique(terms[terms >= 0], return_counts=True)
    shape = 1, len(vocabulary.forms)
    counts = sp.csr_array((times.astype(np.float64), columns, np.array([0, len(columns)])), shape=shape)
    known = {token for token, term in zip(tokens, terms, strict=True) if term >= 0}
    late = (_late_term(snapshot, token) for token in dict.fromkeys(shown) if token not in known)
    return Query(columns, counts.data, vocabulary.weighted(counts), tuple(each for each in late if each))


def _late_term(snapshot: Snapshot, token: str) -> LateTerm | None:
    """A token that came with documents added since the fit, as the full-text index has it; None where no document has it."""
    numbers, weights = match(snapshot.store, [token], MOST_LATE)
    rows = np.array([snapshot.rows.row(int(number)) for number in numbers], dtype=np.int64)
    there = (rows >= 0) & (weights > 0)
    order = np.argsort(rows[there], kind="stable")
    return LateTerm(token, rows[there][order], weights[there][order]) if there.any() else None


def _passing(snapshot: Snapshot, where: Filters) -> BoolArray | None:
    return np.isin(snapshot.rows.numbers, snapshot.documents.where(where)) if where else None


def hits(snapshot: Snapshot, rows: IntArray, whys: list[Explanation], tokens: Sequence[str]) -> list[Hit]:
    """Rows as hits, in this order: each with its explanation and a snippet that marks the tokens of a query."""
    numbers = snapshot.rows.numbers[rows].tolist()
    shown = snippets(snapshot.store, numbers, tokens)
    found = zip(snapshot.documents.at(numbers), whys, shown, snapshot.cluster_numbers[rows], strict=True)
    return [_hit(each.document, why, text, int(cluster)) for each, why, text, cluster in found]


def _hit(document: Document, why: Explanation, snippet: str, cluster: int) -> Hit:
    return Hit(document.id, document.title, document.source, why.total, why, snippet, cluster, document.metadata)


def _search_full_text(snapshot: Snapshot, text: str, limit: int, where: Filters) -> list[Hit]:
    """What the full-text index of the file finds; the score is that of all words together."""
    among = snapshot.documents.where(where).tolist() if where else None
    numbers, scores = match(snapshot.store, text, limit, among=among)
    shown = snippets(snapshot.store, numbers.tolist(), list(Tokenizer()(text)) or text.split())
    found = zip(snapshot.documents.at(numbers.tolist()), scores, shown, strict=True)
    return [_hit(each.document, Explanation((text,), np.array([score]), float(score)), text_, -1) for each, score, text_ in found]


def explain(
    snapshot: Snapshot, id: str | None, other: str | None, cluster: int | None, component: int | None, limit: int
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


def _cluster_of(snapshot: Snapshot, id: str, number: int | None) -> Explanation:
    """The contribution of each term of a document to its score for a cluster: its own, or another one."""
    row = _row(snapshot, id)
    position = int(snapshot.rows.clusters[row]) if number is None else snapshot.cluster_table.position(number)
    if position < 0:
        raise BadParameter(f"{id!r} has no known terms and is in no cluster, so there is nothing to explain.")
    evidence = snapshot.model.evidence(sp.csr_array(snapshot.rows.counts[[row]]))
    return snapshot.model.rule.scores.explain(evidence, position)


def _similarity(snapshot: Snapshot, one: str, other: str) -> Explanation:
    """The contribution of each term of one document to the cosine of its embedding with that of another."""
    weighted = snapshot.model.vocabulary.weighted
    x, y = (weighted(sp.csr_array(snapshot.rows.counts[[_row(snapshot, id)]])) for id in (one, other))
    return snapshot.model.projection.explain_similarity(x, y)


def _row(snapshot: Snapshot, id: str) -> int:
    row = snapshot.row_of(id)
    if row < 0:
        raise BadParameter(f"{id!r} is not embedded yet. Add it again, or fit the index.")
    return row
