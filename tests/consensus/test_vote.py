"""The vote of several answers: what most of them say, whatever their clusters are numbered, and what is kept beside it."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted, same_groups
from vicinal import Topics
from vicinal._consensus import cluster_by_consensus, cluster_by_vote, consensus_input, neighbor_graphs
from vicinal._consensus.consensus import ConsensusClustering, quality
from vicinal._consensus.vote import FEWEST_ANSWERS, MOST_ANSWERS, is_settled, matched_with, most_answers, most_typical, vote
from vicinal._matrix import unit_rows

MODULE = import_module("vicinal._consensus.vote")
TRUTH = np.repeat(np.arange(4), 25)


@pytest.fixture(scope="module")
def unclear():
    """Documents whose subjects overlap, so that answers differ."""
    rng = np.random.default_rng(7)
    counts = sp.csr_array(rng.poisson(0.25 + 0.35 * (np.arange(120)[:, None] % 4 == np.arange(40) % 4)).astype(float))
    data = consensus_input(unit_rows(counts), counts, None, 0, None)
    return data, neighbor_graphs(data.X, 0, None)


@pytest.fixture(scope="module")
def hundred():
    """As many documents as TRUTH has; what they say does not matter."""
    counts = sp.csr_array(np.random.default_rng(3).poisson(0.4, (100, 30)).astype(float))
    data = consensus_input(unit_rows(counts), counts, None, 0, None)
    return data, neighbor_graphs(data.X, 0, None)


def with_errors(seed, share=0.3):
    """The truth, of which a share of the documents is in clusters by chance, numbered in another order."""
    rng = np.random.default_rng(seed)
    wrong = rng.random(len(TRUTH)) < share
    return rng.permutation(4)[np.where(wrong, rng.integers(0, 4, len(TRUTH)), TRUTH)]


def test_clusters_are_matched_whatever_their_numbers_are():
    renumbered = np.array([2, 0, 3, 1])[TRUTH]
    assert np.array_equal(matched_with(TRUTH, renumbered, 4), TRUTH)
    assert np.array_equal(matched_with(TRUTH, np.full(100, -1), 4), np.full(100, -1))


def test_what_most_answers_say_is_nearer_to_the_truth_than_any_of_them():
    answers = [with_errors(seed) for seed in range(7)]
    typical, labels = vote(answers, 4)
    right = [np.mean(matched_with(TRUTH, each, 4) == TRUTH) for each in (*answers, labels)]
    assert right[-1] > max(right[:-1])
    assert typical == most_typical(answers)


def test_an_answer_that_chance_has_led_astray_is_outvoted_and_is_not_typical():
    lump = np.where(np.arange(100) < 97, 0, np.arange(100) - 96)
    typical, labels = vote([lump, np.array([2, 0, 3, 1])[TRUTH], TRUTH], 4)
    assert typical != 0
    assert same_groups(labels, TRUTH)


def test_between_equals_the_typical_answer_decides():
    """Of two answers the first is typical: nothing of the other is taken over."""
    one, other = with_errors(1), with_errors(2)
    typical, labels = vote([one, other], 4)
    assert typical == 0
    assert np.array_equal(labels, one)


def test_documents_without_a_cluster_neither_vote_nor_get_one():
    one = TRUTH.copy()
    one[:3] = -1
    _, labels = vote([one, one, one], 4)
    assert np.array_equal(labels, one)


def test_one_answer_is_typical_of_itself():
    assert most_typical([TRUTH]) == 0


def test_the_answers_their_qualities_and_their_views_are_kept_beside_the_vote(unclear):
    data, graphs = unclear
    found = cluster_by_vote(data, graphs, 4)
    names = [f"answer {number}" for number in range(1, len(found.others) + 1)]
    assert len(names) >= FEWEST_ANSWERS
    assert list(found.others) == names
    assert list(found.qualities) == [*names, "vote"]
    answers = list(found.others.values())
    assert any(not same_groups(answers[0], other) for other in answers[1:])
    typical, labels = vote(answers, 4)
    assert np.array_equal(found.labels, labels)
    assert found.qualities["vote"] == quality(data, graphs.combined, labels, 4)
    assert len({view.name for view in found.views}) == len(found.views) == 8 * len(names)
    own = [view for view in found.views if view.name.endswith(f", answer {typical + 1}")]
    assert len(own) == 8
    again = cluster_by_vote(data, graphs, 4)
    assert np.array_equal(found.labels, again.labels)
    assert np.array_equal(found.projection.weights, again.projection.weights)


def test_the_first_answer_has_the_seed_that_was_given_and_the_others_have_their_own(unclear, monkeypatch):
    data, graphs = unclear
    seeds, latents = [], []

    def answer(here, around, *_):
        seeds.append(here.random_state)
        latents.append(around.latent)
        assert around.by_terms is graphs.by_terms
        return cluster_by_consensus(here, around, 4)

    monkeypatch.setattr(MODULE, "_answer", answer)
    cluster_by_vote(replace(data, random_state=11), graphs, 4)
    assert seeds[0] == 11
    assert len(set(seeds)) == len(seeds) >= FEWEST_ANSWERS
    assert latents[0] is graphs.latent
    assert not any(np.array_equal(latents[0], other) for other in latents[1:])


def test_few_answers_are_asked_where_they_agree_and_many_where_they_do_not():
    assert not is_settled(2, [1.0])
    assert is_settled(3, [0.975] * 3)
    assert not is_settled(3, [0.965] * 3)
    assert is_settled(10, [0.905] * 45)
    assert not is_settled(9, [0.905] * 36)


@pytest.mark.parametrize(("n_documents", "most"), [(100, MOST_ANSWERS), (9_999, MOST_ANSWERS), (10_000, FEWEST_ANSWERS)])
def test_a_large_corpus_has_fewer_answers(n_documents, most):
    assert most_answers(n_documents) == most


def asked(data, graphs, monkeypatch, others):
    """How many answers are asked where all but the first are ``others``, in turn."""
    turn = iter(others)
    given = []

    def answer(here, around, *_):
        labels = TRUTH if not given else next(turn)
        given.append(labels)
        return ConsensusClustering(labels, None, (), {"direct": 1.0})

    monkeypatch.setattr(MODULE, "_answer", answer)
    monkeypatch.setattr(MODULE, "quality", lambda *_: 1.0)
    found = cluster_by_vote(data, graphs, 4)
    assert len(found.others) == len(given)
    return len(given)


def test_answers_are_asked_until_they_agree_and_no_longer(hundred, monkeypatch):
    data, graphs = hundred
    monkeypatch.setattr(MODULE, "MOST_ANSWERS", 15)
    assert asked(data, graphs, monkeypatch, [TRUTH] * 50) == FEWEST_ANSWERS
    unsure = [with_errors(seed, 0.03) for seed in range(50)]
    assert FEWEST_ANSWERS < asked(data, graphs, monkeypatch, unsure) < 15
    assert asked(data, graphs, monkeypatch, [with_errors(seed, 0.9) for seed in range(50)]) == 15


def test_a_vote_that_would_leave_a_cluster_without_documents_gives_way_to_the_typical_answer(unclear, monkeypatch):
    data, graphs = unclear
    monkeypatch.setattr(MODULE, "MOST_ANSWERS", FEWEST_ANSWERS)
    monkeypatch.setattr(MODULE, "vote", lambda answers, _: (2, np.zeros(120, dtype=np.int64)))
    found = cluster_by_vote(data, graphs, 4)
    assert np.array_equal(found.labels, found.others["answer 3"])
    assert len(np.unique(found.labels)) == 4


def test_where_classes_are_known_there_is_one_answer(unclear):
    data, graphs = unclear
    known = replace(data, known=np.where(np.arange(120) < 12, np.arange(120) % 4, -1))
    found, alone = cluster_by_vote(known, graphs, 4), cluster_by_consensus(known, graphs, 4)
    assert np.array_equal(found.labels, alone.labels)
    assert found.qualities == alone.qualities


def test_clusters_of_two_seeds_agree_more_than_single_answers_do(unclear):
    """What the vote is for: fewer documents change their cluster with the seed."""
    data, graphs = unclear
    found = [cluster_by_vote(replace(data, random_state=seed), graphs, 4) for seed in range(4)]
    pairs = [(i, j) for i in range(4) for j in range(i)]

    def agreement(answers):
        return np.mean([np.mean(matched_with(answers[i], answers[j], 4) == answers[i]) for i, j in pairs])

    assert agreement([each.labels for each in found]) > agreement([each.others["answer 1"] for each in found])


def test_topics_give_what_the_answers_vote_for():
    counts, topic = counted()
    topics = Topics(5, random_state=3).fit(counts)
    assert same_groups(topics.labels_, topic)
    assert set(topics.qualities_) == {*(f"answer {number}" for number in range(1, FEWEST_ANSWERS + 1)), "vote"}
