"""The compiled loop that searches the documents of one block for the neighbours of those of another.

As in `_inverted_index.py`: scores in float32, candidates scored again in float64. What earlier blocks have given is a bound that
candidates of later ones must reach.
"""

from __future__ import annotations

import numpy as np

from vicinal._compiled import compiled
from vicinal._typing import Floats, Integers
from vicinal.graph._inverted_index import LANES, UNIT_ROUNDOFF, _accumulate, _kth_best, _rescore


@compiled
def nearest_across(
    query_starts: Integers,
    query_terms: Integers,
    query_weights: Floats,
    query_group: Integers,
    row_starts: Integers,
    terms: Integers,
    weights: Floats,
    group: Integers,
    posting_starts: Integers,
    posting_documents: Integers,
    posting_weights: Floats,
    least: Floats,
    found: Integers,
    neighbors: Integers,
    similarities: Floats,
) -> None:
    """Find for each query the nearest rows of another group whose cosine is not below ``least`` of that query.

    ``found[r]`` receives how many there are, ``neighbors[r]`` and ``similarities[r]`` the rows and their cosines, nearest first.
    """
    padded = (group.shape[0] + LANES - 1) // LANES * LANES
    scores = np.zeros(padded, np.float32)
    tops = np.empty(padded // LANES, np.float32)
    query = np.zeros(posting_starts.shape[0] - 1, np.float64)
    best = np.empty(neighbors.shape[1], np.float32)
    for r in range(query_group.shape[0]):
        scores[:] = 0
        _accumulate(r, query_starts, query_terms, query_weights, posting_starts, posting_documents, posting_weights, scores)
        length = query_starts[r + 1] - query_starts[r]
        margin = np.float32(2 * UNIT_ROUNDOFF * (length + 4))
        floor = max(_kth_best(scores, tops, group, query_group[r], best), np.float32(least[r])) - margin
        for p in range(query_starts[r], query_starts[r + 1]):
            query[query_terms[p]] = query_weights[p]
        found[r] = _rescore(
            scores, tops, floor, group, query_group[r], query, row_starts, terms, weights, neighbors[r], similarities[r]
        )
        for p in range(query_starts[r], query_starts[r + 1]):
            query[query_terms[p]] = 0.0
