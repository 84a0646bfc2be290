"""The steps of a ranking as compiled loops, which run without the interpreter lock: the same numbers as `_ranking_steps` has.

To load what was compiled takes longer than a few searches, so that only many queries at once are answered so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal.uses import _ranking_loops as loops
from vicinal.uses._kept_rows import AnyLenders
from vicinal.uses._ranking_steps import Surroundings
from vicinal.uses._term_scores import AskedTerm, TermScores
from vicinal.uses._zero_arrays import zeros_for_a_while


@final
class _CompiledSurroundings:
    """Some documents, whose neighbours are looked up in the lists of all documents."""

    def __init__(self, documents: IntArray, lenders: AnyLenders) -> None:
        self._documents, self._lenders = documents, lenders

    def terms(self, terms: TermScores, totals: FloatArray) -> FloatArray:
        """What each term is worth in each of these documents, or in the mean of its neighbours where that is more (R1)."""
        asked, documents, lenders = terms.terms, self._documents, self._lenders
        if not asked:
            return np.zeros((len(documents), 0))
        found, n_pairs = np.empty((len(documents), len(asked))), len(documents) + lenders.count(documents)
        is_lent, times = np.array([term.is_lent for term in asked], dtype=np.bool_), np.array([term.times for term in asked])
        lists = lenders.starts, lenders.lenders
        with zeros_for_a_while(terms.n_documents, np.int32) as slots, zeros_for_a_while(n_pairs, np.int32) as of_pairs:
            values = np.zeros((1 + loops.give_slots(documents, *lists, totals, slots, of_pairs), len(asked)))
            for column, term in enumerate(asked):
                loops.fill_slots(term.documents, term.weights, column, slots, values)
            loops.borrow(documents, lenders.starts, lenders.weights, of_pairs, values, is_lent, times, found)
            loops.take_slots(documents, *lists, slots)
            of_pairs.fill(0)
        return found

    def means(self, values: FloatArray) -> FloatArray:
        """For each of these documents the mean of its neighbours' values, given those of all documents."""
        found, lenders = np.empty(len(self._documents)), self._lenders
        loops.mean_values(self._documents, lenders.starts, lenders.lenders, lenders.weights, values, found)
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
