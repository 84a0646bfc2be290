"""Clusters keep their numbers where they are the same."""

from __future__ import annotations

import random

import numpy as np

import vicinal
from vicinal._store import Settings
from vicinal.index._clusters.cluster_table import load_cluster_table, match_clusters


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


def test_the_largest_number_ever_given_is_remembered_though_its_cluster_ended():
    ended = match_clusters(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]), 2, 7)
    assert (ended.numbers.tolist(), ended.last) == ([0, 1], 7)
    later = match_clusters(np.array([0, 0, 1, 1, -1, -1]), np.array([0, 0, 1, 1, 2, 2]), 3, ended.last)
    assert (later.numbers.tolist(), later.last) == ([0, 1, 8], 8)


def test_the_number_of_a_cluster_that_ended_is_not_given_again(index):
    def clusters():
        return {cluster.number: cluster for cluster in index.clusters()}

    assert set(clusters()) == {0, 1, 2}
    index.remove([hit.id for hit in index.members(2, 100)])
    assert set(index.fit(n_clusters=2).change.split(";")[0].split()) >= {"2", "clusters", "continue"}
    assert 2 not in clusters()
    index.fit()
    words = ["violin", "viola", "cello", "bow", "string", "tone", "concert", "music", "orchestra", "melody"]
    index.add(
        vicinal.Document(f"music-{i}", " ".join([*random.Random(i).choices(words, k=12), "people", "time"])) for i in range(15)
    )
    index.fit(n_clusters=3)
    [new] = set(clusters()) - {0, 1}
    assert new == 3
    assert {term for term, _ in clusters()[3].terms} & set(words)


def test_an_index_of_the_first_format_that_forgot_a_number_goes_on_from_those_it_has(index):
    kept = Settings(index._store).get("clusters")
    with index._store.writing():
        Settings(index._store).set("clusters", {**kept, "last": 0})
    assert load_cluster_table(index._store).last == 2


def test_clusters_that_are_held_have_their_numbers_whatever_documents_they_share():
    before = np.array([0, 0, 0, 1, 1, 1])
    found = match_clusters(before, np.array([1, 1, 1, 0, 0, 0]), 2, 1, held=(0,))
    assert found.numbers.tolist() == [0, 2]  # not twice 0, though the second has all documents of it
    assert (found.kept, found.lost, found.new) == ((0,), (1,), (2,))
    assert match_clusters(np.full(2, -1), np.array([0, 1]), 2, -1, held=(4, 7)).last == 7
