"""Components that are linearly independent: those that repeat a combination of earlier ones, up to rounding, are left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vicinal._threads import single_threaded_libraries
from vicinal._typing import BoolArray, FloatArray, Terms
from vicinal.projection._projection import Projection, embed
from vicinal.terms._block_terms import BlockTerms

REPEATED = {np.dtype(np.float64): 1e-8, np.dtype(np.float32): 1e-5}  # by what X is made of: shares of length that are rounding


def independent_components(projection: Projection, X: Terms | BlockTerms) -> Projection:
    """Leave out components whose embeddings are a linear combination of those of earlier ones, as X of low rank gives."""
    kept = independent_columns(embed(projection, X), REPEATED[X.dtype])
    if kept.all():
        return projection
    offset = None if projection.offset is None else projection.offset[kept]
    eigenvalues = None if projection.eigenvalues is None else projection.eigenvalues[kept]
    return replace(projection, weights=projection.weights[:, kept], eigenvalues=eigenvalues, offset=offset)


def independent_columns(embeddings: FloatArray, rounding: float) -> BoolArray:
    """Which columns add more than rounding to those before (the diagonal of R in Q R), and are not rounding themselves.

    All of them, where all are zero.
    """
    largest = np.abs(embeddings).max(initial=0.0)
    if largest == 0:
        return np.ones(embeddings.shape[1], dtype=bool)
    embeddings = embeddings / largest
    lengths = np.linalg.norm(embeddings, axis=0)
    own = np.zeros(embeddings.shape[1])
    with single_threaded_libraries():
        diagonal = np.abs(np.diagonal(np.linalg.qr(embeddings, mode="r")))
    own[: len(diagonal)] = diagonal
    return np.asarray((own > rounding * lengths) & (lengths > rounding * lengths.max()))
