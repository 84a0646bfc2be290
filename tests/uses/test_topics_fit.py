"""The steps of a Topics fit: clusters are numbered by the sizes that the rule gives them, and documents typical of their own."""

from __future__ import annotations

import numpy as np

from tests.laws.subjects import counted
from vicinal._centroids import most_typical, typicality
from vicinal._consensus import ConsensusClustering, consensus_input
from vicinal._matrix import unit_rows
from vicinal.projection import Projection
from vicinal.uses._topics.topics_fit import _decide_by_size, typicality_of


def test_clusters_are_numbered_anew_where_the_rule_changes_their_order_by_size():
    counts, topic = counted()
    unequal = np.maximum(topic - 2, 0)  # sizes 72, 24, 24
    data = consensus_input(unit_rows(counts), counts, None, 0, None)
    projection = Projection(np.eye(60, 3))
    found = _decide_by_size(ConsensusClustering(2 - unequal, projection, (), {}), data, None)
    assert found.sizes.tolist() == [72, 24, 24]
    assert np.array_equal(found.labels == 0, unequal == 0)
    known = consensus_input(unit_rows(counts), counts, np.where(np.arange(120) < 30, 2 - unequal, -1), 0, None)
    kept = _decide_by_size(ConsensusClustering(2 - unequal, projection, (), {}), known, None)
    assert kept.sizes.tolist() == [24, 24, 72]  # classes keep their numbers


def testtypicality_of_is_the_product_of_a_unit_embedding_with_the_mean_of_its_cluster():
    Z = np.array([[2.0, 0.0], [0.0, 3.0], [1.0, 1.0], [5.0, 0.0], [4.0, 4.0]])
    labels = np.array([0, 0, 1, 0, -1])
    mean = np.array([2 / 3, 1 / 3])
    np.testing.assert_allclose(typicality_of(Z, labels, 3), [mean[0], mean[1], 1.0, mean[0], 0.0])


def test_duplicates_are_equally_typical_and_stay_in_their_order():
    unit = np.asarray(unit_rows(np.random.default_rng(0).normal(size=(7, 5))))[[0, 1, 2, 3, 4, 5, 6, 3, 3, 1]]
    typical = typicality(unit)
    assert typical[3] == typical[7] == typical[8]
    order = most_typical(np.arange(10, 20), typical).tolist()
    assert [each for each in order if each in (13, 17, 18)] == [13, 17, 18]
    assert np.all(np.diff(typical[np.array(order) - 10]) <= 0)


def test_a_cluster_that_the_rule_leaves_empty_is_left_out():
    """A document of another subject, put by itself: its terms are likelier among those of its subject."""
    counts, topic = counted()
    alone = np.where(np.arange(120) == 7, 5, topic)
    data = consensus_input(unit_rows(counts), counts, None, 0, None)
    found = _decide_by_size(ConsensusClustering(alone, Projection(np.eye(60, 3)), (), {}), data, None)
    assert len(found.sizes) == found.rule.scores.weights.shape[1]
    assert found.sizes.min() > 0
    assert found.sizes.sum() == 120
