"""Scores of one term in all documents, dense or as a list; and a cache of those that cost most to compute."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import final

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal.uses._postings import Lent

#: A term that reaches fewer than one document in so many is kept as a list.
_SPARSE = 8
#: Bytes of scores that are kept for the next query.
MOST_BYTES = 128 << 20


@final
@dataclass(frozen=True, eq=False)
class TermScores:
    """The score of one term in each document.

    Attributes
    ----------
    values : float array
        Of all documents, or of those in ``rows``.
    rows : int array or None
        Documents with a score, rising; None where all of them have a value.
    n_documents : int
    """

    values: FloatArray
    rows: IntArray | None
    n_documents: int

    @property
    def mean(self) -> float:
        """Over all documents."""
        return float(self.values.mean() if self.rows is None else self.values.sum() / self.n_documents)

    @property
    def largest(self) -> float:
        """Of any document."""
        return float(self.values.max(initial=0.0))

    def add_to(self, total: FloatArray, times: float) -> None:
        """Add the scores, times a number, to those of all documents."""
        values = self.values if times == 1 else times * self.values
        if self.rows is None:
            total += values
        else:
            total[self.rows] += values

    def of(self, document: int) -> float:
        """The score in one document."""
        if self.rows is None:
            return float(self.values[document])
        at = int(np.searchsorted(self.rows, document))
        return float(self.values[at]) if at < len(self.rows) and self.rows[at] == document else 0.0


def term_scores(lent: Lent, holders: IntArray, weights: FloatArray, n_documents: int, compiled: bool) -> TermScores:
    """A term as in the document or as in the mean of its neighbours, whichever is more (R1).

    Parameters
    ----------
    lent : Lent
    holders : int array
        The documents that have the term, rising.
    weights : float array
        Its weight in each.
    n_documents : int
    compiled : bool
        Whether loops are compiled.
    """
    if not compiled:
        found = lent.borrowed(holders, weights, n_documents)
        found[holders] = np.maximum(found[holders], weights)
        return TermScores(found, None, n_documents)
    from vicinal.uses._ranking_loops import add_borrowed, list_borrowed

    found, lists = np.zeros(n_documents), (lent.starts, lent.borrowers, lent.weights, holders, weights)
    n_entries = int((lent.starts[holders + 1] - lent.starts[holders]).sum()) + len(holders)
    if n_entries * _SPARSE > n_documents:
        add_borrowed(*lists, found)
        found[holders] = np.maximum(found[holders], weights)
        return TermScores(found, None, n_documents)
    rows = np.empty(n_entries, dtype=np.int64)
    rows = np.sort(rows[: list_borrowed(*lists, found, rows)])
    rows = rows[np.append(True, rows[1:] != rows[:-1])] if len(rows) else rows
    return TermScores(found[rows], rows, n_documents)


@final
class TermScoresCache:
    """The scores of the terms that were asked for last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[int, TermScores] = OrderedDict()
        self._n_bytes = 0

    def get(self, column: int) -> TermScores | None:
        """The scores of a term, if they are kept."""
        with self._lock:
            found = self._kept.get(column)
            if found is not None:
                self._kept.move_to_end(column)
            return found

    def put(self, column: int, scores: TermScores) -> None:
        """Keep the scores of a term, and let go of those that were not asked for longest."""
        with self._lock:
            if column in self._kept:  # another thread was first
                return
            self._kept[column] = scores
            self._n_bytes += scores.values.nbytes
            while self._n_bytes > MOST_BYTES and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self._n_bytes -= gone.values.nbytes
