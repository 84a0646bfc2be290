"""What an index holds, counted in the file: from headers and three short arrays, so that what was learnt need not be loaded."""

from __future__ import annotations

import os

from vicinal._store import Arrays, Documents, Settings, Store
from vicinal._typing import BoolArray, FloatArray
from vicinal.index._results import Info
from vicinal.index.kept import DOUBT, LENDERS, NUMBERS, TOPICS, rows_that_count
from vicinal.index.whole import whole


def facts(store: Store) -> Info:
    """What an index holds, all of one state.

    Parameters
    ----------
    store : Store
    """
    with store.reading(), whole(store):
        path, n_documents = str(store.path), Documents(store).count()
        size, learnt = os.path.getsize(path), Settings(store).get("model")
        if learnt is None:
            return Info(path, size, n_documents, 0, 0, n_documents, None, None, 0, 0, 0, 0)
        generation = int(learnt["generation"])
        uncertainty, is_learnt, worded = _doubt(store, generation)
        n_learnt, n_wordless = int(is_learnt.sum()), int((~worded).sum())
        counts = n_documents, n_learnt, len(uncertainty) - n_learnt, n_documents - len(uncertainty)
        doubts = _mean(uncertainty[is_learnt & worded]), _mean(uncertainty[~is_learnt & worded])
        return Info(path, size, *counts, *doubts, *_sizes(store), generation, n_wordless)


def _doubt(store: Store, generation: int) -> tuple[FloatArray, BoolArray, BoolArray]:
    """The uncertainty of each embedded document, whether the model was learnt from it, and whether it has a known word."""
    arrays = Arrays(store)
    current = Documents(store).where([("generation", "=", generation)])
    rows = rows_that_count(store, arrays.get(NUMBERS), current)
    return arrays.get(DOUBT)[rows], rows < arrays.outline(LENDERS).shape[0], arrays.get(TOPICS)[rows] >= 0


def _sizes(store: Store) -> tuple[int, int, int]:
    """Words, dimensions and topics."""
    arrays = Arrays(store)
    [words], [_, dimensions], [_, topics] = (
        arrays.outline(name).shape for name in ("words/forms", "space/weights", "topics/weights")
    )
    return words, dimensions, topics


def _mean(uncertainty: FloatArray) -> float | None:
    return float(uncertainty.mean()) if len(uncertainty) else None
