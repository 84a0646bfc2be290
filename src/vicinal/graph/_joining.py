"""Repair of neighbour graphs: isolated documents are joined, connected components are bridged, and each repair is reported.

Documents without terms, and documents that share no term with any other, stay without an edge: they are *not embedded*, and their
embedding is zero. Everything else can be joined through its nearest document.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import row_norms, unit_rows
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal._validate import check_choice, check_terms
from vicinal._warn import warn
from vicinal.errors import BadParameter, DisconnectedGraph, JoinedDocuments, NoNeighbors, UnembeddedDocuments
from vicinal.graph._block_neighbors import nearest_in
from vicinal.graph._graph import Graph, SparseGraph, as_graph
from vicinal.graph._implicit import MixedGraph
from vicinal.terms._block_terms import BlockTerms

DISCONNECTED = ("bridge", "keep", "apart")


def repair(graph: Graph, X: Terms, *, disconnected: str = "bridge", n_jobs: int | None = None) -> Graph:
    """Join isolated documents and, with ``disconnected="bridge"``, connected components through their most similar documents.

    Parameters
    ----------
    graph : Graph or symmetric matrix
        Neighbour graph of the documents.
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights, by whose cosine the nearest document is found.
    disconnected : {"bridge", "keep", "apart"}, default="bridge"
        Join connected components through their most similar pair of documents; or leave them, to be told apart by components of
        their own ("keep") or each embedded by itself ("apart"). The last two differ in the spectrum only.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Returns
    -------
    Graph
        The same graph where nothing was to be repaired.

    Raises
    ------
    BadParameter
        The graph and X are of different numbers of documents.
    NoNeighbors
        No two documents have a term in common.

    Warns
    -----
    JoinedDocuments
        Isolated documents were joined.
    DisconnectedGraph
        The graph has several connected components.
    UnembeddedDocuments
        Documents share no term with any other.

    References
    ----------
    .. [1] docs/maths/graph.md, "Repair".

    Examples
    --------
    >>> import warnings
    >>> from vicinal.graph import as_graph, repair
    >>> X = [[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     graph = repair(as_graph([[0, 1, 0], [1, 0, 0], [0, 0, 0]]), X)
    >>> graph.has_edges
    array([ True,  True,  True])
    """
    check_choice("disconnected", disconnected, DISCONNECTED)
    graph = as_graph(graph)
    X = check_terms(X, "the repair of the graph")
    if X.shape[0] != graph.n_documents:
        raise BadParameter(f"the graph has {graph.n_documents} documents but X has {X.shape[0]}. Build it from the same rows.")
    return repair_of_checked(graph, X, disconnected=disconnected, n_jobs=n_jobs)


def repair_of_checked(
    graph: Graph, X: Terms | BlockTerms, *, disconnected: str = "bridge", by_length: bool = False, n_jobs: int | None = None
) -> Graph:
    """As :func:`repair`, for a graph of the documents of a matrix that ``check_terms`` has returned, or of row blocks.

    With ``by_length`` the edges that are added weigh dot products, as those of a graph of dot products do.
    """
    lengths = _lengths(X) if by_length else None
    graph = _join_isolated(graph, X, lengths, n_jobs)
    warn_unembedded(graph)
    n_components = graph.connected_components.max() + 1
    if n_components < 2:
        return graph
    sizes = np.bincount(graph.connected_components[graph.has_edges])
    bridged = _bridge(graph, _unit(X), lengths, n_jobs) if disconnected == "bridge" else graph
    _say_disconnected(sizes, bridged.connected_components.max() + 1, disconnected)
    return bridged


def _lengths(X: Terms | BlockTerms) -> FloatArray:
    return X.lengths() if isinstance(X, BlockTerms) else row_norms(X)


def _unit(X: Terms | BlockTerms) -> Terms | BlockTerms:
    """Rows of length one; blocks stay as they are, since their search scales them."""
    return X if isinstance(X, BlockTerms) else unit_rows(X)


def _join_isolated(graph: Graph, X: Terms | BlockTerms, lengths: FloatArray | None, n_jobs: int | None) -> Graph:
    """Give each document without an edge one to its nearest document, where the two share a term."""
    isolated = np.flatnonzero(~graph.has_edges)
    if isolated.size == 0:
        return graph
    rows, columns, cosines = nearest_in(_unit(X), 1, queries=isolated, n_jobs=n_jobs).pairs()
    if rows.size == 0:
        return graph
    warn(f"{len(rows)} documents had no neighbour in the graph and were joined to their most similar document.", JoinedDocuments)
    return _with_edges(graph, isolated[rows], columns, cosines, lengths)


def _bridge(graph: Graph, U: Terms | BlockTerms, lengths: FloatArray | None, n_jobs: int | None) -> Graph:
    """Join each connected component but the largest to its most similar document outside, as long as any can be joined."""
    while True:
        islands = graph.connected_components
        queries = np.flatnonzero(islands > 0)
        if queries.size == 0:
            return graph
        near = nearest_in(U, 1, queries=queries, group=_groups(islands), n_jobs=n_jobs)
        rows, columns, cosines = near.pairs()
        if rows.size == 0:
            return graph
        order = np.lexsort((queries[rows], -cosines, islands[queries[rows]]))
        _, best = np.unique(islands[queries[rows]][order], return_index=True)
        best = _without_cycles(order[best], islands[queries[rows]], islands[columns], cosines)
        graph = _with_edges(graph, queries[rows[best]], columns[best], cosines[best], lengths)


def _without_cycles(chosen: IntArray, here: IntArray, there: IntArray, cosines: FloatArray) -> IntArray:
    """The chosen edges, most similar first, that join connected components not joined yet: equal cosines could close a cycle."""
    leader = np.arange(max(here.max(), there.max()) + 1)
    kept = []
    for edge in chosen[np.argsort(-cosines[chosen], kind="stable")]:
        one, other = leader[here[edge]], leader[there[edge]]
        if one != other:
            leader[leader == one] = other
            kept.append(edge)
    return np.array(kept, dtype=np.int64)


def _groups(islands: IntArray) -> IntArray:
    """Group numbers for the search: documents without an edge share no term with any other, so each may be its own group."""
    return np.where(islands < 0, islands.max() + 1 + np.arange(len(islands)), islands)


def _with_edges(graph: Graph, rows: IntArray, columns: IntArray, cosines: FloatArray, lengths: FloatArray | None = None) -> Graph:
    """The graph with edges that weigh cosines or, where the lengths of the rows are given, dot products."""
    weights = cosines if lengths is None else cosines * (lengths[rows] * lengths[columns])
    shape = (graph.n_documents, graph.n_documents)
    added = sp.csr_array((weights, (rows, columns)), shape=shape)
    added = sp.csr_array(added.maximum(added.T))
    if isinstance(graph, SparseGraph):
        return SparseGraph(sp.csr_array(graph.weights.maximum(added)), graph.recall)
    return MixedGraph((graph, SparseGraph(added)), (1.0, 1.0))


def warn_unembedded(graph: Graph) -> None:
    """Warn of documents without an edge; raise NoNeighbors where there are no others."""
    outside = np.flatnonzero(~graph.has_edges)
    if len(outside) == graph.n_documents:
        raise NoNeighbors(
            f"no two of the {graph.n_documents} documents (n_samples = {graph.n_documents}) have a term in common, so none "
            f"has a neighbour. Add documents, or keep rarer and more frequent terms."
        )
    if outside.size:
        warn(
            f"{outside.size} of {graph.n_documents} documents have no terms, or none in common with another, and are not embedded: "
            f"their embedding is zero. The first is document {outside[0]}.",
            UnembeddedDocuments,
        )


def _say_disconnected(sizes: IntArray, left: int, disconnected: str) -> None:
    listed = ", ".join(f"{size:,}" for size in sizes[:5]) + (", …" if len(sizes) > 5 else "")
    apart = f"{left} that share no term stay apart" if left < len(sizes) else "which share no term and stay apart"
    joined = "joined through their most similar documents" + (f"; {apart}" if left > 1 else "")
    done = {
        "bridge": joined if left < len(sizes) else apart,
        "keep": "told apart by components of their own",
        "apart": "embedded each by itself",
    }[disconnected]
    warn(f"the graph has {len(sizes)} connected components of {listed} documents, {done}.", DisconnectedGraph)
