"""Where the words of a query stand in a whole text."""

from __future__ import annotations

from vicinal._query import Prefix, parse_query
from vicinal._query.nodes import sought
from vicinal._store.fulltext import FIELDS
from vicinal._store.passages import spans_of_words
from vicinal.index._search.requirements import fields_of
from vicinal.index._search.word_forms import forms_in
from vicinal.serve._state import State


def marks_of(state: State, number: int, text: str, query: str) -> list[tuple[int, int]]:
    """Beginning and end of each word of a text that is one of a query, or another form of it.

    Parameters
    ----------
    state : State
    number : int
        The number of the document in the file.
    text, query : str
    """
    if not query.strip():
        return []
    leaves = list(sought(parse_query(query, fields_of(state.index_state, query)), frozenset(FIELDS)))
    words = [leaf.text for leaf in leaves if not isinstance(leaf, Prefix)]
    prefixes = [leaf.text for leaf in leaves if isinstance(leaf, Prefix)]
    store = state.index_state.store
    words += forms_in(store, " ".join(words), [text])
    _, spans = spans_of_words(store, number, ("", text), words, prefixes)
    return list(spans)
