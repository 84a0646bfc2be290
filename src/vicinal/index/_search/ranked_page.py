"""The page of documents that a query ranks highest: its terms are looked up in the file, and nothing else is read to rank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._store import match
from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal.index._search.hits_with_passages import ToMark
from vicinal.index._search.parsed_query import Options, ParsedQuery
from vicinal.index._search.requirements import TextLookup, among_rows
from vicinal.uses._ranking import Asked, LateTerm, Query, Ranking
from vicinal.uses._ranking_steps import BY_ARRAYS, RankingSteps
from vicinal.uses._retrieved import Retrieved

if TYPE_CHECKING:
    from vicinal.index._search.search_state import SearchState

MOST_LATE = 10_000  # documents that are looked at for a term that is not in the vocabulary


@final
@dataclass(frozen=True, eq=False)
class LookedUp:
    """A query whose terms were looked up.

    Attributes
    ----------
    query : Query
    lists : Asked
        The documents that have its terms, and its embedding.
    among : bool array (rows,) or None
        The documents that may be found; None is all.
    required : bool
        Whether each of these is a hit, however low its score.
    shown : ToMark
        What passages mark.
    unknown : tuple of str
        Words that no document has.
    """

    query: Query
    lists: Asked
    among: BoolArray | None
    required: bool
    shown: ToMark
    unknown: tuple[str, ...]


@final
@dataclass(frozen=True, eq=False)
class RankedPage:
    """The page that answers a query, before its documents are read.

    Attributes
    ----------
    rows : int array
        The documents of the page, best first.
    total : int
        How many there are in all.
    retrieved : Retrieved
    near : int
        How many of all have no term of the query.
    """

    rows: IntArray
    total: int
    retrieved: Retrieved
    near: int = 0

    @property
    def relevance(self) -> FloatArray:
        """Of each document of the page."""
        return self.retrieved.relevance(self.retrieved.ranked.of(self.rows))


def looked_up(state: SearchState, asked: ParsedQuery, options: Options) -> LookedUp:
    """Look up the terms of a query: the only step of a ranking that reads the file."""
    shown = asked.tokens or asked.text.split()
    query, unknown = _query(state, asked.tokens, shown, asked)
    by = {"terms": options.by != "embedding", "embedding": options.by != "terms"}
    lists = state.ranking.asked(query, **by) if len(state.rows.numbers) else Asked(None, None)
    among = among_rows(state, asked.allowed)
    marked = ToMark((*asked.phrases, *shown), asked.prefixes, tuple(asked.tokens), state.vocabulary.word_forms)
    return LookedUp(query, lists, among, asked.required and among is not None, marked, unknown)


def ranked_page(ranking: Ranking, found: LookedUp, options: Options, steps: RankingSteps = BY_ARRAYS) -> RankedPage:
    """Rank documents by a query and take a page of them; any thread may do so."""
    retrieved = ranking.ranked(found.lists, found.among, steps)
    if found.required and found.among is not None:
        rows = retrieved.ordered(np.flatnonzero(found.among))
        return RankedPage(rows[options.offset :][: options.limit], len(rows), retrieved)
    rows = retrieved.best(options.offset + options.limit, found.among)
    total, near = retrieved.n_above_zero(found.among), retrieved.ranked.n_near(found.among)
    return RankedPage(rows[options.offset :][: options.limit], total, retrieved, near)


def matching(found: LookedUp, retrieved: Retrieved) -> IntArray:
    """The documents that a query finds and that have a term of it, or all that meet what it requires: those that facets count."""
    if found.required and found.among is not None:
        return np.flatnonzero(found.among)
    return retrieved.ranked.matching(found.among)


def _query(state: SearchState, tokens: list[str], shown: list[str], asked: ParsedQuery) -> tuple[Query, tuple[str, ...]]:
    """A query by the terms of the vocabulary and by those that only the texts of the file have; and words that are nowhere."""
    vocabulary = state.vocabulary
    terms = vocabulary.terms_of(tokens)
    known = {token for token, term in zip(tokens, terms, strict=True) if term >= 0}
    others = {token: _late_term(state, token) for token in dict.fromkeys(shown) if token not in known}
    unknown = tuple(token for token, late in others.items() if late is None and any(map(str.isalnum, token)))
    late = [*others.values(), *(_prefix_term(state, asked.lookup, prefix) for prefix in asked.prefixes)]
    return replace(_known(state, terms), late=tuple(each for each in late if each), n_unknown=len(unknown)), unknown


def _known(state: SearchState, terms: IntArray) -> Query:
    """A query by the terms of the vocabulary."""
    columns, times = np.unique(terms[terms >= 0], return_counts=True)
    counts = times.astype(np.float64)
    return Query(columns, counts, *state.vocabulary.weighted(columns, counts))


def _late_term(state: SearchState, token: str) -> LateTerm | None:
    """A token that came with documents added since the fit, as the full-text index has it; None where no document has it."""
    numbers, weights = match(state.store, [token], MOST_LATE)
    rows = np.array([state.rows.row(int(number)) for number in numbers], dtype=np.int64)
    there = (rows >= 0) & (weights > 0)
    order = np.argsort(rows[there], kind="stable")
    return LateTerm(token, rows[there][order], weights[there][order]) if there.any() else None


def _prefix_term(state: SearchState, lookup: TextLookup, prefix: str) -> LateTerm | None:
    """A prefix as one term of the documents that have it, whose weight is its inverse document frequency; None for none."""
    rows = np.flatnonzero(np.isin(state.rows.numbers, lookup.containing_prefix(prefix)))
    n_documents = len(state.rows.numbers)
    weight = np.log1p((n_documents - len(rows) + 0.5) / (len(rows) + 0.5))
    return LateTerm(f"{prefix}*", rows, np.full(len(rows), weight)) if len(rows) else None
