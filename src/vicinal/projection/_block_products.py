"""X @ B and Xᵀ @ R for X in row blocks: tasks over runs of chunks, whose sums are added by a tree (P3').

The chunks, and with them every sum, are those of X in memory, so neither blocks nor workers change a bit.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np

from vicinal._typing import BoolArray, FloatArray, Floats, SparseMatrix
from vicinal.engines._engine import Task
from vicinal.projection._document_chunks import add_arrays, chunk_by_term, chunk_shift, tree_sum
from vicinal.projection._products import Products, in_float32, multiply, multiply_into
from vicinal.terms._block_terms import BlockTerms
from vicinal.terms._row_shards import RowSource

TASKS = 4  # runs of chunks per worker, so that the last of them does not keep the others waiting for long

#: Rows of one chunk: where they are, and which of them take part (None: all); several where a chunk spans blocks.
Chunk: TypeAlias = "list[tuple[RowSource, BoolArray | None]]"
Factors: TypeAlias = "tuple[FloatArray, FloatArray | None]"


@final
@dataclass(frozen=True, eq=False)
class BlockProducts:
    """A documents x terms matrix in row blocks, centred or not, that can be multiplied from both sides.

    Attributes
    ----------
    X : BlockTerms
    taken : bool array of shape (n_documents,), or None
        The documents that take part; None for all.
    mean : (terms,) or None
        What is taken off every row (P5).
    n_jobs : int, optional
        Threads of what runs here, not in tasks.
    """

    X: BlockTerms
    taken: BoolArray | None = None
    mean: FloatArray | None = None
    n_jobs: int | None = None

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Documents that take part, terms."""
        return self.X.shape[0] if self.taken is None else int(self.taken.sum()), self.X.shape[1]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the numbers of X."""
        return self.X.dtype

    def largest_entry(self) -> float:
        """The largest size of a number of X."""
        return self.X.largest

    def sparse(self) -> BlockProducts:
        """Itself: blocks are sparse."""
        return self

    def centred(self) -> BlockProducts:
        """The same with the mean document taken off."""
        return replace(self, mean=self.sum(self.calls(_by_term, 1)) / self.shape[0])

    def term_squares(self) -> FloatArray:
        """The squared length of each column of X, not centred."""
        return self.sum(self.calls(_by_term, 2))

    def forward(self, B: FloatArray) -> FloatArray:
        """Return (X - 1 μᵀ) @ B."""
        return np.concatenate(self.X.engine.get(self.calls(_forward, self._factors(B))))

    def backward(self, R: FloatArray) -> FloatArray:
        """Return (X - 1 μᵀ)ᵀ @ R."""
        return self._less_mean(self.sum(self.split(_backward, R, None)), R)

    def split(self, function: Callable[..., Any], R: Floats, *shared: object) -> list[Task]:
        """Call a function with each run of chunks, with the rows of R that belong to it and with what all share."""
        size = len(self._runs[0]) << chunk_shift(self.shape[0])
        return [self.X.engine.call(function, run, R[i * size : (i + 1) * size], *shared) for i, run in enumerate(self._runs)]

    def in_single(self, scale: FloatArray) -> SingleBlocks:
        """X diag(scale) in single precision, not centred: scaled by each task anew."""
        return SingleBlocks(self, self.X.engine.place(scale))

    def gram_of_terms(self) -> FloatArray:
        """(X - 1 μᵀ)ᵀ(X - 1 μᵀ) as an array: terms x terms, for few terms."""
        return self.sum(self.calls(_gram, self.X.engine.place(self.mean)))

    def gram_of_documents(self) -> FloatArray:
        """(X - 1 μᵀ)(X - 1 μᵀ)ᵀ as an array: documents x documents, for few documents."""
        return self._in_memory.gram_of_documents()

    def as_array(self) -> FloatArray:
        """X - 1 μᵀ as an array of float64, for few documents or terms."""
        return self._in_memory.as_array()

    @cached_property
    def _in_memory(self) -> Products:
        rows = self.X.in_memory()
        return Products(rows if self.taken is None else rows[self.taken], self.mean, self.n_jobs)

    @cached_property
    def _runs(self) -> list[list[Chunk]]:
        """Runs of chunks, each a node of the tree over chunks and the work of one task."""
        size = 1 << chunk_shift(self.shape[0])
        positions = None if self.taken is None else np.append(np.flatnonzero(self.taken), self.X.shape[0])
        cuts = range(0, self.shape[0], size) if positions is None else positions[: self.shape[0] : size].tolist()
        bounds = [*cuts, self.X.shape[0]]
        chunks = [self._chunk(a, b) for a, b in itertools.pairwise(bounds)]
        length = 1
        while 2 * length * TASKS * self.X.engine.n_workers <= len(chunks):
            length *= 2
        return [chunks[at : at + length] for at in range(0, len(chunks), length)]

    def _chunk(self, start: int, stop: int) -> Chunk:
        """The rows of a chunk, and which of them take part."""
        taken = None if self.taken is None or self.taken[start:stop].all() else self.taken
        return [(source, None if taken is None else taken[a:b]) for source, a, b in self.X.pieces(start, stop)]

    def calls(self, function: Callable[..., Any], *shared: object) -> list[Task]:
        """Call a function with each run of chunks, and with what all share."""
        return [self.X.engine.call(function, run, *shared) for run in self._runs]

    def _factors(self, B: FloatArray) -> Task:
        return self.X.engine.place((B, None if self.mean is None else self.mean @ B))

    def _less_mean(self, product: FloatArray, R: FloatArray) -> FloatArray:
        return product if self.mean is None else product - np.outer(self.mean, R.sum(axis=0))

    def _add(self, one: Task, other: Task) -> Task:
        return self.X.engine.call(add_arrays, one, other)

    def sum(self, parts: list[Task]) -> FloatArray:
        """The sum of what tasks over all runs return, by the tree."""
        total: FloatArray = self.X.engine.get([tree_sum(parts, self._add)])[0]
        return total


def _rows(source: RowSource, taken: BoolArray | None) -> SparseMatrix:
    return source.load() if taken is None else source.load()[taken]


def _image(rows: SparseMatrix, factors: Factors) -> FloatArray:
    B, shift = factors
    product = multiply(rows, B, 1)
    return product if shift is None else product - shift


def _forward(run: list[Chunk], factors: Factors) -> FloatArray:
    return np.concatenate([_image(_rows(*piece), factors) for chunk in run for piece in chunk])


def _backward(run: list[Chunk], R: Floats, scale: FloatArray | None) -> Floats:
    """Xᵀ @ R for a run of chunks, or diag(scale) Xᵀ @ R in single precision."""
    used, n_terms = 0, run[0][0][0].n_terms

    def chunk_sum(chunk: Chunk) -> Floats:
        nonlocal used
        total = np.zeros((n_terms, R.shape[1]), R.dtype)
        for piece in chunk:
            rows = _rows(*piece)
            _add_rows(rows, R[used : used + rows.shape[0]], scale, total)
            used += rows.shape[0]
        return total

    return np.asarray(tree_sum(map(chunk_sum, run), add_arrays))


def _add_rows(rows: SparseMatrix, R: Floats, scale: FloatArray | None, total: Floats) -> None:
    from vicinal.projection._document_sum_loops import add_transposed

    X = rows if scale is None else in_float32(rows, scale[rows.indices])
    add_transposed(X.indptr, X.indices, X.data, np.ascontiguousarray(R), total)


@final
@dataclass(frozen=True, eq=False)
class SingleBlocks:
    """X diag(scale) in single precision, in row blocks."""

    products: BlockProducts
    scale: Task

    def forward(self, terms: Floats, documents: Floats) -> None:
        """Write X diag(scale) @ terms into ``documents``."""
        engine = self.products.X.engine
        np.concatenate(engine.get(self.products.calls(_single_forward, engine.place(terms), self.scale)), out=documents)

    def backward(self, documents: Floats, terms: Floats) -> None:
        """Write diag(scale) Xᵀ @ documents into ``terms``."""
        terms[:] = self.products.sum(self.products.split(_backward, documents, self.scale))


def _single_forward(run: list[Chunk], terms: Floats, scale: FloatArray) -> Floats:
    parts = []
    for piece in (piece for chunk in run for piece in chunk):
        rows = _rows(*piece)
        parts.append(np.empty((rows.shape[0], terms.shape[1]), np.float32))
        multiply_into(in_float32(rows, scale[rows.indices]), terms, parts[-1], 1)
    return np.concatenate(parts)


def _by_term(run: list[Chunk], power: int) -> FloatArray:
    def one(chunk: Chunk) -> FloatArray:
        total = None
        for piece in chunk:
            total = chunk_by_term(_rows(*piece), power, total)
        return np.asarray(total)

    return np.asarray(tree_sum(map(one, run), add_arrays))


def _gram(run: list[Chunk], mean: FloatArray | None) -> FloatArray:
    grams = (Products(_rows(*piece), mean).gram_of_terms() for chunk in run for piece in chunk)
    return np.asarray(tree_sum(grams, add_arrays))
