"""Duplicates as candidates for neighbours: rows that are equal are found by one product, however common their terms are."""

from __future__ import annotations

import numpy as np

from vicinal._compiled import compiled
from vicinal._typing import FloatArray, Floats, IntArray, Integers, SparseMatrix
from vicinal.graph._impact_lists import ImpactRows, cosine_to, insert_by_document


def add_equal_rows(U: SparseMatrix, rows: ImpactRows, documents: IntArray, similarities: FloatArray) -> None:
    """Put the first documents with an equal row into the neighbours of each, in place.

    Equal rows have equal products with a vector of random numbers. So may others, once in a very long while; as every candidate
    is scored, that does no harm.
    """
    keys = U @ np.random.RandomState(0).uniform(1.0, 2.0, U.shape[1])
    order = np.argsort(keys, kind="stable")
    sorted_keys = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], sorted_keys[1:] != sorted_keys[:-1]]))
    stops = np.append(starts[1:], len(keys))
    several = (stops - starts > 1) & (sorted_keys[starts] > 0)  # rows without terms have nothing in common
    _add(starts[several], stops[several], order, U.shape[1], *rows[:3], documents, similarities)


@compiled
def _add(
    starts: Integers,
    stops: Integers,
    order: Integers,
    n_terms: int,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    documents: Integers,
    similarities: Floats,
) -> None:
    k = documents.shape[1]
    query = np.zeros(n_terms, np.float64)
    for group in range(starts.shape[0]):
        members = order[starts[group] : stops[group]]
        for i in members:
            for p in range(row_starts[i], row_starts[i + 1]):
                query[terms[p]] = weights[p]
            for j in members[: k + 1]:
                if j != i and not _holds(documents[i], j):
                    similarity = cosine_to(query, j, row_starts, terms, weights)
                    insert_by_document(j, similarity, _count(documents[i]), documents[i], similarities[i])
            for p in range(row_starts[i], row_starts[i + 1]):
                query[terms[p]] = 0.0


@compiled
def _holds(neighbors: Integers, document: int) -> bool:
    found = False
    for each in neighbors:
        found |= each == document
    return found


@compiled
def _count(neighbors: Integers) -> int:
    """How many there are before the first -1."""
    count = 0
    while count < neighbors.shape[0] and neighbors[count] >= 0:
        count += 1
    return count
