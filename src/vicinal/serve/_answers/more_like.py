"""More like these: the documents most similar to several, by the mean of their similarities to each."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import unit_rows
from vicinal._typing import IntArray
from vicinal.index import Hit
from vicinal.index._search.hits_with_passages import ToMark, hits
from vicinal.index._search.requirements import among_rows, passing
from vicinal.serve._state import State
from vicinal.uses._ranking import near


def more_like(state: State, rows: IntArray, limit: int, where: str) -> list[Hit]:
    """The documents nearest to the middle of some others, which are not among them.

    Parameters
    ----------
    state : State
    rows : int array
        Rows of the documents.
    limit : int
    where : str
        A condition on what is found.
    """
    state.index_state.require_fitted("find similar documents")
    own = state.embedded_among(rows)
    if not len(own):
        return []
    terms, embeddings = sp.csr_array(state.index_state.unit_terms), np.asarray(state.index_state.rows.embeddings, dtype=np.float64)
    middle = sp.csr_array(unit_rows(sp.csr_array(terms[own].mean(axis=0)[None, :])))
    direction = unit_rows(embeddings[own].mean(axis=0)[None, :])
    every = sp.csr_array(sp.vstack([terms, middle.astype(terms.dtype)]))
    retrieved = near(every, state.index_state.model.vocabulary.forms, np.vstack([embeddings, direction]), len(embeddings))
    others = np.ones(len(embeddings) + 1, dtype=np.bool_)
    others[own] = others[-1] = False
    among = among_rows(state.index_state, passing(state.index_state, where.strip() or ()))
    if among is not None:
        others[:-1] &= among
    best = retrieved.best(limit, others)
    return hits(state.index_state, best, retrieved.whys(best), retrieved.relevance(retrieved.scores[best]), ToMark())
