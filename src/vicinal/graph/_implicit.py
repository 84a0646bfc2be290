"""Graphs that are never stored: classes, complete graphs, and mixtures. Each is a way to compute W @ Y."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from vicinal._matrix import nonzero_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.graph._edges import EdgeWeight
from vicinal.graph._graph import Graph

BLOCK = 512  # rows of a complete graph that exist at one time


@final
@dataclass(frozen=True, eq=False)
class ClassGraph(Graph):
    """Documents of one class are joined, each with itself too: W = Σ_t w_t e_t e_tᵀ (G6), e_t the indicator of class t.

    Attributes
    ----------
    labels : int array
        Class of each document, 0, 1, …; -1 stands outside.
    class_weights : float array
        w_t: 1, or 1/m_t for m_t documents.
    """

    labels: IntArray
    class_weights: FloatArray

    @property
    def n_documents(self) -> int:
        """How many documents, labelled or not."""
        return len(self.labels)

    @cached_property
    def indicators(self) -> Any:
        """Documents x classes, sparse, one 1 per labelled document."""
        known = np.flatnonzero(self.labels >= 0)
        shape = (self.n_documents, len(self.class_weights))
        return sp.csr_array((np.ones(len(known)), (known, self.labels[known])), shape=shape)

    @cached_property
    def degrees(self) -> FloatArray:
        """w_t · m_t for a document of class t."""
        sizes = np.bincount(self.labels[self.labels >= 0], minlength=len(self.class_weights))
        return np.asarray(self.indicators @ (self.class_weights * sizes))

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y: each document receives the weighted sum over its class."""
        sums = self.indicators.T @ Y
        return np.asarray(self.indicators @ (sums * _column(self.class_weights, sums)))

    def restrict(self, documents: IntArray) -> ClassGraph:
        """Return the graph among these documents; the class weights stay what they were."""
        return ClassGraph(self.labels[documents], self.class_weights)

    def skeleton(self) -> Any:
        """Join each document to the first of its class."""
        return _star(self.labels)

    def __repr__(self) -> str:
        return f"ClassGraph({self.n_documents:,} documents, {len(self.class_weights)} classes)"


@final
@dataclass(frozen=True, eq=False)
class CompleteGraph(Graph):
    """Every document is joined to every other and to itself, with a weight that depends on their cosine (G5).

    Rows of W are made in blocks when they are needed and thrown away. When the weight is the cosine itself and no entry of the
    rows is negative, W = U Uᵀ, and a product with it costs no more than two products with U.

    Attributes
    ----------
    U : documents x terms
        Rows of unit length, or zero.
    weigh : EdgeWeight
        Turns a block of cosines into weights, all of them at least zero.
    factored : bool
        Whether W = U Uᵀ.
    """

    U: Terms
    weigh: EdgeWeight
    factored: bool

    @property
    def n_documents(self) -> int:
        """How many documents."""
        return int(self.U.shape[0])

    @cached_property
    def degrees(self) -> FloatArray:
        """The sum of each document's weights."""
        with single_threaded_libraries():
            return self.matmul(np.ones((self.n_documents, 1))).ravel()

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y, by the factors of W or block by block."""
        if self.factored:
            return np.asarray(self.U @ (self.U.T @ Y))
        return np.concatenate([rows @ Y for rows in self._row_blocks()])

    def _row_blocks(self) -> Iterator[FloatArray]:
        empty = ~nonzero_rows(self.U)
        for start in range(0, self.n_documents, BLOCK):
            cosines = self.U[start : start + BLOCK] @ self.U.T
            rows = self.weigh(cosines.toarray() if sp.issparse(cosines) else cosines)
            rows[empty[start : start + BLOCK]] = 0.0
            rows[:, empty] = 0.0
            yield rows

    def restrict(self, documents: IntArray) -> CompleteGraph:
        """Return the complete graph among these documents."""
        return CompleteGraph(self.U[documents], self.weigh, self.factored)

    def skeleton(self) -> Any:
        """Join documents through the words they share, or, where weights are clipped, through what is left."""
        return _shared_words(self.U) if self.factored else _spanning_stars(self)

    def __repr__(self) -> str:
        return f"CompleteGraph({self.n_documents:,} documents)"


def _shared_words(U: Terms) -> Any:
    """Join each document to the first document of each of its words: the components of U Uᵀ for U ≥ 0."""
    words = sp.csr_array(U).tocoo()
    first = np.full(U.shape[1], U.shape[0], dtype=np.int64)
    np.minimum.at(first, words.col, words.row)
    edges = (np.ones(words.nnz), (words.row, first[words.col]))
    return sp.csr_array(edges, shape=(U.shape[0], U.shape[0]))


def _spanning_stars(graph: CompleteGraph) -> Any:
    """Join each document to the first of its component, found by taking in the rows of W block by block."""
    labels, start = np.arange(graph.n_documents), 0
    for rows in graph._row_blocks():
        near, far = np.nonzero(rows)
        edges = (np.ones(len(near)), (near + start, far))
        block = sp.csr_array(edges, shape=(graph.n_documents, graph.n_documents))
        labels = connected_components(block + _star(labels), directed=False)[1]
        start += len(rows)
    return _star(labels)


def _star(labels: IntArray) -> Any:
    """Join each document to the first one with its label; below zero there is no label."""
    known = np.flatnonzero(labels >= 0)
    first = np.zeros(labels.max(initial=0) + 1, dtype=np.int64)
    first[labels[known[::-1]]] = known[::-1]
    edges = (np.ones(len(known)), (known, first[labels[known]]))
    return sp.csr_array(edges, shape=(len(labels), len(labels)))


@final
@dataclass(frozen=True, eq=False)
class MixedGraph(Graph):
    """A weighted sum of graphs, W = Σ_g s_g W_g (G7), computed part by part."""

    parts: tuple[Graph, ...]
    shares: tuple[float, ...]

    @property
    def n_documents(self) -> int:
        """How many documents."""
        return self.parts[0].n_documents

    @cached_property
    def degrees(self) -> FloatArray:
        """The sum of the parts' degrees, by their shares."""
        return self._total([part.degrees for part in self.parts])

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y."""
        return self._total([part.matmul(Y) for part in self.parts])

    def _total(self, terms: list[FloatArray]) -> FloatArray:
        total = self.shares[0] * terms[0]
        for share, term in zip(self.shares[1:], terms[1:], strict=True):
            total = total + share * term
        return total

    def restrict(self, documents: IntArray) -> MixedGraph:
        """Return the mixture among these documents."""
        return MixedGraph(tuple(part.restrict(documents) for part in self.parts), self.shares)

    def skeleton(self) -> Any:
        """The union of the skeletons of the parts that count."""
        counted = [part.skeleton() for part, share in zip(self.parts, self.shares, strict=True) if share > 0]
        return sum(counted, start=sp.csr_array((self.n_documents, self.n_documents)))

    def __repr__(self) -> str:
        return f"MixedGraph({', '.join(f'{s:g} x {p!r}' for s, p in zip(self.shares, self.parts, strict=True))})"


def _column(values: FloatArray, like: FloatArray) -> FloatArray:
    return values[:, None] if like.ndim == 2 else values
