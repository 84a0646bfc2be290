"""Linear support vector machines over joint rows: one per class against the rest (K2)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from vicinal._typing import FloatArray, IntArray, SparseMatrix

PENALTY = 1.0  # of errors on labelled documents


@final
@dataclass(frozen=True, eq=False)
class LinearScores:
    """Weights of joint rows for the score of each class."""

    weights: FloatArray
    intercepts: FloatArray

    def of(self, rows: SparseMatrix) -> FloatArray:
        """Scores, (documents, classes)."""
        return np.asarray(rows @ self.weights.T + self.intercepts)


def support_vectors(
    rows: SparseMatrix, y: IntArray, n_classes: int, penalty: float, weights: FloatArray | None = None
) -> LinearScores:
    """Fit the machines; errors on a document cost its weight times the penalty. A class without documents scores -1."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of separable rows on the last digits
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)  # of classes of one document
        machine: Any = LinearSVC(C=penalty, dual=True, random_state=0).fit(rows, y, weights)
    found, intercepts = np.zeros((n_classes, rows.shape[1])), np.full(n_classes, -1.0)
    two = len(machine.classes_) == 2
    found[machine.classes_] = np.vstack([-machine.coef_, machine.coef_]) if two else machine.coef_
    intercepts[machine.classes_] = np.hstack([-machine.intercept_, machine.intercept_]) if two else machine.intercept_
    return LinearScores(found, intercepts)
