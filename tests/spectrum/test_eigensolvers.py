"""Three solvers of one symmetric operator, each by itself: order, length, the trivial vector, limits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse.linalg import LinearOperator, eigsh

from tests.laws.toys import random_graph
from vicinal.errors import NotConverged
from vicinal.graph import as_graph
from vicinal.spectrum._eigensolvers import EIGENSOLVERS, arpack, chebyshev, filtered, lanczos_without_loss, rayleigh_ritz
from vicinal.spectrum._operator import Symmetric


@pytest.fixture
def operator():
    return Symmetric(as_graph(random_graph(60)))


def random():
    return np.random.RandomState(0)


def diagonal(values):
    """Multiplication by a diagonal matrix: the values are its eigenvalues."""
    return lambda V: np.asarray(values)[:, None] * V


@pytest.mark.parametrize("name", EIGENSOLVERS)
def test_values_fall_and_vectors_are_orthonormal_and_orthogonal_to_the_trivial_one(name, operator):
    values, V = EIGENSOLVERS[name](operator, 5, 1e-10, None, random())
    assert (np.diff(values) <= 0).all()
    np.testing.assert_allclose(V.T @ V, np.eye(5), atol=1e-10)
    np.testing.assert_allclose(operator.trivial @ V, 0, atol=1e-10)
    assert operator.residuals(values, V).max() < 1e-8


@pytest.mark.parametrize("name", EIGENSOLVERS)
def test_one_function_may_be_asked_for(name, operator):
    values, V = EIGENSOLVERS[name](operator, 1, 1e-10, None, random())
    assert V.shape == (60, 1)
    np.testing.assert_allclose(values, EIGENSOLVERS["dense"](operator, 2, 0, None, random())[0][:1], atol=1e-10)


def test_the_operator_of_stored_weights_is_that_of_weights_in_the_dark(operator):
    V = random().standard_normal((60, 3))
    degrees = operator.graph.degrees
    np.testing.assert_allclose(operator.apply(V), operator.graph.matmul(V / np.sqrt(degrees)[:, None]) / np.sqrt(degrees)[:, None])


def test_deflation_moves_the_trivial_value_below_all_others_and_no_other(operator):
    np.testing.assert_allclose(operator.apply(operator.trivial[:, None]), operator.trivial[:, None], atol=1e-14)
    np.testing.assert_allclose(operator.apply_deflated(operator.trivial[:, None]), -2 * operator.trivial[:, None], atol=1e-14)
    _, V = EIGENSOLVERS["dense"](operator, 3, 0, None, random())
    np.testing.assert_allclose(operator.apply_deflated(V), operator.apply(V), atol=1e-13)


def test_a_residual_sees_a_wrong_value(operator):
    values, V = EIGENSOLVERS["dense"](operator, 2, 0, None, random())
    np.testing.assert_allclose(operator.residuals(values + np.array([0.0, 0.01]), V), [0.0, 0.01], atol=1e-13)


def test_the_best_pairs_in_a_span_are_found_from_any_basis_of_it():
    apply = diagonal(np.linspace(1, 0, 12))
    span = np.eye(12)[:, [2, 5, 7]] @ random().standard_normal((3, 3))
    values, V = rayleigh_ritz(apply, span, 2)
    np.testing.assert_allclose(values, np.linspace(1, 0, 12)[[2, 5]], atol=1e-12)
    np.testing.assert_allclose(np.abs(V), np.eye(12)[:, [2, 5]], atol=1e-12)


def test_a_value_repeated_thirty_times_is_found_thirty_times():
    apply = diagonal([0.9] * 30 + [0.5] * 20 + [0.1] * 150)
    operator = LinearOperator((200, 200), matvec=lambda v: apply(v.reshape(-1, 1)).ravel(), dtype=np.float64)
    alone = eigsh(operator, 32, which="LA", v0=random().standard_normal(200), tol=1e-10)[0]
    assert np.sum(alone > 0.9 - 1e-6) < 30  # what makes the second look necessary
    values, V = lanczos_without_loss(apply, 200, 32, 1e-10, None, random())
    np.testing.assert_allclose(values, [0.9] * 30 + [0.5] * 2, atol=1e-8)
    np.testing.assert_allclose(V.T @ V, np.eye(32), atol=1e-8)


def test_arpack_tries_once_more_without_a_limit():
    values = arpack(diagonal(np.linspace(1, 0.5, 300)), 300, 4, 1e-10, 1, random())[0]
    np.testing.assert_allclose(values, np.linspace(1, 0.5, 300)[:4], atol=1e-9)


def test_arpack_that_fails_a_second_time_says_how_far_it_came_and_what_to_do(monkeypatch):
    one_iteration = lambda *args, **options: eigsh(*args, **{**options, "maxiter": 1})  # noqa: E731
    monkeypatch.setattr("vicinal.spectrum._eigensolvers.eigsh", one_iteration)
    with pytest.raises(NotConverged, match=r"lanczos found \d of 4 functions in 15000 iterations, after a retry.*chebyshev"):
        arpack(diagonal(np.linspace(1, 0.5, 300)), 300, 4, 1e-10, None, random())


def test_chebyshev_comes_closer_with_every_iteration_it_is_allowed(operator):
    def residual(max_iter):
        return operator.residuals(*chebyshev(operator, 5, 1e-12, max_iter, random())).max()

    assert residual(1) > 100 * residual(3) > 0
    assert residual(None) < 1e-10


@pytest.mark.parametrize(("max_iter", "filters"), [(None, 200), (7, 7)])
def test_chebyshev_gives_up_after_200_filters_or_as_many_as_it_is_told(operator, monkeypatch, max_iter, filters):
    degrees = []

    def counted(S, V, **options):
        degrees.append(options["degree"])
        return filtered(S, V, **options)

    monkeypatch.setattr("vicinal.spectrum._eigensolvers.filtered", counted)
    values, _ = chebyshev(operator, 5, 0.0, max_iter, random())
    assert (len(degrees), len(values)) == (filters, 5)


def test_chebyshev_ends_when_the_tolerance_is_met(operator):
    rough, fine = (operator.residuals(*chebyshev(operator, 5, tol, None, random()))[:4].max() for tol in (1e-2, 1e-10))
    assert 1e-2 >= rough > 1e-8
    assert fine <= 1e-10


def test_a_steep_filter_gives_directions_where_its_values_exceed_what_a_float_holds(operator):
    """Between -1 and -1 + 1e-6 the polynomial of degree 60 is at most 1; at the first eigenvalue it is above 1e350."""
    V = EIGENSOLVERS["dense"](operator, 3, 0, None, random())[1]
    grown = filtered(operator, V @ np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), low=-1.0, high=-1.0 + 1e-6, degree=60)
    first, second = (V.T @ grown).T
    assert np.isfinite(grown).all()
    assert abs(first[0]) > 2 * abs(first[1])  # the smoother of the two functions has grown more
    assert abs(second[1]) > 2 * abs(second[2])
