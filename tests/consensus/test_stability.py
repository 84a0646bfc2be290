"""Stability: what candidates that were not kept say of the clusters that were, and when people are warned."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from tests.laws.subjects import planted
from vicinal import Topics
from vicinal._consensus.stability import TOLERANCE, most_similar, stability
from vicinal.errors import UnstableClusters, VicinalWarning

LABELS = np.array([0, 0, 0, 1, 1, 2, -1])


def test_a_cluster_is_compared_with_the_most_similar_one_whatever_its_number():
    other = np.array([5, 5, 1, 1, 1, 3, 0])
    np.testing.assert_allclose(most_similar(LABELS, other, 3), [2 / 3, 2 / 3, 1.0])
    np.testing.assert_allclose(most_similar(LABELS, LABELS, 4), [1.0, 1.0, 1.0, 0.0])
    np.testing.assert_allclose(most_similar(LABELS, np.full(7, -1), 3), 0.0)


def test_candidates_count_by_their_quality():
    same, lump = np.array([2, 2, 2, 0, 0, 1, -1]), np.zeros(7, dtype=np.int64)
    found = stability(LABELS, 3, [same, lump], [0.0, -TOLERANCE])
    share = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(found.clusters, share + (1 - share) * np.array([3 / 6, 2 / 6, 1 / 6]))
    assert found.overall == pytest.approx(share + (1 - share) * adjusted_rand_score(LABELS, lump))
    far = stability(LABELS, 3, [same, lump], [0.0, -1e6])  # much worse candidates could not have been the answer
    np.testing.assert_allclose(far.clusters, 1.0)
    assert far.overall == 1.0


def test_without_another_candidate_clusters_are_stable():
    found = stability(LABELS, 3, [], [])
    assert found.clusters.tolist() == [1.0, 1.0, 1.0]
    assert found.overall == 1.0


def test_clear_subjects_are_stable_and_noise_is_not():
    clear = Topics(4).fit(planted((40, 40, 40, 40), seed=1)[0])
    assert clear.stability_.shape == (4,)
    assert clear.stability_.min() > 0.9
    assert clear.overall_stability_ > 0.9
    rng = np.random.default_rng(0)
    noise = rng.poisson(0.2, (1000, 200)).astype(float)
    with pytest.warns(UnstableClusters) as given:
        unclear = Topics(8).fit(noise)
    said = f"those of another seed agree with them by {unclear.overall_stability_:.2f} (adjusted Rand index)"
    assert any(said in str(each.message) for each in given)
    assert unclear.overall_stability_ < 0.5
    assert unclear.stability_.mean() < clear.stability_.mean()


def test_a_cluster_of_most_documents_is_named():
    texts, _ = planted((150, 20, 20), seed=2)
    with pytest.warns(UnstableClusters, match=r"cluster 0 has 1\d\d of 190 documents.*tree_"):
        Topics(3).fit(texts)


def test_small_corpora_and_two_clusters_that_are_not_very_unequal_are_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error", VicinalWarning)
        Topics(3).fit(planted((30, 8, 8), seed=2)[0])
        Topics(2).fit(planted((120, 50), seed=2)[0])


def test_one_of_two_clusters_that_has_nearly_everything_is_warned_of():
    with pytest.warns(UnstableClusters, match="cluster 0 has 150 of 170 documents"):
        Topics(2).fit(planted((150, 20), seed=2)[0])


def test_stability_is_that_of_the_documents_viewed():
    topics = Topics(4, max_documents=100).fit(planted((40, 40, 40, 40), seed=1)[0])
    assert topics.stability_.shape == (4,)
    assert topics.stability_.min() > 0.8
