"""Views of a part of the documents: who is drawn, and how the rest is sorted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted
from vicinal import Topics
from vicinal._consensus import ConsensusClustering, consensus_input, fit_mixture
from vicinal._consensus.mixture import likeliest, refine
from vicinal._consensus.sample import OF_EACH_CLASS, draw_sample, extend, restrict
from vicinal._matrix import unit_rows
from vicinal.errors import BadParameter
from vicinal.metrics import normalized_mutual_info
from vicinal.projection import Projection


def corpus(n_empty=0, known=None):
    X, topic = counted()
    X = sp.csr_array(sp.vstack([X, sp.csr_array((n_empty, X.shape[1]))]))
    return consensus_input(X, X, known, 0, 1), topic


def test_all_documents_are_looked_at_where_they_are_few():
    everything, topic = corpus()
    assert draw_sample(everything, len(topic)) is None


def test_documents_are_drawn_among_those_with_words_in_their_order_and_the_same_each_time():
    everything, topic = corpus(n_empty=50)
    drawn = draw_sample(everything, 40)
    assert len(drawn) == 40
    assert (np.diff(drawn) > 0).all()
    assert drawn.max() < len(topic)
    np.testing.assert_array_equal(drawn, draw_sample(everything, 40))


def test_no_known_class_is_missing_from_the_part():
    _, topic = corpus()
    known = np.full(len(topic), -1)
    known[:3] = 1  # a rare class, and a common one
    known[10:] = 0
    everything, _ = corpus(known=known)
    some = restrict(everything, draw_sample(everything, 30))
    assert np.count_nonzero(some.known == 1) == 3
    assert np.count_nonzero(some.known == 0) >= min(OF_EACH_CLASS, 27)


def test_a_part_has_the_rows_of_its_documents_and_the_words_that_two_of_them_share():
    everything, _ = corpus()
    drawn = np.arange(6)
    some = restrict(everything, drawn)
    assert (everything.X[drawn] != some.X).nnz == 0
    rows = everything.log_counts.X[drawn].toarray()
    shared = np.count_nonzero(rows, axis=0) >= 2
    assert 0 < shared.sum() < rows.shape[1]
    np.testing.assert_array_equal(some.log_counts.X.toarray(), rows[:, shared])


def test_words_that_the_part_lacks_do_not_speak_against_topics():
    """Four thousand words, each in two documents at random: a part has few of them twice."""
    X, topic = counted(n=400)
    holders = np.random.default_rng(1).permuted(np.tile(np.arange(400), (20, 1)), axis=1).ravel()
    rare = sp.csr_array((np.ones(8000), (holders, np.arange(8000) // 2)), shape=(400, 4000))
    auto = Topics(max_documents=200).fit(sp.csr_array(sp.hstack([X, rare])))
    assert auto.n_clusters_ == len(set(topic))


def test_topics_of_a_part_sort_all_documents():
    X, topic = counted()
    topics = Topics(5, max_documents=60).fit(X)
    assert len(topics.sample_) == 60 < len(topic)
    assert normalized_mutual_info(topic, topics.labels_) > 0.95
    np.testing.assert_array_equal(topics.labels_, topics.predict(X))


def test_a_word_that_the_part_lacks_finds_its_topic():
    """It is counted when all are sorted: a rule of the part alone would know nothing of it."""
    X, topic = counted()
    drawn = set(Topics(5, max_documents=60).fit(X).sample_.tolist())
    rare = sp.lil_array((len(topic), 1))
    for document in [d for d in range(len(topic)) if d not in drawn and topic[d] == 0][:5]:
        rare[document, 0] = 3
    topics = Topics(5, max_documents=60).fit(sp.csr_array(sp.hstack([X, rare])))
    scores = topics.rule_.scores.weights[-1]
    own = np.bincount(topics.labels_[topic == 0]).argmax()
    assert scores.argmax() == own


def test_labels_and_weights_without_words_are_sorted_too():
    X, topic = counted()
    y = np.where(np.arange(len(topic)) % 7 == 0, topic, -1)
    taught = Topics(5, max_documents=80).fit(X, y)
    np.testing.assert_array_equal(taught.labels_[y >= 0], y[y >= 0])
    assert np.mean(taught.labels_ == topic) > 0.95
    signed = X.toarray() - X.toarray().mean(axis=0)
    assert normalized_mutual_info(topic, Topics(5, max_documents=80).fit(signed).labels_) > 0.8


@pytest.mark.parametrize("bad", [0, 1, 2.5, "many", None])
def test_a_limit_that_is_no_number_of_documents_is_refused(bad):
    X, _ = counted()
    with pytest.raises(BadParameter, match="max_documents"):
        Topics(5, max_documents=bad).fit(X)


def overlapping():
    """Documents of overlapping subjects, the last ten without terms, and a clustering of a sample of them."""
    rng = np.random.default_rng(7)
    counts = rng.poisson(0.25 + 0.35 * (np.arange(120)[:, None] % 4 == np.arange(40) % 4)).astype(float)
    counts[110:] = 0.0
    sample = np.arange(0, 110, 2)
    labels = sample // 2 % 4
    found = ConsensusClustering(labels, Projection(rng.normal(size=(40, 3))), (), {})
    return sp.csr_array(counts), sample, found


def test_the_terms_of_the_sample_assign_all_documents_which_then_correct_them():
    counts, sample, found = overlapping()
    data = consensus_input(unit_rows(counts), counts, None, 0, None)
    sampled = np.full(120, -1)
    sampled[sample] = found.labels
    assigned = likeliest(data.log_counts, fit_mixture(data.log_counts, sampled, 4))
    assigned[110:] = -1
    labels = extend(found, sample, data, 4).labels
    assert np.array_equal(labels, refine(data.log_counts, assigned, 4))
    assert not np.array_equal(labels, assigned)
    assert set(labels[110:].tolist()) == {-1}


def test_without_countable_terms_the_nearest_centroid_assigns_and_labels_are_kept():
    rows = np.random.default_rng(1).normal(size=(90, 40))
    rows[80:] = 0.0
    _, sample, found = overlapping()
    sample, found = sample[:40], replace(found, labels=found.labels[:40])
    known = np.where(np.arange(90) < 6, 3, -1)
    data = consensus_input(unit_rows(rows), None, known, 0, None)
    assert data.log_counts is None
    labels = extend(found, sample, data, 4).labels
    Z = found.projection.transform(data.X)
    centroids = np.array([Z[sample][found.labels == c].mean(axis=0) for c in range(4)])
    nearest = np.argmin(((Z[:, None] - centroids) ** 2).sum(axis=2), axis=1)
    assert np.array_equal(labels[6:80], nearest[6:80])
    assert set(labels[:6].tolist()) == {3}
    assert set(labels[80:].tolist()) == {-1}


def test_labelled_documents_stay_in_their_class_while_the_rest_is_corrected():
    counts, sample, found = overlapping()
    known = np.where(np.arange(120) < 20, (np.arange(120) + 1) % 4, -1)
    data = consensus_input(unit_rows(counts), counts, known, 0, None)
    assert np.array_equal(extend(found, sample, data, 4).labels[:20], known[:20])
