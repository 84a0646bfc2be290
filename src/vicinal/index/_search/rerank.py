"""Re-ranking: the first documents that a search finds, in the order of an encoder; scores and reasons stay those of the search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vicinal._typing import FloatArray
from vicinal.index._search.hits import Hits

if TYPE_CHECKING:
    from vicinal.encoders import Encoder
    from vicinal.index._search.search_state import SearchState

#: Documents that an encoder puts in order, at most; those behind them stay where they are.
N_RERANKED = 100


def reranked(state: SearchState, query: str, found: Hits, encoder: Encoder, limit: int, offset: int) -> Hits:
    """One page of what was found, the first hundred in the order of the cosine of an encoder's vectors with the query's.

    Parameters
    ----------
    state : SearchState
    query : str
    found : Hits
        From the first on.
    encoder : Encoder
    limit, offset : int
        Of the page.
    """
    first, others = found[:N_RERANKED], found[N_RERANKED:]
    cosines = _cosines(state, query, [hit.id for hit in first], encoder)
    order = np.argsort(-np.round(cosines, 6), kind="stable").tolist()
    hits = [*(replace(first[i], reranked=float(cosines[i])) for i in order), *others]
    note = (
        f"the first {len(first)} are in the order of an encoder ({type(encoder).__name__}); "
        "scores and reasons tell why they were found, and not their order"
    )
    return Hits(
        hits[offset:][:limit],
        found.total,
        offset,
        near=found.near,
        suggestions=found.suggestions,
        corrected=found.corrected,
        notes=(*found.notes, note) if first else found.notes,
        facets=found.facets,
    )


def _cosines(state: SearchState, query: str, ids: list[str], encoder: Encoder) -> FloatArray:
    """Of the vectors of documents, title and text, with that of a query; 0 for a vector of zeros."""
    from vicinal.encoders._encoder import vectors_of

    if not ids:
        return np.zeros(0)
    stored = state.documents.at(state.documents.numbers(ids).tolist())
    texts = [f"{each.document.title}\n{each.document.text}".strip() for each in stored]
    vectors = vectors_of(encoder, [query, *texts]).astype(np.float64)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return np.asarray(unit[1:] @ unit[0])
