"""Copies: documents of an index that say the same, by their texts to the letter and by their words nearly.

Words are weighted as for search and for near (BM25, scaled to length one). The weight of rare words is what tells two reports of
one kind, which share most of their words, from two copies of one report; and a word that is said once more hardly counts, as in a
copy that was edited. Texts are compared besides, since a text of digits alone may have no words, the name of a file is among the
words of its document, and before the first fit there are no words at all. (The digest that the file keeps of each document covers
its id, so no two of them are the same.)
"""

from __future__ import annotations

from pathlib import PurePath

import numpy as np

from vicinal._store import Documents, Store
from vicinal._store.checksums import digest
from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal._validate import check_count
from vicinal.corpus import Document
from vicinal.graph import near_duplicates
from vicinal.graph._near_duplicates import TICK, check_threshold, first_connected, ticks
from vicinal.index._results import Duplicate, DuplicateGroup
from vicinal.index.state import State


def duplicates(state: State | None, store: Store, least: float, limit: int | None) -> list[DuplicateGroup]:
    """Groups of documents that are joined by a cosine of at least ``least`` or by the same text, largest first."""
    least = check_threshold(least)
    most = None if limit is None else check_count("limit", limit)
    numbers, text = _same_texts(store)
    group = _groups(state, numbers, text, least)
    return [_copies(state, store, numbers[members], text[members], least) for members in _largest_first(group)[:most]]


def _same_texts(store: Store) -> tuple[IntArray, IntArray]:
    """Numbers of all documents, and for each the place of the first one with its text."""
    seen: dict[bytes, int] = {}
    numbers, first = list[int](), list[int]()
    for chunk in Documents(store).chunks():
        for stored in chunk:
            said = _said(stored.document)
            first.append(len(numbers) if said is None else seen.setdefault(said, len(numbers)))
            numbers.append(stored.number)
    return np.array(numbers, dtype=np.int64), np.array(first, dtype=np.int64)


def _said(document: Document) -> bytes | None:
    """What is the same for the same text, however its lines are broken; None for a document that says nothing.

    A title counts unless it only repeats the name of a file.
    """
    file = PurePath(document.source)
    title = "" if document.title in (file.name, file.stem) else " ".join(document.title.split())
    text = " ".join(document.text.split())
    return digest(title, text) if title or text else None


def _groups(state: State | None, numbers: IntArray, text: IntArray, least: float) -> IntArray:
    """For each document the place of the first of its group."""
    if state is None or len(state.rows.numbers) == 0:
        return text
    place = np.searchsorted(numbers, state.rows.numbers)
    near = place[near_duplicates(state.directions, least)]
    return first_connected(np.append(place, np.arange(len(text))), np.append(near, text), len(numbers))


def _largest_first(group: IntArray) -> list[IntArray]:
    """The places of the documents of each group of two or more, in their order; of equal groups the one with the earlier first."""
    order = np.argsort(group, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    return sorted((each for each in groups if len(each) > 1), key=lambda each: -len(each))


def _copies(state: State | None, store: Store, numbers: IntArray, text: IntArray, least: float) -> DuplicateGroup:
    """One group, of which the first document is the one to keep."""
    alike = _alike(state, numbers, text)
    order = np.lexsort((numbers, -alike, np.arange(len(numbers)) > 0))
    found = [stored.document for stored in Documents(store).at(numbers[order])]
    documents = tuple(
        Duplicate(each.id, each.title, each.source, float(likeness)) for each, likeness in zip(found, alike[order], strict=True)
    )
    enough = ticks(alike[order]) >= ticks(least)
    return DuplicateGroup(
        documents, tuple(copy.id for copy, near_enough in zip(documents[1:], enough[1:], strict=True) if near_enough)
    )


def _alike(state: State | None, numbers: IntArray, text: IntArray) -> FloatArray:
    """How alike each document is to the first: 1 for the same text, else the cosine; documents of one text have one likeness."""
    same = np.unique(text, return_inverse=True)[1]
    likeness = np.zeros(same.max() + 1)
    if state is not None:
        np.maximum.at(likeness, same, _cosines(state, numbers, text == text[0]))
    likeness[same[0]] = 1.0
    return np.asarray(likeness[same])


def _cosines(state: State, numbers: IntArray, first: BoolArray) -> FloatArray:
    """With the first of some documents, which have one text, to the tick; 0 for one that has no place yet."""
    rows = np.array([state.rows.row(int(number)) for number in numbers])
    cosines, placed = np.zeros(len(rows)), rows >= 0
    own = state.directions[rows[placed & first][:1]]
    if own.shape[0]:
        cosines[placed] = np.asarray((state.directions[rows[placed]] @ own.T).todense()).ravel()
    return np.clip(np.round(cosines * TICK) / TICK, 0.0, 1.0)
