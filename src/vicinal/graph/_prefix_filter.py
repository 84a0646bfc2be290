"""The compiled loops of near-duplicate search: prefix filtering (Bayardo, Ma & Srikant, WWW 2007).

The terms of a document are sorted by rarity. Two documents whose cosine reaches a bound have their first common term where both
still have that much length left (G11 in docs/maths/graph.md), so all later terms can stay out of the posting lists. Candidates that
are found there are compared term by term in float64.
"""

from __future__ import annotations

import numpy as np

from vicinal._compiled import compiled
from vicinal._typing import Floats, Integers
from vicinal.graph._ties import TICK

UNSEEN = 4.0  # no score: scores are cosines of parts of rows of length one
DEAD = -4.0


@compiled
def measure_tails(row_starts: Integers, weights: Floats, bound: float, tails: Floats, ends: Integers) -> None:
    """Find where the prefix of each row ends, and for each entry the length of all entries that follow it in its row.

    The prefix ends after the last entry from which on the row has a length of at least ``bound``.
    """
    for i in range(row_starts.shape[0] - 1):
        squares = 0.0
        ends[i] = row_starts[i]
        for p in range(row_starts[i + 1] - 1, row_starts[i] - 1, -1):
            tails[p] = np.sqrt(squares)
            squares += weights[p] * weights[p]
            if ends[i] == row_starts[i] and np.sqrt(squares) >= bound:
                ends[i] = p + 1


@compiled
def count_postings(row_starts: Integers, terms: Integers, ends: Integers, posting_starts: Integers) -> None:
    """Write where the list of each term begins; ``posting_starts`` comes in as zeros, one more than there are terms."""
    for i in range(row_starts.shape[0] - 1):
        for p in range(row_starts[i], ends[i]):
            posting_starts[terms[p] + 1] += 1
    for term in range(posting_starts.shape[0] - 1):
        posting_starts[term + 1] += posting_starts[term]


@compiled
def fill_postings(
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    tails: Floats,
    ends: Integers,
    posting_starts: Integers,
    documents: Integers,
    values: Floats,
    rests: Floats,
) -> None:
    """Write the lists: documents in rising order, with the weight of the term and the length of what follows it."""
    free = posting_starts.copy()
    for i in range(row_starts.shape[0] - 1):
        for p in range(row_starts[i], ends[i]):
            at = free[terms[p]]
            free[terms[p]] += 1
            documents[at] = i
            values[at] = weights[p]
            rests[at] = tails[p]


@compiled
def matching_rows(
    start: int,
    stop: int,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    tails: Floats,
    ends: Integers,
    posting_starts: Integers,
    posting_documents: Integers,
    posting_values: Floats,
    posting_rests: Floats,
    group: Integers,
    least: float,
    bound: float,
) -> Integers:
    """Find, for each of the rows from start to stop, an earlier one of every group that has one with the cosine ``least``.

    With each document in a group of its own these are all pairs. Returns them as an array (pairs, 2), the later one first.
    """
    n_documents = group.shape[0]
    scores = np.full(n_documents, UNSEEN)
    seen = np.empty(n_documents, np.int64)
    joined = np.full(n_documents, -1, np.int64)
    query = np.zeros(posting_starts.shape[0] - 1)
    pairs: Integers = np.empty((16, 2), np.int64)
    count = 0
    for i in range(start, stop):
        n_seen = _look_up(
            i, row_starts, terms, weights, tails, ends, posting_starts, posting_documents, posting_values, posting_rests, bound,
            scores, seen,
        )  # fmt: skip
        if n_seen == 0:
            continue
        for p in range(row_starts[i], row_starts[i + 1]):
            query[terms[p]] = weights[p]
        for s in range(n_seen):
            j = seen[s]
            possible = joined[group[j]] != i and _at_most(i, j, scores[j], row_starts, terms, tails, ends) >= bound
            scores[j] = UNSEEN
            if possible and _cosine(j, query, row_starts, terms, weights) >= least:
                joined[group[j]] = i
                pairs = _with_room(pairs, count)
                pairs[count, 0], pairs[count, 1] = i, j
                count += 1
        for p in range(row_starts[i], row_starts[i + 1]):
            query[terms[p]] = 0.0
    return pairs[:count]


@compiled
def _look_up(
    i: int,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    tails: Floats,
    ends: Integers,
    posting_starts: Integers,
    posting_documents: Integers,
    posting_values: Floats,
    posting_rests: Floats,
    bound: float,
    scores: Floats,
    seen: Integers,
) -> int:
    """Add up the products of terms that the prefixes of row i and of earlier rows share; return the number of candidate rows.

    After each shared term the rest of the cosine is at most the product of the two lengths that are left. A row whose bound is
    too small is excluded; if it was not seen before it stays unseen, as no later term can do better.
    """
    count = 0
    for p in range(row_starts[i], ends[i]):
        weight, rest, term = weights[p], tails[p], terms[p]
        for q in range(posting_starts[term], posting_starts[term + 1]):
            j = posting_documents[q]
            if j >= i:
                break
            score = scores[j]
            if score == DEAD:
                continue
            fresh = score == UNSEEN
            score = weight * posting_values[q] + (0.0 if fresh else score)
            enough = score + rest * posting_rests[q] >= bound
            if fresh and enough:
                seen[count] = j
                count += 1
            if enough:
                scores[j] = score
            elif not fresh:
                scores[j] = DEAD
    return count


@compiled
def _at_most(i: int, j: int, score: float, row_starts: Integers, terms: Integers, tails: Floats, ends: Integers) -> float:
    """An upper bound of the cosine of two rows: what their prefixes share, plus the product of the lengths that are left."""
    last = min(terms[ends[i] - 1], terms[ends[j] - 1])
    return score + _length_after(last, row_starts[i], ends[i], terms, tails) * _length_after(
        last, row_starts[j], ends[j], terms, tails
    )


@compiled
def _length_after(last: int, start: int, end: int, terms: Integers, tails: Floats) -> float:
    """The length of what a row has after a term that its prefix reaches."""
    p = end - 1
    while p >= start and terms[p] > last:
        p -= 1
    return np.float64(tails[p]) if p >= start else 1.0


@compiled
def _cosine(j: int, query: Floats, row_starts: Integers, terms: Integers, weights: Floats) -> float:
    """The cosine in ticks."""
    cosine = 0.0
    for p in range(row_starts[j], row_starts[j + 1]):
        cosine += query[terms[p]] * weights[p]
    ticks: float = np.round(cosine * TICK)
    return ticks


@compiled
def _with_room(pairs: Integers, count: int) -> Integers:
    """The same pairs, with capacity for one more."""
    if count < pairs.shape[0]:
        return pairs
    more = np.empty((2 * count, 2), np.int64)
    more[:count] = pairs
    return more
