"""Duplicates: documents of an index with the same text, or with nearly the same terms.

Terms are weighted as for search and for near: BM25, scaled to unit length. The weight of rare terms distinguishes two reports of
one form, which share most of their terms, from two duplicates of one report; and a term that occurs once more hardly counts, as in
a duplicate that was edited. Texts are compared besides: a text of digits alone may have no terms, the name of a file is among the
terms of its document, and before the first fit there are no terms at all. (The digest that the file keeps of each document covers
its id, so no two of them are the same.)
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from vicinal._store import Documents
from vicinal._store.checksums import digest
from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal._validate import check_count
from vicinal.corpus import Document
from vicinal.graph._near_duplicates import check_threshold, first_connected, near_duplicates_of_checked, ticks
from vicinal.graph._ties import TICK
from vicinal.index._results import Duplicate, DuplicateGroup

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


def duplicates(state: IndexState, threshold: float, limit: int | None) -> list[DuplicateGroup]:
    """Groups of documents that are joined by a cosine of at least ``threshold`` or by the same text, largest first."""
    threshold = check_threshold(threshold)
    most = None if limit is None else check_count("limit", limit)
    numbers, text = _same_texts(state.documents)
    groups = _largest_first(_groups(state, numbers, text, threshold))
    return [_group(state, numbers[members], text[members], threshold) for members in groups[:most]]


def _same_texts(documents: Documents) -> tuple[IntArray, IntArray]:
    """Numbers of all documents, and for each the position of the first one with its text."""
    seen: dict[bytes, int] = {}
    numbers, first = list[int](), list[int]()
    for chunk in documents.chunks():
        for stored in chunk:
            text = _digest_of_text(stored.document)
            first.append(len(numbers) if text is None else seen.setdefault(text, len(numbers)))
            numbers.append(stored.number)
    return np.array(numbers, dtype=np.int64), np.array(first, dtype=np.int64)


def _digest_of_text(document: Document) -> bytes | None:
    """A digest that is the same for the same text, however its lines are broken; None for an empty document.

    A title counts unless it only repeats the name of a file: its source or, of a file that was sent to the app, its id.
    """
    file = PurePath(document.source or document.id)
    title = "" if document.title in (file.name, file.stem) else " ".join(document.title.split())
    text = " ".join(document.text.split())
    return digest(title, text) if title or text else None


def _groups(state: IndexState, numbers: IntArray, text: IntArray, threshold: float) -> IntArray:
    """For each document the position of the first of its group."""
    if not state.fitted or len(state.rows.numbers) == 0:
        return text
    position = np.searchsorted(numbers, state.rows.numbers)
    near = position[near_duplicates_of_checked(state.unit_terms, threshold)]
    return first_connected(np.append(position, np.arange(len(text))), np.append(near, text), len(numbers))


def _largest_first(group: IntArray) -> list[IntArray]:
    """The positions of the documents of each group of two or more; of equal groups the one with the earlier first document."""
    order = np.argsort(group, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
    return sorted((each for each in groups if len(each) > 1), key=lambda each: -len(each))


def _group(state: IndexState, numbers: IntArray, text: IntArray, threshold: float) -> DuplicateGroup:
    """One group, of which the first document is the one to keep."""
    similarity = _similarities(state, numbers, text)
    order = np.lexsort((numbers, -similarity, np.arange(len(numbers)) > 0))
    found = [stored.document for stored in state.documents.at(numbers[order])]
    documents = tuple(
        Duplicate(each.id, each.title, each.source, float(value)) for each, value in zip(found, similarity[order], strict=True)
    )
    enough = ticks(similarity[order]) >= ticks(threshold)
    return DuplicateGroup(documents, tuple(each.id for each, near in zip(documents[1:], enough[1:], strict=True) if near))


def _similarities(state: IndexState, numbers: IntArray, text: IntArray) -> FloatArray:
    """The similarity of each document to the first: 1 for the same text, else the cosine; the same for documents of one text."""
    same = np.unique(text, return_inverse=True)[1]
    similarity = np.zeros(same.max() + 1)
    if state.fitted:
        np.maximum.at(similarity, same, _cosines(state, numbers, text == text[0]))
    similarity[same[0]] = 1.0
    return np.asarray(similarity[same])


def _cosines(state: IndexState, numbers: IntArray, first: BoolArray) -> FloatArray:
    """The cosine of documents with the first of those marked, which have one text; 0 for one that is not embedded yet."""
    rows = np.array([state.rows.row(int(number)) for number in numbers])
    cosines, embedded = np.zeros(len(rows)), rows >= 0
    unit_terms = state.unit_terms
    own = unit_terms[rows[embedded & first][:1]]
    if own.shape[0]:
        cosines[embedded] = (unit_terms[rows[embedded]] @ own.T).toarray().ravel()
    return np.clip(np.round(cosines * TICK) / TICK, 0.0, 1.0)
