"""How accuracy grows with the labels: rules fitted to a part of them are right about so many of the documents held out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vicinal._threads import single_threaded_libraries
from vicinal._typing import BoolArray, FloatArray, IntArray, SparseMatrix
from vicinal.uses._classifier.folds import evenly
from vicinal.uses._classifier.held_out_labels import FEW, held_out_parts
from vicinal.uses._classifier.support_vectors import PENALTY, support_vectors


def accuracies(rows: SparseMatrix, y: IntArray, n_classes: int, shares: Sequence[float]) -> FloatArray:
    """The accuracy with each share of the labels, on the same documents; NaN where no document can be held out.

    Few labelled documents are held out each in its turn; of many only the first part is, so that the cost hardly grows.

    Parameters
    ----------
    rows : (labelled documents, columns)
        Joint rows of terms and components.
    y : int array (labelled documents,)
        The class of each.
    n_classes : int
    shares : sequence of float
        Shares of the labels that remain, rising, the last one 1.
    """
    parts = held_out_parts(y)
    n_parts = parts.max(initial=-1) + 1
    turns = range(n_parts if len(y) < FEW else min(1, n_parts))
    right, total = np.zeros(len(shares)), 0
    with single_threaded_libraries():
        for turn in turns:
            out = parts == turn
            right += [_right(rows, y, out, n_classes, share) for share in shares]
            total += int(out.sum())
    return right / total if total else np.full(len(shares), np.nan)


def _right(rows: SparseMatrix, y: IntArray, out: BoolArray, n_classes: int, share: float) -> int:
    """How many of the documents that are held out get their class by a share of the others; none where that has one class."""
    others = np.flatnonzero(~out)
    kept = others[evenly(y[others], round(share * len(others)))]
    if len(np.unique(y[kept])) < 2:
        return 0
    machines = support_vectors(rows[kept], y[kept], n_classes, PENALTY)
    return int((machines.of(rows[np.flatnonzero(out)]).argmax(axis=1) == y[out]).sum())
