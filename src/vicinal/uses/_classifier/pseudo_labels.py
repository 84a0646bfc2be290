"""Pseudo-labels: documents without a label are learnt from with the class they are predicted, as far as it is certain (K7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.uses._classifier.calibration import Calibration
from vicinal.uses._classifier.held_out_labels import HeldOut
from vicinal.uses._classifier.support_vectors import PENALTY, LinearScores, support_vectors

WEIGHT = 0.1  # of a pseudo-label that is certain, beside a label
LARGEST_SHARE = 0.2  # of the embedding: with a class for every document, terms can be learnt from
STANDARD_ERRORS = 3.0  # by which held-out documents must object before pseudo-labels are given up
FEWEST_TO_OBJECT = 50  # held-out documents: the standard error of fewer means little
MOST_DOCUMENTS, MOST_IN_FOLDS = 20_000, 3000  # that get a pseudo-label, and while labelled documents are held out


@final
@dataclass(frozen=True, eq=False)
class ScaledRows:
    """Joint rows of documents, and the lengths by which their scores are divided."""

    rows: SparseMatrix
    lengths: FloatArray

    def scores(self, linear: LinearScores) -> FloatArray:
        """Scores, (documents, classes)."""
        return np.asarray(linear.of(self.rows) / self.lengths[:, None])

    def __getitem__(self, chosen: IntArray | slice) -> ScaledRows:
        return ScaledRows(csr(self.rows[chosen]), self.lengths[chosen])


@final
@dataclass(frozen=True, eq=False)
class PseudoLabels:
    """Documents without a label as they are learnt from: their rows, classes, and how much errors on each count."""

    learnt: ScaledRows
    classes: IntArray
    weights: FloatArray
    penalty: float = PENALTY

    def __getitem__(self, chosen: IntArray | slice) -> PseudoLabels:
        return PseudoLabels(self.learnt[chosen], self.classes[chosen], self.weights[chosen], self.penalty)

    def teach(self, labelled: ScaledRows, y: IntArray, n_classes: int) -> LinearScores:
        """The machines fitted to labels, whose errors count 1, and to pseudo-labels."""
        rows = csr(sp.vstack([labelled.rows, self.learnt.rows]))
        weights, classes = np.concatenate([np.ones(len(y)), self.weights]), np.concatenate([y, self.classes])
        return support_vectors(rows, classes, n_classes, self.penalty, weights)


def pseudo_labels(learnt: ScaledRows, log_probabilities: FloatArray, weight: float = WEIGHT) -> PseudoLabels:
    """The most probable class of each document, which counts as much as it is certain."""
    return PseudoLabels(learnt, log_probabilities.argmax(axis=1), weight * np.exp(log_probabilities.max(axis=1)))


@final
@dataclass(frozen=True, eq=False)
class WithoutLabel:
    """Documents without a label: as the labels alone read them, and as they are learnt from."""

    read: ScaledRows
    learnt: ScaledRows
    penalty: float = PENALTY

    def first(self, n: int) -> WithoutLabel:
        """So many of them at most."""
        return WithoutLabel(self.read[slice(n)], self.learnt[slice(n)], self.penalty)

    def teach(
        self, by_labels: LinearScores, calibration: Calibration, labelled: ScaledRows, y: IntArray, n_classes: int
    ) -> LinearScores:
        """The machines fitted to labels, and to pseudo-labels by the machines that were fitted to labels alone."""
        logs = calibration.log_probabilities(self.read.scores(by_labels))
        return replace(pseudo_labels(self.learnt, logs), penalty=self.penalty).teach(labelled, y, n_classes)


def objects(by_labels: HeldOut, taught: HeldOut, proportions: FloatArray) -> bool:
    """Whether documents that were held out lose clearly by pseudo-labels, each class counting as it does among all documents.

    As many labels of each class may have been given where classes are of very different sizes: the labels themselves then object
    to a rule that has learnt the sizes.
    """
    if len(taught.labels) < FEWEST_TO_OBJECT:
        return False
    mean, error = extra_loss(by_labels, taught, proportions)
    return mean > STANDARD_ERRORS * error


def extra_loss(one: HeldOut, other: HeldOut, proportions: FloatArray) -> tuple[float, float]:
    """By how much the log loss of documents that were held out is larger with the other rule, and the standard error of that."""
    given = np.bincount(other.labels, minlength=len(proportions))
    weights = (proportions / np.maximum(given, 1))[other.labels]
    weights, extra = weights / weights.sum(), other.losses - one.losses
    mean = float(weights @ extra)
    return mean, float(np.sqrt(weights**2 @ (extra - mean) ** 2))
