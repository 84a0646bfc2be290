"""The layout as the file keeps it: a point for each row of the fit; documents that came since get theirs when it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._store import Arrays, Store
from vicinal._typing import BoolArray, FloatArray, Floats, IntArray, SparseMatrix
from vicinal.graph import SparseGraph
from vicinal.graph._neighbors import nearest_of_checked
from vicinal.index import _stored
from vicinal.index._layout.layout_results import IndexLayout
from vicinal.index._stored import kept_rows, n_fitted_to
from vicinal.uses._layout.extension import extended
from vicinal.uses._layout.layout import layout_of_graph
from vicinal.uses._layout.orientation import known

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState

N_NEIGHBORS = 15  # of a document that came since the fit


def put_layout(store: Store, points: Floats | None, generation: int) -> None:
    """Keep the points of a fit in place of all others; None keeps none.

    Parameters
    ----------
    store : Store
    points : (documents, 2) or None
    generation : int
        Of the fit: points of another one are not read.
    """
    arrays = Arrays(store)
    if points is None:
        arrays.drop(_stored.POINTS)
        arrays.drop(_stored.POINTS_FIT)
        return
    arrays.put(_stored.POINTS, np.asarray(points, dtype=np.float32))
    arrays.put(_stored.POINTS_FIT, np.array([generation], dtype=np.int64))


def has_layout(state: IndexState) -> bool:
    """Whether points were kept of the present fit: earlier versions keep none, and leave these as they are."""
    arrays = Arrays(state.store)
    if not state.fitted or not arrays.has(_stored.POINTS_FIT) or not arrays.has(_stored.POINTS):
        return False
    if arrays.get(_stored.POINTS_FIT).tolist() != [state.generation]:
        return False
    return arrays.outline(_stored.POINTS).shape[0] == n_fitted_to(state.store)


def earlier_points(before: IndexState, numbers: IntArray) -> FloatArray | None:
    """The point that each document had in the layout before a fit, NaN where it had none; None where there is no layout.

    Parameters
    ----------
    before : IndexState
    numbers : int array (documents,)
        Numbers of the documents in the store.
    """
    if not has_layout(before):
        return None
    points, _ = _of_fit(before)
    rows = np.minimum(np.searchsorted(before.rows.numbers, numbers), max(len(points) - 1, 0))
    if not len(points):
        return np.full((len(numbers), 2), np.nan)
    return np.where((before.rows.numbers[rows] == numbers)[:, None], points[rows], np.nan)


def layout_of(state: IndexState) -> IndexLayout:
    """The layout of the documents that are embedded, each with its id and its cluster."""
    state.require_fitted("lay documents out")
    ids = tuple(state.documents.ids(state.rows.numbers.tolist()))
    return IndexLayout(ids, points_of_rows(state), state.cluster_numbers.copy())


def points_of_rows(state: IndexState) -> FloatArray:
    """A point for each row of a state: as it was fitted, or from its neighbours among the documents of the fit.

    An index without a layout (of an earlier version, or fitted without one) has one computed from its neighbour graph.
    """
    points, fitted = _of_fit(state)
    new = np.flatnonzero(~fitted)
    if len(new):
        points[new] = extended(_near(state.rows.embeddings, new, fitted & known(points)), points, None)
    return points


def _of_fit(state: IndexState) -> tuple[FloatArray, BoolArray]:
    """The points of rows that the model was fitted to, NaN for others, and which rows these are."""
    store, arrays = state.store, Arrays(state.store)
    rows = kept_rows(store, arrays.get(_stored.NUMBERS), state.generation)
    fitted = rows < n_fitted_to(store)
    points = np.full((len(rows), 2), np.nan)
    if has_layout(state):
        points[fitted] = arrays.get(_stored.POINTS)[rows[fitted]]
    else:
        points[fitted] = _computed(csr(arrays.get(_stored.NEIGHBORS))[rows[fitted]][:, rows[fitted]], state, fitted)
    return points, fitted


def _computed(neighbors: SparseMatrix, state: IndexState, fitted: BoolArray) -> FloatArray:
    graph = SparseGraph(csr(neighbors + neighbors.T))
    return layout_of_graph(graph.weights.astype(np.float64), state.rows.embeddings[fitted], 0).astype(np.float32)


def _near(embeddings: FloatArray, new: IntArray, known_rows: BoolArray) -> SparseMatrix:
    """The nearest documents that have a point, by embeddings, of documents that came since."""
    old = np.flatnonzero(known_rows)
    rows = np.concatenate([embeddings[old], embeddings[new]]).astype(np.float64)
    queries, group = np.arange(len(old), len(rows)), np.minimum(np.arange(len(rows)), len(old))  # new ones see none of each other
    found = nearest_of_checked(rows, min(N_NEIGHBORS, max(len(old), 1)), queries=queries, group=group)
    asked, near, cosines = found.pairs()
    return csr(sp.csr_array((cosines, (asked, old[near])), shape=(len(new), len(embeddings))))
