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

from vicinal._typing import BoolArray, FloatArray, SparseMatrix
from vicinal.engines._engine import Task, item_of
from vicinal.projection._document_chunks import add_arrays, chunk_by_term, chunk_shift, tree_sum
from vicinal.projection._products import Products, multiply
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
        return replace(self, mean=self._sum(self._calls(_by_term, 1)) / self.shape[0])

    def term_squares(self) -> FloatArray:
        """The squared length of each column of X, not centred."""
        return self._sum(self._calls(_by_term, 2))

    def forward(self, B: FloatArray) -> FloatArray:
        """Return (X - 1 μᵀ) @ B."""
        return np.concatenate(self.X.engine.get(self._calls(_forward, self._factors(B))))

    def backward(self, R: FloatArray) -> FloatArray:
        """Return (X - 1 μᵀ)ᵀ @ R."""
        size = len(self._runs[0]) << chunk_shift(self.shape[0])
        tasks = [self.X.engine.call(_backward, run, R[i * size : (i + 1) * size]) for i, run in enumerate(self._runs)]
        return self._less_mean(self._sum(tasks), R)

    def normal(self, B: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return Z = (X - 1 μᵀ) @ B and (X - 1 μᵀ)ᵀ @ Z, in one pass over X."""
        call = self.X.engine.call
        both = self._calls(_normal, self._factors(B))
        images = [call(item_of, pair, 0) for pair in both]
        total = tree_sum((call(item_of, pair, 1) for pair in both), self._add)
        del both  # so that no worker keeps what others have taken
        *parts, product = self.X.engine.get([*images, total])
        Z = np.concatenate(parts)
        return Z, self._less_mean(product, Z)

    def gram_of_terms(self) -> FloatArray:
        """(X - 1 μᵀ)ᵀ(X - 1 μᵀ) as an array: terms x terms, for few terms."""
        return self._sum(self._calls(_gram, self.X.engine.place(self.mean)))

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

    def _calls(self, function: Callable[..., Any], *shared: object) -> list[Task]:
        return [self.X.engine.call(function, run, *shared) for run in self._runs]

    def _factors(self, B: FloatArray) -> Task:
        return self.X.engine.place((B, None if self.mean is None else self.mean @ B))

    def _less_mean(self, product: FloatArray, R: FloatArray) -> FloatArray:
        return product if self.mean is None else product - np.outer(self.mean, R.sum(axis=0))

    def _add(self, one: Task, other: Task) -> Task:
        return self.X.engine.call(add_arrays, one, other)

    def _sum(self, parts: list[Task]) -> FloatArray:
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


def _backward(run: list[Chunk], R: FloatArray) -> FloatArray:
    return _normal(run, None, R)[1]


def _normal(run: list[Chunk], factors: Factors | None, R: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """X @ B and Xᵀ @ (X @ B) for a run of chunks; or Xᵀ @ R, where R is given in place of B."""
    images, used = list[FloatArray](), 0

    def image(rows: SparseMatrix) -> FloatArray:
        nonlocal used
        if factors is not None:
            images.append(_image(rows, factors))
            return images[-1]
        assert R is not None
        used += rows.shape[0]
        return np.ascontiguousarray(R[used - rows.shape[0] : used])

    total = tree_sum((_chunk_sum(chunk, image) for chunk in run), add_arrays)
    return np.concatenate(images) if images else np.empty((0, 0)), total


def _chunk_sum(chunk: Chunk, image: Callable[[SparseMatrix], FloatArray]) -> FloatArray:
    """Xᵀ @ image(X) for the documents of one chunk, one after the other."""
    from vicinal.projection._document_sum_loops import add_transposed

    total = np.empty((0, 0))
    for piece in chunk:
        rows = _rows(*piece)
        Z = image(rows)
        total = np.zeros((rows.shape[1], Z.shape[1])) if total.size == 0 else total
        add_transposed(rows.indptr, rows.indices, rows.data, Z, total)
    return total


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
