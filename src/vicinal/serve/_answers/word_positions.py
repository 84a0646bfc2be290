"""Where the words of a text stand that contribute to a score: each with its part, so that a reader can colour them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from vicinal.projection import Explanation
from vicinal.serve import _facts
from vicinal.serve._state import State
from vicinal.terms._words import word_spans

if TYPE_CHECKING:
    from vicinal.index._search.search_state import SearchState

#: Words of a text that are looked at.
MOST_WORDS = 200_000


def words_of_document(state: State, id: str, cluster: int | None, query: str) -> dict[str, object]:
    """The contributions of the words of a document to the score of its cluster, of another one, or of a query.

    Parameters
    ----------
    state : State
    id : str
    cluster : int or None
        By default its own.
    query : str
        Where it is given, the query instead of a cluster.
    """
    snapshot = state.snapshot
    [stored] = state.index_state.documents.at(state.index_state.documents.numbers([id]).tolist())
    document = stored.document
    if query:
        found = snapshot.search(query, 1, where=[("id", "=", document.id)])
        why = found[0].why if found else Explanation((), _no_parts(), 0.0)
        of: dict[str, object] = {"of": "query", "cluster": None, "name": query}
    else:
        state.index_state.require_fitted("explain a document")
        why = snapshot.explain(document.id, cluster=cluster)
        number = int(state.clusters[state.rows_of_ids([document.id])[0]]) if cluster is None else cluster
        of = {"of": "cluster", "cluster": number, "name": state.index_state.cluster_names().get(number, "")}
    return {**of, "why": _facts.explanation(why), "words": _spans(state, document.title, document.text, why)}


def _no_parts() -> Any:
    import numpy as np

    return np.zeros(0)


def _spans(state: State, title: str, text: str, why: Explanation) -> list[list[object]]:
    """Beginning, end and part of each word of the text; words of the title have their share too, and are not listed."""
    parts = dict(zip(why.terms, why.parts.tolist(), strict=True))
    if not state.snapshot.fitted or not parts:
        return []
    with state.snapshot._searching() as search:
        spans = [(start, end, text[start:end]) for start, end in word_spans(text)][:MOST_WORDS]
        above = [title[start:end] for start, end in word_spans(title)]
        forms = _forms(search, {*above, *(word for *_, word in spans)})
    occurrences = Counter(form for word in [*above, *(word for *_, word in spans)] for form in forms[word])
    found = []
    for start, end, word in spans:
        part = sum(parts.get(form, 0.0) / occurrences[form] for form in forms[word])
        if part:
            found.append([start, end, part])
    return found


def _forms(search: SearchState, words: set[str]) -> dict[str, list[str]]:
    """The terms that each word stands for, as they are shown."""
    vocabulary, found = search.vocabulary, {}
    for word in words:
        tokens = vocabulary.tokens(word)
        terms = vocabulary.terms_of(tokens)
        found[word] = [str(vocabulary.forms[int(term)]) for term in terms if term >= 0]
    return found
