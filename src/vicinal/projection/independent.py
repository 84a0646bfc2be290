"""Dimensions that say something of their own: those that only repeat others, up to rounding, are left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vicinal.projection.projection import Projection
from vicinal.threads import single_threaded_libraries
from vicinal.typing import FloatArray, Terms

REPEATED = 1e-8  # share of a dimension's length that must not come from the dimensions before it


def independent_dimensions(projection: Projection, X: Terms) -> Projection:
    """Leave out dimensions in which the documents' places are a combination of earlier ones: X of low rank makes such."""
    places = projection.transform(X)
    kept = _independent(places)
    if kept.all() or not places.any():
        return projection
    offset = None if projection.offset is None else projection.offset[kept]
    return replace(projection, weights=projection.weights[:, kept], values=projection.values[kept], offset=offset)


def _independent(places: FloatArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which columns add more than rounding to those before: the diagonal of R in places = Q R, against their lengths."""
    lengths = np.linalg.norm(places, axis=0)
    own = np.zeros(places.shape[1])
    with single_threaded_libraries():
        diagonal = np.abs(np.diagonal(np.linalg.qr(places, mode="r")))
    own[: len(diagonal)] = diagonal
    return np.asarray((own > REPEATED * lengths) & (lengths > 0))
