"""The figures the project promises on real corpora, each with one fixed setting."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from corpora import newsgroups, tdt2
from vicinal import RLPI, CentroidClassifier, Vectorizer, Weighting, cluster
from vicinal.errors import UnembeddedDocuments
from vicinal.metrics import clustering_accuracy, normalized_mutual_info

pytestmark = pytest.mark.corpus


def test_tdt2_is_clustered_better_than_the_paper_prints():
    counts, y = tdt2.load()
    X = Weighting("tf").fit_transform(counts)
    Z = RLPI(30, n_neighbors=7, alpha=0.1).fit_transform(X)
    found = cluster(Z, 30, init="k-means++", n_init=10, normalize=False, random_state=0)
    assert clustering_accuracy(y, found.labels) >= 0.89  # the paper: 0.867
    assert normalized_mutual_info(y, found.labels) >= 0.87  # the paper: 0.863


def test_newsgroups_are_classified_better_than_the_paper_prints():
    train, y, _ = newsgroups.load("train", headers="all")
    test, y_test, _ = newsgroups.load("test", headers="all")
    vectorizer = Vectorizer("log-tfidf", stem="english")
    method = RLPI(alpha=1.0).fit(vectorizer.fit_transform(train), y)
    assert method.components_.shape[0] == 19
    classifier = CentroidClassifier("cosine").fit(method.transform(vectorizer.transform(train)), y)
    assert classifier.score(method.transform(vectorizer.transform(test)), y_test) >= 0.850  # the paper: 0.817


def test_newsgroups_are_clustered_without_labels():
    texts, y, _ = newsgroups.load("all", headers=("subject",))
    X = Vectorizer("bm25").fit_transform(texts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnembeddedDocuments)  # one post has no word in common with any other
        Z = RLPI(30, n_neighbors=15, alpha=1.0).fit_transform(X)
        found = cluster(Z, 20, random_state=0)
    assert np.count_nonzero(found.labels < 0) <= 1
    assert normalized_mutual_info(y, found.labels) >= 0.69
