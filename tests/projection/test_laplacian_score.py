from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, random_graph
from vicinal.errors import BadData
from vicinal.graph import SparseGraph, as_graph, complete, knn
from vicinal.projection import _laplacian_score as rank
from vicinal.projection import laplacian_scores
from vicinal.projection._laplacian_score import smoothest_terms

NAN = np.nan


def test_a_term_that_no_document_uses_has_no_score():
    X = sp.csr_array(sp.hstack([documents(), sp.csr_array((60, 2))]))
    for graph in (knn(documents(), 6), complete(documents())):
        assert np.isnan(laplacian_scores(X, graph)).tolist() == [False] * 90 + [True] * 2


def test_a_term_of_documents_outside_the_graph_has_no_score_and_they_have_no_say():
    W = random_graph(6)
    W[5], W[:, 5] = 0.0, 0.0
    X = np.random.default_rng(0).random((6, 3))
    X[:5, 2] = 0.0
    scores = laplacian_scores(X, as_graph(W))
    assert np.isnan(scores).tolist() == [False, False, True]
    X[5] = 100.0
    assert np.array_equal(laplacian_scores(X, as_graph(W)), scores, equal_nan=True)


@pytest.mark.parametrize("value", [1.0, 1 / 3, 1e-9, 1e9])
def test_a_term_that_is_everywhere_alike_is_smooth_or_centred_has_no_score(value):
    X = sp.csr_array(np.column_stack([np.full(60, value), np.arange(60.0)]))
    graph = as_graph(random_graph(60))
    assert laplacian_scores(X, graph)[0] == 0.0
    assert np.isnan(laplacian_scores(X, graph, centered=True)).tolist() == [True, False]


def test_a_nearly_constant_term_keeps_the_digits_of_its_score():
    wiggle = np.random.default_rng(0).random(60)
    graph = as_graph(random_graph(60))
    plain, lifted = (laplacian_scores(column[:, None], graph, centered=True) for column in (wiggle, 1.0 + 2.0**-20 * wiggle))
    np.testing.assert_allclose(lifted, plain, rtol=1e-8)


@pytest.mark.parametrize("block", [1, 7, 10_000])
def test_the_size_of_a_block_changes_only_rounding(monkeypatch, block):
    X, graph = documents(), knn(documents(), 6)
    expected = laplacian_scores(X, graph), laplacian_scores(X, complete(X))
    monkeypatch.setattr(rank, "EDGES", block)
    monkeypatch.setattr(rank, "ENTRIES", 60 * block)
    np.testing.assert_allclose(laplacian_scores(X, graph), expected[0], rtol=1e-13)
    np.testing.assert_allclose(laplacian_scores(X, complete(X)), expected[1], rtol=1e-12)


def test_a_graph_without_edges_scores_nothing():
    assert np.isnan(laplacian_scores(documents(), SparseGraph(sp.csr_array((60, 60))))).all()


def test_float32_is_added_up_in_float64():
    X = documents().astype(np.float32)
    assert np.array_equal(laplacian_scores(X, knn(X, 6)), laplacian_scores(X.astype(np.float64), knn(X, 6)))


def test_documents_are_left_as_they_were():
    X = documents()
    before = X.copy()
    laplacian_scores(X, knn(X, 6), centered=True)
    assert (before != X).nnz == 0


def test_a_graph_of_other_documents_is_refused_with_both_numbers():
    with pytest.raises(BadData, match="the graph has 59 documents but X has 60"):
        laplacian_scores(documents(), as_graph(random_graph(59)))


def test_what_is_not_finite_is_refused_with_its_place():
    X = documents().toarray()
    X[3, 4] = np.inf
    with pytest.raises(BadData, match="row 3, column 4"):
        laplacian_scores(X, knn(documents(), 6))


@pytest.mark.parametrize(
    ("scores", "count", "chosen"),
    [
        ([0.3, 0.1, 0.2], 2, [1, 2]),
        ([0.1, 0.1, 0.1, 0.1], 2, [0, 1]),
        ([0.1 + 2e-16, 0.3, 0.1], 1, [0]),  # the last bit does not choose
        ([0.1 + 2e-11, 0.3, 0.1], 1, [2]),
        ([NAN, 0.3, NAN, 2.0], 3, [1, 3]),
        ([NAN, NAN], 1, []),
    ],
)
def test_the_smallest_scores_are_chosen_ties_by_order_and_never_one_that_is_none(scores, count, chosen):
    assert np.flatnonzero(smoothest_terms(np.array(scores), count)).tolist() == chosen
