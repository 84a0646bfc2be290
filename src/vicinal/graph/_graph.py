"""Graph: who is near whom. Symmetric weights W ≥ 0, degrees d = W·1, connected components.

A graph need not be stored. What the spectrum asks of it is five things: its size, its degrees, a product W @ Y, its components,
and itself restricted to some documents. :class:`SparseGraph` stores its edges; the graphs of ``implicit.py`` do not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal.errors import BadData


class Graph(ABC):
    """Who is near whom, with weights W that are symmetric and not negative."""

    @property
    @abstractmethod
    def n_documents(self) -> int:
        """How many documents the graph speaks of, with or without edges."""

    @property
    @abstractmethod
    def degrees(self) -> FloatArray:
        """The sum of each document's weights, d = W·1 (G1)."""

    @abstractmethod
    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y for Y of shape (documents, columns)."""

    @abstractmethod
    def restrict(self, documents: IntArray) -> Graph:
        """Return the graph among these documents only, in this order."""

    @abstractmethod
    def skeleton(self) -> Any:
        """Return a sparse matrix with few entries and the same connected components."""

    @property
    def has_edges(self) -> BoolArray:
        """Which documents have a neighbour at all; the others stand outside the graph."""
        return self.degrees > 0

    @cached_property
    def components(self) -> IntArray:
        """The connected component of each document, numbered by decreasing size; -1 outside the graph."""
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

    Attributes
    ----------
    weights : scipy.sparse.csr_array (documents x documents)
        Symmetric, not negative, no entry stored that is zero.
    """

    weights: Any

    @property
    def n_documents(self) -> int:
        """How many documents the graph speaks of."""
        return int(self.weights.shape[0])

    @cached_property
    def degrees(self) -> FloatArray:
        """The sum of each document's weights."""
        return np.asarray(self.weights.sum(axis=1), dtype=np.float64).ravel()

    @property
    def n_edges(self) -> int:
        """How many pairs of documents are joined."""
        return int(self.weights.nnz + np.count_nonzero(self.weights.diagonal())) // 2

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y."""
        return np.asarray(self.weights @ Y)

    def restrict(self, documents: IntArray) -> SparseGraph:
        """Return the graph among these documents only."""
        return SparseGraph(sp.csr_array(self.weights[documents][:, documents]))

    def skeleton(self) -> Any:
        """The edges themselves."""
        return self.weights

    def __repr__(self) -> str:
        return f"SparseGraph({self.n_documents:,} documents, {self.n_edges:,} edges)"


def as_graph(given: Any) -> Graph:
    """Take a graph as it is, or a square matrix of weights, checked: symmetric, not negative, finite.

    Parameters
    ----------
    given : Graph, sparse matrix or array (documents x documents)
        A weight of zero is no edge. The matrix is copied, never changed.
    """
    if isinstance(given, Graph):
        return given
    if given is None or (np.ndim(given) == 0 and not sp.issparse(given)):
        raise BadData(
            f"a graph must be a square matrix of weights, got {given!r}. Use vicinal.graph.knn(X), or one row per document."
        )
    try:
        if np.iscomplexobj(given):
            raise TypeError("complex weights")
        weights = sp.csr_array(given, dtype=np.float64, copy=True)
    except (TypeError, ValueError) as error:
        raise BadData(f"a graph must be a square matrix of weights, got {type(given).__name__}: {error}.") from None
    if weights.ndim != 2 or weights.shape[0] != weights.shape[1]:
        raise BadData(f"a graph must be a square matrix of weights, got shape {weights.shape}. Use one row per document.")
    weights.sum_duplicates()
    weights.eliminate_zeros()
    _refuse_bad_weights(weights)
    return SparseGraph(weights)


def _refuse_bad_weights(weights: Any) -> None:
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
