"""Neighbour graphs: symmetric weights W ≥ 0, degrees d = W·1, connected components.

A graph need not be stored. The spectrum asks five things of it: its size, its degrees, products W @ Y, its connected
components, and its restriction to some documents. :class:`SparseGraph` stores its edges; the graphs of ``_implicit.py`` and
``_agreement.py`` do not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from vicinal._matrix import is_sparse
from vicinal._typing import ArrayLike, BoolArray, FloatArray, IntArray, SparseMatrix
from vicinal.errors import BadData, BadParameter


class Graph(ABC):
    """Base class of neighbour graphs, with weights W that are symmetric and not negative.

    A subclass defines :attr:`n_documents`, :attr:`degrees`, :meth:`matmul`, :meth:`restrict` and :meth:`skeleton`.

    See Also
    --------
    SparseGraph : Stores its edges.
    ClassGraph, CompleteGraph, MixedGraph, AgreementGraph : Do not.

    Examples
    --------
    >>> from vicinal.graph import as_graph
    >>> graph = as_graph([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    >>> graph.degrees
    array([1., 1., 0.])
    >>> graph.connected_components
    array([ 0,  0, -1])
    """

    @property
    @abstractmethod
    def n_documents(self) -> int:
        """Number of documents, with or without edges."""

    @property
    @abstractmethod
    def degrees(self) -> FloatArray:
        """The sum of each document's weights, d = W·1 (G1)."""

    @abstractmethod
    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y.

        Parameters
        ----------
        Y : ndarray of shape (n_documents, n_columns)
            One column per function on the documents.

        Returns
        -------
        ndarray of shape (n_documents, n_columns)
            For each document the weighted sum over its neighbours.
        """

    @abstractmethod
    def restrict(self, documents: IntArray) -> Graph:
        """Return the graph among some of the documents.

        Parameters
        ----------
        documents : int array of shape (n,)
            Numbers of the documents to keep, in the order that they are to have.

        Returns
        -------
        Graph
            Of the same kind.
        """

    @abstractmethod
    def skeleton(self) -> SparseMatrix:
        """Return a sparse matrix with few entries and the same connected components.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_documents, n_documents)
            An entry per pair that is known to be connected.
        """

    @property
    def has_edges(self) -> BoolArray:
        """Which documents have an edge; the others are not embedded."""
        return self.degrees > 0

    @cached_property
    def connected_components(self) -> IntArray:
        """The connected component of each document, numbered by falling size; -1 for a document without an edge."""
        labels = connected_components(self.skeleton(), directed=False)[1]
        return number_by_size(np.where(self.has_edges, labels, -1))

    def __len__(self) -> int:
        """How many documents."""
        return self.n_documents


def number_by_size(labels: IntArray) -> IntArray:
    """Number groups 0, 1, … by decreasing size, equal sizes by their first member; negative labels become -1."""
    known = labels >= 0
    result = np.full(len(labels), -1, dtype=np.int64)
    if known.any():
        _, first, inverse, sizes = np.unique(labels[known], return_index=True, return_inverse=True, return_counts=True)
        rank = np.empty(len(sizes), dtype=np.int64)
        rank[np.lexsort((first, -sizes))] = np.arange(len(sizes))
        result[known] = rank[inverse]
    return result


@final
@dataclass(frozen=True, eq=False)
class SparseGraph(Graph):
    """A graph that stores its edges, each in both directions.

    Parameters
    ----------
    weights : scipy.sparse.csr_array of shape (n_documents, n_documents)
        Symmetric and not negative, without stored zeros. :func:`as_graph` checks this; the class does not.
    recall : float, default=1.0
        Share of the true neighbours that the search for this graph found: 1 for an exact search, else measured on a sample.

    Examples
    --------
    >>> import scipy.sparse as sp
    >>> from vicinal.graph import SparseGraph
    >>> SparseGraph(sp.csr_array([[0.0, 0.5], [0.5, 0.0]]))
    SparseGraph(2 documents, 1 edges)
    """

    weights: SparseMatrix
    recall: float = 1.0

    @property
    def n_documents(self) -> int:
        """Number of documents, with or without edges."""
        return int(self.weights.shape[0])

    @cached_property
    def degrees(self) -> FloatArray:
        """The sum of each document's weights, d = W·1 (G1)."""
        return np.asarray(self.weights.sum(axis=1), dtype=np.float64).ravel()

    @property
    def n_edges(self) -> int:
        """Number of pairs of documents that are joined."""
        return int(self.weights.nnz + np.count_nonzero(self.weights.diagonal())) // 2

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y.

        Parameters
        ----------
        Y : ndarray of shape (n_documents, n_columns)
            One column per function on the documents.

        Returns
        -------
        ndarray of shape (n_documents, n_columns)
            For each document the weighted sum over its neighbours.
        """
        return np.asarray(self.weights @ Y)

    def restrict(self, documents: IntArray) -> SparseGraph:
        """Return the graph among some of the documents.

        Parameters
        ----------
        documents : int array of shape (n,)
            Numbers of the documents to keep, in the order that they are to have.

        Returns
        -------
        SparseGraph
            The edges between these documents.
        """
        return SparseGraph(sp.csr_array(self.weights[documents][:, documents]), self.recall)

    def skeleton(self) -> SparseMatrix:
        """Return a sparse matrix with few entries and the same connected components.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_documents, n_documents)
            The weights themselves.
        """
        return self.weights

    def __repr__(self) -> str:
        return f"SparseGraph({self.n_documents:,} documents, {self.n_edges:,} edges)"


#: A graph, or a square matrix of the weights of its edges.
GraphInput: TypeAlias = "Graph | ArrayLike"


def as_graph(given: GraphInput) -> Graph:
    """Return a graph as it is, or make one of a square matrix of weights.

    Parameters
    ----------
    given : Graph, sparse matrix or array of shape (n_documents, n_documents)
        Weights that are symmetric, finite and not negative; zero is no edge. A matrix is copied, never changed.

    Returns
    -------
    Graph
        A :class:`SparseGraph` where a matrix was given.

    Raises
    ------
    BadData
        The matrix is not square, not symmetric, or has an entry that is negative or not finite.

    Examples
    --------
    >>> from vicinal.graph import as_graph
    >>> as_graph([[0, 1], [1, 0]])
    SparseGraph(2 documents, 1 edges)
    """
    if isinstance(given, Graph):
        return given
    matrix: Any = given  # which may be anything: what is no matrix is refused
    if matrix is None or (np.ndim(matrix) == 0 and not is_sparse(matrix)):
        raise BadData(
            f"a graph must be a square matrix of weights, got {given!r}. Use vicinal.graph.knn(X), or one row per document."
        )
    try:
        if np.iscomplexobj(matrix):
            raise TypeError("complex weights")
        weights = sp.csr_array(matrix, dtype=np.float64, copy=True)
    except (TypeError, ValueError) as error:
        raise BadData(
            f"a graph must be a square matrix of weights, got {type(given).__name__}: {error}. Use one row per document."
        ) from None
    if weights.ndim != 2 or weights.shape[0] != weights.shape[1]:
        raise BadData(f"a graph must be a square matrix of weights, got shape {weights.shape}. Use one row per document.")
    weights.sum_duplicates()
    weights.eliminate_zeros()
    _refuse_bad_weights(weights)
    return SparseGraph(weights)


def graph_of_documents(given: GraphInput, n_documents: int) -> Graph:
    """A graph, or one made of a matrix of weights, of so many documents; BadParameter where it is of others."""
    graph = as_graph(given)
    if graph.n_documents != n_documents:
        raise BadParameter(f"the graph has {graph.n_documents} documents but X has {n_documents}. Build it from the same rows.")
    return graph


def _refuse_bad_weights(weights: SparseMatrix) -> None:
    bad = np.flatnonzero(~np.isfinite(weights.data) | (weights.data < 0))
    if bad.size:
        row = int(np.searchsorted(weights.indptr, bad[0], side="right")) - 1
        raise BadData(
            f"graph weights must be finite and not negative, got {weights.data[bad[0]]} in row {row}, "
            f"column {weights.indices[bad[0]]}. Clip them at zero first."
        )
    lopsided = sp.coo_array(abs(weights - weights.T))
    worst = int(np.argmax(lopsided.data)) if lopsided.nnz else -1
    if worst >= 0 and lopsided.data[worst] > 1e-10 * weights.data.max():
        raise BadData(
            f"graph weights must be symmetric, got a difference of {lopsided.data[worst]:g} between row "
            f"{lopsided.row[worst]}, column {lopsided.col[worst]} and its mirror image. Use W.maximum(W.T) to "
            f"join documents when either is near the other."
        )
