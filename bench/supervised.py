"""Is supervised RLPI with nearest centroids as fast as a linear support vector machine, and as accurate?

20 Newsgroups by date, whole posts, stemmed log-tf-idf: one fixed setting, α = 1, 19 dimensions, nearest centroid by cosine.
"""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from bench.data import newsgroups_by_date
from bench.harness import Answer, Contender, ratios, take_turns
from vicinal import RLPI, CentroidClassifier


def classifier() -> Any:
    """The setting that the tests and the documentation use."""
    return make_pipeline(RLPI(alpha=1.0), CentroidClassifier("cosine"))


def main() -> None:
    """Train on the training part, score on the test part."""
    X, y, X_test, y_test = newsgroups_by_date()
    seconds, models = take_turns(
        [
            Contender("vicinal RLPI + CentroidClassifier", lambda: classifier().fit(X, y)),
            Contender("scikit-learn LinearSVC", lambda: LinearSVC().fit(X, y)),
        ]
    )
    rows = ratios(seconds, "vicinal RLPI + CentroidClassifier")
    for row, model in zip(rows, models.values(), strict=True):
        row["test accuracy"] = round(float(model.score(X_test, y_test)), 4)
    setting = f"{X.shape[0]:,} training posts, {X.shape[1]:,} terms, 20 classes"
    Answer("Is supervised RLPI as fast and as accurate as a linear SVM?", setting, rows).save("supervised")
