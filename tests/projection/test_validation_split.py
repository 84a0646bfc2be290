"""Held-out validation: who is held out, what is scored, and the standard errors by the jackknife over groups of documents."""

from __future__ import annotations

import numpy as np
import pytest

from tests.laws.toys import documents, random_graph
from vicinal.graph import as_graph
from vicinal.projection._model_selection.maps_by_n_terms import forward_maps
from vicinal.projection._model_selection.validation_split import GROUPS, Split, _jackknife, _orders, train_validation_splits
from vicinal.projection._products import Products
from vicinal.projection._solvers.subset_exchange import Fitting


def test_the_jackknife_gives_the_squared_standard_error_of_the_difference_from_the_best():
    without = np.random.RandomState(0).standard_normal((3, GROUPS))
    whole = np.array([0.2, 0.9, 0.5])
    apart = without - without[1]
    deviations = ((apart - apart.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    np.testing.assert_allclose(_jackknife(without, whole), (GROUPS - 1) / GROUPS * deviations)


def test_a_candidate_without_a_score_has_no_error_and_neither_have_candidates_that_all_lack_one():
    without = np.vstack([np.full(GROUPS, np.nan), np.arange(GROUPS, dtype=float)])
    assert _jackknife(without, np.array([np.nan, 1.0])).tolist() == [0.0, 0.0]
    assert _jackknife(without, np.array([np.nan, np.nan])).tolist() == [0.0, 0.0]


def test_every_document_is_held_out_as_often_as_it_is_trained_on():
    orders = list(_orders(40))
    halves = [sorted(order[:20]) for order in orders] + [sorted(order[20:]) for order in orders]
    assert len(orders) == 4
    assert np.array_equal(np.bincount(np.concatenate([order[:20] for order in orders])), np.full(40, 2))
    assert len({tuple(half) for half in halves}) == 4  # two ways to cut the documents in two, each used both ways


def test_a_split_that_holds_out_no_edge_is_passed_over_and_later_ones_are_used():
    first, *others = (order.tolist() for order in _orders(24))
    inner, outer = first[:12], first[12:]
    W = np.zeros((24, 24))
    W[np.ix_(inner, inner)] = 1.0 - np.eye(12)
    W[inner, outer] = W[outer, inner] = 1.0  # each of the others has one neighbour, and none among themselves
    splits = list(train_validation_splits(np.eye(24), as_graph(W), 1, center=False, apart=False, n_jobs=1))
    assert len(splits) == 1
    assert splits[0].validation.shape[0] == len(others[1][12:])


def test_a_component_that_is_a_combination_of_others_adds_nothing():
    graph = as_graph(random_graph(60))
    embeddings = np.random.default_rng(0).normal(size=(60, 2))
    split = Split(Products(np.ones((1, 1))), np.ones((1, 1)), Products(np.ones((1, 1))), graph)
    alone = split.moments(embeddings).locality()
    more = np.column_stack([embeddings, embeddings @ [[0.3, 2.0], [1.7, -0.6]]])
    assert split.moments(more).locality() == pytest.approx(alone * 2 / 4)


@pytest.mark.parametrize(
    ("count", "splits"), [(15, 0), (16, 4), (1000, 4), (1001, 3), (1334, 2), (2000, 2), (2001, 1), (50_000, 1)]
)
def test_the_more_documents_there_are_the_fewer_splits_are_used(count, splits):
    assert sum(1 for _ in _orders(count)) == splits


def test_terms_are_added_in_three_batches_for_each_candidate_and_those_of_a_smaller_number_are_among_those_of_a_larger():
    X = documents(80, 60)
    split = Split(Products(X), np.random.default_rng(0).normal(size=(80, 3)), Products(X), as_graph(random_graph(80)))
    few, many = (np.flatnonzero(np.diff(A.indptr)).tolist() for A in forward_maps(split, np.array([4, 30]), 0.1))
    sizes = [1, 3, 4, 7, 15, 30]  # the candidates, and 30 to the power of 0, 1/5, 2/5 and so on, rounded down
    *_, expected = Fitting(split.train, split.responses, 0.1).joining(sizes)
    assert many == expected.terms.tolist()
    assert len(few) == 4
    assert set(few) < set(many)
