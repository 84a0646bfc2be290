"""`classes`, `mix` and `with_labels`: graphs made from labels, and weighted sums of graphs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._typing import IntArray, LabelsLike
from vicinal._validate import check_choice, check_labels, check_number
from vicinal._warn import warn
from vicinal.errors import BadParameter, ContradictingEdges, OneClass, SingletonClass
from vicinal.graph._graph import Graph, GraphInput, SparseGraph, as_graph
from vicinal.graph._implicit import ClassGraph, MixedGraph, numbered_without_gaps


def classes(y: LabelsLike, *, weight: str = "size") -> ClassGraph:
    """Join the documents of one class (G6).

    Parameters
    ----------
    y : array-like of shape (n_documents,)
        One label per document; -1 for a document without a class.
    weight : {"size", "one"}, default="size"
        An edge weighs 1/m_t in a class of m_t documents, so that every degree is 1; or it weighs 1.

    Returns
    -------
    ClassGraph
        The class graph.

    Raises
    ------
    OneClass
        There are not two classes.
    BadLabels
        The labels are no list of labels.

    Warns
    -----
    SingletonClass
        A class has one document.

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang, J. Han. Regularized Locality Preserving Indexing via Spectral Regression. CIKM 2007.

    Examples
    --------
    >>> from vicinal.graph import classes
    >>> classes([0, 0, 1, 1, -1])
    ClassGraph(5 documents, 2 classes)
    """
    labels = check_labels(y, len(np.atleast_1d(np.asarray(y))))
    check_choice("weight", weight, ("size", "one"))
    return classes_of_checked(labels, weight=weight)


def classes_of_checked(labels: IntArray, *, weight: str = "size") -> ClassGraph:
    """As :func:`classes`, for labels that ``check_labels`` has returned; of these, some may have been set to -1 since."""
    labels = numbered_without_gaps(labels)
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


def mix(*graphs: GraphInput, shares: Sequence[float] | str | None = None) -> Graph:
    """Add graphs up, W = Σ_g s_g W_g (G7).

    The graphs may be of different evidence on the same documents: terms, an encoder's vectors, links.

    Parameters
    ----------
    *graphs : Graph or symmetric matrix
        Graphs of the same documents.
    shares : sequence of float or "equal", optional
        The factor s_g of each, at least 0; 1 each by default. "equal" divides each graph by its mean degree, taken over the
        documents that have an edge in it, so that graphs whose weights differ in size count the same.

    Returns
    -------
    Graph
        A :class:`SparseGraph` where all of them are stored, else a :class:`MixedGraph`.

    Raises
    ------
    BadParameter
        The graphs are of different numbers of documents, or there is not one share per graph.

    See Also
    --------
    knn : Joins documents by the similarity of rows, of terms or of an encoder's vectors.
    links : Joins pairs of documents that are given.

    References
    ----------
    .. [1] docs/maths/graph.md, "Graphs that are never stored" (G7).

    Examples
    --------
    >>> from vicinal.graph import mix
    >>> mix([[0, 1], [1, 0]], [[0, 2], [2, 0]], shares=(1.0, 0.5)).degrees
    array([2., 2.])
    >>> mix([[0, 1], [1, 0]], [[0, 20], [20, 0]], shares="equal").degrees
    array([2., 2.])
    """
    parts = tuple(as_graph(graph) for graph in graphs)
    if not parts or len({len(part) for part in parts}) != 1:
        raise BadParameter(
            f"mix needs graphs of the same documents, got sizes {[len(part) for part in parts]}. "
            f"Build all of them from the same rows."
        )
    factors = _factors(parts, shares)
    if all(isinstance(part, SparseGraph) for part in parts):
        total = csr(reduce(add, (factor * part.skeleton() for factor, part in zip(factors, parts, strict=True))))
        total.eliminate_zeros()
        return SparseGraph(total)
    return MixedGraph(parts, factors)


def _factors(parts: Sequence[Graph], shares: Sequence[float] | str | None) -> tuple[float, ...]:
    """The factor of each graph, as given or by their degrees."""
    if isinstance(shares, str):
        check_choice("shares", shares, ("equal",))
        return tuple(1.0 / mean_degree(part) for part in parts)
    factors = tuple(check_number("each share", share) for share in (shares if shares is not None else [1.0] * len(parts)))
    if len(factors) != len(parts):
        raise BadParameter(
            f"mix needs one share per graph, got {len(factors)} shares for {len(parts)} graphs. Pass as many shares as graphs."
        )
    return factors


def mean_degree(graph: Graph) -> float:
    """The mean degree of the documents that have an edge; 1 where none has."""
    return float(graph.degrees[graph.has_edges].mean()) if graph.has_edges.any() else 1.0


def with_labels(graph: GraphInput, y: LabelsLike, *, strength: float = 1.0) -> Graph:
    """Combine a neighbour graph with the labels that are known (G8).

    Edges between documents of different classes are removed, and the class graph is added. A labelled document gets
    ``strength`` times the mean degree of the neighbour graph from its class.

    Parameters
    ----------
    graph : Graph or symmetric matrix
        Neighbour graph of the documents.
    y : array-like of shape (n_documents,)
        One label per document; -1 where it is not known.
    strength : float, default=1.0
        How much labels count, at least 0.

    Returns
    -------
    Graph
        The combined graph.

    Raises
    ------
    OneClass
        There are not two classes.
    BadLabels
        There is not one label per document.

    Warns
    -----
    ContradictingEdges
        The graph is not stored, so edges between classes stay in it.
    SingletonClass
        A class has one document.

    References
    ----------
    .. [1] D. Cai, X. He, J. Han. Sparse Projections over Graph. AAAI 2008: labels become part of the graph.
    .. [2] docs/maths/graph.md, "Graphs that are never stored" (G8): how much they count.

    Examples
    --------
    >>> from vicinal.graph import knn, with_labels
    >>> graph = knn([[2, 1, 0], [1, 2, 1], [1, 2, 2], [0, 1, 2]], 2)
    >>> with_labels(graph, [0, 0, 1, 1]).has_edges
    array([ True,  True,  True,  True])
    """
    graph = as_graph(graph)
    return with_labels_of_checked(graph, check_labels(y, graph.n_documents), check_number("strength", strength))


def with_labels_of_checked(graph: Graph, labels: IntArray, strength: float = 1.0) -> Graph:
    """As :func:`with_labels`, for labels that ``check_labels`` has returned; of these, some may have been set to -1 since."""
    by_class = classes_of_checked(labels)
    share = strength * mean_degree(graph)
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
