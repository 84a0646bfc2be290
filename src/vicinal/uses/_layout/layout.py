"""`layout` and `extend_layout`: two dimensions of a neighbour graph to look at, and points of new documents in them."""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse as sp

from vicinal._content_keys import content_order
from vicinal._matrix import csr
from vicinal._threads import count_threads
from vicinal._typing import ArrayLike, FloatArray, RandomState, SparseMatrix, Terms
from vicinal._validate import check_count, check_seed, check_terms, seed_of
from vicinal.errors import BadData, VicinalWarning
from vicinal.graph import Graph, SparseGraph
from vicinal.graph._build import knn_of_checked
from vicinal.graph._joining import repair_of_checked
from vicinal.uses._layout.affinities import affinities_of
from vicinal.uses._layout.descent import Phase, descend
from vicinal.uses._layout.extension import extended
from vicinal.uses._layout.orientation import known, oriented
from vicinal.uses._layout.start import nudged, smooth_functions, start_like, start_of

GATHERING, GATHER_STEPS = 8.0, 50  # attraction while neighbours gather in clusters
SETTLE_STEPS = 200
PULL = 1.2  # attraction of the layout: more leaves more room between clusters, and less between neighbours
MOMENTUM = 0.8
CONTINUED = 0.5  # share of documents with an earlier point from which on a layout continues from there
#: Neighbours gather, then find their points (N6).
PHASES: tuple[Phase, ...] = (Phase(GATHER_STEPS, GATHERING, MOMENTUM), Phase(SETTLE_STEPS, PULL, MOMENTUM))


def layout(
    X: ArrayLike | Graph,
    n_neighbors: int = 15,
    *,
    embeddings: ArrayLike | None = None,
    like: ArrayLike | None = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> FloatArray:
    """Give each document a point in the plane, so that neighbours are near each other and clusters apart: a map of the corpus.

    The points minimise what t-SNE minimises (N3), over the edges of the neighbour graph. They start from the embedding, so that
    large distances mean something, and the same input gives the same bits with every number of threads. What stands near on the
    map is similar; how far apart two clusters are, and how large one is drawn, says little.

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms), or Graph
        Term weights, or embeddings; or a neighbour graph that there is already. The order of documents changes nothing, other
        than in a graph, whose sums are taken in its order.
    n_neighbors : int, default=15
        Number of neighbours of each document, where X is no graph; all others, where there are fewer.
    embeddings : array-like of shape (n_documents, n_components), optional
        Embeddings, whose first two principal components the points start from; by default smooth functions of the graph.
    like : array-like of shape (n_documents, 2), optional
        Points of an earlier layout, NaN for documents that had none. Where half of the documents or more have one, the layout
        continues from there, so that people find their way back; in any case it is turned and mirrored to be like it (N8).
    random_state : int, RandomState or None, default=0
        Random seed of the start, which tells duplicates apart.
    n_jobs : int, optional
        Threads; the points do not depend on it.

    Returns
    -------
    ndarray of shape (n_documents, 2)
        A point per document; NaN for one without neighbours, such as an empty document.

    Raises
    ------
    BadData
        X is no matrix of finite numbers, or ``embeddings`` or ``like`` have not a row per document.
    BadParameter
        A parameter is out of range.

    See Also
    --------
    extend_layout : Points of documents that come later.
    vicinal.index.Index.layout : That of an index, which keeps it.

    References
    ----------
    .. [1] L. van der Maaten, G. Hinton. Visualizing Data using t-SNE. JMLR 9, 2008.
    .. [2] G. C. Linderman, M. Rachh, J. G. Hoskins, S. Steinerberger, Y. Kluger. Fast interpolation-based t-SNE for improved
       visualization of single-cell RNA-seq data. Nature Methods 16, 2019.
    .. [3] J. N. Böhm, P. Berens, D. Kobak. Attraction-Repulsion Spectrum in Neighbor Embeddings. JMLR 23, 2022.

    Examples
    --------
    >>> import vicinal
    >>> X = [[2, 1, 0, 0], [1, 2, 0, 0], [2, 2, 0, 0], [0, 0, 2, 1], [0, 0, 1, 2], [0, 0, 0, 0]]
    >>> points = vicinal.layout(X, n_neighbors=2)
    >>> points.shape
    (6, 2)
    >>> bool(abs(points[0] - points[1]).sum() < abs(points[0] - points[3]).sum())
    True
    >>> points[5]
    array([nan, nan])
    """
    seed = _checked(n_neighbors, random_state, n_jobs)
    if isinstance(X, Graph):
        graph, order = sp.csr_array(X.skeleton() if not isinstance(X, SparseGraph) else X.weights), np.arange(X.n_documents)
    else:
        rows = check_terms(X, "the layout")
        order = content_order(rows)
        graph = _graph_of(rows[order], n_neighbors, n_jobs)
    given = None if embeddings is None else _rows_of(embeddings, len(order), "embeddings")[order]
    earlier = None if like is None else _rows_of(like, len(order), "like", finite=False)[order]
    points = np.empty((len(order), 2))
    points[order] = layout_of_graph(graph, given, seed, earlier, n_jobs)
    return points


def layout_of_graph(
    graph: SparseMatrix,
    embeddings: FloatArray | None,
    random_state: int,
    like: FloatArray | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    """As :func:`layout`, for the weights of a graph; documents without an edge have no point.

    Parameters
    ----------
    graph : csr (documents, documents)
        Symmetric.
    embeddings : (documents, components) or None
    random_state : int
    like : (documents, 2) or None
    n_jobs : int or None
    """
    points = np.full((graph.shape[0], 2), np.nan)
    joined = np.flatnonzero(np.asarray((graph - sp.diags_array(graph.diagonal())).sum(axis=1)).ravel() > 0)
    if len(joined):
        weights, phases = csr(graph[joined][:, joined]), PHASES
        affinities, earlier = affinities_of(weights), None if like is None else like[joined]
        if earlier is not None and known(earlier).mean() >= CONTINUED:
            start, phases = start_like(affinities, earlier, random_state), PHASES[1:]
        else:
            functions = smooth_functions(weights, random_state) if embeddings is None else embeddings[joined]
            start = start_of(functions, random_state)
        points[joined] = nudged(descend(affinities, start, phases, n_jobs), random_state)
    return points if like is None else oriented(points, like)


def extend_layout(points: ArrayLike, weights: ArrayLike, *, n_jobs: int | None = None) -> FloatArray:
    """Give documents that come later a point in a layout, near their neighbours; no other point moves.

    A point is where its neighbours pull it to (N7): among those that most of the weight is on, if they are not all in one spot.
    It depends on no other new document.

    Parameters
    ----------
    points : array-like of shape (n_documents, 2)
        A layout; NaN for documents without a point.
    weights : array-like or sparse of shape (n_new, n_documents)
        The similarity of each new document to its neighbours, at least 0; 0 for all others.
    n_jobs : int, optional
        Threads; the points do not depend on it.

    Returns
    -------
    ndarray of shape (n_new, 2)
        A point per new document; NaN for one without a neighbour that has one.

    Raises
    ------
    BadData
        A weight is negative or not finite, or there is not a column per document.

    See Also
    --------
    layout : Makes the layout.

    References
    ----------
    .. [1] docs/maths/layout.md, "Documents that come later" (N7).

    Examples
    --------
    >>> import vicinal
    >>> vicinal.uses.extend_layout([[0.0, 0.0], [1.0, 0.0], [9.0, 9.0]], [[1.0, 1.0, 0.5]]).round(1)
    array([[0.5, 0. ]])
    """
    count_threads(n_jobs)
    old = _rows_of(points, None, "points", finite=False)
    near = sp.csr_array(check_terms(weights, "the layout"), dtype=np.float64)
    if near.shape[1] != len(old) or near.data.min(initial=0.0) < 0:
        raise BadData(
            f"weights must be at least 0 and have a column for each of the {len(old)} points, got {near.shape[1]} columns and a "
            f"least weight of {near.data.min(initial=0.0):g}. Use similarities to the documents of the layout."
        )
    return extended(neighbors_with_points(near, old), old, n_jobs)


def neighbors_with_points(weights: SparseMatrix, points: FloatArray) -> SparseMatrix:
    """The weights of those neighbours that have a point, without zeros."""
    near = csr(weights @ sp.diags_array(known(points).astype(np.float64)))
    near.eliminate_zeros()
    return near


def _checked(n_neighbors: int, random_state: RandomState, n_jobs: int | None) -> int:
    check_count("n_neighbors", n_neighbors)
    check_seed(random_state)
    count_threads(n_jobs)
    return seed_of(random_state)


def _graph_of(X: Terms, n_neighbors: int, n_jobs: int | None) -> SparseMatrix:
    """The repaired neighbour graph of documents; without edges where there is one document."""
    if X.shape[0] < 2:
        return csr(sp.csr_array((X.shape[0], X.shape[0])))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # a document without a point says so itself
        graph = repair_of_checked(knn_of_checked(X, min(n_neighbors, X.shape[0] - 1), n_jobs=n_jobs), X, n_jobs=n_jobs)
    return csr(graph.skeleton())


def _rows_of(given: ArrayLike, n_rows: int | None, name: str, finite: bool = True) -> FloatArray:
    """A row of finite numbers for each document; of points, rows of NaN too."""
    rows = np.asarray(given, dtype=np.float64)
    fits = rows.ndim == 2 and (n_rows is None or len(rows) == n_rows) and (finite or rows.shape[1] == 2)
    if not fits or (finite and not np.isfinite(rows).all()):
        wanted = "a row of finite numbers" if finite else "two numbers"
        raise BadData(f"{name} must have {wanted} for each document, got an array of shape {rows.shape}. Use one row per document.")
    return rows
