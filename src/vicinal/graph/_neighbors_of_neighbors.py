"""Neighbours of neighbours as candidates: a round that lifts the recall of a graph whose neighbours are not all found yet (G14)."""

from __future__ import annotations

import numpy as np

from vicinal._compiled import compiled
from vicinal._threads import over_rows
from vicinal._typing import FloatArray, Floats, IntArray, Integers
from vicinal.graph._impact_lists import ImpactRows, cosine_to, insert_by_document, margin_of, single_cosine_to

CHOSEN_BY = 10  # of the documents that chose a document, those that rank it highest are asked too
BLOCK = 128
KNOWN = -(2**30)  # paths to a document that is in the list already: however many are added, never enough
SURE = 2**20  # paths to a document that chose this one: always enough


def improve(
    rows: ImpactRows, n_terms: int, documents: IntArray, similarities: FloatArray, n_paths: int, n_jobs: int | None
) -> tuple[IntArray, FloatArray]:
    """One round for every document: score what at least ``n_paths`` paths of two steps lead to, and keep the best of all.

    Parameters
    ----------
    rows : ImpactRows
        Of length one.
    n_terms : int
    documents, similarities : (n_documents, n_neighbors)
        Neighbours found so far, nearest first; -1 where there are no more.
    n_paths : int
    n_jobs : int or None
    """
    better, cosines = documents.copy(), similarities.copy()
    lists = neighbor_lists(documents)

    def task(start: int, stop: int) -> None:
        """Improve the neighbours of some rows."""
        improve_rows(start, stop, n_paths, n_terms, *rows, documents, *lists, better, cosines)

    over_rows(task, len(documents), n_jobs, BLOCK)
    return better, cosines


def neighbor_lists(documents: IntArray) -> tuple[Integers, Integers]:
    """For each document its neighbours, then those that have it among theirs: from the highest rank down, at most ``CHOSEN_BY``."""
    n, k = documents.shape
    chosen = documents.T.ravel()  # all first neighbours, then all second ones: stable sorting keeps the ranks in order
    who = np.tile(np.arange(n, dtype=np.uint32), k)[chosen >= 0]
    chosen = chosen[chosen >= 0]
    order = np.argsort(chosen, kind="stable")
    chosen, who = chosen[order], who[order]
    kept = np.arange(len(chosen)) - np.searchsorted(chosen, chosen) < CHOSEN_BY
    from_, to = np.nonzero(documents >= 0)[0], documents[documents >= 0].astype(np.uint32)
    rows, columns = np.concatenate([from_, chosen[kept]]), np.concatenate([to, who[kept]])
    order = np.argsort(rows, kind="stable")
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))]).astype(np.uint64), columns[order]


@compiled
def improve_rows(
    start: int,
    stop: int,
    n_paths: int,
    n_terms: int,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    pairs: Integers,
    single: Floats,
    documents: Integers,
    list_starts: Integers,
    lists: Integers,
    better: Integers,
    cosines: Floats,
) -> None:
    """Improve the neighbours of the documents ``start:stop``; all lists are read, and only these rows are written."""
    k = documents.shape[1]
    paths = np.zeros(documents.shape[0], np.int32)
    query, query_single = np.zeros(n_terms, np.float64), np.zeros(n_terms, np.float32)
    reached = np.empty((k + CHOSEN_BY) * (k + CHOSEN_BY + 1), np.uint32)
    for i in range(start, stop):
        count = 0
        while count < k and documents[i, count] >= 0:
            count += 1
        n_reached = _walk(np.uint64(i), count, list_starts, lists, paths, reached)
        for p in range(row_starts[i], row_starts[i + 1]):
            query[terms[p]] = query_single[terms[p]] = weights[p]
        margin = margin_of(row_starts[i + 1] - row_starts[i])
        for x in range(n_reached):
            document = reached[x]
            if paths[document] >= n_paths:
                near = single_cosine_to(query_single, document, row_starts, pairs, single)
                if count < k or near >= cosines[i, k - 1] - margin:
                    similarity = cosine_to(query, document, row_starts, terms, weights)
                    count = insert_by_document(document, similarity, count, better[i], cosines[i])
            paths[document] = 0
        for p in range(row_starts[i], row_starts[i + 1]):
            query[terms[p]] = query_single[terms[p]] = 0.0


@compiled
def _walk(i: np.uint64, n_own: int, list_starts: Integers, lists: Integers, paths: Integers, reached: Integers) -> np.uint64:
    """Count the paths of two steps from document i; ``reached`` receives where they end, each document once.

    Itself and its own neighbours count as known, and those that chose it as reached.
    """
    n_reached = np.uint64(0)
    first, last = list_starts[i], list_starts[i + np.uint64(1)]
    reached[n_reached], n_reached = i, n_reached + np.uint64(1)
    paths[i] = KNOWN
    for q in range(first, last):
        document = lists[q]
        if paths[document] == 0:
            paths[document] = KNOWN if q < first + np.uint64(n_own) else SURE
            reached[n_reached] = document
            n_reached += np.uint64(1)
    for q in range(first, last):
        for each in range(list_starts[lists[q]], list_starts[lists[q] + np.uint64(1)]):
            document = lists[each]
            if paths[document] == 0:
                reached[n_reached] = document
                n_reached += np.uint64(1)
            paths[document] += 1
    return n_reached
