"""The steps of a ranking that take most of its time, as NumPy does them: nothing is compiled, so that a first search is quick.

`_compiled_steps` has the same steps as compiled loops, which add the same numbers in the same order: for many queries at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, final

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal.uses._kept_rows import AnyLenders, AnyRows
from vicinal.uses._term_scores import AskedTerm, TermScores
from vicinal.uses._zero_arrays import zeros_for_a_while


class Surroundings(Protocol):
    """Some documents with their neighbours: first what terms are worth there is asked for, and then means."""

    def terms(self, terms: TermScores, totals: FloatArray) -> FloatArray:
        """What each term is worth in each of these documents, or in the mean of its neighbours where that is more (R1)."""

    def means(self, values: FloatArray, n_documents: int) -> FloatArray:
        """For each of these documents the mean of its neighbours' values, which other documents than these do not have."""


class RankingSteps(Protocol):
    """How the steps are done; the numbers are the same in any case."""

    def totals(self, terms: Sequence[AskedTerm], n_documents: int) -> FloatArray:
        """What all terms are worth in each document by itself."""

    def with_neighbors(self, documents: IntArray, lenders: AnyLenders) -> IntArray:
        """Some documents and their neighbours, rising."""

    def surroundings(self, documents: IntArray, lenders: AnyLenders) -> Surroundings:
        """Some documents with their neighbours."""

    def doubles(self, embeddings: AnyRows, rows: IntArray) -> FloatArray:
        """The embeddings of some documents, in double precision."""


@final
class _ArraySurroundings:
    """Some documents with an array of all pairs of one of them and a neighbour."""

    def __init__(self, documents: IntArray, lenders: AnyLenders) -> None:
        self._documents, self._pairs = documents, lenders.pairs(documents)

    def terms(self, terms: TermScores, totals: FloatArray) -> FloatArray:
        """What each term is worth in each of these documents, or in the mean of its neighbours where that is more (R1)."""
        return terms.with_neighbors(self._documents, self._pairs.lending(totals))

    def means(self, values: FloatArray, n_documents: int) -> FloatArray:
        """For each of these documents the mean of its neighbours' values, which other documents than these do not have."""
        with zeros_for_a_while(n_documents, float) as every:
            every[self._documents] = values
            some = self._pairs.lending(every)
            found = some.means(every.take(some.lenders))
            every[self._documents] = 0.0
        return found


@final
class ArraySteps:
    """The steps by NumPy."""

    def totals(self, terms: Sequence[AskedTerm], n_documents: int) -> FloatArray:
        """What all terms are worth in each document by itself."""
        total = np.zeros(n_documents)
        for term in terms:
            total[term.documents] += term.weights if term.times == 1 else term.times * term.weights
        return total

    def with_neighbors(self, documents: IntArray, lenders: AnyLenders) -> IntArray:
        """Some documents and their neighbours, rising."""
        every = np.concatenate([documents, lenders.pairs(documents).lenders])
        every.sort()
        return every[np.flatnonzero(np.diff(every, prepend=-1))]

    def surroundings(self, documents: IntArray, lenders: AnyLenders) -> Surroundings:
        """Some documents with their neighbours."""
        return _ArraySurroundings(documents, lenders)

    def doubles(self, embeddings: AnyRows, rows: IntArray) -> FloatArray:
        """The embeddings of some documents, in double precision."""
        return np.asarray(embeddings[rows], dtype=np.float64)


BY_ARRAYS = ArraySteps()
