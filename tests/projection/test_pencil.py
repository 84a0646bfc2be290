"""The direct route: how many directions there are, who takes part, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import eigh

from tests.laws.toys import cycle, random_graph, tall, wide, without_mean
from vicinal.errors import BadData, BadParameter, FewerComponents, NoNeighbors, NoVariation, VicinalError
from vicinal.graph import classes, knn
from vicinal.projection import pencil
from vicinal.projection._pencil import pencil_of_checked


@pytest.mark.parametrize("orthogonal", [False, True])
def test_a_projection_says_its_route_and_the_rank_of_the_documents(orthogonal):
    X = sp.csr_array(sp.hstack([tall(), tall()]))
    made_by = pencil(X, knn(X, 5), 2, orthogonal=orthogonal).made_by
    assert made_by == {"route": "orthogonal pencil" if orthogonal else "pencil", "rank": 24}


def test_more_directions_than_the_rank_are_said_with_all_numbers():
    X = wide()
    with pytest.warns(FewerComponents, match=r"asked for 99 components but 30 documents x 120 terms have 29 independent ones"):
        assert pencil(X, knn(X, 5), 99).n_components == 29
    assert pencil_of_checked(X, knn(X, 5), 99).n_components == 29  # which says nothing, and a warning would fail here


def test_classes_have_one_direction_less_than_there_are():
    X = wide()
    with pytest.warns(FewerComponents, match="Continuing with 2"):
        assert pencil(X, classes(np.arange(30) % 3), 5).n_components == 2


@pytest.mark.parametrize("center", [False, True])
def test_documents_without_an_edge_take_no_part(center):
    X, W = wide(), knn(wide(), 5).weights.tolil()
    W[4, :] = W[:, 4] = 0.0
    changed = X.tolil()
    changed[4, :7] = 100.0
    one, other = (pencil(rows, sp.csr_array(W), 3, center=center).weights for rows in (X, sp.csr_array(changed)))
    assert np.array_equal(one, other)


def test_only_centring_takes_something_off():
    X = tall()
    graph = knn(X, 5)
    assert pencil(X, graph, 2).offset is None
    centred = pencil(X, graph, 2, center=True)
    np.testing.assert_allclose(graph.degrees @ centred.transform(X), 0, atol=1e-10)


def test_words_may_be_named_on_the_way():
    X = tall()
    assert pencil(X, knn(X, 5), 2, vocabulary=list("abcdefghijklmnopqrstuvwx")).vocabulary[23] == "x"


def test_a_matrix_of_weights_may_be_given():
    X = tall()
    graph = knn(X, 5)
    assert np.array_equal(pencil(X, graph.weights.toarray(), 2).weights, pencil(X, graph, 2).weights)


@pytest.mark.parametrize("alpha", [1e6, 1e12])
def test_a_large_penalty_scales_values_down_and_leaves_them_exact(alpha):
    X = tall()
    graph = knn(X, 5)
    dense = X @ without_mean(X, graph.degrees)
    penalised = dense.T @ (graph.degrees[:, None] * dense) + alpha * np.eye(23)
    expected = eigh(dense.T @ graph.matmul(dense), penalised, eigvals_only=True)[::-1][:2]
    assert expected[0] < 1e-2
    np.testing.assert_allclose(pencil(X, graph, 2, alpha=alpha).eigenvalues, expected, rtol=1e-9)


@pytest.mark.parametrize(
    "options", [{"n_components": 0}, {"alpha": -0.1}, {"alpha": np.inf}, {"solver": "chebyshev"}, {"solver": None}], ids=str
)
def test_options_that_do_not_exist_are_refused_by_name(options):
    with pytest.raises(BadParameter, match=f"{next(iter(options))} must be"):
        pencil(tall(), cycle(80), **{"n_components": 2, **options})


def test_degrees_too_uneven_to_solve_with_are_refused_and_a_penalty_helps():
    X = np.random.default_rng(0).random((6, 6))
    sizes = 10.0 ** np.array([0, 0, -20, -20, -20, -20])
    W = np.outer(sizes, sizes) * random_graph(6)
    with pytest.raises(BadData, match="too uneven"):
        pencil(X, W, 2)
    assert np.isfinite(pencil(X, W, 1, alpha=1.0).weights).all()


@pytest.mark.parametrize("W", [cycle(60), np.pad(cycle(20), (0, 40))], ids=["ring", "ring and loners"])
@pytest.mark.parametrize("n_documents", [30, 80])
def test_a_graph_of_other_documents_is_refused(W, n_documents):
    with pytest.raises(VicinalError, match=f"60 documents .*{n_documents}"):
        pencil(np.random.default_rng(0).random((n_documents, 10)), W, 2)


def test_a_graph_without_an_edge_is_refused():
    with pytest.raises(NoNeighbors):
        pencil(tall(), np.zeros((80, 80)), 2)


@pytest.mark.parametrize("options", [{}, {"center": True}, {"orthogonal": True}], ids=str)
@pytest.mark.parametrize("X", [np.zeros((6, 3)), np.ones((6, 3))], ids=["empty", "alike"])
def test_documents_that_nothing_tells_apart_have_no_variation(X, options):
    with pytest.raises(NoVariation):
        pencil(X, cycle(6), 2, **options)


def test_a_limit_that_is_no_count_is_refused():
    with pytest.raises(BadParameter, match="max_iter must be"):
        pencil(tall(), cycle(80), 2, solver="lanczos", max_iter=-1)
