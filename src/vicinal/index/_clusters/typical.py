"""Typical documents of a cluster: those whose embeddings are nearest to the mean of all of them in direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from vicinal._centroids import mean_directions, most_typical, typicality
from vicinal._typing import FloatArray, Floats, IntArray
from vicinal.index._clusters.cluster_table import SHOWN, titled
from vicinal.index._search.hits import Hit
from vicinal.index._search.hits_with_passages import ToMark, hits
from vicinal.projection import Explanation, LinearMap
from vicinal.projection._projection import embed, explain_component

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


def exemplars_of(state: IndexState, rows: IntArray) -> tuple[tuple[str, str], ...]:
    """Id and title of the most typical of some documents."""
    return titled(state, state.rows.numbers[by_typicality(state, rows)[:SHOWN]].tolist())


def typical_hits(state: IndexState, rows: IntArray, limit: int) -> list[Hit]:
    """The most typical of some documents, with the cosine to their centroid as score."""
    first = by_typicality(state, rows)[:limit]
    projection, centroid = state.model.projection, _centroid(state, rows)
    offset = None if projection.offset is None else np.atleast_1d(projection.offset @ centroid)
    towards = LinearMap(projection.weights @ centroid[:, None], offset)
    towards = towards if projection.vocabulary is None else towards.named(projection.vocabulary)
    whys = [_why_typical(state, int(row), towards) for row in first]
    return hits(state, first, lambda: whys, np.clip([why.total for why in whys], 0.0, 1.0), ToMark())


def by_typicality(state: IndexState, rows: IntArray) -> IntArray:
    """Rows by decreasing cosine with their centroid; equals in the order of the documents."""
    return typical_rows(state.rows.embeddings, rows)


def typical_rows(embeddings: Floats, rows: IntArray) -> IntArray:
    """Rows of an array of unit embeddings by decreasing cosine with their centroid; equals in their order."""
    return most_typical(rows, typicality(np.asarray(embeddings[rows], dtype=np.float64)))


def _centroid(state: IndexState, rows: IntArray) -> FloatArray:
    """The direction of the mean of the embeddings of rows."""
    inside = np.asarray(state.rows.embeddings[rows], dtype=np.float64)
    [centroid] = mean_directions(inside, np.zeros(len(inside), dtype=np.int64), 1)
    return np.asarray(centroid)


def _why_typical(state: IndexState, row: int, towards: LinearMap) -> Explanation:
    """The contribution of each term of a document to the cosine of its embedding with a direction."""
    x = state.model.vocabulary.weighted(sp.csr_array(state.rows.counts[[row]]))
    length = float(np.linalg.norm(embed(state.model.projection, x)))
    why = explain_component(towards, x, 0)
    scale = 1.0 / length if length > 0 else 0.0
    return Explanation(why.terms, why.parts * scale, why.total * scale)
