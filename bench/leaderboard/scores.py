"""How answers are judged: clusters against classes, predictions against classes, rankings against judged answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bench.leaderboard.words import FIRST
from vicinal._typing import IntArray
from vicinal.metrics import clustering_accuracy, normalized_mutual_info

DIGITS = 4
GAINS = 10  # documents that nDCG looks at


def of_clusters(classes: IntArray, labels: Any) -> dict[str, float]:
    """NMI and AC, in which documents without a cluster (-1) are one more group; the number found; the share without."""
    labels = np.asarray(labels, dtype=np.int64)
    if labels.shape != classes.shape:
        raise ValueError(f"expected a cluster for each of {len(classes)} documents, got {labels.shape}")
    return {
        "nmi": round(normalized_mutual_info(classes, labels), DIGITS),
        "accuracy": round(clustering_accuracy(classes, labels), DIGITS),
        "found": len(np.unique(labels[labels >= 0])),
        "classes": len(np.unique(classes)),
        "outliers": round(float(np.mean(labels < 0)), DIGITS),
        "documents": len(classes),
    }


def of_classes(classes: Sequence[str], predicted: Sequence[str], labelled: int) -> dict[str, float]:
    """Accuracy, and F1 averaged over the classes of the test set."""
    if len(predicted) != len(classes):
        raise ValueError(f"expected a class for each of {len(classes)} documents, got {len(predicted)}")
    truth, found = np.array(classes, dtype=object), np.array(predicted, dtype=object)
    f1 = [2 * np.sum((truth == c) & (found == c)) / (np.sum(truth == c) + np.sum(found == c)) for c in sorted(set(classes))]
    return {
        "accuracy": round(float(np.mean(truth == found)), DIGITS),
        "f1": round(float(np.mean(f1)), DIGITS),
        "labelled": labelled,
        "documents": len(classes),
    }


def of_search(rankings: Sequence[IntArray], relevant: Sequence[IntArray], documents: int) -> dict[str, float]:
    """MAP over the first thousand and nDCG@10, in per cent."""
    if len(rankings) != len(relevant):
        raise ValueError(f"expected a ranking for each of {len(relevant)} questions, got {len(rankings)}")
    found = np.array([_of_ranking(each[:FIRST], answers) for each, answers in zip(rankings, relevant, strict=True)])
    precision, gain = 100.0 * found.mean(axis=0)
    return {"map": round(precision, 2), "ndcg": round(gain, 2), "questions": len(relevant), "documents": documents}


def _of_ranking(ranking: IntArray, relevant: IntArray) -> tuple[float, float]:
    """Average precision and nDCG@10; an answer that is not in the ranking adds nothing to either."""
    places = np.flatnonzero(np.isin(ranking, relevant)) + 1
    precision = np.sum(np.arange(1, len(places) + 1) / places) / len(relevant)
    ideal = np.sum(1.0 / np.log2(np.arange(2, min(GAINS, len(relevant)) + 2)))
    return float(precision), float(np.sum(1.0 / np.log2(places[places <= GAINS] + 1)) / ideal)
