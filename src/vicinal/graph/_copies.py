"""Neighbours in a corpus of many copies: every different row is searched for once, and its copies share the answer.

A search asks each document with the lists of its terms, and copies have the same long lists: n copies of one text would cost n².
Different rows are few then, and so are their lists. The answer is that of the search of all documents, ties included (G16).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._matrix import is_sparse
from vicinal._typing import BoolArray, FloatArray, IntArray, Terms
from vicinal.graph._exact_duplicates import first_duplicates
from vicinal.graph._ties import TICK

MANY = 0.1  # share of the documents that must be copies of earlier ones: fewer cost less than going round them

#: Documents and cosines of the nearest ones of each query, nearest first; -1 and 0 where there are no more.
Found = tuple[IntArray, FloatArray]
#: A search for the neighbours of some rows among all of a matrix, by the groups of its rows.
Search = Callable[[Terms, IntArray, IntArray], Found]


@final
@dataclass(frozen=True, eq=False)
class Copies:
    """Documents in classes of equal rows, and of equal groups where there are groups.

    Attributes
    ----------
    firsts : int array (classes,)
        The first document of each class, in order.
    class_of : int array (documents,)
    members : int array (documents,)
        Documents by class, in document order within it.
    starts : int array (classes + 1,)
        Where the members of each class begin.
    """

    firsts: IntArray
    class_of: IntArray
    members: IntArray
    starts: IntArray

    def members_of(self, classes: IntArray, most: int) -> tuple[IntArray, IntArray]:
        """The first members of each class listed, ``most`` at most: for each the position in the list, and the document."""
        sizes = np.minimum(self.starts[classes + 1] - self.starts[classes], most)
        places = np.repeat(np.arange(len(classes)), sizes)
        rank = np.arange(len(places)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return places, self.members[self.starts[classes[places]] + rank]


def many_copies(U: Terms, group: IntArray | None) -> Copies | None:
    """The classes of equal rows, where enough documents are copies of earlier ones for that to save time."""
    first = first_duplicates(U)
    if np.count_nonzero(first != np.arange(len(first))) < MANY * len(first) or len(first) == 0:
        return None
    keys = first if group is None else first + len(first) * np.unique(group, return_inverse=True)[1].astype(np.int64)
    _, firsts, class_of = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    class_of = np.argsort(order)[class_of]
    starts = np.concatenate([[0], np.cumsum(np.bincount(class_of))]).astype(np.int64)
    return Copies(firsts[order].astype(np.int64), class_of, np.argsort(class_of, kind="stable"), starts)


def nearest_of_copies(U: Terms, k: int, copies: Copies, queries: IntArray, group: IntArray | None, search: Search) -> Found:
    """The neighbours of documents of which many are copies: of each different row by ``search``, then of each document.

    The k nearest documents are members of the k nearest classes, as a class whose first member is farther, or as far and later,
    comes after all of these. Without groups a document's own class counts besides, all but the document itself.
    """
    asked, row_of = np.unique(copies.class_of[queries], return_inverse=True)
    classes = np.arange(len(copies.firsts)) if group is None else group[copies.firsts]
    near, cosines = search(U[copies.firsts], asked, classes)
    rows, columns = np.nonzero(near >= 0)
    places, documents = copies.members_of(near[rows, columns], k + 1)
    rows, values = rows[places], cosines[rows, columns][places]
    if group is None:
        own, others = copies.members_of(asked, k + 1)
        rows, documents = np.append(rows, own), np.append(documents, others)
        values = np.append(values, _squares(U[copies.firsts[asked]])[own])
    table = _table(rows, documents, values, (len(asked), k + 1))
    return _without_self(table[0][row_of], table[1][row_of], queries)


def _squares(rows: Terms) -> FloatArray:
    """The product of each row with itself, added up in the order of the entries as the search does it."""
    if is_sparse(rows):
        rows = rows.astype(np.float64)
        rows.data **= 2
        return np.asarray(rows @ np.ones(rows.shape[1]))
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


def _table(rows: IntArray, documents: IntArray, values: FloatArray, shape: tuple[int, int]) -> Found:
    """The first of each row, by cosine in ticks and then by document; cosines that are no tick do not count."""
    ticks = np.round(values * TICK)
    order = np.lexsort((documents, -ticks, rows))
    order = order[ticks[order] > 0]
    rows, documents, values = rows[order], documents[order], values[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    kept = rank < shape[1]
    found, cosines = np.full(shape, -1, dtype=np.int64), np.zeros(shape)
    found[rows[kept], rank[kept]] = documents[kept]
    cosines[rows[kept], rank[kept]] = values[kept]
    return found, cosines


def _without_self(found: IntArray, cosines: FloatArray, queries: IntArray) -> Found:
    """One column less: the document itself is left out where it is listed, and the last one elsewhere."""
    own: BoolArray = found == queries[:, None]
    k = found.shape[1] - 1
    at = np.where(own.any(axis=1), own.argmax(axis=1), k)
    columns = np.arange(k) + (np.arange(k) >= at[:, None])
    return np.take_along_axis(found, columns, axis=1), np.take_along_axis(cosines, columns, axis=1)
