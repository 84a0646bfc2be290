"""Show: one document with all that the index knows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._query import Prefix, parse_query
from vicinal._query.nodes import sought
from vicinal._store import Passage
from vicinal._store.fulltext import FIELDS
from vicinal._store.passages import Spans, spans_of_words
from vicinal.index._results import Shown
from vicinal.index._search.requirements import fields_of
from vicinal.index._search.word_forms import forms_in

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


def show(state: IndexState, id: str, query: str) -> Shown:
    """A document by its id, the end of it, or the path of its file, with the words of a query marked."""
    number = int(state.documents.numbers([id])[0])
    [stored] = state.documents.at([number])
    document, label = stored.document, state.label_of(number)
    row = state.rows.row(number) if state.fitted else -1
    cluster = int(state.cluster_numbers[row]) if row >= 0 else -1
    title, text = _marked(state, number, (document.title, document.text), query)
    return Shown(
        document.id,
        document.title,
        document.text,
        document.source,
        text,
        title,
        dict(document.metadata),
        label.label if label else "",
        label.origin if label else "",
        cluster,
        state.cluster_names().get(cluster, "") if cluster >= 0 else "",
        float(state.rows.uncertainty[row]) if row >= 0 else None,
    )


def query_spans(state: IndexState, number: int, text: str, query: str) -> list[tuple[int, int]]:
    """Beginning and end of each word of a text that is one of a query, or another form of it.

    Parameters
    ----------
    state : IndexState
    number : int
        The number of the document in the file.
    text, query : str
    """
    return list(_spans(state, number, ("", text), query)[1])


def _marked(state: IndexState, number: int, fields: tuple[str, str], query: str) -> tuple[str, str]:
    """Title and text of a document with the words of a query in brackets, in whatever form."""
    found = _spans(state, number, fields, query)
    title, text = (Passage(field, 0, spans).marked() for field, spans in zip(fields, found, strict=True))
    return title, text


def _spans(state: IndexState, number: int, fields: tuple[str, str], query: str) -> tuple[Spans, Spans]:
    """Where words that a query looks for stand in title and text; not those that it excludes."""
    if not query.strip():
        return (), ()
    leaves = list(sought(parse_query(query, fields_of(state, query)), frozenset(FIELDS)))
    words = [leaf.text for leaf in leaves if not isinstance(leaf, Prefix)]
    prefixes = [leaf.text for leaf in leaves if isinstance(leaf, Prefix)]
    words += forms_in(state.store, " ".join(words), fields)
    title, text = spans_of_words(state.store, number, fields, words, prefixes)
    return title, text
