"""One query answered: what it requires becomes a set of documents, and its words rank them by the retrieval engine.

Plain words rank, and everything that is marked must hold (`vicinal._query`). Before the first fit the full-text index ranks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._query import LONGEST_QUESTION
from vicinal._store import match, suggested_words
from vicinal._store.filters import values
from vicinal._typing import FloatArray, IntArray
from vicinal.index._search.hits import Hit, Hits
from vicinal.index._search.hits_with_passages import ToMark, hits, hits_of
from vicinal.index._search.parsed_query import Options, ParsedQuery, parsed
from vicinal.index._search.ranked_page import looked_up, matching, ranked_page
from vicinal.index._search.requirements import CLUSTER, derived_columns
from vicinal.index._search.rerank import N_RERANKED, reranked
from vicinal.projection import Explanation
from vicinal.terms import Tokenizer

if TYPE_CHECKING:
    from vicinal.index._search.search_state import SearchState

_AROUND_WORDS = ".,;:!?\"'()"
#: Words that no document has for which near ones are looked for.
MOST_SUGGESTED = 20
_DATE = re.compile(r"[0-9]{4}(?=[-/][0-9])")


@final
@dataclass(frozen=True, eq=False)
class _FoundRows:
    """An answer before its hits are read: documents in order, the page of them as hits, and which have a term of the query.

    Attributes
    ----------
    total : int
    page : function from nothing to list of Hit
    holders : function from nothing to int array
        Numbers of documents of it with a term of the query, which facets count; of all where none has one.
    first : function from nothing to int array and float array
        Numbers and relevance of the documents of the page, whose hits are not made for it.
    unknown : tuple of str
        Words that no document has.
    near : int
        How many of all have no term of the query.
    """

    total: int
    page: Callable[[], list[Hit]]
    holders: Callable[[], IntArray]
    first: Callable[[], tuple[IntArray, FloatArray]]
    unknown: tuple[str, ...] = ()
    near: int = 0


def search(state: SearchState, text: str, options: Options) -> Hits:
    """The documents for a query, best first; with a filter and no query, the documents that pass, in their order."""
    encoder = options.rerank
    if encoder is None or not text.strip():
        return _search(state, text, options)
    most = max(N_RERANKED, options.offset + options.limit)
    found = _search(state, text, replace(options, rerank=None, limit=most, offset=0))
    return reranked(state, found.corrected or text, found, encoder, options.limit, options.offset)


def _search(state: SearchState, text: str, options: Options) -> Hits:
    asked = parsed(state, text, options)
    found = _answer(state, asked, options)
    suggestions = suggestions_for(state, found.unknown)
    wanted = options.correct or (options.correct is None and not found.total)
    corrected = _corrected(text, suggestions) if wanted else text
    if corrected != text:
        again = _search(state, corrected, replace(options, correct=False))
        if again.total:
            return Hits(
                again,
                again.total,
                options.offset,
                near=again.near,
                suggestions=suggestions,
                corrected=corrected,
                notes=again.notes,
                facets=again.facets,
            )
    counted = facets_of(state, found.holders(), options.facets) if options.facets else {}
    told = {"near": found.near, "suggestions": suggestions, "notes": asked.notes, "facets": counted}
    return Hits(found.page(), found.total, options.offset, **told)  # type: ignore[arg-type]


def find_numbers(state: SearchState, text: str, options: Options) -> tuple[IntArray, FloatArray]:
    """Numbers and relevance of the documents for a query, best first, as it is given: no hit is made of them."""
    return _answer(state, parsed(state, text, options), options).first()


def find_holders(state: SearchState, text: str, options: Options) -> IntArray:
    """Numbers of the documents that a query finds and that have a term of it, best first; of all it finds where none has one."""
    found = _answer(state, parsed(state, text, options), options)
    numbers, _ = found.first()
    holding = numbers[np.isin(numbers, found.holders())]
    return holding if len(holding) else numbers


def _answer(state: SearchState, asked: ParsedQuery, options: Options) -> _FoundRows:
    if not asked.has_words:
        numbers = asked.allowed if asked.allowed is not None else np.zeros(0, dtype=np.int64)
        first = numbers[options.offset :][: options.limit]
        return _FoundRows(len(numbers), lambda: _listed(state, first), lambda: numbers, lambda: (first, np.ones(len(first))))
    return _ranked(state, asked, options) if state.fitted else _by_full_text(state, asked, options)


def _listed(state: SearchState, numbers: IntArray) -> list[Hit]:
    """Documents that are not ranked: each meets all that was asked."""
    none = Explanation((), np.zeros(0), 0.0)
    return hits_of(state, numbers, lambda: [none] * len(numbers), np.ones(len(numbers)), ToMark())


def _ranked(state: SearchState, asked: ParsedQuery, options: Options) -> _FoundRows:
    found = looked_up(state, asked, options)
    if not len(state.rows.numbers):
        none = np.zeros(0, dtype=np.int64)
        return _FoundRows(0, list, lambda: none, lambda: (none, np.zeros(0)), found.unknown)
    page = ranked_page(state.ranking, found, options)

    def made() -> list[Hit]:
        """The hits of the page."""
        return hits(state, page.rows, page.retrieved.whys(page.rows), page.relevance, found.shown)

    def holding() -> IntArray:
        """Numbers of the documents that facets count."""
        return state.rows.numbers[matching(found, page.retrieved)]

    first = state.rows.numbers[page.rows]
    return _FoundRows(page.total, made, holding, lambda: (first, page.relevance), found.unknown, page.near)


def _by_full_text(state: SearchState, asked: ParsedQuery, options: Options) -> _FoundRows:
    """What the full-text index of the file finds; the score is that of all words together."""
    among = None if asked.allowed is None else asked.allowed.tolist()
    asked = replace(asked, text=_without_stop_words(asked))
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
        return hits_of(state, numbers[first], lambda: whys, shares, ToMark((*asked.phrases, *words), asked.prefixes))

    return _FoundRows(len(numbers), page, lambda: numbers, lambda: (numbers[first], shares), unknown)


def _without_stop_words(asked: ParsedQuery) -> str:
    """The words that rank, without those that most documents have, unless there are no others: they would find nearly all."""
    stop_words = Tokenizer().stop_words
    words = asked.text.split()
    kept = [word for word in words if word.strip(_AROUND_WORDS).lower() not in stop_words]
    return " ".join(kept) if kept or asked.prefixes else asked.text


def _best_full_text(state: SearchState, asked: ParsedQuery) -> tuple[float, tuple[str, ...]]:
    """The sum of the largest score of each word, where an unknown word counts as the others on average; and unknown words."""
    words = list(dict.fromkeys(asked.text.lower().split()))
    tops = {word: state.highest_score(word) for word in words if any(map(str.isalnum, word))}
    known = [float(top[0]) for top in tops.values() if len(top)]
    known += [float(top[0]) for top in (match(state.store, [], 1, prefixes=[each])[1] for each in asked.prefixes) if len(top)]
    unknown = tuple(word.strip(_AROUND_WORDS) for word, top in tops.items() if not len(top))
    return sum(known) * (len(known) + len(unknown)) / max(len(known), 1), unknown


def suggestions_for(state: SearchState, unknown: Iterable[str]) -> dict[str, str]:
    """The word that was probably meant by each of some words that no document has, "" where none is near.

    It is looked for to the first `MOST_SUGGESTED` of them: to look takes time, and a person mistypes fewer.
    """
    words = list(dict.fromkeys(unknown))
    sought = words[:MOST_SUGGESTED]
    meant = (
        {word: state.spelling.suggest(word.lower()) for word in sought} if state.fitted else suggested_words(state.store, sought)
    )
    return {word: meant.get(word, "") for word in words}


def _corrected(text: str, suggestions: Mapping[str, str]) -> str:
    """A query with its unknown words replaced by those that were probably meant; as it was where it would be too long for one."""
    corrected = text
    for word, meant in suggestions.items():
        if meant:
            corrected = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", meant, corrected, flags=re.IGNORECASE)
    return corrected if len(corrected) <= LONGEST_QUESTION else text


def facets_of(state: SearchState, numbers: IntArray, columns: Iterable[str]) -> dict[str, dict[str, int]]:
    """How many of some documents have each value of a column, most frequent first; dates are counted by year."""
    return {column: dict(Counter(_values(state, set(numbers.tolist()), column)).most_common()) for column in columns}


def _values(state: SearchState, numbers: set[int], column: str) -> list[str]:
    if column == CLUSTER:
        state.require_fitted("count documents by cluster")
        there = np.isin(state.rows.numbers, list(numbers))
        return [str(number) for number in state.cluster_numbers[there] if number >= 0]
    state.documents.where([(column, "!=", None)], among=[], derived=derived_columns(state))  # which refuses an unknown column
    return [_facet(value) for number, value in values(state.store, column) if number in numbers]


def _facet(value: object) -> str:
    date = _DATE.match(value) if isinstance(value, str) else None
    return date[0] if date else str(value)
