"""One draw: the classifier and its peers learn from the same labels, and are tested with the same unseen documents."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from bench.classifier.calibration import calibration_error
from bench.classifier.material import Split, seed_of_split, some_labels, split
from bench.records import fingerprint
from vicinal import Classifier, Weighting
from vicinal._typing import FloatArray, IntArray

LABELS = (5, 20, 100, 0)  # per class; 0 is all
DRAWS = range(5)  # those reported; tuning draws had seeds of 1000 and more
PEERS: dict[str, Callable[[], Any]] = {
    "LinearSVC": lambda: LinearSVC(random_state=0),
    "LogisticRegression": lambda: LogisticRegression(C=10.0, max_iter=300),
}


@final
@dataclass(frozen=True)
class Job:
    """So many labels per class of a corpus, drawn by a seed."""

    corpus: str
    per_class: int
    draw: int

    @property
    def is_repeated(self) -> bool:
        """With all labels of a corpus that has one split, every draw is the first."""
        return self.per_class == 0 and seed_of_split(self.corpus, self.draw) != self.draw


def do(job: Job) -> dict[str, Any]:
    """Accuracy, calibration error and seconds, as one line of results."""
    data = split(job.corpus, seed_of_split(job.corpus, job.draw))
    labels = some_labels(data.classes, job.per_class, job.draw)
    line: dict[str, Any] = {"corpus": job.corpus, "per_class": job.per_class, "draw": job.draw, "labels": int((labels >= 0).sum())}
    line["code"] = fingerprint()
    return {**line, "vicinal": _classifier(data, labels), **{name: _peer(make(), data, labels) for name, make in PEERS.items()}}


def _classifier(data: Split, labels: IntArray) -> dict[str, float]:
    start = time.perf_counter()
    model = Classifier().fit(data.counts, labels)
    seconds = time.perf_counter() - start
    found = _scored(model.predict_proba(data.test_counts), model.classes_, data.test_classes)
    return {**found, "seconds": round(seconds, 2), "share": model.share_}


def _peer(model: Any, data: Split, labels: IntArray) -> dict[str, float]:
    known, weights = np.flatnonzero(labels >= 0), Weighting("tfidf").fit(data.counts)
    X, test = weights.transform(data.counts)[known], weights.transform(data.test_counts)
    start = time.perf_counter()
    model.fit(X, labels[known])
    seconds = time.perf_counter() - start
    if hasattr(model, "predict_proba"):
        return {**_scored(model.predict_proba(test), model.classes_, data.test_classes), "seconds": round(seconds, 2)}
    return {"accuracy": round(float(model.score(test, data.test_classes)), 4), "seconds": round(seconds, 2)}


def _scored(probabilities: FloatArray, classes: IntArray, truth: IntArray) -> dict[str, float]:
    accuracy = float(np.mean(classes[probabilities.argmax(axis=1)] == truth))
    error = calibration_error(probabilities, np.searchsorted(classes, truth))
    return {"accuracy": round(accuracy, 4), "ece": round(error, 4)}
