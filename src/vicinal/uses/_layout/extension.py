"""Extension: points of documents that come later, from those of their neighbours, which stay where they are (N7)."""

from __future__ import annotations

import numpy as np

from vicinal._threads import over_rows
from vicinal._typing import FloatArray, SparseMatrix
from vicinal.uses._layout.layout_loops import settle
from vicinal.uses._layout.repulsion import BLOCK

N_STEPS = 20


def extended(weights: SparseMatrix, points: FloatArray, n_jobs: int | None) -> FloatArray:
    """A point for each new document, which depends on no other new one.

    Parameters
    ----------
    weights : csr (new documents, documents)
        Similarity to each neighbour, at least 0; only neighbours that have a point.
    points : (documents, 2)

    Returns
    -------
    (new documents, 2)
        NaN for a document without neighbours.
    """
    found = np.full((weights.shape[0], 2), np.nan)
    edges = weights.indptr, weights.indices, np.asarray(weights.data, dtype=np.float64)
    over_rows(lambda a, b: settle(a, b, *edges, points, N_STEPS, found), len(found), n_jobs, BLOCK)
    return found
