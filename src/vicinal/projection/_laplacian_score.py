"""The Laplacian score of terms: a Rayleigh quotient of the graph Laplacian for each column of X."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, BoolArray, FloatArray, SparseMatrix, Terms
from vicinal._validate import check_terms
from vicinal.errors import BadData
from vicinal.graph import ClassGraph, Graph, MixedGraph, SparseGraph

EDGES = 4096  # pairs of documents compared at one time
ENTRIES = 2**20  # numbers in a dense block of columns: 8 MB
DECIMALS = 12  # of a score that count
CONSTANT = 1e-24  # a variance below this share of the mean square is rounding: 12 digits agree


def laplacian_scores(X: ArrayLike, graph: Graph, *, centered: bool = False) -> FloatArray:
    """Compute the Laplacian score of each term: how much its weight varies between neighbours (L1).

    The score of a column x of X is x'Lx / x'Dx with L = D - W; 0 is the smoothest. X is read in sparse blocks and never made dense.

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    graph : Graph
        Neighbour graph of the same documents. Documents without an edge do not take part.
    centered : bool, default=False
        Subtract the mean of the column, weighted by degree, before its size is measured (L2).

    Returns
    -------
    ndarray of shape (n_terms,)
        Between 0 and 2, or above 2 where centred. NaN for a term of no document in the graph and, where centred, for one that
        has the same weight in all of them.

    Raises
    ------
    BadData
        X is no matrix of finite numbers, or has another number of documents than the graph.

    References
    ----------
    .. [1] X. He, D. Cai, P. Niyogi. Laplacian Score for Feature Selection. NIPS 2005.

    Examples
    --------
    >>> from vicinal.graph import as_graph
    >>> from vicinal.projection import laplacian_scores
    >>> pairs = as_graph([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    >>> laplacian_scores([[1, 1], [1, 0], [0, 1], [0, 0]], pairs)
    array([0., 1.])
    """
    X = check_terms(X, "the documents of the score")
    if len(graph) != X.shape[0]:
        raise BadData(f"the graph has {len(graph)} documents but X has {X.shape[0]}. Build it from the same rows.")
    return scores_of_checked(X, graph, centered=centered)


def scores_of_checked(X: Terms, graph: Graph, *, centered: bool = False) -> FloatArray:
    """As :func:`laplacian_scores`, for a matrix that ``check_terms`` has returned and a graph of its documents."""
    X = _near_one(sp.csr_array(X))
    with single_threaded_libraries():
        size = column_sums(X, graph.degrees, squared=True)
        allowed = _spread(X, graph.degrees) if centered else size
        change = np.maximum(_change(graph, X), 0.0)
    known = allowed > (CONSTANT * size if centered else 0.0)
    return np.where(known, change / np.where(known, allowed, 1.0), np.nan)


def smoothest_terms(scores: FloatArray, n_terms: int) -> BoolArray:
    """Which terms have the smallest scores, equal ones by term order; a term without a score is never among them.

    Scores that agree to 12 decimals are equal, so that rounding does not choose.
    """
    order = np.argsort(np.round(scores, DECIMALS), kind="stable")[:n_terms]  # nan comes last
    chosen = np.zeros(len(scores), dtype=bool)
    chosen[order] = ~np.isnan(scores[order])
    return chosen


def column_sums(X: SparseMatrix, weights: FloatArray, *, squared: bool = False) -> FloatArray:
    """Σ_i w_i x_it for each term t of a sparse X, or Σ_i w_i x_it², added up in document order."""
    entries = X.data**2 if squared else X.data
    weighted = np.repeat(weights, np.diff(X.indptr)) * entries
    return np.bincount(X.indices, weighted, minlength=X.shape[1]).astype(np.float64)


def _near_one(X: SparseMatrix) -> SparseMatrix:
    """Each column in float64, brought near 1 by a power of two: exact, no score notices, and no square overflows or vanishes."""
    peaks = np.zeros(X.shape[1])
    np.maximum.at(peaks, X.indices, np.abs(X.data))
    entries = np.ldexp(X.data.astype(np.float64), -np.frexp(peaks)[1][X.indices])
    return csr((entries, X.indices, X.indptr), shape=X.shape)


def _spread(X: SparseMatrix, degrees: FloatArray) -> FloatArray:
    """Σ_i d_i (x_it - μ_t)², μ_t = Σ_i d_i x_it / Σ_i d_i: documents with the term one by one, all others at once."""
    has = sp.csr_array((np.ones(X.nnz), X.indices, X.indptr), shape=X.shape)
    in_graph = (degrees > 0).astype(np.float64)
    volume = degrees.sum()
    means = column_sums(X, degrees) / (volume or 1.0)
    everywhere = column_sums(has, in_graph) == in_graph.sum()  # then nothing is left over but the rounding of a difference
    left_over = np.where(everywhere, 0.0, volume - column_sums(has, degrees))
    from_mean = sp.csr_array((X.data - means[X.indices], X.indices, X.indptr), shape=X.shape)
    return np.asarray(column_sums(from_mean, degrees, squared=True) + means**2 * left_over)


def _change(graph: Graph, X: SparseMatrix) -> FloatArray:
    """x'Lx for each column x of a sparse X, in the way that suits the graph."""
    if isinstance(graph, SparseGraph):
        return _change_along_edges(graph.weights, X)
    if isinstance(graph, ClassGraph):
        return _change_within_classes(graph, X)
    if isinstance(graph, MixedGraph):  # the change along a sum of graphs is the sum of the changes
        changes = [share * _change(part, X) for part, share in zip(graph.parts, graph.shares, strict=True)]
        return np.asarray(np.sum(changes, axis=0))
    return _change_by_products(graph, X)


def _change_along_edges(weights: SparseMatrix, X: SparseMatrix) -> FloatArray:
    """½ Σ_ij W_ij (x_i - x_j)²: no difference of large sums, so that a smooth term keeps its digits."""
    edges = sp.triu(weights, k=1).tocoo()
    change = np.zeros(X.shape[1])
    for start in range(0, edges.nnz, EDGES):
        block = slice(start, start + EDGES)
        differences = sp.csr_array(X[edges.row[block]] - X[edges.col[block]])
        change += column_sums(differences, edges.data[block].astype(np.float64), squared=True)
    return change


def _change_within_classes(graph: ClassGraph, X: SparseMatrix) -> FloatArray:
    """Σ_t w_t (m_t Σ x² - (Σ x)²), the sums over class t."""
    sums = sp.csr_array(graph.indicators.T @ X)
    return column_sums(X, graph.degrees, squared=True) - column_sums(sums, graph.class_weights, squared=True)


def _change_by_products(graph: Graph, X: SparseMatrix) -> FloatArray:
    """x'Dx - x'Wx, a few dense columns at a time; the mean is taken off first, as L does not see it and rounding does."""
    degrees, columns = graph.degrees, X.tocsc()
    width = max(1, ENTRIES // X.shape[0])
    found = []
    for start in range(0, X.shape[1], width):
        Z = columns[:, start : start + width].toarray()
        Z -= degrees @ Z / (degrees.sum() or 1.0)
        found.append(degrees @ Z**2 - np.einsum("ij,ij->j", Z, graph.matmul(Z)))
    return np.concatenate(found)
