"""Orientation: a layout is turned, mirrored and moved so that documents are where they were in an earlier one (N8)."""

from __future__ import annotations

import numpy as np

from vicinal._threads import single_threaded_libraries
from vicinal._typing import BoolArray, FloatArray

UNMOVED = 1e-5  # share of the width of a layout: what is not moved farther keeps the very numbers that it had


def oriented(points: FloatArray, like: FloatArray) -> FloatArray:
    """Points turned, mirrored and moved as a whole to be nearest to earlier ones; as they are where too few are in both.

    Parameters
    ----------
    points : (documents, 2)
        Rows of NaN for documents without a point.
    like : (documents, 2)
        Earlier points of the same documents; rows of NaN for documents that had none.
    """
    both = known(points) & known(like)
    if both.sum() < 2:
        return points
    with single_threaded_libraries():
        mean, target = points[both].mean(axis=0), like[both].mean(axis=0)
        across, _, along = np.linalg.svd((points[both] - mean).T @ (like[both] - target))
        turned = (points - mean) @ (across @ along) + target
    width = float(np.ptp(like[both], axis=0).max())
    unmoved = both & (np.abs(turned - like).max(axis=1, initial=0.0, where=both[:, None]) <= UNMOVED * width)
    return np.where(unmoved[:, None], like, turned)


def known(points: FloatArray) -> BoolArray:
    """Which documents have a point."""
    return np.asarray(np.isfinite(points).all(axis=1))
