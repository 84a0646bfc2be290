"""The order of sums over documents: by chunks whose size depends on the number of documents alone, and a tree over the chunks.

Block conjugate gradients turn the last bit of a sum into differences as large as their tolerance within some twenty steps. So sums
have one order, whether X is in memory, in row blocks of any size, or on any number of workers (P3').
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np

from vicinal._typing import FloatArray, Floats, SparseMatrix

Part = TypeVar("Part")
Array = TypeVar("Array", FloatArray, Floats)

SMALLEST, LARGEST = 13, 16  # chunks have 2^13 to 2^16 documents
MOST = 128  # of them, as long as they can be larger


def chunk_shift(n_documents: int) -> int:
    """The logarithm of the number of documents of a chunk."""
    shift = SMALLEST
    while shift < LARGEST and n_documents > MOST << shift:
        shift += 1
    return shift


def tree_sum(parts: Iterable[Part], add: Callable[[Part, Part], Part]) -> Part:
    """Add up parts by the tree over their numbers, as soon as both of a pair are there, so that few are kept at a time.

    A run of parts that begins at a multiple of a power of two and is no longer than it is a node of the tree of all.
    """
    stack: list[tuple[int, Part]] = []
    for part in parts:
        stack.append((1, part))
        while len(stack) > 1 and stack[-2][0] == stack[-1][0]:
            stack[-2:] = [(2 * stack[-1][0], add(stack[-2][1], stack[-1][1]))]
    while len(stack) > 1:
        stack[-2:] = [(0, add(stack[-2][1], stack[-1][1]))]
    return stack[0][1]


def add_arrays(one: Array, other: Array) -> Array:
    """The sum of two arrays: a task, and the leaves of a tree."""
    return one + other


def by_term(X: SparseMatrix, power: int) -> FloatArray:
    """Σ over documents of a power of each entry, for each term."""
    size = 1 << chunk_shift(X.shape[0])
    return np.asarray(tree_sum((chunk_by_term(X[a : a + size], power) for a in range(0, X.shape[0], size)), add_arrays))


def chunk_by_term(rows: SparseMatrix, power: int, before: FloatArray | None = None) -> FloatArray:
    """The same for documents of one chunk, one after the other, added to the sums of those before them."""
    sums = np.zeros(rows.shape[1]) if before is None else before
    entries = rows.data.astype(np.float64)
    np.add.at(sums, rows.indices, entries if power == 1 else entries**power)
    return sums
