"""Suggestions while a query is typed: terms, columns, their values and clusters that go on as the last word begins."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from vicinal._scripts import fold_accents
from vicinal.serve._answers.document_columns import CLUSTER, column
from vicinal.serve._state import State

#: Fields that a query may name besides the columns of the metadata.
FIELDS = ("title", "text", "label", CLUSTER)
#: What begins with a word comes before the word with this letter behind it.
LAST_LETTER = chr(0x10FFFF)


def suggestions(state: State, text: str, limit: int) -> list[dict[str, object]]:
    """What the last word of a query may become."""
    last = text.split(" ")[-1].lstrip('+-("')
    field, colon, begun = last.partition(":")
    if colon and (field in state.columns or field in FIELDS):
        return list(islice(_values(state, field, fold_accents(begun)), limit))
    if not last:
        return []
    begun = fold_accents(last)
    ways = (_columns(state, begun), _clusters(state, begun), _terms(state, begun))
    return list(islice((each for way in ways for each in way), limit))


def _suggested(text: str, kind: str, count: int | None) -> dict[str, object]:
    return {"text": text, "kind": kind, "count": count}


def _columns(state: State, begun: str) -> Iterator[dict[str, object]]:
    names = dict.fromkeys([*FIELDS, *state.columns])
    return (_suggested(f"{name}:", "column", None) for name in names if fold_accents(name).startswith(begun))


def _clusters(state: State, begun: str) -> Iterator[dict[str, object]]:
    if not state.snapshot.fitted:
        return
    for each in state.listed_clusters():
        if each.named and fold_accents(each.name).startswith(begun):
            yield _suggested(f'{CLUSTER}:"{each.name}"', "cluster", each.size)


def _values(state: State, field: str, begun: str) -> Iterator[dict[str, object]]:
    if field in ("title", "text"):
        yield from ({**each, "text": f"{field}:{each['text']}"} for each in _terms(state, begun))
        return
    for value, count in column(state, field).counts:
        if fold_accents(value).startswith(begun):
            shown = value if value.isalnum() else f'"{value}"'
            yield _suggested(f"{field}:{shown}", "value", count)


def _terms(state: State, begun: str) -> Iterator[dict[str, object]]:
    """Terms that begin so, the most frequent first."""
    if not state.snapshot.fitted or not begun:
        return
    terms = state.once("terms", lambda: _in_order(state))
    first = bisect_left(terms, (begun,))
    last = bisect_left(terms, (begun + LAST_LETTER,), first)
    for form, frequency in sorted(terms[first:last], key=lambda each: (-each[1], each[0])):
        yield _suggested(form, "term", frequency)


def _in_order(state: State) -> list[tuple[str, int]]:
    """All terms in alphabetical order, each with the number of documents that have it."""
    vocabulary = state.index_state.model.vocabulary
    return sorted(zip(map(str, vocabulary.forms), vocabulary.bm25.document_frequencies_.tolist(), strict=True))
