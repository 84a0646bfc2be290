"""Exact neighbours of documents in row blocks: one task per block of queries, which goes over all blocks in their order.

Cosines have the bits that a search in memory gives them, and of equal ones the earlier document counts, so the neighbours do not
depend on the blocks or on who searched them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vicinal._matrix import csr, small_indices, unit_rows
from vicinal._typing import FloatArray, Floats, IntArray, Integers, SparseMatrix, Terms
from vicinal.engines._stages import Arrays, Stages
from vicinal.graph._neighbors import Neighbors, nearest_of_checked
from vicinal.graph._ties import TICK
from vicinal.terms._block_terms import BlockTerms
from vicinal.terms._row_shards import HeldRows, RowSource

QUERIES = 4096  # documents whose neighbours one task looks for, where only some are asked about

Found = tuple[IntArray, FloatArray]
#: Where rows start, their columns and their numbers.
Entries = tuple[Integers, Integers, Floats]


def nearest_in(
    U: Terms | BlockTerms, k: int, *, queries: IntArray | None = None, group: IntArray | None = None, n_jobs: int | None = None
) -> Neighbors:
    """As ``nearest_of_checked``, for rows of length one in memory, or for row blocks of any length."""
    if not isinstance(U, BlockTerms):
        return nearest_of_checked(U, k, queries=queries, group=group, n_jobs=n_jobs)
    groups = None if group is None else U.engine.place(group)
    sources = U.engine.place(tuple(U.blocks.sources))
    keep = U.stages if queries is None and group is None else Stages(None)
    tasks = [
        U.engine.call(_kept_search, keep, asked, numbers if group is None else group[numbers], sources, groups, k)
        for asked, numbers in _asked(U, queries)
    ]
    found: list[Found] = U.engine.get(tasks)
    return Neighbors(np.concatenate([each[0] for each in found]), np.concatenate([each[1] for each in found]))


def _kept_search(
    stages: Stages, queries: RowSource, own: IntArray, sources: tuple[RowSource, ...], groups: IntArray | None, k: int
) -> Found:
    """One task: what it finds is kept by whoever runs it as soon as it is found, and read where it was found before."""

    def compute() -> Arrays:
        """Search all blocks."""
        documents, similarities = search_blocks(queries, own, sources, groups, k)
        return {"documents": documents, "similarities": similarities}

    kept = stages.once("neighbours", (k, own), compute)
    return kept["documents"], kept["similarities"]


def _asked(U: BlockTerms, queries: IntArray | None) -> Iterator[tuple[RowSource, IntArray]]:
    """Where the rows of queries are, with their document numbers: whole blocks, or some rows that are collected first."""
    if queries is None:
        for source, (start, stop) in zip(U.blocks.sources, U.bounds, strict=True):
            yield source, np.arange(start, stop, dtype=np.int64)
        return
    for at in range(0, len(queries), QUERIES):
        numbers = queries[at : at + QUERIES]
        rows = U.rows(numbers)
        yield HeldRows(rows, 0, rows.shape[0]), numbers


def search_blocks(queries: RowSource, own: IntArray, sources: tuple[RowSource, ...], groups: IntArray | None, k: int) -> Found:
    """The nearest documents of some rows among those of another group, in all blocks: one task."""
    Q = _unit(queries.load())
    best = np.full((Q.shape[0], k), -1, dtype=np.int64), np.zeros((Q.shape[0], k))
    start = 0
    for source in sources:
        C = _unit(source.load())
        stop = start + C.shape[0]
        group = np.arange(start, stop, dtype=np.int64) if groups is None else groups[start:stop]
        documents, similarities = nearest_among(Q, own, C, group, postings_of(C), best)
        best = nearest_of_both(best, (np.where(documents >= 0, documents + start, -1), similarities))
        start = stop
    return best


def _unit(rows: SparseMatrix) -> SparseMatrix:
    return small_indices(csr(unit_rows(rows)))


def postings_of(C: SparseMatrix) -> Entries:
    """The lists of the terms of some rows, in single precision."""
    return _entries(small_indices(csr(C.astype(np.float32).T)))


def nearest_among(Q: SparseMatrix, own: IntArray, C: SparseMatrix, group: IntArray, postings: Entries, best: Found) -> Found:
    """The nearest rows of one block for each query, of those that can be among the best so far."""
    from vicinal.graph._index_across import nearest_across

    found = np.zeros(Q.shape[0], dtype=np.int64)
    documents, similarities = np.full_like(best[0], -1), np.zeros_like(best[1])
    nearest_across(*_entries(Q), own, *_entries(C), group, *postings, best[1][:, -1].copy(), found, documents, similarities)
    missing = np.arange(documents.shape[1]) >= found[:, None]
    documents[missing], similarities[missing] = -1, 0.0
    return documents, similarities


def _entries(rows: SparseMatrix) -> Entries:
    return rows.indptr.astype(np.uint64), rows.indices.view(np.uint32), rows.data


def nearest_of_both(one: Found, other: Found) -> Found:
    """The nearest of both, nearest first, of equal ones those of the first: its documents come before those of the other."""
    k = one[0].shape[1]
    documents, similarities = (np.concatenate(pair, axis=1) for pair in zip(one, other, strict=True))
    order = np.argsort(-np.round(similarities * TICK), axis=1, kind="stable")[:, :k]
    return np.take_along_axis(documents, order, axis=1), np.take_along_axis(similarities, order, axis=1)
