"""Compiled loops that embed documents given the factors, one document at a time, so that none depends on another."""

from __future__ import annotations

from vicinal._compiled import compiled
from vicinal._typing import FloatArray, Floats, Integers


@compiled
def expect_and_maximize(
    start: int,
    stop: int,
    row_starts: Integers,
    terms: Integers,
    counts: Floats,
    P: FloatArray,
    tol: float,
    limit: int,
    S: FloatArray,
) -> None:
    """Write P(z|d) of documents ``start:stop`` into ``S``, for P(w|z) in ``P`` (terms x classes), by EM from equal shares (F4).

    A document stops when no share moves by more than ``tol``. One without a term that any class has keeps zeros.
    """
    for i in range(start, stop):
        classes = P.shape[1]
        for z in range(classes):
            S[i, z] = 1.0 / classes
        for _ in range(limit):
            moved = step_of_em(row_starts[i], row_starts[i + 1], terms, counts, P, S[i])
            if moved <= tol:
                break


@compiled
def step_of_em(first: int, last: int, terms: Integers, counts: Floats, P: FloatArray, shares: FloatArray) -> float:
    """One step of EM for one document's shares, in place; returns how far the farthest moved."""
    classes = len(shares)
    new = shares * 0.0
    for p in range(first, last):
        t = terms[p]
        expected = 0.0
        for z in range(classes):
            expected += shares[z] * P[t, z]
        if expected > 0.0:
            for z in range(classes):
                new[z] += counts[p] * (shares[z] * P[t, z] / expected)
    total = 0.0
    for z in range(classes):
        total += new[z]
    moved = 0.0
    for z in range(classes):
        share = new[z] / total if total > 0.0 else 0.0
        moved = max(moved, abs(share - shares[z]))
        shares[z] = share
    return moved if total > 0.0 else 0.0


@compiled
def descend(start: int, stop: int, B: FloatArray, G: FloatArray, tol: float, limit: int, V: FloatArray) -> None:
    """Write v ≥ 0 with the least ‖x - v H‖ for documents ``start:stop`` into ``V``, from B = X Hᵀ and G = H Hᵀ (F6).

    One coordinate after the other is set to its best value; a document stops when none moves by more than ``tol`` of
    the largest.
    """
    factors = G.shape[0]
    for i in range(start, stop):
        for _ in range(limit):
            moved, largest = 0.0, 0.0
            for z in range(factors):
                slope = -B[i, z]
                for other in range(factors):
                    slope += G[z, other] * V[i, other]
                best = max(0.0, V[i, z] - slope / G[z, z])
                moved = max(moved, abs(best - V[i, z]))
                largest = max(largest, best)
                V[i, z] = best
            if moved <= tol * largest:
                break
