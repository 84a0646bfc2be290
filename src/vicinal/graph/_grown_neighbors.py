"""Neighbours of a corpus that grows: new documents are searched for among all, and old ones among the new alone (G17).

What an old document has found before is a bound that a new one must reach, so the answer is that of a search of all documents, to
the last bit, for the work of the new ones.
"""

from __future__ import annotations

import numpy as np

from vicinal._matrix import csr, is_sparse, small_indices
from vicinal._threads import over_rows
from vicinal._typing import SparseMatrix, Terms
from vicinal.graph._block_neighbors import Found, nearest_among, nearest_of_both, postings_of
from vicinal.graph._neighbors import Neighbors, nearest_of_checked

QUERIES = 512  # old documents per task


def grown(U: Terms, before: Neighbors, *, n_jobs: int | None = None) -> Neighbors:
    """The neighbours of all rows, of which the first have been searched among themselves (G17).

    Parameters
    ----------
    U : documents x terms
        ``unit_rows`` of a matrix that ``check_terms`` has returned. The first rows are those of ``before``; columns that were added
        are zero there. Dense rows are searched anew: a product of arrays has other bits when their shape changes.
    before : Neighbors
        Of the first rows.
    n_jobs : int, optional

    Returns
    -------
    Neighbors
        As many for each as before.
    """
    n_documents, n_before, k = U.shape[0], len(before.documents), before.documents.shape[1]
    if not is_sparse(U):
        return nearest_of_checked(U, k, n_jobs=n_jobs)
    added = nearest_of_checked(U, k, queries=np.arange(n_before, n_documents, dtype=np.int64), n_jobs=n_jobs)
    documents, similarities = _with_new_ones(small_indices(csr(U)), before, n_jobs)
    return Neighbors(np.vstack([documents, added.documents]), np.vstack([similarities, added.similarities]), before.recall)


def _with_new_ones(U: SparseMatrix, before: Neighbors, n_jobs: int | None) -> Found:
    """The neighbours of the old documents, the new ones among them."""
    n_before, k = before.documents.shape
    new, numbers = csr(U[n_before:]), np.arange(n_before, U.shape[0], dtype=np.int64)
    documents, similarities = np.empty((n_before, k), dtype=np.int64), np.empty((n_before, k))
    postings = postings_of(new)

    def task(start: int, stop: int) -> None:
        """Look for the neighbours of some old documents among the new ones."""
        some, own = slice(start, stop), np.arange(start, stop, dtype=np.int64)
        best = before.documents[some], before.similarities[some]
        near, cosines = nearest_among(csr(U[some]), own, new, numbers, postings, best)
        near = np.where(near >= 0, near + n_before, -1)
        documents[some], similarities[some] = nearest_of_both(best, (near, cosines))

    over_rows(task, n_before, n_jobs, QUERIES)
    return documents, similarities
