"""Graphs that see everybody: the Laplacian becomes the covariance, and locality preserving becomes principal components."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from tests.laws.toys import angle, documents, random_graph, stored
from vicinal import LPI, LSI
from vicinal._matrix import unit_rows
from vicinal.errors import IndistinctComponents
from vicinal.graph import complete, epsilon
from vicinal.spectrum import solve


def points(n=60, d=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d)) * np.arange(1, d + 1) + 5.0


def laplacian_form(X, graph):
    """XᵀLX through the graph's own product."""
    return X.T @ (graph.degrees[:, None] * X - graph.matmul(X))


def local_covariance(X, radius):
    """½ E[(x - y)(x - y)ᵀ | ‖x - y‖ < ε] over the pairs of a sample."""
    near = squareform(pdist(X)) < radius
    differences = (X[:, None] - X[None, :])[near]
    return differences.T @ differences / (2 * near.sum())


def test_the_sum_over_pairs_is_twice_the_laplacian_form():
    X, W = points(20), random_graph(20)
    differences = X[:, None] - X[None, :]
    pairwise = np.einsum("ij,ija,ijb->ab", W, differences, differences)
    np.testing.assert_allclose(pairwise, 2 * X.T @ (np.diag(W.sum(axis=1)) - W) @ X, rtol=1e-12)


def test_weights_of_one_over_n_squared_make_the_laplacian_form_the_covariance():
    X = points()
    form = laplacian_form(X, complete(X, weight="binary")) / len(X) ** 2
    np.testing.assert_allclose(form, np.cov(X.T, bias=True), rtol=1e-11, atol=1e-11)


def test_a_radius_beyond_every_distance_makes_the_laplacian_form_the_covariance():
    X = points()
    form = laplacian_form(X, epsilon(X, 2 * pdist(X).max())) / len(X) ** 2
    np.testing.assert_allclose(form, np.cov(X.T, bias=True), rtol=1e-11, atol=1e-11)


def test_a_small_radius_gives_another_matrix_than_the_covariance():
    X = points()
    form = laplacian_form(X, epsilon(X, np.median(pdist(X)))) / len(X) ** 2
    assert np.abs(form - np.cov(X.T, bias=True)).max() > 0.1


def test_local_covariance_is_the_laplacian_form_over_the_number_of_pairs():
    X = points()
    graph = epsilon(X, 4.0)
    n_pairs = 2 * graph.n_edges
    expected = local_covariance(X, 4.0) * (n_pairs + len(X))  # a point is within reach of itself
    np.testing.assert_allclose(laplacian_form(X, graph), expected, rtol=1e-11)


def test_local_covariance_grows_with_the_radius_up_to_the_covariance():
    X = points()
    radii = [1.0, 2.0, 4.0, 8.0, 16.0, 2 * pdist(X).max()]
    traces = [np.trace(local_covariance(X, radius)) for radius in radii]
    assert traces == sorted(traces)
    assert traces[0] < 0.5 * traces[-1]
    np.testing.assert_allclose(local_covariance(X, radii[-1]), np.cov(X.T, bias=True), rtol=1e-11, atol=1e-11)


def expected_on_the_unit_interval(radius):
    """β and C_ε for two uniform points: the distance t has density 2(1 - t)."""
    beta = 2 * radius - radius**2
    return beta, (2 * radius**3 / 3 - radius**4 / 2) / (2 * beta)


@pytest.mark.parametrize("n", [200, 800, 3200])
def test_laplacian_form_of_a_radius_graph_tends_to_the_local_covariance_of_the_distribution(n):
    radius = 0.1
    beta, limit = expected_on_the_unit_interval(radius)
    X = np.random.default_rng(n).random((n, 1))
    found = laplacian_form(X, epsilon(X, radius))[0, 0] / (n**2 * beta)
    assert abs(found / limit - 1) < 3 / np.sqrt(n)


def test_without_the_probability_of_a_pair_the_limit_would_be_missed():
    beta, limit = expected_on_the_unit_interval(0.1)
    X = np.random.default_rng(0).random((800, 1))
    assert laplacian_form(X, epsilon(X, 0.1))[0, 0] / 800**2 < 0.5 * limit
    assert beta < 0.2


def turned_documents(n=12):
    """Each document is the one before, turned by one word: all have the same degree in the complete graph."""
    first = np.random.default_rng(1).random(n) ** 3
    return np.array([np.roll(first, shift) for shift in range(n)]) / np.linalg.norm(first)


def test_complete_graph_of_equal_degrees_makes_lpi_the_decomposition_of_x_without_its_constant():
    X = turned_documents()
    graph = complete(X)
    assert np.ptp(graph.degrees) < 1e-12
    singular = np.linalg.svd(X)[1]
    fitted = LPI(11, graph="complete").fit(X)
    np.testing.assert_allclose(fitted.eigenvalues_, singular[1:] ** 2 / graph.degrees[0], atol=1e-12)
    cuts = [d for d in range(1, 11) if singular[d] ** 2 - singular[d + 1] ** 2 > 1e-3]
    assert len(cuts) > 2
    U = np.linalg.svd(X)[0]
    for d in cuts:
        assert angle(fitted.transform(X)[:, :d], U[:, 1 : d + 1]) < 1e-8


def test_complete_graph_of_unit_documents_is_closer_to_lsi_than_neighbours_are():
    X = unit_rows(documents())
    semantic = LSI(6).fit_transform(X)
    outside = {graph: angle(semantic, LPI(3, graph=graph).fit_transform(X)) for graph in ("complete", "knn")}
    assert outside["complete"] < 0.15
    assert outside["complete"] < outside["knn"]


def test_all_ones_give_the_eigenvalue_zero_and_nothing_else():
    with pytest.warns(IndistinctComponents):
        spectrum = solve(complete(points(), weight="binary"), 5)
    np.testing.assert_allclose(spectrum.values, 0, atol=1e-14)


def test_all_ones_give_principal_components_as_the_largest_of_the_laplacian_form():
    X = points()
    form = laplacian_form(X, complete(X, weight="binary"))
    principal = np.linalg.svd(X - X.mean(axis=0))[2]
    np.testing.assert_allclose(np.abs(np.linalg.eigh(form)[1][:, ::-1].T @ principal.T), np.eye(4), atol=1e-8)
    assert stored(complete(X, weight="binary")).min() == 1
