"""Views of a part of the documents: who is drawn, and how the rest is sorted."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted
from vicinal import Topics
from vicinal._consensus import consensus_input
from vicinal._consensus.sample import OF_EACH_CLASS, draw_sample, restrict
from vicinal.errors import BadParameter
from vicinal.metrics import normalized_mutual_info


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
