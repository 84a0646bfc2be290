"""The compiled loops of kernels: one document compared with all landmarks, by itself, so that no batch changes a bit."""

from __future__ import annotations

import numpy as np

from vicinal._compiled import compiled
from vicinal._typing import Floats, Integers

PLAIN, COSINE, RBF, POLYNOMIAL = 0, 1, 2, 3


@compiled
def dot_products(
    start: int,
    row_starts: Integers,
    terms: Integers,
    counts: Floats,
    list_starts: Integers,
    owners: Integers,
    weights: Floats,
    dots: Floats,
) -> None:
    """Write x·z of the documents from ``start`` on with every landmark into ``dots``, one row each.

    ``list_starts``, ``owners`` and ``weights`` hold, term by term, which landmarks use it and how much. Terms are added up in the
    order in which they are stored, so x·z and z·x are the same bits.
    """
    for i in range(dots.shape[0]):
        for j in range(dots.shape[1]):
            dots[i, j] = 0.0
        for p in range(row_starts[start + i], row_starts[start + i + 1]):
            t = terms[p]
            for q in range(list_starts[t], list_starts[t + 1]):
                dots[i, owners[q]] += counts[p] * weights[q]


@compiled
def kernel_of(kind: int, gamma: float, coef0: float, degree: int, squares: Floats, others: Floats, dots: Floats) -> None:
    """Turn dot products into values of a kernel, in place (P32)."""
    for i in range(dots.shape[0]):
        for j in range(dots.shape[1]):
            dot = dots[i, j]
            if kind == COSINE:
                lengths = np.sqrt(squares[i]) * np.sqrt(others[j])
                dots[i, j] = dot / lengths if lengths > 0.0 else 0.0
            elif kind == RBF:
                dots[i, j] = np.exp(-gamma * max(squares[i] + others[j] - 2.0 * dot, 0.0))
            elif kind == POLYNOMIAL:
                base, value = gamma * dot + coef0, 1.0
                for _ in range(degree):
                    value *= base
                dots[i, j] = value


@compiled
def weighted_sums(start: int, row_starts: Integers, values: Floats, C: Floats, embeddings: Floats) -> None:
    """Add up Σ_j k(x, z_j) C_j for each row of ``values``, landmark by landmark; zero for a row without terms."""
    for i in range(values.shape[0]):
        row = start + i
        for c in range(C.shape[1]):
            embeddings[row, c] = 0.0
        if row_starts[row] == row_starts[row + 1]:
            continue
        for j in range(values.shape[1]):
            for c in range(C.shape[1]):
                embeddings[row, c] += values[i, j] * C[j, c]
