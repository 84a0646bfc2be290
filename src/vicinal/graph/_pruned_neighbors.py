"""Neighbours to a target recall: exact or pruned search, whichever costs less, and the recall measured on a sample.

The pruned search reads a budget of posting entries per document (``_impact_lists.py``), adds duplicates, and then asks neighbours of
neighbours (``_neighbors_of_neighbors.py``). Its budget is the smallest of a ladder with which a sample of documents finds enough of
its true neighbours; another sample says what was reached, and where that is too little the budget is doubled. Costs are counted in
multiply-adds of the exact search (G15), never in seconds, so that the same documents always give the same graph.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._threads import over_rows
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.graph._equal_rows import add_equal_rows
from vicinal.graph._impact_lists import candidate_rows, impact_lists, rows_of
from vicinal.graph._inverted_index import TICK
from vicinal.graph._neighbors_of_neighbors import improve

SAMPLE = 400  # documents whose true neighbours choose the budget, and as many others that measure the recall
BLOCK = 128
FEWEST_CANDIDATES, CANDIDATES = 10, 6  # scored whole: so many, and so many more per neighbour wanted
SMALLEST_BUDGET = 2_000
STEP = 1.5  # from one budget of the ladder to the next
CLOSED = 0.3  # share of the missing neighbours that neighbours of neighbours bring, at least: measured 0.35 to 0.5
#: Costs in multiply-adds of the exact search: of an entry of a list that is read, of a term of a candidate; and candidates of the
#: second round. Measured by ``bench/recall.py``.
PER_ENTRY, PER_TERM, SECOND_ROUND = 1.8, 4.0, 80

Found = tuple[IntArray, FloatArray]
Exact = Callable[[IntArray], Found]


@final
@dataclass(frozen=True)
class Costs:
    """What both searches of one corpus cost, in multiply-adds of the exact one (G15)."""

    n_documents: int
    exact: float
    mean_length: float
    n_candidates: int

    @classmethod
    def of(cls, U: SparseMatrix, n_neighbors: int) -> Costs:
        """From the number of documents that each term is in."""
        frequencies = np.bincount(U.indices, minlength=U.shape[1]).astype(np.float64)
        n_candidates = FEWEST_CANDIDATES + CANDIDATES * n_neighbors
        return cls(U.shape[0], float((frequencies**2).sum()), U.nnz / U.shape[0], n_candidates)

    def pruned(self, budget: float) -> float:
        """Both rounds with this budget, and the true neighbours of both samples."""
        each = PER_ENTRY * budget + PER_TERM * self.mean_length * (self.n_candidates + SECOND_ROUND)
        return self.n_documents * each + 2 * SAMPLE * self.exact / self.n_documents

    def worthwhile(self, budget: float) -> bool:
        """Whether the pruned search costs less than the exact one."""
        return self.pruned(budget) < self.exact


@final
class PrunedSearch:
    """The pruned search of one corpus.

    Parameters
    ----------
    U : sparse (documents, terms)
        Rows of length one, not negative.
    n_neighbors : int
    n_jobs : int or None
    """

    def __init__(self, U: SparseMatrix, n_neighbors: int, n_jobs: int | None) -> None:
        self.U, self.n_neighbors, self.n_jobs = U, n_neighbors, n_jobs
        self.rows, self.lists = rows_of(U), impact_lists(U, n_jobs)
        self.n_candidates = FEWEST_CANDIDATES + CANDIDATES * n_neighbors

    def first_round(self, queries: IntArray, budget: float) -> Found:
        """What these documents find in posting lists."""
        documents = np.full((len(queries), self.n_neighbors), -1, dtype=np.int64)
        similarities = np.zeros(documents.shape)

        def task(start: int, stop: int) -> None:
            candidate_rows(
                start, stop, queries, int(budget), self.n_candidates, *self.rows, *self.lists, documents, similarities
            )

        over_rows(task, len(queries), self.n_jobs, BLOCK)
        return documents, similarities

    def all_rounds(self, budget: float, enough: Callable[[Found], bool]) -> Found:
        """What all documents find: in lists, among duplicates, among neighbours of neighbours, as long as it is not enough."""
        documents, similarities = self.first_round(np.arange(self.U.shape[0]), budget)
        add_equal_rows(self.U, self.rows, documents, similarities)
        for n_paths in (2, 1):
            if enough((documents, similarities)):
                break
            documents, similarities = improve(self.rows, self.U.shape[1], documents, similarities, n_paths, self.n_jobs)
        return documents, similarities


def find(U: SparseMatrix, n_neighbors: int, recall: float, exact: Exact, n_jobs: int | None) -> tuple[Found, float] | None:
    """Neighbours and their recall, measured; None where the exact search is the cheaper one, or the only one that reaches it.

    ``exact`` finds the true neighbours of some documents.
    """
    costs = Costs.of(U, n_neighbors)
    filled = np.flatnonzero(np.diff(U.indptr))
    if recall >= 1.0 or len(filled) < 4 * SAMPLE or not costs.worthwhile(SMALLEST_BUDGET) or U.data.min() < 0:
        return None
    drawn = np.random.RandomState(0).permutation(filled)
    samples = [np.sort(drawn[:SAMPLE]), np.sort(drawn[SAMPLE : 2 * SAMPLE])]
    tried, measured = (_Sample(each, exact(each)) for each in samples)
    search = PrunedSearch(U, n_neighbors, n_jobs)
    budget: float = SMALLEST_BUDGET
    while costs.worthwhile(budget) and tried.recall(search.first_round(tried.queries, budget)) < _before_last_round(recall):
        budget *= STEP
    while costs.worthwhile(budget):
        found = search.all_rounds(budget, lambda found: measured.recall_among(found) >= recall)
        reached = measured.recall_among(found)
        if reached >= recall:
            return found, reached
        budget *= 2
    return None


def _before_last_round(recall: float) -> float:
    """The recall from which neighbours of neighbours are sure to lead to the one wanted."""
    return 1.0 - (1.0 - recall) / (1.0 - CLOSED)


@final
class _Sample:
    """Documents whose true neighbours are known."""

    def __init__(self, queries: IntArray, true: Found) -> None:
        self.queries = queries
        ticks = np.round(true[1] * TICK)
        self.n_true = (ticks > 0).sum(axis=1)
        last = np.take_along_axis(ticks, np.maximum(self.n_true - 1, 0)[:, None], axis=1)
        self.least = np.maximum(last, 1.0)  # ticks of the farthest true neighbour

    def recall(self, found: Found) -> float:
        """The share of the true neighbours that these documents found; others at the same similarity are as good."""
        good = (np.round(found[1] * TICK) >= self.least).sum(axis=1)
        return float(good.sum() / max(1, self.n_true.sum()))

    def recall_among(self, found: Found) -> float:
        """The same, of what all documents found."""
        return self.recall((found[0][self.queries], found[1][self.queries]))
