"""From documents to a graph: nearest neighbours, a radius, everybody, classes, and mixtures of these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors

from vicinal._matrix import nonzero_rows, row_norms, unit_rows
from vicinal._threads import count_threads, single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, Terms
from vicinal._validate import check_choice, check_count, check_labels, check_number, check_terms
from vicinal._warn import warn
from vicinal.errors import BadParameter, ClippedWeights, ContradictingEdges, OneClass, SingletonClass, TooFewDocuments
from vicinal.graph._edges import EdgeWeight
from vicinal.graph._exact_duplicates import first_duplicates
from vicinal.graph._graph import Graph, SparseGraph, as_graph
from vicinal.graph._implicit import ClassGraph, CompleteGraph, MixedGraph
from vicinal.graph._neighbors import Neighbors, nearest_of_checked

SLACK = 1e-6  # a radius search subtracts squares: it looks this much farther, and distances are then taken exactly
CANCELLED = 1e-14  # share of the longest row's square that the subtraction may lose
ROUNDING = 1e-12  # pairs at the radius, up to rounding, are inside


def knn(
    X: ArrayLike,
    n_neighbors: int = 7,
    *,
    weight: str = "cosine",
    bandwidth: float | None = None,
    distinct: bool = False,
    n_jobs: int | None = None,
) -> SparseGraph:
    """Join two documents when either is among the other's nearest (G2).

    Nearest means largest cosine; a document is not its own neighbour, equal cosines are taken in document order, and a document
    with nothing in common is never a neighbour, however few there are.

    Parameters
    ----------
    X : documents x terms, sparse or dense
    n_neighbors : int
        How many neighbours each document chooses; others may choose it besides.
    weight : {"cosine", "heat", "binary"}
        What an edge weighs (G3): the cosine, exp(-distance² / (2 bandwidth²)) of the rows scaled to length one, or 1.
    bandwidth : float, optional
        For the heat kernel; by default the mean distance over the edges.
    distinct : bool
        Count copies of one document as one: each copy is joined to the first, and neighbours are chosen among first copies.
    n_jobs : int, optional
        Threads; the graph does not depend on it.
    """
    X = check_terms(X, "the neighbour graph")
    return knn_of_checked(X, n_neighbors, weight=weight, bandwidth=bandwidth, distinct=distinct, n_jobs=n_jobs)


def knn_of_checked(
    X: Terms,
    n_neighbors: int,
    *,
    weight: str = "cosine",
    bandwidth: float | None = None,
    distinct: bool = False,
    n_jobs: int | None = None,
) -> SparseGraph:
    """As :func:`knn`, for a matrix that ``check_terms`` has returned."""
    weigh = EdgeWeight(weight, bandwidth)
    first = first_duplicates(X) if distinct else np.arange(X.shape[0])
    chosen = np.unique(first)
    k = check_count("n_neighbors", n_neighbors)
    if k >= len(chosen):
        raise TooFewDocuments(
            f"asked for {k} neighbours but the corpus has {len(chosen)} {'distinct ' if distinct else ''}documents "
            f"(n_samples = {X.shape[0]}). Use n_neighbors={max(len(chosen) - 1, 1)} or add documents."
        )
    U = unit_rows(X[chosen] if distinct else X)
    near = nearest_of_checked(U, k, n_jobs=n_jobs)
    _warn_of_clipping(U, near)
    rows, columns, cosines = near.pairs()
    if distinct:
        copies = np.flatnonzero((first != np.arange(X.shape[0])) & nonzero_rows(X))
        rows, columns = np.append(chosen[rows], copies), np.append(chosen[columns], first[copies])
        cosines = np.append(cosines, np.ones(len(copies)))
    return SparseGraph(_either(rows, columns, cosines, X.shape[0], weigh))


def _warn_of_clipping(U: Terms, near: Neighbors) -> None:
    if (U.data if sp.issparse(U) else U).min(initial=0.0) >= 0:
        return
    share = np.mean(near.documents < 0)
    if share > 0:
        warn(
            f"{share:.1%} of the neighbours asked for have a cosine that is not above zero and were left out: weights must not be "
            f"negative. Ask for fewer neighbours, or do not centre the rows.",
            ClippedWeights,
        )


def _either(rows: IntArray, columns: IntArray, cosines: FloatArray, n: int, weigh: EdgeWeight) -> Any:
    """Symmetric weights: an edge counts once, whether one document chose the other or both did."""
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    edges, where = np.unique(low * n + high, return_index=True)
    low, high, weights = edges // n, edges % n, weigh(cosines[where])
    both = (np.concatenate([weights, weights]), (np.concatenate([low, high]), np.concatenate([high, low])))
    symmetric = sp.csr_array(both, shape=(n, n))
    symmetric.eliminate_zeros()
    return symmetric


def epsilon(
    X: ArrayLike, radius: float, *, weight: str = "binary", bandwidth: float | None = None, n_jobs: int | None = None
) -> SparseGraph:
    """Join two documents when the distance of their rows, taken as they are, is at most ``radius`` (G2').

    The edges are stored, so choose a radius that leaves few of them. ``weight`` and ``bandwidth`` are those of :func:`knn`.
    """
    X = check_terms(X, "the radius graph")
    weigh = EdgeWeight(weight, bandwidth)
    radius = check_number("radius", radius, above=True)
    reach = np.sqrt((radius * (1 + SLACK)) ** 2 + CANCELLED * row_norms(X).max() ** 2)
    search = NearestNeighbors(radius=reach, algorithm="brute", n_jobs=count_threads(n_jobs))
    with single_threaded_libraries():
        found = search.fit(X).radius_neighbors_graph(mode="connectivity").tocoo()
    rows, columns = (np.asarray(side, dtype=np.int64) for side in (found.row, found.col))
    words = nonzero_rows(X)
    joined = (rows != columns) & words[rows] & words[columns]
    rows, columns = rows[joined], columns[joined]
    inside = _pairwise(X, rows, columns, lambda a, b: row_norms(a - b)) <= radius * (1 + ROUNDING)
    rows, columns = rows[inside], columns[inside]
    cosines = _pairwise(unit_rows(X), rows, columns, lambda a, b: np.asarray((a * b).sum(axis=1)).ravel())
    if weight == "cosine" and np.any(cosines < 0):
        warn(
            f"{np.mean(cosines < 0):.1%} of the pairs within the radius have a negative cosine and are left out: weights must not "
            f"be negative. Use weight='heat' or 'binary'.",
            ClippedWeights,
        )
    return SparseGraph(_either(rows, columns, np.maximum(cosines, 0.0), X.shape[0], weigh))


def _pairwise(
    X: Terms, rows: IntArray, columns: IntArray, measure: Callable[[Terms, Terms], FloatArray], block: int = 100_000
) -> FloatArray:
    """Measure each listed pair of rows, a block of pairs at a time."""
    starts = range(0, len(rows), block)
    parts = [measure(X[rows[start : start + block]], X[columns[start : start + block]]) for start in starts]
    return np.concatenate(parts) if parts else np.empty(0)


def complete(X: ArrayLike, *, weight: str = "cosine", bandwidth: float | None = None) -> CompleteGraph:
    """Join every document to every other, without storing a single edge (G5).

    With cosine weights on rows that are not negative, a product with W costs two products with X; else the rows of W are made
    anew, block by block, for each product. The heat kernel's ``bandwidth`` is 1 by default: there is no edge list to average over.
    """
    return complete_of_checked(check_terms(X, "the complete graph"), weight=weight, bandwidth=bandwidth)


def complete_of_checked(X: Terms, *, weight: str = "cosine", bandwidth: float | None = None) -> CompleteGraph:
    """As :func:`complete`, for a matrix that ``check_terms`` has returned."""
    U = unit_rows(X)
    lowest = (U.data if sp.issparse(U) else U).min(initial=0.0)
    weigh = EdgeWeight(weight, 1.0 if bandwidth is None else bandwidth)
    if weight == "cosine" and lowest < 0:
        _warn_of_clipped_pairs(U)
    return CompleteGraph(U, weigh, factored=weight == "cosine" and lowest >= 0)


def _warn_of_clipped_pairs(U: Terms, block: int = 512) -> None:
    below = 0
    for start in range(0, U.shape[0], block):
        cosines = U[start : start + block] @ U.T
        below += int(np.count_nonzero((cosines.data if sp.issparse(cosines) else cosines) < 0))
    if below:
        warn(
            f"{below / U.shape[0] ** 2:.1%} of all pairs have a negative cosine and weigh nothing: weights must not be negative.",
            ClippedWeights,
        )


def classes(y: ArrayLike, *, weight: str = "size") -> ClassGraph:
    """Join documents of one class (G6); -1 is no class.

    Parameters
    ----------
    y : labels, one per document
    weight : {"size", "one"}
        An edge weighs 1/m_t in a class of m_t documents, so that every degree is 1, or it weighs 1.
    """
    labels = check_labels(y, len(np.atleast_1d(np.asarray(y))))
    check_choice("weight", weight, ("size", "one"))
    sizes = np.bincount(labels[labels >= 0])
    if len(sizes) < 2:
        raise OneClass(
            f"the labels of {len(labels)} documents (n_samples = {len(labels)}) name {len(sizes)} class, and separating needs two "
            f"classes or more. Add documents of another class, or use a method that learns from neighbours, without labels."
        )
    lonely = np.flatnonzero(sizes == 1)
    if lonely.size:
        warn(f"{lonely.size} of {len(sizes)} classes have one document, which is all that stands for its class.", SingletonClass)
    return ClassGraph(labels, 1.0 / sizes if weight == "size" else np.ones(len(sizes)))


def mix(*graphs: Any, shares: Sequence[float] | None = None) -> Graph:
    """Add graphs up, W = Σ share · W (G7); each may be a graph or a matrix of weights.

    Parameters
    ----------
    graphs : Graph or symmetric matrix
        All of the same documents.
    shares : sequence of float, optional
        How much each counts; 1 by default.
    """
    parts = tuple(as_graph(graph) for graph in graphs)
    if not parts or len({len(part) for part in parts}) != 1:
        raise BadParameter(f"mix needs graphs of the same documents, got sizes {[len(part) for part in parts]}.")
    factors = tuple(check_number("each share", share) for share in (shares if shares is not None else [1.0] * len(parts)))
    if len(factors) != len(parts):
        raise BadParameter(f"mix needs one share per graph, got {len(factors)} shares for {len(parts)} graphs.")
    if all(isinstance(part, SparseGraph) for part in parts):
        total = sp.csr_array(sum(factor * part.skeleton() for factor, part in zip(factors, parts, strict=True)))
        total.eliminate_zeros()
        return SparseGraph(total)
    return MixedGraph(parts, factors)


def with_labels(graph: Any, y: ArrayLike, *, strength: float = 1.0) -> Graph:
    """Let the labels that are known speak where they can, and the neighbours everywhere else (G8).

    Edges between documents of different classes are taken out, and the class graph is added. A labelled document gets
    ``strength`` times the mean degree of the neighbour graph from its class.
    """
    graph = as_graph(graph)
    labels = check_labels(y, graph.n_documents)
    by_class = classes(labels)
    share = check_number("strength", strength) * float(graph.degrees[graph.has_edges].mean() if graph.has_edges.any() else 1.0)
    return mix(_without_contradictions(graph, labels), by_class, shares=(1.0, share))


def _without_contradictions(graph: Graph, labels: IntArray) -> Graph:
    if not isinstance(graph, SparseGraph):
        warn(
            f"{graph!r} is not stored edge by edge, so edges between documents of different classes stay in it. Use nearest "
            f"neighbours where some labels are known.",
            ContradictingEdges,
        )
        return graph
    edges = graph.weights.tocoo()
    ours, theirs = labels[edges.row], labels[edges.col]
    keep = (ours == theirs) | (ours < 0) | (theirs < 0)
    kept = (edges.data[keep], (edges.row[keep], edges.col[keep]))
    return SparseGraph(sp.csr_array(kept, shape=graph.weights.shape))
