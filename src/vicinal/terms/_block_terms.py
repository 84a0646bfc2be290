"""Documents x terms in row blocks, with the engine that runs over them and what a first pass has found out."""

from __future__ import annotations

import itertools
import tempfile
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, largest_entry, nonzero_rows, row_norms
from vicinal._typing import BoolArray, FloatArray, IntArray, SparseMatrix
from vicinal._validate import entry_position, refuse_extreme_peak, refuse_infinite
from vicinal.engines import Engine, ThreadEngine
from vicinal.engines._engine import Task
from vicinal.engines._stages import Stages, digest
from vicinal.terms._row_blocks import RowBlocks, as_blocks
from vicinal.terms._row_shards import RowSource


@final
@dataclass(frozen=True, eq=False)
class BlockTerms:
    """Checked row blocks and where work on them runs: what a matrix is to methods that hold it in memory.

    Attributes
    ----------
    blocks : RowBlocks
    engine : Engine
    filled : bool array of shape (n_documents,)
        Which documents have a term.
    largest, lowest : float
        The largest size of an entry, and the smallest entry.
    dtype : numpy.dtype
        Of the entries.
    stages : Stages
        Where finished stages are kept.
    """

    blocks: RowBlocks
    engine: Engine
    filled: BoolArray
    largest: float
    lowest: float
    dtype: np.dtype[Any]
    stages: Stages
    temporary: tempfile.TemporaryDirectory[str] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of documents and of terms."""
        return self.blocks.shape

    @cached_property
    def bounds(self) -> list[tuple[int, int]]:
        """The first document of each block, and the one after its last."""
        starts = self.blocks.starts.tolist()
        return list(itertools.pairwise(starts))

    def calls(self, function: Callable[..., Any], *shared: object, each: Sequence[tuple[object, ...]] | None = None) -> list[Task]:
        """Call a function with each block: where its rows are, what all share, and what is this block's own."""
        own = [()] * len(self.blocks) if each is None else each
        return [self.engine.call(function, source, *shared, *more) for source, more in zip(self.blocks.sources, own, strict=True)]

    def over(self, function: Callable[..., Any], *shared: object, each: Sequence[tuple[object, ...]] | None = None) -> list[Any]:
        """The results of a function for all blocks, in order."""
        return self.engine.get(self.calls(function, *shared, each=each))

    def pieces(self, start: int, stop: int) -> list[tuple[RowSource, int, int]]:
        """Where the documents from ``start`` to ``stop`` are: parts of blocks, each with its first document and the one after."""
        first, last = np.searchsorted(self.blocks.starts, [start, stop - 1], side="right") - 1
        found = []
        for number in range(int(first), int(last) + 1):
            at, end = self.bounds[number]
            a, b = max(start, at), min(stop, end)
            source = self.blocks.sources[number]
            found.append((source if (a, b) == (at, end) else source.part(a - at, b - at), a, b))
        return found

    def rows(self, numbers: IntArray) -> SparseMatrix:
        """Some documents, in the order of their numbers, which rise."""
        wanted = [numbers[(numbers >= start) & (numbers < stop)] - start for start, stop in self.bounds]
        asked = [(source, rows) for source, rows in zip(self.blocks.sources, wanted, strict=True) if rows.size]
        found = self.engine.get([self.engine.call(_some_rows, source, rows) for source, rows in asked])
        return csr(sp.vstack(found, format="csr"))

    def in_memory(self) -> SparseMatrix:
        """All documents as one matrix, for few of them."""
        return csr(sp.vstack(list(self.blocks), format="csr"))

    def lengths(self) -> FloatArray:
        """The Euclidean length of each row."""
        return np.concatenate(self.over(_lengths))


def _some_rows(source: RowSource, rows: IntArray) -> SparseMatrix:
    return source.load()[rows]


def _lengths(source: RowSource) -> FloatArray:
    return row_norms(source.load())


def block_terms(X: Any, engine: Engine | None, *, n_jobs: int | None = None, owned: bool = False) -> BlockTerms:
    """Check what is given in blocks, or to be divided into them, in one pass over it.

    Parameters
    ----------
    X : RowBlocks, path, iterator of blocks, or matrix
    engine : Engine, optional
        By default threads of this process.
    owned : bool
        Whether the engine was made for this call, and ends with it.
    """
    running, owned = (engine, owned) if engine is not None else (ThreadEngine(n_jobs), True)
    temporary = tempfile.TemporaryDirectory(prefix="vicinal-") if running.folder is None else None
    folder = Path(temporary.name) if running.folder is None and temporary is not None else running.folder
    budget = running.memory
    if budget is not None and isinstance(running, ThreadEngine):
        budget //= running.n_workers  # whose tasks share the memory of one process
    assert folder is not None
    blocks = as_blocks(X, folder / "rows", in_files=not running.shares_memory, memory=budget)
    terms = _checked(blocks, running, temporary)
    if owned:
        weakref.finalize(terms, running.close)
    return terms


@final
@dataclass(frozen=True, eq=False)
class _Facts:
    """What one block is like."""

    filled: BoolArray
    largest: tuple[float, int, int]
    lowest: float
    dtype: np.dtype[Any]
    key: str


def _checked(blocks: RowBlocks, engine: Engine, temporary: tempfile.TemporaryDirectory[str] | None) -> BlockTerms:
    kept = engine.folder is not None
    firsts = blocks.starts.tolist()
    calls = [engine.call(_facts, source, first, kept) for source, first in zip(blocks.sources, firsts[:-1], strict=True)]
    facts: list[_Facts] = engine.get(calls)
    largest = max((each.largest for each in facts), key=lambda each: each[0])
    refuse_extreme_peak(*largest)
    return BlockTerms(
        blocks,
        engine,
        np.concatenate([each.filled for each in facts]),
        largest[0],
        min(each.lowest for each in facts),
        np.result_type(*(each.dtype for each in facts)),
        Stages(engine.folder if kept else None, digest(blocks.shape, *(each.key for each in facts))),
        temporary,
    )


def _facts(source: RowSource, first: int, kept: bool) -> _Facts:
    rows = source.load()
    refuse_infinite(rows, first)
    peak, where = largest_entry(rows)
    row, column = entry_position(rows, where) if rows.nnz else (0, 0)
    lowest = float(rows.data.min(initial=0.0))
    key = digest(np.diff(rows.indptr), rows.indices, rows.data) if kept else ""
    return _Facts(nonzero_rows(rows), (peak, first + row, column), lowest, rows.dtype, key)
