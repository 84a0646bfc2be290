"""A parsed query: its options, the words that rank, and the documents that may be found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from vicinal._query import Node, Not, Phrase, Prefix, SideBySide, Word, parse_query, refuse_long
from vicinal._query.nodes import requirements, sought
from vicinal._store.filters import Filters
from vicinal._store.fulltext import FIELDS
from vicinal._typing import IntArray
from vicinal.errors import BadParameter
from vicinal.index._search.requirements import TextLookup, fields_of, meeting

if TYPE_CHECKING:
    from vicinal.encoders import Encoder
    from vicinal.index._search.search_state import SearchState

_TEXT_FIELDS = frozenset(FIELDS)


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
class ParsedQuery:
    """What a query means: the words that rank, and the documents that may be found.

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

    @property
    def has_words(self) -> bool:
        """Whether there is anything to rank by."""
        return bool(self.prefixes) or any(map(str.isalnum, self.text))


def parsed(state: SearchState, text: str, options: Options) -> ParsedQuery:
    """A query that can be answered, parsed, with what it requires looked up; BadParameter for any other."""
    refuse_long(text, "the query")
    if not text.strip() and not options.where:
        raise BadParameter(f"the query is empty, got {text!r}. Type a word to look for, or a filter (where) to list documents.")
    if options.by == "embedding":
        state.require_fitted("search by embedding")
    return _parsed(state, text, options)


def _parsed(state: SearchState, text: str, options: Options) -> ParsedQuery:
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
    return ParsedQuery(
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
