"""The spectrum in closed form, of a graph with few columns: the same as a dense solver finds, and not used where it has too few."""

from __future__ import annotations

import numpy as np
import pytest

from tests.laws.toys import angle, random_graph
from vicinal.errors import FewerComponents
from vicinal.graph import agreement, as_graph
from vicinal.spectrum import solve
from vicinal.spectrum._eigensolvers import dense, factored
from vicinal.spectrum._operator import Symmetric


def agreed(n=90, seed=0, groups=(4, 5, 7)):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % groups[0]
    labelings = [np.where(rng.random(n) < 0.3, rng.integers(0, g, n), truth % g) for g in groups]
    return agreement(labelings, shares=[1.0, 0.5, 0.8])


@pytest.mark.parametrize("seed", [0, 1])
def test_values_and_functions_are_those_of_the_dense_solver(seed):
    S = Symmetric(agreed(seed=seed))
    values, V = factored(S, 6)
    expected, U = dense(S, 6, 0, None, np.random.RandomState(0))
    np.testing.assert_allclose(values, expected, atol=1e-12)
    assert angle(V, U) < 1e-9
    np.testing.assert_allclose(V.T @ V, np.eye(6), atol=1e-12)
    np.testing.assert_allclose(S.trivial @ V, 0, atol=1e-12)
    assert S.residuals(values, V).max() < 1e-12


def test_solve_uses_it_where_nothing_else_is_asked_for_and_finds_the_same_functions():
    graph = agreed()
    exact, other = solve(graph, 5), solve(graph, 5, solver="dense")
    assert exact.solver == "exact"
    assert other.solver == "dense"
    np.testing.assert_allclose(exact.values, other.values, atol=1e-12)
    np.testing.assert_allclose(exact.vectors, other.vectors, atol=1e-8)


def test_documents_outside_and_components_are_told_apart_as_in_any_graph():
    """Two worlds that no clustering joins, and a document that none holds."""
    rng = np.random.default_rng(0)
    views = [rng.integers(0, groups, 70) for groups in (3, 4, 5)]
    apart = [np.concatenate([np.where(np.arange(70) < 40, view, view + 5), [-1]]) for view in views]
    graph = agreement(apart, shares=[1.0, 0.5, 0.8])
    W = as_graph(graph.matmul(np.eye(71)))
    exact, stored = solve(graph, 6), solve(W, 6)
    assert exact.solver == "exact"
    assert exact.values[0] == 1.0 > exact.values[1]
    assert exact.connected_components.tolist() == stored.connected_components.tolist()
    assert exact.connected_components[-1] == -1
    np.testing.assert_allclose(exact.values, stored.values, atol=1e-10)
    assert not exact.vectors[-1].any()


def test_functions_beyond_the_rank_say_nothing_and_are_left_out():
    pure = Symmetric(agreement([np.arange(30) % 2, np.arange(30) % 3]))
    assert len(factored(pure, 2)[0]) == 2
    assert len(factored(pure, 5)[0]) == 3  # two clusterings that cross: 1 + 2 functions
    with pytest.warns(FewerComponents):
        assert len(solve(pure.graph, 10).values) == 3
    assert Symmetric(as_graph(random_graph(30))).factor is None


def test_views_that_all_agree_leave_one_function_less_than_groups():
    groups = np.arange(30) % 3
    with pytest.warns(FewerComponents):
        spectrum = solve(agreement([groups, groups]), 5)
    assert spectrum.values.tolist() == [1.0, 1.0]
