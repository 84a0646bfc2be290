"""Neighbours to a target recall: exact or pruned search, whichever costs less, and the recall measured on a sample.

The pruned search reads a budget of posting entries per document (``_impact_lists.py``), adds duplicates (``_equal_rows.py``), and
asks neighbours of neighbours (``_neighbors_of_neighbors.py``). Its effort is the cheapest with which a sample of documents finds
enough of its true neighbours; another sample says what was reached, and where that is too little the budget is doubled. Costs are
counted in multiply-adds of the exact search (G15), never in seconds, so that the same documents always give the same graph.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, final

import numpy as np

from vicinal._threads import over_rows
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.graph._equal_rows import add_equal_rows
from vicinal.graph._impact_lists import candidate_rows, impact_lists, rows_of
from vicinal.graph._neighbors_of_neighbors import improve
from vicinal.graph._ties import TICK

SAMPLE = 400  # documents whose true neighbours choose the budget, and as many others that measure the recall
BLOCK = 128
CANDIDATES = (3, 6, 12)  # scored whole, for each neighbour wanted: one of these
SMALLEST_BUDGET = 2_000
STEP = 1.5  # from one budget of the ladder to the next
CLOSED = 0.3  # share of the missing neighbours that neighbours of neighbours bring, at least: measured 0.35 to 0.5
#: Costs in multiply-adds of the exact search: of an entry of a list that is read, of a term of a candidate; and candidates that the
#: second round costs as much as.
PER_ENTRY, PER_TERM, SECOND_ROUND = 1.8, 8.0, 60

Found = tuple[IntArray, FloatArray]
Exact = Callable[[IntArray], Found]


class Effort(NamedTuple):
    """What the first round does for each document: entries of posting lists that it reads, and candidates that it scores whole."""

    budget: float
    n_candidates: int


@final
@dataclass(frozen=True)
class Costs:
    """What both searches of one corpus cost, in multiply-adds of the exact one (G15)."""

    n_documents: int
    exact: float
    mean_length: float

    @classmethod
    def of(cls, U: SparseMatrix) -> Costs:
        """From the number of documents that each term is in."""
        frequencies = np.bincount(U.indices, minlength=U.shape[1]).astype(np.float64)
        return cls(U.shape[0], float((frequencies**2).sum()), U.nnz / U.shape[0])

    def pruned(self, effort: Effort) -> float:
        """Both rounds, and the true neighbours of both samples."""
        each = PER_ENTRY * effort.budget + PER_TERM * self.mean_length * (effort.n_candidates + SECOND_ROUND)
        return self.n_documents * each + 2 * SAMPLE * self.exact / self.n_documents

    def worthwhile(self, effort: Effort) -> bool:
        """Whether the pruned search costs less than the exact one."""
        return self.pruned(effort) < self.exact


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

    def first_round(self, queries: IntArray, effort: Effort) -> Found:
        """What these documents find in posting lists."""
        documents = np.full((len(queries), self.n_neighbors), -1, dtype=np.int64)
        similarities = np.zeros(documents.shape)

        def task(start: int, stop: int) -> None:
            """Find candidates for some of the queries."""
            budget, n_candidates = int(effort.budget), effort.n_candidates
            candidate_rows(start, stop, queries, budget, n_candidates, *self.rows, *self.lists, documents, similarities)

        over_rows(task, len(queries), self.n_jobs, BLOCK)
        return documents, similarities

    def all_rounds(self, effort: Effort, enough: Callable[[Found], bool]) -> Found:
        """What all documents find: in lists, among duplicates, among neighbours of neighbours, as long as it is not enough."""
        documents, similarities = self.first_round(np.arange(self.U.shape[0]), effort)
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
    costs, filled = Costs.of(U), np.flatnonzero(np.diff(U.indptr))
    least = Effort(SMALLEST_BUDGET, CANDIDATES[0] * n_neighbors)
    if recall >= 1.0 or len(filled) < 4 * SAMPLE or not costs.worthwhile(least) or U.data.min() < 0:
        return None
    drawn = np.random.RandomState(0).permutation(filled)
    tried, measured = (_Sample(each, exact(each)) for each in (np.sort(drawn[:SAMPLE]), np.sort(drawn[SAMPLE : 2 * SAMPLE])))
    search = PrunedSearch(U, n_neighbors, n_jobs)
    effort = _cheapest(search, costs, tried, _before_last_round(recall))
    while effort is not None and costs.worthwhile(effort):
        found = search.all_rounds(effort, lambda found: measured.recall_among(found) >= recall)
        reached = measured.recall_among(found)
        if reached >= recall:
            return found, reached
        effort = Effort(2 * effort.budget, effort.n_candidates)
    return None


def _cheapest(search: PrunedSearch, costs: Costs, sample: _Sample, recall: float) -> Effort | None:
    """The cheapest effort with which the sample reaches a recall in the first round; None where all cost more than exact search."""
    best: Effort | None = None
    for per_neighbor in CANDIDATES:
        effort = Effort(SMALLEST_BUDGET, per_neighbor * search.n_neighbors)
        while costs.pruned(effort) < (costs.exact if best is None else costs.pruned(best)):
            if sample.recall(search.first_round(sample.queries, effort)) >= recall:
                best = effort
                break
            effort = Effort(STEP * effort.budget, effort.n_candidates)
    return best


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
        """The share of the true neighbours that these documents found; others at the same similarity are as good.

        One more is counted and was not found, so that only an exact search says 1.
        """
        good = (np.round(found[1] * TICK) >= self.least).sum(axis=1)
        return float(good.sum() / (self.n_true.sum() + 1))

    def recall_among(self, found: Found) -> float:
        """The same, of what all documents found."""
        return self.recall((found[0][self.queries], found[1][self.queries]))
