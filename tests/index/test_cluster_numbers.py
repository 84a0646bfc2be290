"""Clusters keep their numbers where they are the same."""

from __future__ import annotations

import numpy as np

from vicinal.index._clusters import match_clusters


def test_clusters_that_come_back_in_another_order_keep_their_numbers():
    before = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    found = match_clusters(before, np.array([2, 2, 2, 0, 0, 1, 1, 1]), 3, 2)
    assert found.numbers.tolist() == [1, 2, 0]
    assert found.kept == (0, 1, 2)
    assert found.moved == 0
    assert found.sentence == "3 clusters continue; 0 documents changed cluster."


def test_a_cluster_that_falls_apart_leaves_its_number_to_its_larger_part():
    before = np.zeros(10, dtype=np.int64)
    found = match_clusters(before, np.array([0] * 6 + [1] * 4), 2, 0)
    assert found.numbers.tolist() == [0, 1]
    assert found.new == (1,)
    assert found.moved == 4


def test_a_number_is_never_given_twice():
    found = match_clusters(np.array([0, 0, 5, 5]), np.array([0, 0, -1, -1]), 2, 7)
    assert found.numbers.tolist() == [0, 8]
    assert found.lost == (5,)
    assert "; ended: 5; " in found.sentence


def test_documents_without_a_cluster_say_nothing():
    found = match_clusters(np.array([-1, -1, 3]), np.array([0, 0, 0]), 1, 3)
    assert found.numbers.tolist() == [3]


def test_nothing_before_means_everything_is_new():
    found = match_clusters(np.full(3, -1), np.array([0, 1, 1]), 2, -1)
    assert found.numbers.tolist() == [0, 1]
    assert found.kept == ()
    assert found.new == (0, 1)


def test_clusters_that_share_less_than_half_are_others():
    before = np.repeat([0, 1, 2], 4)
    after = np.tile([0, 1, 2, 3], 3)
    assert match_clusters(before, after, 4, 2).kept == ()
