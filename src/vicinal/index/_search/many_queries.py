"""Many queries in one call: what they ask is read from the file once, and then several threads rank documents.

Only the calling thread reads the file, so that all queries see one state of it. The answers are those of `search`, to the last bit.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from vicinal._store import Stored
from vicinal._threads import count_threads
from vicinal._typing import FloatArray, IntArray
from vicinal.index._search.hits import Hits
from vicinal.index._search.hits_with_passages import Whys, hits_with
from vicinal.index._search.one_query import facets_of, search, suggestions_for
from vicinal.index._search.parsed_query import Options, ParsedQuery, parsed
from vicinal.index._search.ranked_page import LookedUp, looked_up, matching, ranked_page
from vicinal.uses._ranking import Ranking
from vicinal.uses._ranking_steps import BY_ARRAYS, RankingSteps

if TYPE_CHECKING:
    from vicinal.index._search.search_state import SearchState

#: Queries whose documents are in memory at once.
_AT_ONCE = 64
#: Documents times queries from which on it pays to load what was compiled, unless that is loaded already.
_WORTH_LOADING = 5_000_000


@final
@dataclass(frozen=True, eq=False)
class _Page:
    """The page that answers a query, with all that its hits are made of but the documents."""

    rows: IntArray
    total: int
    near: int
    whys: Whys
    relevance: FloatArray
    counted: IntArray


def search_many(state: SearchState, texts: Sequence[str], options: Options) -> list[Hits]:
    """The documents for several queries: as `search` for each."""
    if not state.fitted or options.rerank is not None or not len(state.rows.numbers):
        return [search(state, text, options) for text in texts]
    steps = _steps(len(texts) * len(state.rows.numbers))
    state.ranking.prepare()
    blocks = [texts[start : start + _AT_ONCE] for start in range(0, len(texts), _AT_ONCE)]
    with ThreadPoolExecutor(min(count_threads(None), len(texts))) as threads:
        return [hits for block in blocks for hits in _together(state, block, options, steps, threads)]


def _steps(work: int) -> RankingSteps:
    if work < _WORTH_LOADING and "vicinal.uses._ranking_loops" not in sys.modules:
        return BY_ARRAYS
    from vicinal.uses._compiled_steps import CompiledSteps

    return CompiledSteps()


def _together(
    state: SearchState, texts: Sequence[str], options: Options, steps: RankingSteps, threads: ThreadPoolExecutor
) -> list[Hits]:
    """Answer some queries; those that rank nothing, or may have to be corrected, each by itself."""
    asked = [parsed(state, text, options) for text in texts]
    found = [_looked_up(state, each, options) for each in asked]
    ranking, at = state.ranking, [position for position, each in enumerate(found) if each is not None]
    some = [each for each in found if each is not None]
    pages = list(threads.map(lambda each: _page(ranking, each, options, steps), some))
    stored = _documents(state, pages)
    answers: dict[int, Hits] = {}
    for position, page, documents, each in zip(at, pages, stored, some, strict=True):
        if each.unknown and not page.total and options.correct is None:
            continue
        made = hits_with(state, documents, page.whys, page.relevance, each.shown)
        counted = facets_of(state, state.rows.numbers[page.counted], options.facets) if options.facets else {}
        notes = asked[position].notes
        meant = suggestions_for(state, each.unknown)
        told = {"near": page.near, "suggestions": meant, "notes": notes, "facets": counted}
        answers[position] = Hits(made, page.total, options.offset, **told)  # type: ignore[arg-type]
    return [answers[i] if i in answers else search(state, text, options) for i, text in enumerate(texts)]


def _looked_up(state: SearchState, asked: ParsedQuery, options: Options) -> LookedUp | None:
    """A query with its terms, if it ranks and is not to be corrected."""
    found = looked_up(state, asked, options) if asked.has_words else None
    return None if found is None or (found.unknown and options.correct) else found


def _page(ranking: Ranking, found: LookedUp, options: Options, steps: RankingSteps) -> _Page:
    """The page of one query, without the scores of all other documents."""
    page = ranked_page(ranking, found, options, steps)
    whys = page.retrieved.whys(page.rows)
    counted = matching(found, page.retrieved) if options.facets else page.rows
    return _Page(page.rows, page.total, page.near, whys, page.relevance, counted)


def _documents(state: SearchState, pages: Sequence[_Page]) -> list[list[Stored]]:
    """The documents of each page, read together, each once."""
    wanted = [state.rows.numbers[page.rows].tolist() for page in pages]
    every = sorted({number for numbers in wanted for number in numbers})
    read = dict(zip(every, state.documents.at(every), strict=True))
    return [[read[number] for number in numbers] for numbers in wanted]
