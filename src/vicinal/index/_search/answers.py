"""Answers to queries: what a query requires becomes a set of documents, and its words rank them by the retrieval engine.

Plain words rank, and everything that is marked must hold (`vicinal._query`). Before the first fit the full-text index ranks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._query import Node, Not, Phrase, Prefix, SideBySide, Word, parse_query, refuse_long
from vicinal._query.nodes import requirements, sought
from vicinal._store import match
from vicinal._store.filters import Filters, values
from vicinal._store.fulltext import FIELDS
from vicinal._typing import FloatArray, IntArray
from vicinal.errors import BadParameter
from vicinal.index._search.hits import Hit, Hits
from vicinal.index._search.page import ToMark, hits, hits_of
from vicinal.index._search.requirements import CLUSTER, TextLookup, among_rows, fields_of, meeting
from vicinal.index._search.rerank import N_RERANKED, reranked
from vicinal.projection import Explanation
from vicinal.terms import Tokenizer
from vicinal.uses._ranking import LateTerm, Query
from vicinal.uses._retrieved import Retrieved

if TYPE_CHECKING:
    from vicinal.encoders import Encoder
    from vicinal.index._search.search_state import SearchState

MOST_LATE = 10_000  # documents that are looked at for a term that is not in the vocabulary
_TEXT_FIELDS = frozenset(FIELDS)
_DATE = re.compile(r"[0-9]{4}(?=[-/][0-9])")


@final
@dataclass(frozen=True)
class Options:
    """How a query is answered.

    Attributes
    ----------
    limit, offset : int
        How many hits, and how many are passed over before them.
    by : {"both", "terms", "embedding"}
    where : filters
    correct : bool or None
        Whether words that no document has are replaced; None where nothing else is found.
    facets : tuple of str
        Columns whose values are counted.
    plain : bool
        Whether nothing in the query is syntax.
    rerank : Encoder or None
        Puts the first documents in its order.
    """

    limit: int = 10
    offset: int = 0
    by: str = "both"
    where: Filters = ()
    correct: bool | None = None
    facets: tuple[str, ...] = ()
    plain: bool = False
    rerank: Encoder | None = None


@final
@dataclass(frozen=True, eq=False)
class _Asked:
    """A parsed query: the words that rank, and the documents that may be found.

    Attributes
    ----------
    given : str
        The query as it was given.
    text : str
        The words that rank, as text.
    prefixes : tuple of str
    phrases : tuple of str
    allowed : int array or None
        Numbers of the documents that pass the filters and meet the requirements; None is all.
    required : bool
        Whether every allowed document is a hit, however low its score: not where the query only excludes.
    notes : tuple of str
    lookup : TextLookup
        What was looked up in the texts of the file.
    tokens : list of str
        The tokens of the words to rank by, where the index is fitted.
    """

    given: str
    text: str
    prefixes: tuple[str, ...]
    phrases: tuple[str, ...]
    allowed: IntArray | None
    required: bool
    notes: tuple[str, ...]
    lookup: TextLookup
    tokens: list[str]


@final
@dataclass(frozen=True, eq=False)
class _Found:
    """An answer before its hits are read: documents in order, the page of them as hits, and which have a term of the query.

    Attributes
    ----------
    total : int
    page : function from nothing to list of Hit
    holders : function from nothing to int array
        Numbers of documents with a term of the query.
    first : function from nothing to int array and float array
        Numbers and relevance of the documents of the page, whose hits are not made for it.
    unknown : tuple of str
        Words that no document has.
    """

    total: int
    page: Callable[[], list[Hit]]
    holders: Callable[[], IntArray]
    first: Callable[[], tuple[IntArray, FloatArray]]
    unknown: tuple[str, ...] = ()


def search(state: SearchState, text: str, options: Options) -> Hits:
    """The documents for a query, best first; with a filter and no query, the documents that pass, in their order."""
    encoder = options.rerank
    if encoder is None or not text.strip():
        return _search(state, text, options)
    most = max(N_RERANKED, options.offset + options.limit)
    found = _search(state, text, replace(options, rerank=None, limit=most, offset=0))
    return reranked(state, found.corrected or text, found, encoder, options.limit, options.offset)


def _search(state: SearchState, text: str, options: Options) -> Hits:
    asked = _checked(state, text, options)
    found = _answer(state, asked, options)
    suggestions = {word: _suggestion(state, word) for word in found.unknown}
    wanted = options.correct or (options.correct is None and not found.total)
    corrected = _corrected(text, suggestions) if wanted else text
    if corrected != text:
        again = _search(state, corrected, replace(options, correct=False))
        if again.total:
            return Hits(
                again,
                again.total,
                options.offset,
                suggestions=suggestions,
                corrected=corrected,
                notes=again.notes,
                facets=again.facets,
            )
    counted = _facets(state, found.holders(), options.facets) if options.facets else {}
    return Hits(found.page(), found.total, options.offset, suggestions=suggestions, notes=asked.notes, facets=counted)


def find_numbers(state: SearchState, text: str, options: Options) -> tuple[IntArray, FloatArray]:
    """Numbers and relevance of the documents for a query, best first, as it is given: no hit is made of them."""
    return _answer(state, _checked(state, text, options), options).first()


def find_holders(state: SearchState, text: str, options: Options) -> IntArray:
    """Numbers of the documents that a query finds and that have a term of it, best first; of all it finds where none has one."""
    found = _answer(state, _checked(state, text, options), options)
    numbers, _ = found.first()
    holding = numbers[np.isin(numbers, found.holders())]
    return holding if len(holding) else numbers


def search_many(state: SearchState, texts: list[str], options: Options) -> list[Hits]:
    """The documents for several queries: as `search` for each."""
    return [search(state, text, options) for text in texts]


def _checked(state: SearchState, text: str, options: Options) -> _Asked:
    refuse_long(text, "the query")
    if not text.strip() and not options.where:
        raise BadParameter(f"the query is empty, got {text!r}. Type a word to look for, or a filter (where) to list documents.")
    if options.by == "embedding":
        state.require_fitted("search by embedding")
    return _asked(state, text, options)


def _asked(state: SearchState, text: str, options: Options) -> _Asked:
    fields = {} if options.plain else fields_of(state, text)
    query = SideBySide(tuple(map(Word, text.split()))) if options.plain else parse_query(text, fields)
    leaves = list(sought(query, _TEXT_FIELDS))
    lookup = TextLookup(state.store)
    required, notes = _with_phrases_that_exist(lookup, requirements(query))
    allowed = state.passing(options.where)
    if required:
        met = meeting(state, lookup, required, fields)
        allowed = met if allowed is None else np.intersect1d(met, allowed, assume_unique=True)
    words = " ".join(leaf.text for leaf in leaves if not isinstance(leaf, Prefix))
    return _Asked(
        text,
        words,
        tuple(dict.fromkeys(leaf.text.lower() for leaf in leaves if isinstance(leaf, Prefix))),
        tuple(dict.fromkeys(leaf.text for leaf in leaves if isinstance(leaf, Phrase))),
        allowed,
        not all(isinstance(node, Not) for node in required),
        notes,
        lookup,
        state.vocabulary.tokens(words) if state.fitted else [],
    )


def _with_phrases_that_exist(lookup: TextLookup, nodes: tuple[Node, ...]) -> tuple[tuple[Node, ...], tuple[str, ...]]:
    """Leave out a phrase that no document has, with a note: its words still rank."""
    missing = [node for node in nodes if isinstance(node, Phrase) and not len(lookup.containing(node.text))]
    notes = tuple(f"no document has the phrase {node}; its words were searched instead" for node in missing)
    return tuple(node for node in nodes if node not in missing), notes


def _answer(state: SearchState, asked: _Asked, options: Options) -> _Found:
    words = any(map(str.isalnum, asked.text)) or asked.prefixes
    if not words:
        numbers = asked.allowed if asked.allowed is not None else np.zeros(0, dtype=np.int64)
        first = numbers[options.offset :][: options.limit]
        return _Found(len(numbers), lambda: _listed(state, first), lambda: numbers, lambda: (first, np.ones(len(first))))
    return _ranked(state, asked, options) if state.fitted else _by_full_text(state, asked, options)


def _listed(state: SearchState, numbers: IntArray) -> list[Hit]:
    """Documents that are not ranked: each meets all that was asked."""
    none = Explanation((), np.zeros(0), 0.0)
    return hits_of(state, numbers, [none] * len(numbers), np.ones(len(numbers)), ToMark())


def _ranked(state: SearchState, asked: _Asked, options: Options) -> _Found:
    tokens = asked.tokens
    shown = tokens or asked.text.split()
    query, unknown = _query(state, tokens, shown, asked)
    if not len(state.rows.numbers):
        none = np.zeros(0, dtype=np.int64)
        return _Found(0, list, lambda: none, lambda: (none, np.zeros(0)), unknown)
    among = among_rows(state, asked.allowed)
    used = {"terms": options.by != "embedding", "embedding": options.by != "terms"}
    retrieved = state.ranking.rank(query, **used, among=among)
    required = among if asked.required else None
    if required is not None:
        rows = retrieved.ordered(np.flatnonzero(required))
        total = len(rows)
    else:
        rows = retrieved.best(options.offset + options.limit, among)
        total = retrieved.n_above_zero(among)
    first = rows[options.offset :][: options.limit]

    def holders() -> IntArray:
        """The numbers of documents that have a term of the query, or all that it requires."""
        own = state.ranking.holders(query) if required is None else required
        return state.rows.numbers[own if among is None else own & among]

    def numbers() -> tuple[IntArray, FloatArray]:
        """The documents of the page with their relevance."""
        return state.rows.numbers[first], retrieved.relevance(retrieved.scores[first])

    marked = ToMark((*asked.phrases, *shown), asked.prefixes)
    return _Found(total, lambda: _hits(state, retrieved, first, marked), holders, numbers, unknown)


def _hits(state: SearchState, retrieved: Retrieved, rows: IntArray, shown: ToMark) -> list[Hit]:
    whys = [retrieved.why(int(row)) for row in rows]
    return hits(state, rows, whys, retrieved.relevance(retrieved.ranked.of(rows)), shown)


def _query(state: SearchState, tokens: list[str], shown: list[str], asked: _Asked) -> tuple[Query, tuple[str, ...]]:
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


def _by_full_text(state: SearchState, asked: _Asked, options: Options) -> _Found:
    """What the full-text index of the file finds; the score is that of all words together."""
    among = None if asked.allowed is None else asked.allowed.tolist()
    numbers, scores = match(state.store, asked.text, None, among=among, prefixes=asked.prefixes)
    if asked.required and asked.allowed is not None:
        others = np.setdiff1d(asked.allowed, numbers, assume_unique=True)
        numbers, scores = np.concatenate([numbers, others]), np.concatenate([scores, np.zeros(len(others))])
    best, unknown = _best_full_text(state, asked)

    first = slice(options.offset, options.offset + options.limit)
    shares = np.clip(scores[first] / best, 0.0, 1.0) if best > 0 else np.zeros(len(scores[first]))

    def page() -> list[Hit]:
        """The hits of the page, each with its one reason."""
        name = " ".join([asked.text, *(f"{prefix}*" for prefix in asked.prefixes)]).strip()
        whys = [Explanation((name,), np.array([score]), float(score)) for score in scores[first]]
        words = list(Tokenizer()(asked.text)) or asked.text.split()
        return hits_of(state, numbers[first], whys, shares, ToMark((*asked.phrases, *words), asked.prefixes))

    return _Found(len(numbers), page, lambda: numbers, lambda: (numbers[first], shares), unknown)


def _best_full_text(state: SearchState, asked: _Asked) -> tuple[float, tuple[str, ...]]:
    """The sum of the largest score of each word, where an unknown word counts as the others on average; and unknown words."""
    words = list(dict.fromkeys(asked.text.lower().split()))
    tops = {word: match(state.store, [word], 1)[1] for word in words if any(map(str.isalnum, word))}
    known = [float(top[0]) for top in tops.values() if len(top)]
    known += [float(top[0]) for top in (match(state.store, [], 1, prefixes=[each])[1] for each in asked.prefixes) if len(top)]
    unknown = tuple(word.strip(".,;:!?\"'()") for word, top in tops.items() if not len(top))
    return sum(known) * (len(known) + len(unknown)) / max(len(known), 1), unknown


def _suggestion(state: SearchState, word: str) -> str:
    return state.spelling.suggest(word.lower()) if state.fitted else ""


def _corrected(text: str, suggestions: Mapping[str, str]) -> str:
    """A query with its unknown words replaced by those that were probably meant."""
    for word, meant in suggestions.items():
        if meant:
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", meant, text, flags=re.IGNORECASE)
    return text


def _facets(state: SearchState, numbers: IntArray, columns: Iterable[str]) -> dict[str, dict[str, int]]:
    """How many of some documents have each value of a column, most frequent first; dates are counted by year."""
    return {column: dict(Counter(_values(state, set(numbers.tolist()), column)).most_common()) for column in columns}


def _values(state: SearchState, numbers: set[int], column: str) -> list[str]:
    if column == CLUSTER:
        state.require_fitted("count documents by cluster")
        there = np.isin(state.rows.numbers, list(numbers))
        return [str(number) for number in state.cluster_numbers[there] if number >= 0]
    state.documents.where([(column, "!=", None)], among=[])  # which refuses an unknown column
    return [_facet(value) for number, value in values(state.store, column) if number in numbers]


def _facet(value: object) -> str:
    date = _DATE.match(value) if isinstance(value, str) else None
    return date[0] if date else str(value)
