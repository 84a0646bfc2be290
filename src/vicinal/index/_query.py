"""Queries: a text or a document becomes a query of the retrieval engine, and the rows it finds become hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from vicinal._store import match, snippets
from vicinal._store.filters import Filters
from vicinal._typing import BoolArray, IntArray
from vicinal.corpus import Document
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
