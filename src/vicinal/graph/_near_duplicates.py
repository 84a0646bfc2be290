"""Near-duplicates: all pairs of documents above a cosine, found by prefix filtering without comparing each with each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from vicinal._matrix import csr, nonzero_rows, small_indices, unit_rows
from vicinal._threads import over_rows
from vicinal._typing import ArrayLike, FloatArray, IntArray, Integers, SparseMatrix
from vicinal._validate import check_number, check_terms
from vicinal.errors import BadParameter
from vicinal.graph._exact_duplicates import first_duplicates
from vicinal.graph._ties import TICK

BLOCK = 256  # rows per task
ROUND = 2048  # rows between two updates of the groups that are joined already
SLACK = 4e-6  # what single precision may lose of a bound, many times over


def near_duplicates(X: ArrayLike, threshold: float = 0.9, *, n_jobs: int | None = None) -> IntArray:
    """Group documents whose term weights have a cosine of at least ``threshold`` (G11).

    Every such pair is found and joined, and the groups are the connected components. A group may be a chain: its first and its last
    document can be less similar than the threshold.

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    threshold : float, default=0.9
        Above 0 and at most 1. The smaller, the longer it takes.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Returns
    -------
    int array of shape (n_documents,)
        The first document of each one's group: its own number where there is none before it. A document without terms is alone.

    Raises
    ------
    BadData
        X is no matrix of finite numbers.
    BadParameter
        The threshold is no cosine above 0.

    References
    ----------
    .. [1] R. J. Bayardo, Y. Ma, R. Srikant. Scaling Up All Pairs Similarity Search. WWW 2007.

    Examples
    --------
    >>> from vicinal.graph import near_duplicates
    >>> near_duplicates([[1, 1, 0], [0, 0, 1], [9, 10, 0]])
    array([0, 1, 0])
    """
    rows = sp.csr_array(check_terms(X, "the search for near-duplicates"))
    return near_duplicates_of_checked(rows, check_threshold(threshold), n_jobs)


def near_duplicates_of_checked(rows: SparseMatrix, least: float, n_jobs: int | None = None) -> IntArray:
    """As :func:`near_duplicates`, for sparse rows that ``check_terms`` has returned and a threshold that is checked."""
    everyone = np.arange(rows.shape[0])
    first = np.where(nonzero_rows(rows), first_duplicates(rows), everyone)
    distinct = np.flatnonzero(first == everyone)
    group = _grouped(_by_rarity(csr(unit_rows(rows[distinct]))), least, n_jobs)
    return np.asarray(distinct[group[np.searchsorted(distinct, first)]])


#: Pairs among some rows, given the group of each row.
PairSearch: TypeAlias = "Callable[[int, int, IntArray], Integers]"


def check_threshold(threshold: float) -> float:
    """Return the threshold as a float above 0 that a cosine can reach."""
    value = check_number("threshold", threshold, above=True)
    if value > 1:
        raise BadParameter(
            f"threshold must be a cosine, at most 1, got {threshold!r}. Use threshold=1.0 for documents with the same terms."
        )
    return value


def ticks(cosines: FloatArray | float) -> FloatArray:
    """Cosines as whole multiples of 2^-36, so that rounding does not decide whether one reaches another; at least one."""
    return np.maximum(np.round(np.asarray(cosines) * TICK), 1.0)


def first_connected(first: IntArray, second: IntArray, n_documents: int) -> IntArray:
    """For each document the first document of its connected component, given the edges ``(first, second)``."""
    edges = sp.coo_array((np.ones(len(first), dtype=np.int8), (first, second)), shape=(n_documents, n_documents))
    label = connected_components(edges, directed=False)[1]
    return np.asarray(np.unique(label, return_index=True)[1][label])


def _by_rarity(U: SparseMatrix) -> SparseMatrix:
    """The same rows with the rarest term first, and of terms that are equally rare the first."""
    frequencies = np.bincount(U.indices, minlength=U.shape[1])
    place = np.empty(U.shape[1], dtype=np.int32)
    place[np.argsort(frequencies, kind="stable")] = np.arange(U.shape[1], dtype=np.int32)
    rows: SparseMatrix = sp.csr_array((U.data.copy(), place[U.indices], U.indptr), shape=U.shape)
    rows.sort_indices()
    return small_indices(rows)


def _grouped(U: SparseMatrix, least: float, n_jobs: int | None) -> IntArray:
    """Join rows, some at a time: what is joined already need not be compared again, so pairs stay few however large a group is."""
    n_rows = U.shape[0]
    group = np.arange(n_rows, dtype=np.int64)
    search = _search(U, least)
    for start in range(0, n_rows, ROUND):
        stop = min(start + ROUND, n_rows)
        pairs = np.concatenate(list(_found(search, start, stop, group, n_jobs)))
        if len(pairs):
            group = first_connected(np.append(pairs[:, 0], np.arange(n_rows)), np.append(pairs[:, 1], group), n_rows)
    return group


def _found(search: PairSearch, start: int, stop: int, group: IntArray, n_jobs: int | None) -> Iterator[Integers]:
    """Pairs of the rows from start to stop, on several threads."""
    pairs: dict[int, Integers] = {}

    def task(first: int, last: int) -> None:
        """Find the pairs of some rows."""
        pairs[first] = search(start + first, start + last, group)

    over_rows(task, stop - start, n_jobs, BLOCK)
    return (pairs[first] for first in sorted(pairs))


def _search(U: SparseMatrix, least: float) -> PairSearch:
    """Write the posting lists, and give back what looks rows up in them."""
    from vicinal.graph._prefix_filter import count_postings, fill_postings, matching_rows, measure_tails

    starts, terms, weights, bound = U.indptr.astype(np.int64), U.indices, U.data, least - SLACK
    tails, ends = np.empty(U.nnz, dtype=np.float32), np.empty(U.shape[0], dtype=np.int64)
    measure_tails(starts, weights, bound, tails, ends)
    heads = np.zeros(U.shape[1] + 1, dtype=np.int64)
    count_postings(starts, terms, ends, heads)
    lists = np.empty(heads[-1], dtype=np.int32), np.empty(heads[-1], dtype=np.float32), np.empty(heads[-1], dtype=np.float32)
    fill_postings(starts, terms, weights, tails, ends, heads, *lists)
    enough = float(ticks(least))

    def search(start: int, stop: int, group: IntArray) -> Integers:
        """Pairs of rows and earlier ones that are similar enough."""
        return matching_rows(start, stop, starts, terms, weights, tails, ends, heads, *lists, group, enough, bound)

    return search
