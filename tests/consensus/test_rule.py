"""The rule that sorts documents: scores that add up, probabilities that are sure only where words are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted
from vicinal._consensus import ClusterRule, rule
from vicinal._consensus.mixture import fit_mixture, log_counts_of
from vicinal._consensus.rule import TEMPERATURES, _likeliest_temperature, rule_of_centroids, rule_of_terms
from vicinal._probabilities import log_softmax
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
    rule = rule.calibrated(evidence, np.full((len(topic), 5), 0.2))
    assert rule.temperature in TEMPERATURES
    assert (np.argmax(rule.log_probabilities(evidence), axis=1) == topic).all()
    assert (np.argmax(rule.scores.transform(evidence), axis=1) == topic).all()


def test_a_rule_is_as_certain_as_memberships_are():
    rule, evidence, topic = by_words()
    sure = np.eye(5)[topic]
    for share in (0.6, 0.8, 0.95):
        belongs = share * sure + (1 - share) / 4 * (1 - sure)
        found = rule.calibrated(evidence, belongs)
        assert np.exp(found.log_probabilities(evidence)).max(axis=1).mean() == pytest.approx(share, abs=0.05)
        assert (np.argmax(found.log_probabilities(evidence), axis=1) == topic).all()
    assert np.exp(rule.calibrated(evidence, sure).log_probabilities(evidence)).max(axis=1).min() > 0.99


def test_a_document_twice_as_long_is_not_more_certain():
    rule, evidence, topic = by_words()
    found = rule.calibrated(evidence, 0.7 * np.eye(5)[topic] + 0.06)
    shares = replace(found, scores=LinearMap(found.scores.weights))  # without the shares of clusters, which count once
    np.testing.assert_allclose(shares.log_probabilities(2.0 * evidence), shares.log_probabilities(evidence), atol=1e-12)


def test_documents_in_no_view_and_without_terms_do_not_count_in_the_calibration():
    rule, evidence, topic = by_words()
    belongs = 0.7 * np.eye(5)[topic] + 0.06
    rows = sp.csr_array(sp.vstack([evidence, evidence, sp.csr_array((1, 60))]))
    more = np.vstack([belongs, np.zeros((len(topic), 5)), np.eye(5)[:1]])
    assert rule.calibrated(rows, more).temperature == rule.calibrated(evidence, belongs).temperature


def test_topics_of_one_document_each_have_a_rule_too():
    X = np.eye(4) * 3 + 1
    rule = rule_of_terms(Products(log_counts_of(X)), np.arange(4), 4).calibrated(log_counts_of(X), np.eye(4))
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


def test_the_temperature_is_chosen_by_documents_up_to_a_limit(monkeypatch):
    found, evidence, topic = by_words()
    belongs = np.where(np.arange(len(topic))[:, None] % 3 == 0, np.eye(5)[topic], 0.2)  # every third is certain
    assert rule.SAMPLE == 4000
    of_all = found.calibrated(evidence, belongs).temperature
    monkeypatch.setattr(rule, "SAMPLE", len(topic) // 3)
    assert found.calibrated(evidence, belongs).temperature < of_all


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


@pytest.mark.parametrize("seed", range(40))
def test_the_temperature_found_by_bisection_is_the_best_of_all(seed):
    random = np.random.RandomState(seed)
    n_documents, n_clusters = random.randint(1, 60), random.randint(2, 9)
    scores = random.standard_normal((n_documents, n_clusters)) * 10 ** random.uniform(-3, 3)
    belongs = random.dirichlet(np.full(n_clusters, 10 ** random.uniform(-2, 1)), n_documents)
    losses = [-np.sum(belongs * log_softmax(scores / each)) for each in TEMPERATURES]
    assert _likeliest_temperature(scores, belongs) == TEMPERATURES[np.argmin(losses)]
