"""k-nearest-neighbour search by cosine, for sparse and for dense rows: exact, or to a target recall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vicinal._matrix import csr, is_sparse, row_norms, small_indices
from vicinal._threads import over_rows, single_threaded_libraries
from vicinal._typing import FloatArray, Floats, IntArray, SparseMatrix, Terms
from vicinal._validate import check_count, check_share, check_terms
from vicinal.errors import BadData, BadParameter
from vicinal.graph._copies import many_copies, nearest_of_copies
from vicinal.graph._ties import TICK

SPARSE_BLOCK = 128  # rows per task: small enough to share out evenly, large enough to hide the cost of a task
STRETCHES = 8  # parts of a row, per neighbour wanted, whose maxima are compared
DENSE_BLOCK = 256
FEW_QUERIES = 100  # that cost less than to look for copies
LENGTH = 1e-6  # how far from one the length of a row may be: what single precision leaves


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The nearest documents of each query document, nearest first.

    Attributes
    ----------
    documents : int array of shape (n_queries, n_neighbors)
        Document numbers; -1 where there are no more with a cosine above zero.
    similarities : ndarray of shape (n_queries, n_neighbors)
        Their cosines, all above zero; 0 where there are no more.
    recall : float, default=1.0
        Share of the true neighbours that were found: 1 for an exact search, measured on a sample of documents for another.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.graph import nearest
    >>> from vicinal.terms import unit_rows
    >>> found = nearest(unit_rows(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])), 1)
    >>> found.documents
    array([[1],
           [0],
           [1]])
    """

    documents: IntArray
    similarities: FloatArray
    recall: float = 1.0

    def pairs(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Return the same as three flat arrays.

        Returns
        -------
        queries : int array of shape (n_pairs,)
            Positions of the query documents.
        documents : int array of shape (n_pairs,)
            The neighbour of each.
        similarities : ndarray of shape (n_pairs,)
            Their cosines, rounded to multiples of 2^-36.
        """
        queries, _ = np.nonzero(self.documents >= 0)
        found = self.documents >= 0
        return queries, self.documents[found], np.round(self.similarities[found] * TICK) / TICK


def nearest(
    U: Terms,
    n_neighbors: int,
    *,
    queries: IntArray | None = None,
    group: IntArray | None = None,
    recall: float = 1.0,
    n_jobs: int | None = None,
) -> Neighbors:
    """Find the most similar documents of each document, among those of other groups.

    The answer is exact unless ``recall`` allows another: cosines that differ by less than 2^-36 are equal, and equal ones come in
    document order. A document with nothing in common is never a neighbour.

    Parameters
    ----------
    U : array-like or sparse of shape (n_documents, n_terms)
        Rows of length one, as :func:`vicinal.terms.unit_rows` gives.
    n_neighbors : int
        How many to find for each.
    queries : int array of shape (n_queries,), optional
        The documents whose neighbours are wanted; all of them by default.
    group : int array of shape (n_documents,), optional
        A number per document; only documents of another group count. By default each document is its own group, which leaves out
        just itself.
    recall : float, default=1.0
        The share of the true neighbours that is enough, above 0. Below 1 and for large corpora of sparse rows that are not negative
        (some ten thousand documents or more), where all documents are asked about and there are no groups, a pruned search takes
        the place of the exact one, if it is estimated to cost less; the recall that it reached is measured (G13 to G15).
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Returns
    -------
    Neighbors
        One row per query.

    Raises
    ------
    BadData
        A row has a length other than one or zero.
    BadParameter
        ``n_neighbors`` is no count, ``recall`` is no share, or ``queries`` or ``group`` do not fit the documents.

    References
    ----------
    .. [1] docs/maths/graph.md, "Most neighbours of a large corpus" (G13 to G15).

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.graph import nearest
    >>> from vicinal.terms import unit_rows
    >>> U = unit_rows(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]))
    >>> nearest(U, 2, queries=[1]).similarities.round(3)
    array([[0.707, 0.707]])
    """
    U = check_terms(U, "the neighbour search")
    _refuse_other_lengths(U)
    check_share("recall", recall)
    k = check_count("n_neighbors", n_neighbors)
    if queries is None and group is None:
        return nearest_of_all(U, k, recall=recall, n_jobs=n_jobs)
    everyone = np.arange(U.shape[0], dtype=np.int64)
    queries = everyone if queries is None else np.asarray(queries, dtype=np.int64)
    group = everyone if group is None else np.asarray(group, dtype=np.int64)
    if group.shape != everyone.shape or (queries.size and not 0 <= queries.min() <= queries.max() < len(everyone)):
        raise BadParameter(
            f"group must have one number per document, and queries must be numbers, of the {len(everyone)} documents of U. "
            f"Number them from 0."
        )
    return nearest_of_checked(U, k, queries=queries, group=group, n_jobs=n_jobs)


def nearest_of_all(U: Terms, n_neighbors: int, *, recall: float = 1.0, n_jobs: int | None = None) -> Neighbors:
    """The neighbours of all documents, exact or to a target recall, for ``unit_rows`` of a matrix that is checked."""
    copies = many_copies(U, None) if recall < 1.0 and is_sparse(U) else None
    if copies is None:
        return _to_recall(U, n_neighbors, recall, n_jobs)
    reached = []

    def search(rows: Terms, asked: IntArray, group: IntArray) -> tuple[IntArray, FloatArray]:
        """Neighbours among rows without duplicates, to the recall."""
        found = _to_recall(rows, n_neighbors, recall, n_jobs)
        reached.append(found.recall)
        return found.documents, found.similarities

    everyone = np.arange(U.shape[0], dtype=np.int64)
    return Neighbors(*nearest_of_copies(U, n_neighbors, copies, everyone, None, search), reached[0])


def _to_recall(U: Terms, n_neighbors: int, recall: float, n_jobs: int | None) -> Neighbors:
    """By the pruned search where it is allowed, possible and estimated to be quicker, else by the exact one."""
    if recall < 1.0 and is_sparse(U):
        from vicinal.graph._pruned_neighbors import find

        def exact(queries: IntArray) -> tuple[IntArray, FloatArray]:
            """The true neighbours of some documents."""
            true = nearest_of_checked(U, n_neighbors, queries=queries, n_jobs=n_jobs)
            return true.documents, true.similarities

        found = find(U, n_neighbors, recall, exact, n_jobs)
        if found is not None:
            (documents, similarities), reached = found
            return Neighbors(documents, similarities, reached)
    return nearest_of_checked(U, n_neighbors, n_jobs=n_jobs)


def nearest_of_checked(
    U: Terms, n_neighbors: int, *, queries: IntArray | None = None, group: IntArray | None = None, n_jobs: int | None = None
) -> Neighbors:
    """As :func:`nearest`, for ``unit_rows`` of a matrix that ``check_terms`` has returned, and numbers of its documents."""
    asked = np.arange(U.shape[0], dtype=np.int64) if queries is None else queries
    copies = many_copies(U, group) if len(asked) > FEW_QUERIES else None
    if copies is None:
        everyone = np.arange(U.shape[0], dtype=np.int64)
        return Neighbors(*_search(U, n_neighbors, asked, everyone if group is None else group, n_jobs))

    def search(rows: Terms, asked: IntArray, group: IntArray) -> tuple[IntArray, FloatArray]:
        """Neighbours among rows without duplicates."""
        return _search(rows, n_neighbors, asked, group, n_jobs)

    return Neighbors(*nearest_of_copies(U, n_neighbors, copies, asked, group, search))


def _search(U: Terms, n_neighbors: int, queries: IntArray, group: IntArray, n_jobs: int | None) -> tuple[IntArray, FloatArray]:
    """Documents and cosines of the nearest ones of each query, every row by itself."""
    documents = np.full((len(queries), n_neighbors), -1, dtype=np.int64)
    similarities = np.zeros((len(queries), n_neighbors))
    if is_sparse(U):
        _search_sparse(U, queries, group, documents, similarities, n_jobs)
    else:
        _search_dense(U, queries, group, documents, similarities, n_jobs)
    return documents, similarities


def _refuse_other_lengths(U: Terms) -> None:
    lengths = row_norms(U)
    wrong = np.flatnonzero((lengths > 0) & (np.abs(lengths - 1.0) > LENGTH))
    if wrong.size:
        raise BadData(f"rows must have length one, got {lengths[wrong[0]]:g} in row {wrong[0]}. Use vicinal.terms.unit_rows(X).")


def _search_sparse(
    U: SparseMatrix, queries: IntArray, group: IntArray, documents: IntArray, similarities: FloatArray, n_jobs: int | None
) -> None:
    from vicinal.graph._inverted_index import nearest_rows

    U = U.astype(np.float64, copy=False)
    postings = small_indices(csr(U.astype(np.float32).T))
    found = np.zeros(len(queries), dtype=np.int64)
    rows = (U.indptr.astype(np.uint64), U.indices.view(np.uint32), U.data)
    lists = (postings.indptr.astype(np.uint64), postings.indices.view(np.uint32), postings.data)

    def task(start: int, stop: int) -> None:
        """Find the neighbours of some of the queries by inverted lists."""
        nearest_rows(start, stop, queries, *rows, *lists, group, found, documents, similarities)

    over_rows(task, len(queries), n_jobs, SPARSE_BLOCK)
    missing = np.arange(documents.shape[1]) >= found[:, None]
    documents[missing], similarities[missing] = -1, 0.0


def _search_dense(
    U: Floats, queries: IntArray, group: IntArray, documents: IntArray, similarities: FloatArray, n_jobs: int | None
) -> None:
    n_documents = U.shape[0]
    k = min(documents.shape[1], n_documents)
    group = np.unique(group, return_inverse=True)[1]
    members = np.argsort(group, kind="stable")
    first = np.searchsorted(group[members], np.arange(group.max(initial=0) + 2))

    def task(start: int, stop: int) -> None:
        """Find the neighbours of some of the queries by their products with all rows."""
        rows = queries[start:stop]
        cosines = U[rows] @ U.T
        for row, document in enumerate(rows):
            cosines[row, members[first[group[document]] : first[group[document] + 1]]] = -2.0
        asked, near = np.nonzero(cosines >= (_at_most_the_kth(cosines, k) - 1.0 / TICK)[:, None])  # less a tick: those that tie
        ticks = np.round(cosines[asked, near] * TICK)
        order = np.lexsort((near, -ticks, asked))
        asked, near, ticks = asked[order], near[order], ticks[order]
        rank = np.arange(len(asked)) - np.searchsorted(asked, asked)
        kept = (rank < k) & (ticks > 0)
        asked, near, rank = asked[kept], near[kept], rank[kept]
        documents[start + asked, rank] = near
        similarities[start + asked, rank] = cosines[asked, near]

    with single_threaded_libraries():
        over_rows(task, len(queries), n_jobs, DENSE_BLOCK)


def _at_most_the_kth(cosines: Floats, k: int) -> FloatArray:
    """For each row a number that at least k entries reach, and few more: the k-th largest of the maxima of many stretches.

    One pass over the row; sorting out its k largest entries would take many. Never below zero: cosines must be positive.
    """
    width = cosines.shape[1] // (STRETCHES * k)
    if width < 2:
        return np.maximum(np.partition(cosines, -k, axis=1)[:, -k], 0.0)
    maxima = cosines[:, : width * STRETCHES * k].reshape(len(cosines), STRETCHES * k, width).max(axis=2)
    return np.maximum(np.partition(maxima, -k, axis=1)[:, -k], 0.0)
