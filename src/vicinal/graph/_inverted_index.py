"""Exact nearest documents through an inverted index: accumulate in float32, select candidates, score them again in float64.

For each document, the posting lists of its terms are added into one array of scores (float32, one entry per document). The k-th
best score, less a bound on the rounding of float32, leaves a handful of candidates; those are scored again in float64 and
ranked by (similarity, document number). So the work is that of float32 and the answer that of float64.

The work is one multiply-add per pair of documents and shared term: Σ_t df_t² in all (G4 in docs/maths/graph.md).
"""

from __future__ import annotations

import numpy as np

from vicinal._compiled import compiled
from vicinal._typing import Floats, Integers
from vicinal.graph._ties import TICK

LANES = 16  # scores looked at together: one AVX-512 register of float32
UNIT_ROUNDOFF = 2.0**-24  # of float32


@compiled
def nearest_rows(
    start: int,
    stop: int,
    queries: Integers,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    posting_starts: Integers,
    posting_documents: Integers,
    posting_weights: Floats,
    group: Integers,
    found: Integers,
    neighbors: Integers,
    similarities: Floats,
) -> None:
    """Find the nearest documents of ``queries[start:stop]`` among those of another group.

    Rows have unit length. ``found[r]`` receives how many there are, ``neighbors[r]`` and ``similarities[r]`` the documents
    and their cosines, nearest first; only cosines above zero count.
    """
    n_documents = group.shape[0]
    k = neighbors.shape[1]
    padded = (n_documents + LANES - 1) // LANES * LANES
    scores = np.zeros(padded, np.float32)
    tops = np.empty(padded // LANES, np.float32)
    query = np.zeros(posting_starts.shape[0] - 1, np.float64)
    best = np.empty(k, np.float32)
    for r in range(start, stop):
        i = queries[r]
        scores[:] = 0
        _accumulate(i, row_starts, terms, weights, posting_starts, posting_documents, posting_weights, scores)
        length = row_starts[i + 1] - row_starts[i]
        margin = np.float32(2 * UNIT_ROUNDOFF * (length + 4))
        floor = _kth_best(scores, tops, group, group[i], best) - margin
        for p in range(row_starts[i], row_starts[i + 1]):
            query[terms[p]] = weights[p]
        found[r] = _rescore(scores, tops, floor, group, group[i], query, row_starts, terms, weights, neighbors[r], similarities[r])
        for p in range(row_starts[i], row_starts[i + 1]):
            query[terms[p]] = 0.0


@compiled
def _accumulate(
    i: int,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    posting_starts: Integers,
    posting_documents: Integers,
    posting_weights: Floats,
    scores: Floats,
) -> None:
    for p in range(row_starts[i], row_starts[i + 1]):
        weight = np.float32(weights[p])
        term = terms[p]
        for q in range(posting_starts[term], posting_starts[term + 1]):
            scores[posting_documents[q]] += weight * posting_weights[q]


@compiled
def _kth_best(scores: Floats, tops: Floats, group: Integers, own: int, best: Floats) -> np.floating:
    """The k-th largest score outside the own group, or 0 where fewer than k are positive; fills ``tops`` on the way."""
    k = best.shape[0]
    best[:] = 0
    for b in range(tops.shape[0]):
        top = scores[b * LANES]
        for lane in range(1, LANES):
            top = max(top, scores[b * LANES + lane])
        tops[b] = top
        if top <= best[0]:
            continue
        for j in range(b * LANES, min((b + 1) * LANES, group.shape[0])):
            if scores[j] > best[0] and group[j] != own:
                _replace_smallest(best, k, scores[j])
    kth: np.floating = best[0]
    return kth


@compiled
def _replace_smallest(best: Floats, k: int, score: float) -> None:
    """Put ``score`` in place of the smallest of ``best``, a heap with its smallest entry first."""
    at = 0
    while True:
        child = 2 * at + 1
        if child >= k:
            break
        if child + 1 < k and best[child + 1] < best[child]:
            child += 1
        if best[child] >= score:
            break
        best[at] = best[child]
        at = child
    best[at] = score


@compiled
def _rescore(
    scores: Floats,
    tops: Floats,
    floor: np.floating,
    group: Integers,
    own: int,
    query: Floats,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    neighbors: Integers,
    similarities: Floats,
) -> int:
    """Score the candidates in float64 and keep the k best by (similarity in ticks, document number); return how many."""
    count = 0
    for b in range(tops.shape[0]):
        if tops[b] < floor:
            continue
        for j in range(b * LANES, min((b + 1) * LANES, group.shape[0])):
            if scores[j] < floor or scores[j] == 0 or group[j] == own:
                continue
            similarity = 0.0
            for p in range(row_starts[j], row_starts[j + 1]):
                similarity += query[terms[p]] * weights[p]
            if similarity * TICK >= 0.5:  # at least one tick, when rounded
                count = _insert(j, similarity, count, neighbors, similarities)
    return count


@compiled
def _insert(j: int, similarity: float, count: int, neighbors: Integers, similarities: Floats) -> int:
    """Insert into a list sorted by similarity in ticks; documents come in increasing order, so ties stay in document order."""
    k: int = neighbors.shape[0]
    ticks = np.round(similarity * TICK)
    if count == k and ticks <= np.round(similarities[k - 1] * TICK):
        return count
    at = min(count, k - 1)
    while at > 0 and np.round(similarities[at - 1] * TICK) < ticks:
        similarities[at] = similarities[at - 1]
        neighbors[at] = neighbors[at - 1]
        at -= 1
    similarities[at] = similarity
    neighbors[at] = j
    return min(count + 1, k)
