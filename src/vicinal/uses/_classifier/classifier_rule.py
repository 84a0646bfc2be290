"""The rule of a classifier: one linear score per class, and calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vicinal._choice import Choice
from vicinal._typing import ArrayLike, FloatArray, Terms
from vicinal.projection import Explanation, LinearMap
from vicinal.projection._projection import embed, explain_direction
from vicinal.uses._classifier.calibration import Calibration
from vicinal.uses._classifier.joint_rows import JointRows


@final
@dataclass(frozen=True, eq=False)
class ClassifierRule:
    """From the terms of a document to the probability of each class (K2, K4).

    Attributes
    ----------
    linear : LinearMap
        From terms to one score per class.
    joint : JointRows
        By whose length the scores of a document are divided.
    calibration : Calibration
    accuracy : float or None
        On documents that were held out; None where no class has two.
    evidence : Choice or None
        How the share of the embedding was chosen; None where it was given.
    n_pseudo_labelled : int
        Documents without a label that were learnt from.
    n_held_out : int
        Documents that the accuracy is of.
    """

    linear: LinearMap
    joint: JointRows
    calibration: Calibration
    accuracy: float | None = None
    evidence: Choice | None = None
    n_pseudo_labelled: int = 0
    n_held_out: int = 0

    def scores(self, X: Terms) -> FloatArray:
        """Scores of each class for each row, divided by the row's length."""
        return np.asarray(embed(self.linear, X) / self.joint.lengths(X)[:, None])

    def log_probabilities(self, X: Terms) -> FloatArray:
        """Logarithms of the probability of each class for each row; all are equal for a row without terms."""
        return self.calibration.log_probabilities(self.scores(X))

    def why(self, x: Terms, chosen: int, other: int | None) -> Explanation:
        """The contribution of each term of one row to its score for one class, less that for another (K5)."""
        direction = np.zeros(self.linear.n_components)
        direction[chosen] = 1.0
        if other is not None:
            direction[other] -= 1.0
        return explain_direction(self.linear, x, direction / float(self.joint.lengths(x)[0]))

    def named(self, vocabulary: ArrayLike) -> ClassifierRule:
        """The same rule, whose explanations have the names of terms."""
        return replace(self, linear=self.linear.named(vocabulary))
