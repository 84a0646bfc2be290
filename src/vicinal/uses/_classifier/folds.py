"""Parts of labelled documents, each class in its proportion, taken in the order in which the documents come."""

from __future__ import annotations

import numpy as np

from vicinal._typing import IntArray


def dealt(labels: IntArray, n_parts: int) -> IntArray:
    """The part that each document is dealt to, class by class in turn; -1 for the only document of a class, which stays out."""
    parts, turn = np.full(len(labels), -1, dtype=np.int64), 0
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        if len(members) > 1:
            parts[members] = (turn + np.arange(len(members))) % n_parts
            turn += len(members)
    return parts


def evenly(labels: IntArray, most: int) -> IntArray:
    """At most so many documents, each class with the same part of its own and with two at least, in ascending order."""
    if len(labels) <= most:
        return np.arange(len(labels))
    kept = [_first(np.flatnonzero(labels == label), most / len(labels)) for label in np.unique(labels)]
    return np.sort(np.concatenate(kept))


def _first(members: IntArray, part: float) -> IntArray:
    return members[: max(2, round(part * len(members)))]
