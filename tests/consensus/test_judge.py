"""Judging without labels: the cut by its definition, and that the truth is judged better than what is spoilt."""

from __future__ import annotations

import numpy as np
import pytest

from tests.laws.subjects import counted
from tests.laws.toys import copies, random_graph
from vicinal._consensus.judge import cut, quality
from vicinal._consensus.word_model import evidence_of
from vicinal.graph import as_graph, knn
from vicinal.projection._products import Products


def test_the_cut_is_the_share_of_weight_between_groups():
    W = random_graph(40)
    labels = np.arange(40) % 3
    assert np.isclose(cut(as_graph(W), labels, 3), W[labels[:, None] != labels].sum() / W.sum())


def test_clean_groups_are_not_cut_and_an_empty_group_is_left_out():
    graph = as_graph(copies(np.ones((5, 5)), 3))
    assert cut(graph, np.arange(15) // 5, 3) == pytest.approx(0, abs=1e-15)
    assert cut(graph, np.arange(15) // 5, 4) == pytest.approx(0, abs=1e-15)
    assert cut(graph, np.full(15, -1), 2) == 1.0


@pytest.mark.parametrize("with_words", [True, False])
def test_the_truth_is_judged_better_than_a_third_at_random(with_words):
    X, topic = counted()
    rng = np.random.default_rng(0)
    spoilt = np.where(rng.random(len(topic)) < 0.3, rng.integers(0, 5, len(topic)), topic)
    evidence = Products(evidence_of(X)) if with_words else None
    assert quality(evidence, knn(X, 7), topic, 5) > quality(evidence, knn(X, 7), spoilt, 5)


def test_a_perfect_cut_is_worth_a_finite_amount():
    graph = as_graph(copies(np.ones((5, 5)), 3))
    assert np.isfinite(quality(None, graph, np.arange(15) // 5, 3))
