"""The nearest-centroid rule: means by their definition, one decision for every user of it, no dependence on other rows."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import CentroidClassifier
from vicinal._centroids import class_means, cosine_scores, half_squared_norms, mean_directions, nearest, squared_distances
from vicinal._consensus.rule import rule_of_centroids
from vicinal._matrix import unit_rows
from vicinal.index._labels.classes import CentroidRule
from vicinal.projection import LinearMap

LABELS = np.array([2, 0, -1, 2, 0, 2, 4, -1, 4])  # classes 1 and 3 have no rows
ROWS = np.random.default_rng(3).normal(size=(9, 4))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_class_has_the_mean_of_its_rows_and_zero_where_it_has_none(form):
    means = class_means(form(ROWS), LABELS, 5)
    for label in (0, 2, 4):
        np.testing.assert_allclose(means[label], ROWS[label == LABELS].mean(axis=0), rtol=1e-14)
    assert not means[[1, 3]].any()


def test_mean_directions_have_length_one_unless_rows_cancel_out():
    unit = unit_rows(ROWS)
    found = mean_directions(unit, LABELS, 5)
    np.testing.assert_allclose(np.linalg.norm(found[[0, 2, 4]], axis=1), 1.0)
    np.testing.assert_allclose(found[2] * np.linalg.norm(unit[LABELS == 2].sum(axis=0)), unit[LABELS == 2].sum(axis=0))
    assert not mean_directions(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([0, 0]), 1).any()


def test_the_nearest_centroid_has_the_smallest_distance_and_of_equals_the_first():
    centroids = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 0.0]])
    assert nearest(np.array([[0.9, 5.0], [1.0, 0.0], [1.1, 0.0]]), centroids).tolist() == [0, 0, 1]
    assert nearest(sp.csr_array([[0.9, 5.0], [1.0, 0.0], [1.1, 0.0]]), centroids).tolist() == [0, 0, 1]


def test_the_linear_form_decides_for_the_nearest():
    centroids = class_means(ROWS, np.arange(9) % 3, 3)
    scores = ROWS @ centroids.T - half_squared_norms(centroids)
    distances = squared_distances(ROWS, centroids)
    np.testing.assert_allclose(scores - scores[:, :1], 0.5 * (distances[:, :1] - distances), atol=1e-12)


@pytest.mark.parametrize("scores", [cosine_scores, squared_distances])
def test_scores_of_a_row_do_not_depend_on_the_rows_beside_it(scores):
    rows = unit_rows(np.random.default_rng(0).normal(size=(200, 57)))
    centroids = unit_rows(np.random.default_rng(1).normal(size=(7, 57)))
    together = scores(rows, centroids)
    assert b"".join(scores(rows[i : i + 1], centroids).tobytes() for i in range(200)) == together.tobytes()


def test_the_classifier_and_the_classes_of_an_index_score_alike_to_the_bit():
    rows, labels = np.random.default_rng(5).normal(size=(60, 8)), np.arange(60) % 3
    classifier = CentroidClassifier().fit(rows, labels)
    identity = LinearMap(np.eye(8))
    classes = CentroidRule(identity, mean_directions(unit_rows(rows), labels, 3), 7.0)
    assert classes.centroids.tobytes() == classifier.centroids_.tobytes()
    p = np.exp(7.0 * classifier.decision_function(rows))
    np.testing.assert_allclose(np.exp(classes.log_probabilities(rows)), p / p.sum(axis=1, keepdims=True), rtol=1e-13)
    alone = np.concatenate([classes.log_probabilities(rows[[i]]) for i in range(60)])
    assert alone.tobytes() == classes.log_probabilities(rows).tobytes()


def test_the_classifier_and_the_rule_without_countable_terms_decide_alike():
    rows, labels = np.random.default_rng(6).normal(size=(80, 5)), np.arange(80) % 4
    by_rule = np.argmax(rule_of_centroids(LinearMap(np.eye(5)), rows, labels, 4).log_probabilities(rows), axis=1)
    assert np.array_equal(by_rule, CentroidClassifier("euclidean").fit(rows, labels).predict(rows))
