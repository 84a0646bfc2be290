"""k-means that starts from classes: labelled documents stay, further clusters are found beside them."""

from __future__ import annotations

import numpy as np

from vicinal._consensus.seeded import seeded_kmeans

CENTROIDS = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0], [9.0, 9.0]])
SUBJECT = np.arange(80) % 4
ROWS = CENTROIDS[SUBJECT] + np.random.default_rng(0).normal(size=(80, 2))


def test_one_label_per_class_numbers_the_clusters():
    known = np.full(80, -1)
    known[:4] = [2, 0, 3, 1]
    assert np.array_equal(seeded_kmeans(ROWS, known, 4, 0), np.array([2, 0, 3, 1])[SUBJECT])


def test_a_labelled_document_stays_and_moves_the_mean_of_its_class():
    known = np.full(80, -1)
    known[:4] = np.arange(4)
    known[4] = 3  # it lies with class 0
    found = seeded_kmeans(ROWS, known, 4, 0)
    assert found[4] == 3
    assert np.array_equal(np.delete(found, 4), np.delete(SUBJECT, 4))


def test_clusters_beyond_the_classes_are_found_among_documents_far_from_them():
    known = np.where((SUBJECT < 2) & (np.arange(80) < 20), SUBJECT, -1)
    for seed in range(5):
        found = seeded_kmeans(ROWS, known, 4, seed)
        assert np.array_equal(found[SUBJECT < 2], SUBJECT[SUBJECT < 2])
        assert len(set(found[SUBJECT == 2])) == len(set(found[SUBJECT == 3])) == 1
        assert set(found.tolist()) == {0, 1, 2, 3}


def test_where_nothing_lies_beyond_the_classes_a_further_cluster_may_stay_empty():
    rows = np.repeat(CENTROIDS[:2], 5, axis=0)
    known = np.repeat([0, 1], 5)
    assert seeded_kmeans(rows, known, 3, 0).tolist() == known.tolist()


def test_without_any_label_it_is_k_means_from_a_random_start():
    found = [seeded_kmeans(ROWS, np.full(80, -1), 4, seed) for seed in range(8)]
    clean = [all(len(set(each[subject == SUBJECT])) == 1 for subject in range(4)) for each in found]
    assert sum(clean) >= 4
