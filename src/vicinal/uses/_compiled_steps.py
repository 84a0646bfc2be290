"""The steps of a ranking as compiled loops, which run without the interpreter lock: the same numbers as `_ranking_steps` has.

To load what was compiled takes longer than a few searches, so that only many queries at once are answered so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal.uses import _ranking_loops as loops
from vicinal.uses._kept_rows import AnyLenders, AnyRows, KeptRows
from vicinal.uses._ranking_steps import Surroundings
from vicinal.uses._term_scores import AskedTerm, TermScores
from vicinal.uses._zero_arrays import zeros_for_a_while


@final
class _CompiledSurroundings:
    """Some documents, whose neighbours are looked up in the lists of all documents.

    They are numbered, and so are those of their neighbours that have a term: what is computed of them is in short arrays.
    """

    def __init__(self, documents: IntArray, lenders: AnyLenders) -> None:
        self._documents, n_pairs = documents, lenders.count(documents)
        self._n_slots, self._ends = 0, np.empty(len(documents), dtype=np.int64)
        self._others, self._shares = np.empty(n_pairs, dtype=np.int32), np.empty(n_pairs)
        self._slots = np.empty(n_pairs, dtype=np.int32)
        lists = lenders.starts, lenders.lenders, lenders.weights
        loops.gather_neighbors(documents, *lists, self._ends, self._others, self._shares)

    def terms(self, terms: TermScores, totals: FloatArray) -> FloatArray:
        """What each term is worth in each of these documents, or in the mean of its neighbours where that is more (R1)."""
        asked = terms.terms
        values, found = self._values(terms, totals), np.zeros((len(self._documents), len(asked)))
        if asked:
            is_lent, times = np.array([term.is_lent for term in asked], dtype=np.bool_), np.array([term.times for term in asked])
            loops.borrow(self._ends, self._slots, self._shares, values, is_lent, times, found)
        return found

    def _values(self, terms: TermScores, totals: FloatArray) -> FloatArray:
        """What each term is worth by its own, in order of the numbers that are given."""
        numbered = np.empty(len(self._documents) + len(self._others) + 1, dtype=np.int32)
        with zeros_for_a_while(terms.n_documents, np.int32) as slots:
            self._n_slots = loops.give_slots(self._documents, self._others, totals, slots, self._slots, numbered)
            values = np.zeros((1 + self._n_slots, len(terms.terms)))
            for column, term in enumerate(terms.terms):
                loops.fill_slots(term.documents, term.weights, column, slots, values)
            loops.take_slots(numbered, self._n_slots, slots)
        loops.keep_lending(self._ends, self._slots, self._shares)
        return values

    def means(self, values: FloatArray, n_documents: int) -> FloatArray:
        """For each of these documents the mean of its neighbours' values, which other documents than these do not have."""
        every, found = np.zeros(1 + self._n_slots), np.empty(len(self._documents))
        every[1 : 1 + len(values)] = values
        loops.mean_values(self._ends, self._slots, self._shares, every, found)
        return found


@final
class CompiledSteps:
    """The steps by compiled loops."""

    def totals(self, terms: Sequence[AskedTerm], n_documents: int) -> FloatArray:
        """What all terms are worth in each document by itself."""
        total = np.zeros(n_documents)
        for term in terms:
            loops.add_weights(total, term.documents, term.weights, term.times)
        return total

    def with_neighbors(self, documents: IntArray, lenders: AnyLenders) -> IntArray:
        """Some documents and their neighbours, rising."""
        found = np.empty(len(documents) + lenders.count(documents), dtype=np.int64)
        with zeros_for_a_while(len(lenders.starts) - 1, np.int32) as slots:
            n_found = loops.collect(documents, lenders.starts, lenders.lenders, slots, found)
        return np.sort(found[:n_found])

    def surroundings(self, documents: IntArray, lenders: AnyLenders) -> Surroundings:
        """Some documents with their neighbours."""
        return _CompiledSurroundings(documents, lenders)

    def doubles(self, embeddings: AnyRows, rows: IntArray) -> FloatArray:
        """The embeddings of some documents, in double precision."""
        if isinstance(embeddings, KeptRows):
            return self.doubles(embeddings.every, embeddings.kept[rows])
        found = np.empty((len(rows), embeddings.shape[1]))
        loops.take_rows(embeddings, rows, found)
        return found
