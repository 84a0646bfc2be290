"""Laws of the topics page: words foretold one by one, corrections that only improve, orthogonal groups, scores that add up."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.subjects import counted, planted
from tests.laws.toys import copies, lawful, random_graph
from vicinal import Topics, graph, spectrum
from vicinal._consensus.embeddings import random_walk, unit_with_constant
from vicinal._consensus.membership import memberships
from vicinal._consensus.mixture import (
    SHARING,
    SMOOTHING,
    fit_mixture,
    log_counts_of,
    log_likelihood_per_term,
    mixture_of,
    posterior,
    refine,
    shared,
)
from vicinal.projection._products import Products


def foretold(counts, labels, n_topics, order):
    """ln p of all words, each by those that came before it in its topic (V4)."""
    seen = np.zeros((n_topics, counts.shape[1]))
    log_p = 0.0
    for document, word in order:
        topic = labels[document]
        log_p += np.log((seen[topic, word] + SMOOTHING) / (seen[topic].sum() + SMOOTHING * counts.shape[1]))
        seen[topic, word] += 1
    return log_p


@lawful
@given(seed=st.integers(0, 10**6), n_topics=st.integers(1, 4))
def test_nats_per_word_are_those_of_foretelling_each_word_by_the_words_before_it(seed, n_topics):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(0.8, (7, 6)).astype(float)
    counts[0, 0] += 1.0
    labels = rng.integers(0, n_topics, 7)
    order = [(d, w) for d, w in np.argwhere(counts) for _ in range(int(counts[d, w]))]
    expected = foretold(counts, labels, n_topics, rng.permutation(order)) / counts.sum()
    assert np.isclose(log_likelihood_per_term(Products(sp.csr_array(counts)), labels, n_topics), expected, rtol=1e-10)


def log_likelihood(counts, model):
    """ln p of the terms of documents, whatever their clusters, with the prior of the terms (V3)."""
    joint = counts.forward(model.log_terms) + model.log_shares
    return float(np.logaddexp.reduce(joint, axis=1).sum() + SMOOTHING * model.log_terms.sum())


@lawful
@given(seed=st.integers(0, 10**6))
def test_no_round_of_the_correction_lowers_the_likelihood(seed):
    X, topic = counted(n=80, n_topics=4, n_terms=40, seed=seed % 7)
    counts = Products(log_counts_of(X))
    rng = np.random.default_rng(seed)
    labels = np.where(rng.random(80) < 0.6, rng.integers(0, 4, 80), topic)
    model = fit_mixture(counts, labels, 4)
    before = log_likelihood(counts, model)
    for _ in range(8):
        A = posterior(counts.forward(model.log_terms) + model.log_shares)
        if A.sum(axis=0).min() < 0.5:
            break  # an empty cluster counts as half a document, and the law ends
        model = mixture_of(counts, A)
        assert before <= log_likelihood(counts, model) + 1e-9
        before = log_likelihood(counts, model)


@lawful
@given(seed=st.integers(0, 10**6))
def test_what_is_shared_is_lost_nowhere(seed):
    rng = np.random.default_rng(seed)
    A = rng.dirichlet(np.full(3, 0.5), 20)
    walk = random_walk(graph.as_graph(random_graph(20, density=0.5)))
    np.testing.assert_allclose(np.asarray(walk.sum(axis=1)).ravel(), 1.0)
    assert np.all(walk.diagonal() == 0)
    given = shared(A, Products(walk))
    np.testing.assert_allclose(given.sum(axis=1), 1.0)
    np.testing.assert_allclose(given, (1 - SHARING) * A + SHARING * (walk.toarray() @ A))
    assert shared(A, None) is A


def test_where_the_correction_ends_it_stays():
    X, topic = counted()
    evidence = Products(log_counts_of(X))
    found = refine(evidence, np.roll(topic, 1) * (np.arange(120) % 3 > 0), 5)
    again = refine(evidence, found, 5)
    assert np.mean(found != again) <= 1 / 120


@pytest.mark.parametrize("sizes", [(30, 8, 2), (5, 5, 5, 5), (40, 2, 2)])
def test_clean_groups_become_orthogonal_points_whatever_their_sizes(sizes):
    group = np.repeat(np.arange(len(sizes)), sizes)
    Y = spectrum.solve(graph.classes(group), len(sizes) - 1).vectors
    np.testing.assert_allclose(1 + np.sum(Y**2, axis=1), sum(sizes) / np.array(sizes)[group])
    rows = unit_with_constant(Y)
    np.testing.assert_allclose(rows @ rows.T, (group[:, None] == group).astype(float), atol=1e-12)


def test_without_the_constant_they_do_not():
    group = np.repeat([0, 1, 2], [30, 8, 2])
    Y = spectrum.solve(graph.classes(group), 2).vectors
    unit = Y / np.linalg.norm(Y, axis=1, keepdims=True)
    assert np.abs(unit[0] @ unit[30]) > 0.1


def test_on_any_graph_of_clean_groups_volumes_take_the_place_of_sizes():
    W = copies(random_graph(9, density=0.8), 3).toarray()
    W[9:18, 9:18] *= 3.0
    g = graph.as_graph(W)
    found = spectrum.solve(g, 2)
    volumes = np.array([g.degrees[found.connected_components == c].sum() for c in found.connected_components])
    np.testing.assert_allclose(1 + np.sum(found.vectors**2, axis=1), g.degrees.sum() / volumes)


@pytest.fixture(scope="module")
def fitted():
    texts, _ = planted()
    return Topics(n_clusters=4).fit(texts), texts


def test_the_parts_of_a_decision_add_up_to_the_score_and_scores_to_the_probabilities(fitted):
    topics, texts = fitted
    for text in texts[:5]:
        why = [topics.explain(text, topic) for topic in range(4)]
        for each in why:
            assert each.total == each.parts.cumsum()[-1]
        counted = sum(np.log1p(n) for term, n in Counter(text.split()).items() if term in set(topics.terms_))
        scaled = np.array([each.total for each in why]) / counted / topics.rule_.temperature
        p = np.exp(scaled - scaled.max())
        np.testing.assert_allclose(topics.predict_proba([text])[0], p / p.sum(), rtol=1e-10)


def test_what_was_learnt_decides_as_it_labelled(fitted):
    topics, texts = fitted
    assert np.array_equal(topics.predict(texts), topics.labels_)
    np.testing.assert_array_equal(np.argmax(topics.predict_proba(texts), axis=1), topics.labels_)


def test_probabilities_are_probabilities_and_uncertainty_is_the_entropy_of_them_with_memberships(fitted):
    topics, texts = fitted
    p = topics.predict_proba(texts)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert p.min() >= 0
    both = np.sqrt(p * np.maximum(memberships(topics.labels_, 4, topics.views_), 1e-12))
    both /= both.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(topics.uncertainty_, -np.sum(both * np.log(both), axis=1) / np.log(4), atol=1e-9)
    assert topics.uncertainty_.min() >= 0
    assert topics.uncertainty_.max() <= 1


@pytest.mark.parametrize("ask", ["predict_proba", "transform", "predict"])
def test_a_document_is_embedded_by_itself_to_the_bit(fitted, ask):
    topics, texts = fitted
    together = getattr(topics, ask)(texts)
    alone = np.concatenate([getattr(topics, ask)([text]) for text in texts])
    assert together.tobytes() == alone.tobytes()
    assert getattr(topics, ask)(texts[::-1]).tobytes() == np.ascontiguousarray(together[::-1]).tobytes()
