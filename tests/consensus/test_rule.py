"""The rule that sorts documents: scores that add up, probabilities that are sure only where words are."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted
from vicinal._consensus import ClusterRule, rule
from vicinal._consensus.mixture import fit_mixture, log_counts_of
from vicinal._consensus.rule import TEMPERATURES, _folds, rule_of_centroids, rule_of_terms
from vicinal.projection import LinearMap
from vicinal.projection._products import Products


def by_words(seed=0):
    X, topic = counted(seed=seed)
    evidence = log_counts_of(X)
    return rule_of_terms(Products(evidence), topic, 5), evidence, topic


def test_probabilities_sum_to_one_and_empty_rows_get_the_shares():
    X, topic = counted()
    evidence, topic = log_counts_of(X), np.maximum(topic - 2, 0)  # of unequal shares
    rule = rule_of_terms(Products(evidence), topic, 3)
    log_p = rule.log_probabilities(sp.csr_array(sp.vstack([evidence, sp.csr_array((1, 60))])))
    np.testing.assert_allclose(np.exp(log_p).sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(log_p[-1]), np.bincount(topic) / len(topic))


def test_the_temperature_changes_how_sure_a_decision_is_and_not_the_decision():
    rule, evidence, topic = by_words()
    assert rule.temperature in TEMPERATURES
    assert (np.argmax(rule.log_probabilities(evidence), axis=1) == topic).all()
    assert (np.argmax(rule.scores.transform(evidence), axis=1) == topic).all()


def test_a_rule_whose_halves_contradict_each_other_is_less_sure():
    """Words that hardly differ between topics: what one half of them says is soon denied by the other."""
    rng = np.random.default_rng(0)
    topic = np.arange(300) % 3
    X = rng.poisson(0.15 + 0.15 * (topic[:, None] == np.arange(12) % 3)).astype(float)
    noisy = rule_of_terms(Products(log_counts_of(X)), topic, 3)
    assert noisy.temperature > by_words()[0].temperature


def test_words_that_only_their_own_document_has_make_no_rule_sure():
    """Labels by chance, and words of its own for each document in both halves: in hindsight they know all, beforehand nothing."""
    rng = np.random.default_rng(0)
    topic = rng.integers(0, 3, 300)
    shared, own = rng.poisson(0.5, (300, 20)), np.repeat(np.eye(300), 2, axis=1) * 9
    rule = rule_of_terms(Products(log_counts_of(np.hstack([shared, own]))), topic, 3)
    hindsight = rule.scores.transform(log_counts_of(np.hstack([shared, own])))
    assert (np.argmax(hindsight, axis=1) == topic).all()
    assert rule.temperature > 8


def test_every_topic_has_documents_on_both_sides_unless_it_is_one_document():
    labels = np.array([0, 1, 0, 1, 0, 1, 2, -1, 3, 3, 0])
    side = _folds(labels, 4)
    assert side[labels == 2].tolist() == side[labels == -1].tolist() == [-1]
    for topic in (0, 1, 3):
        ones = int(np.sum(side[labels == topic]))
        assert 2 * ones in range(np.sum(labels == topic) - 1, np.sum(labels == topic) + 2)
    regular = _folds(np.arange(40) % 2, 2)  # documents that take turns are not told apart by their places
    assert np.bincount(regular + 2 * (np.arange(40) % 2)).tolist() == [10, 10, 10, 10]


def test_topics_of_one_document_each_have_a_rule_too():
    X = np.eye(4) * 3 + 1
    rule = rule_of_terms(Products(log_counts_of(X)), np.arange(4), 4)
    assert rule.temperature in TEMPERATURES
    assert np.isfinite(rule.log_probabilities(log_counts_of(X))).all()


def test_telling_words_are_those_of_the_topic():
    rule, _, _ = by_words()
    for t in range(5):
        assert set(np.argsort(-rule.relevance[:, t])[:10] % 5) == {t}


def test_telling_is_the_part_of_each_word_in_the_divergence_from_the_background():
    X, topic = counted()
    products = Products(log_counts_of(X))
    model = fit_mixture(products, topic, 5)
    p, q = np.exp(model.log_terms), np.exp(model.log_background)[:, None]
    np.testing.assert_allclose(rule_of_terms(products, topic, 5).relevance, p * np.log(p / q), atol=1e-12)


@pytest.mark.parametrize("offset", [None, np.array([0.5, -1.0, 2.0])])
def test_the_rule_of_centres_is_the_nearest_centre(offset):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(50, 8)), np.arange(50) % 4
    projection = LinearMap(rng.normal(size=(8, 3)), offset)
    rule = rule_of_centroids(projection, X, labels, 4)
    Z = projection.transform(X)
    centres = np.array([Z[labels == t].mean(axis=0) for t in range(4)])
    distances = ((Z[:, None, :] - centres) ** 2).sum(axis=2)
    assert (np.argmax(rule.log_probabilities(X), axis=1) == np.argmin(distances, axis=1)).all()
    np.testing.assert_allclose(
        rule.log_probabilities(X)[:, 1] - rule.log_probabilities(X)[:, 0],
        (distances[:, 0] - distances[:, 1]) / (2 * rule.temperature),
        atol=1e-10,
    )


@pytest.mark.parametrize(("limit", "asked"), [(4000, [60, 60]), (40, [20, 20])])
def test_the_temperature_is_chosen_by_all_documents_up_to_a_limit(monkeypatch, limit, asked):
    X, topic = counted()
    seen = []

    def spy(rows, scores):
        seen.append(rows.shape[0])
        return by_halves(rows, scores)

    by_halves = rule._by_halves
    monkeypatch.setattr(rule, "_by_halves", spy)
    assert rule.SAMPLE == 4000
    monkeypatch.setattr(rule, "SAMPLE", limit)
    rule_of_terms(Products(log_counts_of(X)), topic, 5)
    assert seen == asked


def test_the_temperature_of_centroids_is_the_variance_per_component_and_never_zero():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(50, 8)), np.arange(50) % 4
    projection = LinearMap(rng.normal(size=(8, 3)))
    Z = projection.transform(X)
    centroids = np.array([Z[labels == t].mean(axis=0) for t in range(4)])
    found = rule_of_centroids(projection, X, labels, 4)
    assert found.temperature == pytest.approx(np.mean((Z - centroids[labels]) ** 2))
    np.testing.assert_allclose(np.exp(found.log_shares), np.bincount(labels) / 50)
    exact = rule_of_centroids(projection, X[:4], np.arange(4), 4)
    assert exact.temperature == 1e-12
    assert np.isfinite(exact.log_probabilities(X[:4])).all()


def test_top_terms_are_those_of_positive_relevance_largest_first():
    relevance = np.array([[0.5], [0.0], [-1.0], [2.0], [0.5]])
    found = ClusterRule(LinearMap(np.ones((5, 1))), 1.0, np.zeros(1), relevance)
    assert found.top_terms(0, 10) == [(3, 2.0), (0, 0.5), (4, 0.5)]
    assert found.top_terms(0, 1) == [(3, 2.0)]
