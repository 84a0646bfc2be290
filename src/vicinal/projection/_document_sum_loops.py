"""The compiled loops of sums over documents, Xᵀ @ R: from the transpose of X, or from rows of X, in one order (P3')."""

from __future__ import annotations

import numpy as np

from vicinal._compiled import compiled
from vicinal._typing import Floats, Integers


@compiled
def add_transposed(row_starts: Integers, terms: Integers, weights: Floats, R: Floats, total: Floats) -> None:
    """Add Xᵀ @ R to ``total`` for some rows of X, document by document."""
    columns = R.shape[1]
    for i in range(R.shape[0]):
        for p in range(row_starts[i], row_starts[i + 1]):
            weight = weights[p]
            t = terms[p]
            for c in range(columns):
                total[t, c] += weight * R[i, c]


@compiled
def multiply_by_chunks(
    start: int,
    stop: int,
    term_starts: Integers,
    documents: Integers,
    weights: Floats,
    R: Floats,
    shift: int,
    product: Floats,
) -> None:
    """Write rows ``start:stop`` of Xᵀ @ R into ``product``, each summed by chunks of 2^shift documents and a tree over them."""
    n_chunks = (R.shape[0] >> shift) + 1
    sums = np.empty((n_chunks, R.shape[1]), product.dtype)
    numbers = np.empty(n_chunks, np.int64)
    for t in range(start, stop):
        count = 0
        for p in range(term_starts[t], term_starts[t + 1]):
            chunk = documents[p] >> shift
            if count == 0 or numbers[count - 1] != chunk:
                numbers[count] = chunk
                sums[count] = 0.0
                count += 1
            for c in range(R.shape[1]):
                sums[count - 1, c] += weights[p] * R[documents[p], c]
        while count > 1:
            count = _half(count, numbers, sums)
        for c in range(R.shape[1]):
            product[t, c] = sums[0, c] if count else 0.0


@compiled
def _half(count: int, numbers: Integers, sums: Floats) -> int:
    """Add up chunks that are siblings in the tree, in place; return how many nodes there are one level up.

    Chunks in which the term does not occur are missing: adding their zeros would change no bit.
    """
    to, at = 0, 0
    while at < count:
        pair = at + 1 < count and numbers[at] % 2 == 0 and numbers[at + 1] == numbers[at] + 1
        for c in range(sums.shape[1]):
            sums[to, c] = sums[at, c] + sums[at + 1, c] if pair else sums[at, c]
        numbers[to] = numbers[at] >> 1
        to += 1
        at += 2 if pair else 1
    return to
