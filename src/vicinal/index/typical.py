"""Typical documents: those that are nearest to the middle of a cluster, and the words that bring them there."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import unit_rows
from vicinal._store import Store
from vicinal._typing import FloatArray, IntArray
from vicinal.index._results import Hit
from vicinal.index.asking import hits
from vicinal.index.state import State
from vicinal.projection import Explanation, LinearMap
from vicinal.uses._search import TIE_DECIMALS


def by_typicality(state: State, rows: IntArray) -> IntArray:
    """Rows, the most typical first; equals in the order of the documents."""
    nearness = np.round(np.asarray(state.rows.places[rows], dtype=np.float64) @ _middle(state, rows), TIE_DECIMALS)
    return rows[np.argsort(-nearness, kind="stable")]


def typical_hits(state: State, store: Store, rows: IntArray, limit: int) -> list[Hit]:
    """The most typical of some rows, each with the cosine of its place with the middle of all of them, and what each word adds."""
    first = by_typicality(state, rows)[:limit]
    space, middle = state.model.space, _middle(state, rows)
    offset = None if space.offset is None else np.atleast_1d(space.offset @ middle)
    towards = LinearMap(space.weights @ middle[:, None], offset)
    towards = towards if space.vocabulary is None else towards.named(space.vocabulary)
    return hits(state, store, first, [_why(state, int(row), towards) for row in first], "")


def _middle(state: State, rows: IntArray) -> FloatArray:
    """The direction of the mean of the places of rows."""
    places = np.asarray(state.rows.places[rows], dtype=np.float64)
    return np.asarray(unit_rows(places.sum(axis=0)[None, :])).ravel()


def _why(state: State, row: int, towards: LinearMap) -> Explanation:
    """What each word of a document adds to the cosine of its place with a direction."""
    x = state.model.words.rows(sp.csr_array(state.rows.counts[[row]]))
    length = float(np.linalg.norm(state.model.space.transform(x)))
    why = towards.explain(x, 0)
    scale = 1.0 / length if length > 0 else 0.0
    return Explanation(why.terms, why.parts * scale, why.total * scale)
