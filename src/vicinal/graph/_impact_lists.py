"""Candidates for neighbours from the heavy ends of posting lists: so many entries are read for each document and no more (G13).

Posting lists are sorted by weight, the heaviest document first. A document reads from the lists of its terms a budget of entries,
shared out by the fourth power of its weights: its heaviest terms are read to the end, or far down, and the terms that nearly every
document has hardly at all. The best documents by these partial sums are scored whole: in float32, which says which of them can be
among the nearest, and those in float64.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vicinal._compiled import compiled
from vicinal._matrix import csr, small_indices
from vicinal._threads import over_rows
from vicinal._typing import Floats, Integers, SparseMatrix
from vicinal.graph._inverted_index import UNIT_ROUNDOFF, _replace_smallest
from vicinal.graph._ties import TICK

LISTS = 256  # posting lists sorted per task
DEALS = 3  # times that what short lists leave of the budget is dealt out to the others


class ImpactLists(NamedTuple):
    """Posting lists as kernels take them: unsigned, so that no index is looked at for its sign."""

    starts: Integers
    documents: Integers
    weights: Floats


class ImpactRows(NamedTuple):
    """Rows of length one as kernels take them.

    Most rows are looked at once and far from each other, and waiting for memory is what takes time. So term and weight, in float32,
    lie side by side: ``pairs[2 p]`` is a term, and ``single[2 p + 1]``, the same memory, its weight.
    """

    starts: Integers
    terms: Integers
    weights: Floats
    pairs: Integers
    single: Floats


def rows_of(U: SparseMatrix) -> ImpactRows:
    """The rows of U in float64 and, in pairs, in float32."""
    U = small_indices(U)
    pairs = np.empty(2 * U.nnz, dtype=np.uint32)
    pairs[0::2] = U.indices
    single = pairs.view(np.float32)
    single[1::2] = U.data
    return ImpactRows(U.indptr.astype(np.uint64), U.indices.view(np.uint32), U.data.astype(np.float64, copy=False), pairs, single)


def impact_lists(U: SparseMatrix, n_jobs: int | None) -> ImpactLists:
    """The documents of each term in float32, heaviest first, equal weights in document order."""
    postings = small_indices(csr(U.astype(np.float32).T))
    lists = ImpactLists(postings.indptr.astype(np.uint64), postings.indices.view(np.uint32), postings.data)
    over_rows(lambda start, stop: _heaviest_first(start, stop, *lists), postings.shape[0], n_jobs, LISTS)
    return lists


@compiled
def _heaviest_first(start: int, stop: int, starts: Integers, documents: Integers, weights: Floats) -> None:
    """Sort the lists ``start:stop`` in place."""
    for term in range(start, stop):
        a, b = starts[term], starts[term + 1]
        order = np.argsort(-weights[a:b], kind="mergesort")
        documents[a:b] = documents[a:b][order]
        weights[a:b] = weights[a:b][order]


@compiled
def candidate_rows(
    start: int,
    stop: int,
    queries: Integers,
    budget: int,
    n_candidates: int,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    pairs: Integers,
    single: Floats,
    list_starts: Integers,
    list_documents: Integers,
    list_weights: Floats,
    neighbors: Integers,
    similarities: Floats,
) -> None:
    """Fill ``neighbors[start:stop]`` and ``similarities[start:stop]`` with the best of the candidates of ``queries[start:stop]``.

    ``neighbors`` holds -1 and ``similarities`` 0 before, and where there are no more afterwards. Weights are not negative.
    """
    n_documents = row_starts.shape[0] - 1
    scores = np.zeros(n_documents, np.float32)
    touched = np.empty(n_documents + 1, np.uint32)
    query, query_single = np.zeros(list_starts.shape[0] - 1, np.float64), np.zeros(list_starts.shape[0] - 1, np.float32)
    best, nearest = np.empty(n_candidates, np.float32), np.empty(neighbors.shape[1], np.float32)
    for r in range(start, stop):
        i = queries[r]
        a, b = row_starts[i], row_starts[i + 1]
        depths = _depths(budget, terms[a:b], weights[a:b], list_starts)
        n_touched = _add_heads(depths, terms[a:b], weights[a:b], list_starts, list_documents, list_weights, scores, touched)
        scores[i] = 0
        floor = _floor(scores, touched[:n_touched], best)
        for p in range(a, b):
            query[terms[p]] = query_single[terms[p]] = weights[p]
        n_kept = _score_whole(scores, touched[:n_touched], floor, query_single, row_starts, pairs, single)
        floor = _floor(scores, touched[:n_kept], nearest) - margin_of(b - a)
        _keep_nearest(scores, touched[:n_kept], floor, query, row_starts, terms, weights, neighbors[r], similarities[r])
        for p in range(a, b):
            query[terms[p]] = query_single[terms[p]] = 0.0


@compiled
def _depths(budget: int, terms: Integers, weights: Floats, list_starts: Integers) -> Integers:
    """How many entries of each term's list are read: shares of the budget by the fourth power of weights, rare terms whole."""
    left, total = np.float64(budget), (weights**4).sum()
    for _ in range(DEALS):
        each, left, rest = left / max(total, 1e-300), np.float64(budget), 0.0
        for p in range(terms.shape[0]):
            length = list_starts[terms[p] + 1] - list_starts[terms[p]]
            if each * weights[p] ** 4 >= length:
                left -= length
            else:
                rest += weights[p] ** 4
        total = rest
        if rest == 0.0:
            break
    depths = np.empty(terms.shape[0], np.uint64)
    for p in range(terms.shape[0]):
        length = list_starts[terms[p] + 1] - list_starts[terms[p]]
        share = left / total * weights[p] ** 4 if total > 0.0 else np.float64(length)
        depths[p] = length if share >= length else np.uint64(max(share, 0.0))
    return depths


@compiled
def _add_heads(
    depths: Integers,
    terms: Integers,
    weights: Floats,
    list_starts: Integers,
    list_documents: Integers,
    list_weights: Floats,
    scores: Floats,
    touched: Integers,
) -> np.uint64:
    """Add up the first entries of each list into ``scores``; ``touched`` receives the documents, returned is how many."""
    n_touched = np.uint64(0)
    for p in range(terms.shape[0]):
        weight = np.float32(weights[p])
        first = list_starts[terms[p]]
        for q in range(first, first + depths[p]):
            document = list_documents[q]
            score = scores[document]
            touched[n_touched] = document
            n_touched += np.uint64(1) if score == 0 else np.uint64(0)
            scores[document] = score + weight * list_weights[q]
    return n_touched


@compiled
def _floor(scores: Floats, touched: Integers, best: Floats) -> np.floating:
    """The score of the last candidate: as many as ``best`` has room for reach it."""
    best[:] = 0
    for document in touched:
        if scores[document] > best[0]:
            _replace_smallest(best, best.shape[0], scores[document])
    floor: np.floating = best[0]
    return floor


@compiled
def _score_whole(
    scores: Floats,
    touched: Integers,
    floor: np.floating,
    query: Floats,
    row_starts: Integers,
    pairs: Integers,
    single: Floats,
) -> np.uint64:
    """Put the candidates first in ``touched``, with their cosines in ``scores``, and all other scores to zero; return how many."""
    n_kept = np.uint64(0)
    for x in range(touched.shape[0]):
        document = touched[x]
        if scores[document] >= floor and scores[document] > 0:
            scores[document] = single_cosine_to(query, document, row_starts, pairs, single)
            touched[n_kept] = document
            n_kept += np.uint64(1)
        else:
            scores[document] = 0
    return n_kept


@compiled
def _keep_nearest(
    scores: Floats,
    candidates: Integers,
    floor: np.floating,
    query: Floats,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    neighbors: Integers,
    similarities: Floats,
) -> None:
    """Score those that can be among the nearest in float64, keep the nearest, and set all scores to zero."""
    count = 0
    for document in candidates:
        if scores[document] >= floor:
            similarity = cosine_to(query, document, row_starts, terms, weights)
            count = insert_by_document(document, similarity, count, neighbors, similarities)
        scores[document] = 0


@compiled
def margin_of(length: int) -> np.floating:
    """How far a cosine in float32 of a row of so many terms can be from that in float64, twice (G9)."""
    return np.float32(2 * UNIT_ROUNDOFF * (np.float64(length) + 4))


@compiled
def single_cosine_to(query: Floats, document: int, row_starts: Integers, pairs: Integers, single: Floats) -> np.floating:
    """The cosine of a document with the query, in float32."""
    similarity = np.float32(0.0)
    two, one = np.uint64(2), np.uint64(1)
    for p in range(two * row_starts[document], two * row_starts[document + 1], two):
        similarity += query[pairs[p]] * single[p + one]
    return similarity


@compiled
def cosine_to(query: Floats, document: int, row_starts: Integers, terms: Integers, weights: Floats) -> float:
    """The cosine of a document with the query, added up in the order of its terms: both ways round the same bits."""
    similarity = 0.0
    for p in range(row_starts[document], row_starts[document + 1]):
        similarity += query[terms[p]] * weights[p]
    return similarity


@compiled
def insert_by_document(document: int, similarity: float, count: int, neighbors: Integers, similarities: Floats) -> int:
    """Insert into a list sorted by similarity in ticks and, where these are equal, by document; return its new length."""
    k: int = neighbors.shape[0]
    j = np.int64(document)
    ticks = np.round(similarity * TICK)
    if ticks < 1:
        return count
    if count == k and not _before(ticks, j, similarities[k - 1], neighbors[k - 1]):
        return count
    at = min(count, k - 1)
    while at > 0 and _before(ticks, j, similarities[at - 1], neighbors[at - 1]):
        similarities[at] = similarities[at - 1]
        neighbors[at] = neighbors[at - 1]
        at -= 1
    similarities[at] = similarity
    neighbors[at] = j
    return min(count + 1, k)


@compiled
def _before(ticks: float, document: np.int64, similarity: float, other: int) -> bool:
    """Whether a document of so many ticks comes before another of this similarity."""
    others = np.round(similarity * TICK)
    return bool(ticks > others or (ticks == others and document < other))
