"""Neighbour graphs from documents: nearest neighbours, all within a radius, and the complete graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vicinal._matrix import csr, dense, is_sparse, nonzero_rows, row_norms, stored_entries, unit_rows
from vicinal._threads import count_threads, single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, SparseMatrix, Terms
from vicinal._validate import check_count, check_number, check_share, check_terms
from vicinal._warn import warn
from vicinal.errors import ClippedWeights, TooFewDocuments
from vicinal.graph._block_neighbors import nearest_in
from vicinal.graph._edges import EdgeWeight
from vicinal.graph._exact_duplicates import first_duplicates
from vicinal.graph._graph import SparseGraph
from vicinal.graph._grown_neighbors import grown
from vicinal.graph._implicit import CompleteGraph
from vicinal.graph._neighbors import Neighbors, nearest_of_all
from vicinal.terms._block_terms import BlockTerms

SLACK = 1e-6  # a radius search subtracts squares: it looks this much farther, and distances are then taken exactly
CANCELLED = 1e-14  # share of the longest row's square that the subtraction may lose
ROUNDING = 1e-12  # pairs at the radius, up to rounding, are inside
PAIRS_AT_ONCE, ROWS_AT_ONCE = 100_000, 512  # whose distances, or cosines with all others, are held at a time


def knn(
    X: ArrayLike,
    n_neighbors: int = 7,
    *,
    weight: str = "cosine",
    bandwidth: float | None = None,
    distinct: bool = False,
    recall: float = 1.0,
    n_jobs: int | None = None,
) -> SparseGraph:
    """Join two documents when either is among the other's nearest neighbours (G2).

    Nearest means largest cosine. A document is not its own neighbour, equal cosines are taken in document order, and a document
    with nothing in common is never a neighbour, however few there are.

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    n_neighbors : int, default=7
        Number of neighbours that each document chooses; others may choose it besides.
    weight : {"cosine", "dot", "heat", "binary"}, default="cosine"
        Weight of an edge (G3): the cosine, the dot product of the rows as they are, exp(-distance² / (2 bandwidth²)) of the rows
        scaled to length one, or 1.
    bandwidth : float, optional
        Of the heat kernel; by default the mean distance over the edges.
    distinct : bool, default=False
        Count duplicates of one document as one: each is joined to the first, and neighbours are chosen among first ones.
    recall : float, default=1.0
        The share of the true neighbours that is enough, above 0. Below 1, where X is sparse, has no negative entry and has some ten
        thousand documents or more, a pruned search takes the place of the exact one if it is estimated to cost less (G13 to G15);
        what it has found is measured on a sample, and is the ``recall`` of the graph.
    n_jobs : int, optional
        Threads; the graph does not depend on it.

    Returns
    -------
    SparseGraph
        The neighbour graph.

    Raises
    ------
    BadData
        X is no matrix of finite numbers.
    TooFewDocuments
        There are not more documents than neighbours asked for.
    BadParameter
        ``recall`` is not above 0 and at most 1.

    Warns
    -----
    ClippedWeights
        X has negative entries, and neighbours with a cosine of zero or less were left out.

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang, J. Han. Regularized Locality Preserving Indexing via Spectral Regression. CIKM 2007,
       section 2.2.

    Examples
    --------
    >>> from vicinal.graph import knn
    >>> graph = knn([[2, 1, 0, 0], [1, 2, 0, 0], [0, 0, 2, 1], [0, 0, 1, 2]], n_neighbors=1)
    >>> graph
    SparseGraph(4 documents, 2 edges)
    >>> graph.connected_components
    array([0, 0, 1, 1])
    """
    X = check_terms(X, "the neighbour graph")
    check_share("recall", recall)
    k = check_count("n_neighbors", n_neighbors)
    return knn_of_checked(X, k, weight=weight, bandwidth=bandwidth, distinct=distinct, recall=recall, n_jobs=n_jobs)


def knn_of_checked(
    X: Terms,
    n_neighbors: int,
    *,
    weight: str = "cosine",
    bandwidth: float | None = None,
    distinct: bool = False,
    recall: float = 1.0,
    n_jobs: int | None = None,
) -> SparseGraph:
    """As :func:`knn`, for a matrix that ``check_terms`` has returned, and parameters that are checked."""
    weigh = EdgeWeight(weight, bandwidth)
    if not distinct:
        _refuse_too_many(n_neighbors, X.shape[0])
        return graph_of_neighbors(X, nearest_of_all(unit_rows(X), n_neighbors, recall=recall, n_jobs=n_jobs), weigh)
    first = first_duplicates(X)
    chosen = np.unique(first)
    _refuse_too_many(n_neighbors, X.shape[0], len(chosen))
    U = unit_rows(X[chosen])
    near = nearest_of_all(U, n_neighbors, recall=recall, n_jobs=n_jobs)
    _warn_of_clipping(float(stored_entries(U).min(initial=0.0)), near)
    rows, columns, cosines = near.pairs()
    copies = np.flatnonzero((first != np.arange(X.shape[0])) & nonzero_rows(X))
    rows, columns = np.append(chosen[rows], copies), np.append(chosen[columns], first[copies])
    cosines = np.append(cosines, np.ones(len(copies)))
    return SparseGraph(_either(rows, columns, _similarities(X, rows, columns, cosines, weigh), X.shape[0], weigh), near.recall)


def graph_of_neighbors(X: Terms, near: Neighbors, weigh: EdgeWeight) -> SparseGraph:
    """Join two documents when either is among the other's neighbours, which were found before."""
    _warn_of_clipping(float(stored_entries(X).min(initial=0.0)), near)
    rows, columns, cosines = near.pairs()
    return SparseGraph(_either(rows, columns, _similarities(X, rows, columns, cosines, weigh), X.shape[0], weigh), near.recall)


def grown_knn_of_checked(
    X: Terms, n_neighbors: int, before: Neighbors | None, *, weight: str = "cosine", recall: float = 1.0, n_jobs: int | None = None
) -> tuple[SparseGraph, Neighbors]:
    """As :func:`knn_of_checked`, and the neighbours, which are looked for beside those that the first documents had (G17)."""
    _refuse_too_many(n_neighbors, X.shape[0])
    U = unit_rows(X)
    if before is None or before.documents.shape[1] != n_neighbors:
        near = nearest_of_all(U, n_neighbors, recall=recall, n_jobs=n_jobs)
    else:
        near = grown(U, before, n_jobs=n_jobs)
    return graph_of_neighbors(X, near, EdgeWeight(weight)), near


def knn_of_blocks(X: BlockTerms, n_neighbors: int, *, weight: str = "cosine") -> SparseGraph:
    """As :func:`knn`, for row blocks and parameters that are checked: always exact, and the same graph to the last bit."""
    weigh = EdgeWeight(weight)
    _refuse_too_many(n_neighbors, X.shape[0])
    near = nearest_in(X, n_neighbors)
    _warn_of_clipping(X.lowest, near)
    rows, columns, cosines = near.pairs()
    return SparseGraph(_either(rows, columns, _similarities(X, rows, columns, cosines, weigh), X.shape[0], weigh))


def _similarities(X: Terms | BlockTerms, rows: IntArray, columns: IntArray, cosines: FloatArray, weigh: EdgeWeight) -> FloatArray:
    """What edges are weighed by: cosines, or these times the lengths of both rows, which are the dot products."""
    if not weigh.of_lengths:
        return cosines
    lengths = X.lengths() if isinstance(X, BlockTerms) else row_norms(X)
    return cosines * (lengths[rows] * lengths[columns])


def _refuse_too_many(n_neighbors: int, n_documents: int, n_distinct: int | None = None) -> None:
    there = n_documents if n_distinct is None else n_distinct
    if n_neighbors >= there:
        raise TooFewDocuments(
            f"asked for {n_neighbors} neighbours but the corpus has {there} {'' if n_distinct is None else 'distinct '}documents "
            f"(n_samples = {n_documents}). Use n_neighbors={max(there - 1, 1)} or add documents."
        )


def _warn_of_clipping(lowest: float, near: Neighbors) -> None:
    if lowest >= 0:
        return
    share = np.mean(near.documents < 0)
    if share > 0:
        warn(
            f"{share:.1%} of the neighbours asked for have a cosine that is not above zero and were left out: weights must not be "
            f"negative. Ask for fewer neighbours, or do not centre the rows.",
            ClippedWeights,
        )


def _either(rows: IntArray, columns: IntArray, cosines: FloatArray, n: int, weigh: EdgeWeight) -> SparseMatrix:
    """Symmetric weights: an edge counts once, whether one document chose the other or both did."""
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    edges, where = np.unique(low * n + high, return_index=True)
    low, high, weights = edges // n, edges % n, weigh(cosines[where])
    both = (np.concatenate([weights, weights]), (np.concatenate([low, high]), np.concatenate([high, low])))
    symmetric = csr(both, shape=(n, n))
    symmetric.eliminate_zeros()
    return symmetric


def epsilon(
    X: ArrayLike, radius: float, *, weight: str = "binary", bandwidth: float | None = None, n_jobs: int | None = None
) -> SparseGraph:
    """Join two documents when the Euclidean distance of their rows, taken as they are, is at most ``radius`` (G2').

    The edges are stored, so choose a radius that leaves few of them.

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    radius : float
        Largest distance, above 0.
    weight : {"cosine", "dot", "heat", "binary"}, default="binary"
        Weight of an edge (G3): the cosine, the dot product of the rows as they are, exp(-distance² / (2 bandwidth²)) of the rows
        scaled to length one, or 1.
    bandwidth : float, optional
        Of the heat kernel; by default the mean distance over the edges.
    n_jobs : int, optional
        Threads; the graph does not depend on it.

    Returns
    -------
    SparseGraph
        The neighbour graph. Documents without terms have no edge.

    Raises
    ------
    BadData
        X is no matrix of finite numbers.
    BadParameter
        The radius is not above zero.

    Warns
    -----
    ClippedWeights
        Pairs within the radius have a negative cosine, and cosines were asked for as weights.

    References
    ----------
    .. [1] M. Belkin, P. Niyogi. Laplacian Eigenmaps and Spectral Techniques for Embedding and Clustering. NIPS 2001, section 2.
    .. [2] docs/maths/graph.md, "Which pairs" (G2').

    Examples
    --------
    >>> from vicinal.graph import epsilon
    >>> epsilon([[1.0, 0.0], [1.0, 0.5], [0.0, 9.0]], radius=1.0)
    SparseGraph(3 documents, 1 edges)
    """
    X = check_terms(X, "the radius graph")
    weigh = EdgeWeight(weight, bandwidth)
    radius = check_number("radius", radius, above=True)
    reach = np.sqrt((radius * (1 + SLACK)) ** 2 + CANCELLED * row_norms(X).max() ** 2)
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(radius=reach, algorithm="brute", n_jobs=count_threads(n_jobs))
    with single_threaded_libraries():
        found = search.fit(X).radius_neighbors_graph(mode="connectivity").tocoo()
    rows, columns = (np.asarray(side, dtype=np.int64) for side in (found.row, found.col))
    has_terms = nonzero_rows(X)
    joined = (rows != columns) & has_terms[rows] & has_terms[columns]
    rows, columns = rows[joined], columns[joined]
    inside = _pairwise(X, rows, columns, _distances) <= radius * (1 + ROUNDING)
    rows, columns = rows[inside], columns[inside]
    cosines = _pairwise(unit_rows(X), rows, columns, _products)
    if weigh.is_product and np.any(cosines < 0):
        warn(
            f"{np.mean(cosines < 0):.1%} of the pairs within the radius have a negative cosine and are left out: weights must not "
            f"be negative. Use weight='heat' or 'binary'.",
            ClippedWeights,
        )
    similarities = _similarities(X, rows, columns, np.maximum(cosines, 0.0), weigh)
    return SparseGraph(_either(rows, columns, similarities, X.shape[0], weigh))


def _distances(a: Terms, b: Terms) -> FloatArray:
    """Euclidean distance of each row of one matrix from the same row of another."""
    return row_norms(a - b if is_sparse(a) and is_sparse(b) else dense(a) - dense(b))


def _products(a: Terms, b: Terms) -> FloatArray:
    """Dot product of each row of one matrix with the same row of another."""
    products = a * b if is_sparse(a) and is_sparse(b) else dense(a) * dense(b)
    return np.asarray(products.sum(axis=1)).ravel()


def _pairwise(X: Terms, rows: IntArray, columns: IntArray, measure: Callable[[Terms, Terms], FloatArray]) -> FloatArray:
    """Measure each listed pair of rows, a block of pairs at a time."""
    blocks = (slice(start, start + PAIRS_AT_ONCE) for start in range(0, len(rows), PAIRS_AT_ONCE))
    parts = [measure(X[rows[block]], X[columns[block]]) for block in blocks]
    return np.concatenate(parts) if parts else np.empty(0)


def complete(X: ArrayLike, *, weight: str = "cosine", bandwidth: float | None = None) -> CompleteGraph:
    """Join every document to every other, without storing an edge (G5).

    With cosine weights on rows that are not negative, a product with W costs two products with X; otherwise the rows of W are
    computed anew, block by block, for each product.

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    weight : {"cosine", "dot", "heat", "binary"}, default="cosine"
        Weight of an edge (G3): the cosine, the dot product of the rows as they are, exp(-distance² / (2 bandwidth²)) of the rows
        scaled to length one, or 1.
    bandwidth : float, optional
        Of the heat kernel; by default 1, as there is no list of edges to average over.

    Returns
    -------
    CompleteGraph
        The graph of all pairs.

    Raises
    ------
    BadData
        X is no matrix of finite numbers.

    Warns
    -----
    ClippedWeights
        Pairs have a negative cosine, which counts as zero.

    References
    ----------
    .. [1] D. Cai, X. He. Orthogonal Locality Preserving Indexing. SIGIR 2005.

    Examples
    --------
    >>> from vicinal.graph import complete
    >>> complete([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
    CompleteGraph(3 documents)
    """
    return complete_of_checked(check_terms(X, "the complete graph"), weight=weight, bandwidth=bandwidth)


def complete_of_checked(X: Terms, *, weight: str = "cosine", bandwidth: float | None = None) -> CompleteGraph:
    """As :func:`complete`, for a matrix that ``check_terms`` has returned."""
    weigh = EdgeWeight(weight, 1.0 if bandwidth is None else bandwidth)
    U = X if weigh.of_lengths else unit_rows(X)
    lowest = (U.data if is_sparse(U) else U).min(initial=0.0)
    if weigh.is_product and lowest < 0:
        _warn_of_clipped_pairs(U)
    return CompleteGraph(U, weigh, factored=weigh.is_product and lowest >= 0)


def _warn_of_clipped_pairs(U: Terms) -> None:
    below = 0
    for start in range(0, U.shape[0], ROWS_AT_ONCE):
        cosines = U[start : start + ROWS_AT_ONCE] @ U.T
        below += int(np.count_nonzero((cosines.data if is_sparse(cosines) else cosines) < 0))
    if below:
        warn(
            f"{below / U.shape[0] ** 2:.1%} of all pairs have a negative cosine and weigh nothing: weights must not be negative.",
            ClippedWeights,
        )
