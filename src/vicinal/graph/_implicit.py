"""Graphs that are never stored: class graphs, complete graphs, and weighted sums of graphs. Each computes W @ Y in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from vicinal._matrix import csr, is_sparse, nonzero_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, SparseMatrix, Terms
from vicinal.graph._graph import Graph

BLOCK = 512  # rows of a complete graph that exist at one time


def numbered_without_gaps(labels: IntArray) -> IntArray:
    """Labels that ``check_labels`` has returned, numbered from 0 again where some of their classes have no document left."""
    numbered, known = np.full(len(labels), -1, dtype=np.int64), np.flatnonzero(labels >= 0)
    numbered[known] = np.unique(labels[known], return_inverse=True)[1]
    return numbered


@final
@dataclass(frozen=True, eq=False)
class ClassGraph(Graph):
    """A graph that joins the documents of one class, each with itself too: W = Σ_t w_t e_t e_tᵀ (G6).

    e_t is the indicator of class t. The graph is not stored: a product costs one pass over the documents.

    Parameters
    ----------
    labels : int array of shape (n_documents,)
        Class of each document, 0, 1, …; -1 for a document without a class, which has no edge.
    class_weights : ndarray of shape (n_classes,)
        The weight w_t of an edge: 1, or 1/m_t in a class of m_t documents, so that every degree is 1.

    See Also
    --------
    classes : Makes one from labels.

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang, J. Han. Regularized Locality Preserving Indexing via Spectral Regression. CIKM 2007.

    Examples
    --------
    >>> from vicinal.graph import classes
    >>> graph = classes([0, 0, 1, 1, -1])
    >>> graph
    ClassGraph(5 documents, 2 classes)
    >>> graph.degrees
    array([1., 1., 1., 1., 0.])
    """

    labels: IntArray
    class_weights: FloatArray

    @property
    def n_documents(self) -> int:
        """Number of documents, labelled or not."""
        return len(self.labels)

    @cached_property
    def indicators(self) -> SparseMatrix:
        """The indicators e_t as a sparse matrix of documents x classes."""
        known = np.flatnonzero(self.labels >= 0)
        shape = (self.n_documents, len(self.class_weights))
        return csr((np.ones(len(known)), (known, self.labels[known])), shape=shape)

    @cached_property
    def degrees(self) -> FloatArray:
        """The degree w_t m_t of each document of class t; 0 without a class."""
        sizes = np.bincount(self.labels[self.labels >= 0], minlength=len(self.class_weights))
        return np.asarray(self.indicators @ (self.class_weights * sizes))

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y: each document receives the weighted sum over its class.

        Parameters
        ----------
        Y : ndarray of shape (n_documents, n_columns)
            One column per function on the documents.

        Returns
        -------
        ndarray of shape (n_documents, n_columns)
            For each document the weighted sum over its neighbours.
        """
        sums = self.indicators.T @ Y
        return np.asarray(self.indicators @ (sums * _column(self.class_weights, sums)))

    def restrict(self, documents: IntArray) -> ClassGraph:
        """Return the graph among some of the documents.

        Parameters
        ----------
        documents : int array of shape (n,)
            Numbers of the documents to keep, in the order that they are to have.

        Returns
        -------
        ClassGraph
            The class weights stay what they were.
        """
        return ClassGraph(self.labels[documents], self.class_weights)

    def skeleton(self) -> SparseMatrix:
        """Return a sparse matrix with few entries and the same connected components.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_documents, n_documents)
            Each document joined to the first of its class.
        """
        return _star(self.labels)

    def __repr__(self) -> str:
        return f"ClassGraph({self.n_documents:,} documents, {len(self.class_weights)} classes)"


@final
@dataclass(frozen=True, eq=False)
class CompleteGraph(Graph):
    """A graph that joins every document to every other and to itself, with a weight that depends on their cosine (G5).

    Rows of W are computed in blocks when they are needed. When the weight is the cosine or the dot product and no entry of the
    rows is negative, W = U Uᵀ, and a product costs no more than two products with U.

    Parameters
    ----------
    U : sparse or array of shape (n_documents, n_terms)
        Rows of length one, or zero; rows of any length where weights are dot products.
    weigh : callable
        Turns a block of cosines, or of dot products, into weights of at least zero.
    factored : bool
        Whether W = U Uᵀ.

    See Also
    --------
    complete : Makes one from documents.

    References
    ----------
    .. [1] D. Cai, X. He. Orthogonal Locality Preserving Indexing. SIGIR 2005.

    Examples
    --------
    >>> from vicinal.graph import complete
    >>> graph = complete([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
    >>> graph.degrees.round(2)
    array([1.6, 1.8, 2.4])
    """

    U: Terms
    weigh: Callable[[FloatArray], FloatArray]
    factored: bool

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return int(self.U.shape[0])

    @cached_property
    def degrees(self) -> FloatArray:
        """The sum of each document's weights, d = W·1 (G1)."""
        with single_threaded_libraries():
            return self.matmul(np.ones((self.n_documents, 1))).ravel()

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y, by the factors of W or block by block.

        Parameters
        ----------
        Y : ndarray of shape (n_documents, n_columns)
            One column per function on the documents.

        Returns
        -------
        ndarray of shape (n_documents, n_columns)
            For each document the weighted sum over its neighbours.
        """
        if self.factored:
            return np.asarray(self.U @ (self.U.T @ Y))
        return np.concatenate([rows @ Y for rows in self._row_blocks()])

    def _row_blocks(self) -> Iterator[FloatArray]:
        empty = ~nonzero_rows(self.U)
        for start in range(0, self.n_documents, BLOCK):
            cosines = self.U[start : start + BLOCK] @ self.U.T
            rows = self.weigh(cosines.toarray() if is_sparse(cosines) else cosines)
            rows[empty[start : start + BLOCK]] = 0.0
            rows[:, empty] = 0.0
            yield rows

    def restrict(self, documents: IntArray) -> CompleteGraph:
        """Return the graph among some of the documents.

        Parameters
        ----------
        documents : int array of shape (n,)
            Numbers of the documents to keep, in the order that they are to have.

        Returns
        -------
        CompleteGraph
            The complete graph of these documents.
        """
        return CompleteGraph(self.U[documents], self.weigh, self.factored)

    def skeleton(self) -> SparseMatrix:
        """Return a sparse matrix with few entries and the same connected components.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_documents, n_documents)
            Documents joined through the terms they share or, where weights are clipped, through the weights that are left.
        """
        return _shared_terms(self.U) if self.factored else _spanning_stars(self)

    def __repr__(self) -> str:
        return f"CompleteGraph({self.n_documents:,} documents)"


def _shared_terms(U: Terms) -> SparseMatrix:
    """Join each document to the first document of each of its terms: the connected components of U Uᵀ for U ≥ 0."""
    entries = sp.csr_array(U).tocoo()
    first = np.full(U.shape[1], U.shape[0], dtype=np.int64)
    np.minimum.at(first, entries.col, entries.row)
    edges = (np.ones(entries.nnz), (entries.row, first[entries.col]))
    return csr(edges, shape=(U.shape[0], U.shape[0]))


def _spanning_stars(graph: CompleteGraph) -> SparseMatrix:
    """Join each document to the first of its component, found by taking in the rows of W block by block."""
    labels, start = np.arange(graph.n_documents), 0
    for rows in graph._row_blocks():
        near, far = np.nonzero(rows)
        edges = (np.ones(len(near)), (near + start, far))
        block = sp.csr_array(edges, shape=(graph.n_documents, graph.n_documents))
        labels = connected_components(block + _star(labels), directed=False)[1]
        start += len(rows)
    return _star(labels)


def _star(labels: IntArray) -> SparseMatrix:
    """Join each document to the first one with its label; below zero there is no label."""
    known = np.flatnonzero(labels >= 0)
    first = np.zeros(labels.max(initial=0) + 1, dtype=np.int64)
    first[labels[known[::-1]]] = known[::-1]
    edges = (np.ones(len(known)), (known, first[labels[known]]))
    return csr(edges, shape=(len(labels), len(labels)))


@final
@dataclass(frozen=True, eq=False)
class MixedGraph(Graph):
    """A weighted sum of graphs, W = Σ_g s_g W_g (G7), computed part by part.

    Parameters
    ----------
    parts : tuple of Graph
        Graphs of the same documents.
    shares : tuple of float
        The factor s_g of each, at least 0.

    See Also
    --------
    mix : Makes one, or a stored graph where all parts are stored.

    References
    ----------
    .. [1] docs/maths/graph.md, "Graphs that are never stored" (G7).

    Examples
    --------
    >>> from vicinal.graph import as_graph, classes, mix
    >>> ring = as_graph([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    >>> mix(ring, classes([0, 0, 1, 1]), shares=(1.0, 0.5)).degrees
    array([2.5, 2.5, 2.5, 2.5])
    """

    parts: tuple[Graph, ...]
    shares: tuple[float, ...]

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return self.parts[0].n_documents

    @cached_property
    def degrees(self) -> FloatArray:
        """The sum of the parts' degrees, each times its share."""
        return self._total([part.degrees for part in self.parts])

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y, the sum of the parts' products.

        Parameters
        ----------
        Y : ndarray of shape (n_documents, n_columns)
            One column per function on the documents.

        Returns
        -------
        ndarray of shape (n_documents, n_columns)
            For each document the weighted sum over its neighbours.
        """
        return self._total([part.matmul(Y) for part in self.parts])

    def _total(self, terms: list[FloatArray]) -> FloatArray:
        total = self.shares[0] * terms[0]
        for share, term in zip(self.shares[1:], terms[1:], strict=True):
            total = total + share * term
        return total

    def restrict(self, documents: IntArray) -> MixedGraph:
        """Return the graph among some of the documents.

        Parameters
        ----------
        documents : int array of shape (n,)
            Numbers of the documents to keep, in the order that they are to have.

        Returns
        -------
        MixedGraph
            The sum of the restricted parts.
        """
        return MixedGraph(tuple(part.restrict(documents) for part in self.parts), self.shares)

    def skeleton(self) -> SparseMatrix:
        """Return a sparse matrix with few entries and the same connected components.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_documents, n_documents)
            The union of the skeletons of the parts whose share is not zero.
        """
        counted = [part.skeleton() for part, share in zip(self.parts, self.shares, strict=True) if share > 0]
        return sum(counted, start=sp.csr_array((self.n_documents, self.n_documents)))

    def __repr__(self) -> str:
        return f"MixedGraph({', '.join(f'{s:g} x {p!r}' for s, p in zip(self.shares, self.parts, strict=True))})"


def _column(values: FloatArray, like: FloatArray) -> FloatArray:
    return values[:, None] if like.ndim == 2 else values
