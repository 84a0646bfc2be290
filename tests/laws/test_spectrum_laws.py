"""Spectrum: whatever solver finds them, the functions solve W y = λ D y, are uncorrelated, and leave the constant out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.toys import angle, cycle, documents, eigenvalues, error, lawful, random_graph, stored
from vicinal.errors import IndistinctComponents
from vicinal.graph import complete, knn, mix
from vicinal.metrics import locality
from vicinal.spectrum import solve
from vicinal.spectrum._eigensolvers import EIGENSOLVERS

SOLVERS = tuple(EIGENSOLVERS)


def weighted_moments(spectrum, degrees):
    """Means and covariances of the functions, over documents weighted by degree."""
    Y, share = spectrum.vectors, degrees / degrees.sum()
    return share @ Y, Y.T @ (share[:, None] * Y)


def residuals(spectrum, W):
    """‖D^-½ (W y - λ D y)‖ for ‖D^½ y‖ = 1, from the stored matrix."""
    d = W.sum(axis=1)
    Y = spectrum.vectors / np.sqrt(d.sum())
    return np.linalg.norm((W @ Y - d[:, None] * Y * spectrum.values) / np.sqrt(d)[:, None], axis=0)


def graphs():
    X = documents(n=120, n_terms=150)
    return {"neighbours": knn(X, 7), "complete": complete(X), "mixed": mix(knn(X, 7), complete(X), shares=(1.0, 0.1))}


@pytest.fixture(params=tuple(graphs()))
def graph(request):
    return graphs()[request.param]


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_finds_the_values_of_a_dense_decomposition_without_the_one(graph, solver):
    spectrum = solve(graph, 8, solver=solver)
    assert spectrum.solver == solver
    expected = eigenvalues(stored(graph))
    assert abs(expected[0] - 1) < 1e-12
    np.testing.assert_allclose(spectrum.values, expected[1:9], atol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS[1:])
def test_iterative_solvers_span_the_space_of_the_dense_one(graph, solver):
    dense, other = solve(graph, 8, solver="dense"), solve(graph, 8, solver=solver)
    assert angle(dense.vectors, other.vectors) < 1e-8
    assert error(other.vectors, dense.vectors) < 1e-7  # no value is repeated here, so even the functions agree, with their signs


@pytest.mark.parametrize("solver", SOLVERS)
def test_residuals_are_small_and_are_what_the_stored_matrix_says(graph, solver):
    spectrum = solve(graph, 8, solver=solver)
    assert spectrum.residuals.max() <= 1e-9
    np.testing.assert_allclose(residuals(spectrum, stored(graph)), spectrum.residuals, atol=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
def test_functions_have_mean_zero_and_variance_one_by_degree_and_are_uncorrelated(graph, solver):
    mean, covariance = weighted_moments(solve(graph, 8, solver=solver), graph.degrees)
    np.testing.assert_allclose(mean, 0, atol=1e-10)
    np.testing.assert_allclose(covariance, np.eye(8), atol=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
@lawful
@given(seed=st.integers(0, 10**6), n=st.integers(12, 60))
def test_the_trivial_function_is_never_among_the_returned_ones(solver, seed, n):
    W = random_graph(n, density=0.1, seed=seed)
    spectrum = solve(W, 3, solver=solver)
    mean, covariance = weighted_moments(spectrum, W.sum(axis=1))
    np.testing.assert_allclose(mean, 0, atol=1e-10)
    np.testing.assert_allclose(covariance, np.eye(3), atol=1e-8)
    np.testing.assert_allclose(spectrum.values, eigenvalues(W)[1:4], atol=1e-10)


def test_all_functions_of_a_graph_with_loops_are_found():
    W = random_graph(25, density=0.1, seed=1)
    np.testing.assert_allclose(solve(W, 24).values, eigenvalues(W)[1:], atol=1e-12)


BIPARTITE = {
    "pair": np.array([[0.0, 1.0], [1.0, 0.0]]),
    "path": np.eye(8, k=1) + np.eye(8, k=-1),
    "star": np.block([[np.zeros((1, 1)), np.ones((1, 5))], [np.ones((5, 1)), np.zeros((5, 5))]]),
    "even ring": cycle(8),
}


@pytest.mark.parametrize("name", BIPARTITE)
def test_all_functions_of_a_bipartite_graph_are_found_down_to_minus_one(name):
    W = BIPARTITE[name]
    spectrum = solve(W, len(W) - 1)
    np.testing.assert_allclose(spectrum.values, eigenvalues(W)[1:], atol=1e-12)
    np.testing.assert_allclose(weighted_moments(spectrum, W.sum(axis=1))[0], 0, atol=1e-12)


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_minus_a_value_is_the_locality_of_its_function(graph, solver):
    spectrum = solve(graph, 8, solver=solver)
    np.testing.assert_allclose(locality(graph, spectrum.vectors), 1 - spectrum.values, atol=1e-12)


def test_largest_values_of_the_weights_are_the_smallest_of_the_laplacian():
    W = random_graph(30, seed=3)
    d = W.sum(axis=1)
    spectrum = solve(W, 5)
    left = (np.diag(d) - W) @ spectrum.vectors
    np.testing.assert_allclose(left, d[:, None] * spectrum.vectors * (1 - spectrum.values), atol=1e-12)
    scale = 1 / np.sqrt(d)
    smallest = np.linalg.eigvalsh(scale[:, None] * (np.diag(d) - W) * scale)
    np.testing.assert_allclose(1 - spectrum.values, smallest[1:6], atol=1e-12)


def test_weights_scaled_by_a_common_factor_give_the_same_functions():
    W = random_graph(30, seed=4)
    one, many = solve(W, 5), solve(1e6 * W, 5)
    np.testing.assert_allclose(many.values, one.values, atol=1e-12)
    assert error(many.vectors, one.vectors) < 1e-9


def test_dropping_the_first_column_of_a_solver_instead_of_the_constant_would_be_noticed():
    """Two components: the eigenspace of 1 has dimension two, and a solver may return any basis of it, the constant nowhere."""
    W = np.kron(np.eye(2), random_graph(8, density=0.5))
    d = W.sum(axis=1)
    scale = 1 / np.sqrt(d)
    vectors = scale[:, None] * np.linalg.eigh(scale[:, None] * W * scale)[1][:, ::-1]
    naive = vectors[:, 1] / np.sqrt(d @ vectors[:, 1] ** 2 / d.sum())
    with pytest.warns(IndistinctComponents):  # the copies share their other values
        honest = solve(W, 2).vectors[:, 0]
    assert abs(d @ honest) / d.sum() < 1e-12
    assert abs(d @ naive) / d.sum() > 0.1


def test_asking_for_fewer_functions_gives_the_first_of_those():
    W = random_graph(30, seed=5)
    many, few = solve(W, 9), solve(W, 4)
    np.testing.assert_allclose(few.values, many.values[:4], atol=1e-13)
    assert error(few.vectors, many.first(4).vectors) < 1e-10
