"""The words of topics: what is counted, that words only ever improve a labelling, and what a topic's words are worth."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted, same_groups
from vicinal._consensus.embeddings import random_walk
from vicinal._consensus.mixture import (
    SMOOTHING,
    count_terms,
    fit_mixture,
    keep_occupied,
    likeliest,
    log_counts_of,
    log_likelihood_per_term,
    log_marginal,
    refine,
    refine_one_each,
)
from vicinal._matrix import csr, unit_rows
from vicinal.graph import knn
from vicinal.metrics import normalized_mutual_info
from vicinal.projection._products import Products


def evidence(seed=0, **sizes):
    X, topic = counted(seed=seed, **sizes)
    return Products(log_counts_of(X)), topic


def shuffled(topic, share, seed=0):
    """Labels of which a share was drawn anew."""
    rng = np.random.default_rng(seed)
    wrong = rng.random(len(topic)) < share
    return np.where(wrong, rng.integers(0, topic.max() + 1, len(topic)), topic)


def test_whole_numbers_count_by_their_logarithm_weights_by_being_there_and_negative_ones_not_at_all():
    counts = sp.csr_array([[3.0, 0.0, 1.0], [0.0, 2.0, 0.0]])
    np.testing.assert_allclose(log_counts_of(counts).toarray(), np.log1p(counts.toarray()))
    assert log_counts_of(counts * 0.3).toarray().tolist() == [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    assert log_counts_of(-counts) is None
    assert log_counts_of(sp.csr_array((2, 3))) is None


def test_every_word_of_a_labelled_document_is_counted_once_and_of_others_nowhere():
    products, topic = evidence()
    labels = np.where(np.arange(len(topic)) % 7 == 0, -1, topic)
    counts = count_terms(products, labels, 5)
    E = products.X.toarray()
    for t in range(5):
        np.testing.assert_allclose(counts[:, t], E[labels == t].sum(axis=0))
    assert np.isclose(counts.sum(), E[labels >= 0].sum())


def test_shares_of_words_are_probabilities_and_no_word_is_impossible():
    products, topic = evidence()
    model = fit_mixture(products, topic, 5)
    np.testing.assert_allclose(np.exp(model.log_terms).sum(axis=0), 1)
    np.testing.assert_allclose(np.exp(model.log_shares).sum(), 1)
    np.testing.assert_allclose(np.exp(model.log_background).sum(), 1)
    assert np.isfinite(model.log_terms).all()
    assert np.isfinite(fit_mixture(products, topic, 6).log_terms).all()  # a topic without documents


def test_the_projection_decides_as_the_likeliest_topic_does():
    products, topic = evidence()
    model = fit_mixture(products, shuffled(topic, 0.3), 5)
    assert (np.argmax(model.projection.transform(products.X), axis=1) == likeliest(products, model)).all()


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_words_bring_a_spoilt_labelling_back(share):
    products, topic = evidence()
    spoilt = shuffled(topic, share)
    assert np.mean(spoilt == topic) < 0.9
    assert same_groups(refine(products, spoilt, 5), topic)


def test_known_topics_stay_however_unlikely():
    products, topic = evidence()
    fixed = np.full(len(topic), -1)
    fixed[:3] = (topic[:3] + 1) % 5
    found = refine(products, topic, 5, fixed=fixed)
    assert found[:3].tolist() == fixed[:3].tolist()
    assert (found[3:] == topic[3:]).all()


def test_a_document_without_words_stays_without_a_topic():
    X, topic = counted()
    X = X.tolil()
    X[4] = 0.0
    labels = np.where(np.arange(len(topic)) == 4, -1, topic)
    assert refine(Products(log_counts_of(sp.csr_array(X))), labels, 5)[4] == -1


def test_a_true_labelling_explains_words_better_than_one_group_than_too_many_and_than_chance():
    products, topic = evidence()
    truth = log_likelihood_per_term(products, topic, 5)
    assert truth > log_likelihood_per_term(products, np.zeros_like(topic), 1)
    assert truth > log_likelihood_per_term(products, np.arange(len(topic)), len(topic))
    assert truth > log_likelihood_per_term(products, shuffled(topic, 0.3), 5)


def test_empty_topics_cost_nothing_and_their_numbers_do_not_matter():
    products, topic = evidence()
    assert log_marginal(np.zeros(9)) == 0.0
    np.testing.assert_allclose(log_likelihood_per_term(products, 2 * topic, 10), log_likelihood_per_term(products, topic, 5))


def test_one_word_seen_once_is_as_likely_as_any_other():
    assert np.isclose(log_marginal(np.array([0.0, 1.0, 0.0, 0.0])), -np.log(4))
    assert SMOOTHING > 0


def test_an_empty_cluster_counts_as_half_a_document():
    products, topic = evidence()
    assert fit_mixture(products, topic, 6).log_shares[5] == pytest.approx(np.log(0.5 / len(topic)))


def test_where_terms_say_nothing_the_larger_cluster_is_likelier():
    counts = sp.csr_array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [0.0, 0.0]])
    mixture = fit_mixture(Products(counts), np.array([0, 1, 1, -1]), 2)
    assert likeliest(Products(counts), mixture).tolist()[3] == 1


def short_texts(seed):
    X, topic = counted(n=600, n_topics=5, n_terms=60, seed=seed)
    return csr(X.multiply(np.random.default_rng(seed).random(X.shape) < 0.25)), topic


def test_neighbours_share_their_assignments_before_terms_are_counted():
    X, topic = short_texts(0)
    counts = Products(log_counts_of(X))
    walk = random_walk(knn(unit_rows(X), 6))
    rng = np.random.default_rng(0)
    labels = np.where(rng.random(len(topic)) < 0.7, rng.integers(0, 5, len(topic)), topic)
    A = np.eye(5)[labels]
    for _ in range(3):
        A = 0.5 * A + 0.5 * (walk @ A)
        smooth = counts.X.T @ A + SMOOTHING
        scores = counts.X @ np.log(smooth / smooth.sum(axis=0)) + np.log(A.sum(axis=0) / len(A))
        A = np.exp(scores - scores.max(axis=1, keepdims=True))
        A /= A.sum(axis=1, keepdims=True)
    found = refine(counts, labels, 5, settled=-1.0, rounds=3, neighbors=Products(walk))
    assert np.array_equal(found, A.argmax(axis=1))
    assert not np.array_equal(found, refine(counts, labels, 5, settled=-1.0, rounds=3))


def test_short_texts_are_assigned_better_with_their_neighbours():
    gained = []
    for seed in range(4):
        short, topic = short_texts(seed)
        walk = Products(random_walk(knn(unit_rows(short), 15)))
        start = np.where(np.random.default_rng(seed).random(600) < 0.6, np.roll(topic, 1), topic)
        shared, alone = (refine(Products(log_counts_of(short)), start, 5, neighbors=each) for each in (walk, None))
        gained.append(normalized_mutual_info(topic, shared) - normalized_mutual_info(topic, alone))
    assert min(gained) > 0
    assert np.mean(gained) > 0.01


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ([0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 1, 2]),
        ([0, 0, 1, 2], [0, 0, 0, 2], [0, 0, 1, 2]),  # the only document of a cluster stays
        ([0, 1, 2, -1], [1, 2, 2, -1], [0, 1, 2, -1]),  # and so does the one that another would have followed
        ([0, 0, -1], [1, 1, -1], [0, 0, -1]),
    ],
)
def test_a_cluster_that_would_lose_all_keeps_them(before, after, kept):
    assert keep_occupied(np.array(before), np.array(after), 3).tolist() == kept


def test_one_cluster_each_is_counting_and_moving_by_turns(monkeypatch):
    monkeypatch.setattr("vicinal._consensus.mixture.SETTLED", 0.0)
    X, topic = short_texts(1)
    counts = Products(log_counts_of(X))
    labels = start = shuffled(topic, 0.6)
    for _ in range(30):
        labels = likeliest(counts, fit_mixture(counts, labels, 5))
    assert np.array_equal(refine_one_each(counts, start, 5), labels)
