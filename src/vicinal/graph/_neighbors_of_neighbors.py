"""Neighbours of neighbours as candidates: a round that lifts the recall of a graph whose neighbours are not all found yet (G14)."""

from __future__ import annotations

import numpy as np

from vicinal._compiled import compiled
from vicinal._threads import over_rows
from vicinal._typing import FloatArray, Floats, IntArray, Integers
from vicinal.graph._impact_lists import Rows, cosine_to, insert_by_document

CHOSEN_BY = 10  # of the documents that chose a document, those that rank it highest are asked too
BLOCK = 128
KNOWN = -(2**40)  # paths to a document that is in the list already: however many are added, never enough
SURE = 2**20  # paths to a document that chose this one: always enough


def improve(
    rows: Rows, n_terms: int, documents: IntArray, similarities: FloatArray, n_paths: int, n_jobs: int | None
) -> tuple[IntArray, FloatArray]:
    """One round for every document: score what at least ``n_paths`` paths of two steps lead to, and keep the best of all.

    Parameters
    ----------
    rows : Rows
        Of length one.
    n_terms : int
    documents, similarities : (n_documents, n_neighbors)
        Neighbours found so far, nearest first; -1 where there are no more.
    n_paths : int
    n_jobs : int or None
    """
    better, cosines = documents.copy(), similarities.copy()
    chosen = chosen_by(documents)

    def task(start: int, stop: int) -> None:
        improve_rows(start, stop, n_paths, n_terms, *rows, documents, *chosen, better, cosines)

    over_rows(task, len(documents), n_jobs, BLOCK)
    return better, cosines


def chosen_by(documents: IntArray) -> tuple[Integers, Integers]:
    """For each document those that have it among their neighbours, from the highest rank down and at most ``CHOSEN_BY``."""
    n, k = documents.shape
    chosen = documents.T.ravel()  # all first neighbours, then all second ones: stable sorting keeps the ranks in order
    who = np.tile(np.arange(n, dtype=np.uint32), k)[chosen >= 0]
    chosen = chosen[chosen >= 0]
    order = np.argsort(chosen, kind="stable")
    chosen, who = chosen[order], who[order]
    rank = np.arange(len(chosen)) - np.searchsorted(chosen, chosen)
    kept = rank < CHOSEN_BY
    starts = np.concatenate([[0], np.cumsum(np.bincount(chosen[kept], minlength=n))])
    return starts.astype(np.uint64), who[kept]


@compiled
def improve_rows(
    start: int,
    stop: int,
    n_paths: int,
    n_terms: int,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    documents: Integers,
    chosen_starts: Integers,
    chosen: Integers,
    better: Integers,
    cosines: Floats,
) -> None:
    """Improve the neighbours of the documents ``start:stop``; every row of ``documents`` is read, and only these are written."""
    k = documents.shape[1]
    paths = np.zeros(documents.shape[0], np.int64)
    query = np.zeros(n_terms, np.float64)
    asked = np.empty(k + CHOSEN_BY, np.int64)
    reached = np.empty((k + CHOSEN_BY) * (k + CHOSEN_BY + 1), np.int64)
    for i in range(start, stop):
        count = 0
        paths[i] = KNOWN
        while count < k and documents[i, count] >= 0:
            asked[count] = documents[i, count]
            paths[documents[i, count]] = KNOWN
            count += 1
        n_reached = _walk(i, count, documents, chosen_starts, chosen, asked, paths, reached)
        for p in range(row_starts[i], row_starts[i + 1]):
            query[terms[p]] = weights[p]
        paths[i] = 0
        for x in range(count):
            paths[asked[x]] = 0
        for x in range(n_reached):
            if paths[reached[x]] >= n_paths:
                similarity = cosine_to(query, reached[x], row_starts, terms, weights)
                count = insert_by_document(reached[x], similarity, count, better[i], cosines[i])
            paths[reached[x]] = 0
        for p in range(row_starts[i], row_starts[i + 1]):
            query[terms[p]] = 0.0


@compiled
def _walk(
    i: int,
    n_own: int,
    documents: Integers,
    chosen_starts: Integers,
    chosen: Integers,
    asked: Integers,
    paths: Integers,
    reached: Integers,
) -> int:
    """Count the paths from document i; ``reached`` receives where they end, each once, and those that chose i first."""
    n_asked, n_reached = n_own, 0
    for q in range(chosen_starts[i], chosen_starts[i + 1]):
        document = np.int64(chosen[q])
        if paths[document] == 0:
            asked[n_asked] = reached[n_reached] = document
            paths[document] = SURE
            n_asked, n_reached = n_asked + 1, n_reached + 1
    for x in range(n_asked):
        for y in range(documents.shape[1]):
            if documents[asked[x], y] >= 0:
                n_reached = _step(documents[asked[x], y], paths, reached, n_reached)
        for q in range(chosen_starts[asked[x]], chosen_starts[asked[x] + 1]):
            n_reached = _step(np.int64(chosen[q]), paths, reached, n_reached)
    return n_reached


@compiled
def _step(document: int, paths: Integers, reached: Integers, n_reached: int) -> int:
    if paths[document] == 0:
        reached[n_reached] = document
        n_reached += 1
    paths[document] += 1
    return n_reached
