"""The retrieval engine over arrays in memory: what an index reads from its file is given here as sparse arrays."""

from __future__ import annotations

from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._typing import BoolArray, FloatArray, Integers, SparseMatrix
from vicinal.uses._postings import Lenders
from vicinal.uses._ranking import Names, Query, Ranking, TermVectors
from vicinal.uses._retrieved import Retrieved


@final
class ColumnPostings:
    """Postings of a sparse array.

    Parameters
    ----------
    weights : sparse (documents, terms), by columns
        Each column in document order.
    """

    def __init__(self, weights: SparseMatrix) -> None:
        self.weights = weights

    def posting(self, column: int) -> tuple[Integers, FloatArray]:
        """The documents that have a term, rising, and its weight in each."""
        start, stop = self.weights.indptr[column : column + 2]
        return self.weights.indices[start:stop], self.weights.data[start:stop].astype(np.float64)


def ranking_of(
    weights: SparseMatrix, names: Names, neighbors: SparseMatrix, projection: TermVectors, embeddings: FloatArray
) -> Ranking:
    """From BM25 weights by columns, and weights of neighbours (documents x documents), each row adding up to one."""
    rows = sp.csr_array(neighbors)
    return Ranking(ColumnPostings(weights), names, Lenders(rows.indptr, rows.indices, rows.data), projection, embeddings)


def rank(
    ranking: Ranking, query: Query, *, terms: bool = True, embedding: bool = True, among: BoolArray | None = None
) -> Retrieved:
    """Score every document by both kinds of evidence, or by one of them, as a search of an index does."""
    return ranking.ranked(ranking.asked(query, terms=terms, embedding=embedding), among)
