"""One draw: clusters are matched with classes, and a document is right if its cluster's class is its own."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.optimize import linear_sum_assignment

from bench.classifier.calibration import error_of_confidence
from bench.quality.draws import Draw
from bench.quality.material import Material, prepare
from bench.records import fingerprint
from vicinal import Topics
from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal.errors import VicinalWarning

LISTED = 0.1  # share of the documents that are looked at
DIGITS = 4


@final
@dataclass(frozen=True)
class Honesty:
    """How far the uncertainty of the clusters of one draw can be believed.

    Attributes
    ----------
    corpus : str
        Name of the draw.
    seed : int
    right : float
        Share of documents whose cluster is matched with their class.
    confidence : float
        Mean of the largest probability.
    error : float
        Expected calibration error of that probability, 15 bins.
    found : float
        Share of the wrong documents that are among the most uncertain tenth.
    code : str
        State of the library.
    """

    corpus: str
    seed: int
    right: float
    confidence: float
    error: float
    found: float
    code: str


def matched(labels: IntArray, classes: IntArray) -> BoolArray:
    """Whether each document's cluster is matched with its class, one class per cluster, as many documents as possible."""
    n = int(max(labels.max(), classes.max())) + 1
    table = np.zeros((n, n))
    known = labels >= 0
    np.add.at(table, (labels[known], classes[known]), 1)
    partner = linear_sum_assignment(-table)[1]
    return np.asarray(known & (partner[labels] == classes))


def found_among_uncertain(uncertainty: FloatArray, right: BoolArray) -> float:
    """Share of the wrong documents that a look at the most uncertain tenth finds; 1 where none is wrong."""
    wrong = ~right
    listed = np.argsort(-uncertainty, kind="stable")[: max(1, int(LISTED * len(right)))]
    return float(np.mean(np.isin(np.flatnonzero(wrong), listed))) if wrong.any() else 1.0


def measure(draw: Draw, seed: int) -> Honesty:
    """Cluster a draw with the true number of clusters and compare."""
    return honesty(prepare(draw), draw.name, seed)


def honesty(material: Material, name: str, seed: int) -> Honesty:
    """The same for documents at hand."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        topics = Topics(material.n_classes, random_state=seed).fit(material.counts)
    classes = np.unique(material.classes, return_inverse=True)[1].astype(np.int64)
    right = matched(topics.labels_, classes)
    confidence = topics.predict_proba(material.counts).max(axis=1)
    return Honesty(
        corpus=name,
        seed=seed,
        right=round(float(np.mean(right)), DIGITS),
        confidence=round(float(np.mean(confidence)), DIGITS),
        error=round(error_of_confidence(confidence, right), DIGITS),
        found=round(found_among_uncertain(topics.uncertainty_, right), DIGITS),
        code=fingerprint(),
    )
