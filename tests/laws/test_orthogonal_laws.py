"""Orthogonal directions: OLPI is a rotation, its values bound LPI's, and the paper's recursion finds the same directions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from tests.laws.toys import documents, error_up_to_sign, stored, tall, wide, without_mean
from vicinal import LPI, OLPI
from vicinal.metrics import locality

CORPORA = {"tall": tall, "wide": wide, "documents": documents}


@pytest.fixture(name="X", params=CORPORA)
def corpus(request):
    return CORPORA[request.param]()


def forms(X, graph):
    """XᵀLX and XᵀDX."""
    X = X.toarray()
    D = X.T @ (graph.degrees[:, None] * X)
    return D - X.T @ graph.matmul(X), D


def smallest_real(M, skip):
    """Eigenvector of the smallest eigenvalue of a nonsymmetric matrix with real eigenvalues, the ``skip`` nearest zero left out."""
    values, vectors = np.linalg.eig(M)
    assert np.abs(values.imag).max() < 1e-8
    left = np.argsort(np.abs(values))[skip:]
    return np.real(vectors[:, left[np.argmin(values[left].real)]])


def published_recursion(laplacian, degrees, count, skip_spurious=True):
    """M^(k) = {I - P^-1 A B^-1 Aᵀ} P^-1 XᵀLX with P = XᵀDX, B = AᵀP^-1A, one direction after another."""
    inverse = np.linalg.inv(degrees)
    A = np.empty((len(degrees), 0))
    for k in range(count):
        taken = inverse @ A @ np.linalg.inv(A.T @ inverse @ A) @ A.T if k else 0.0
        a = smallest_real((np.eye(len(degrees)) - taken) @ inverse @ laplacian, k if skip_spurious else 0)
        A = np.column_stack([A, a / np.linalg.norm(a)])
    return A


def test_directions_are_orthonormal(X):
    A = OLPI(10).fit(X).components_
    np.testing.assert_allclose(A @ A.T, np.eye(10), atol=1e-12)


def test_directions_that_are_only_uncorrelated_would_be_noticed(X):
    A = LPI(10).fit(X).components_
    A = A / np.linalg.norm(A, axis=1, keepdims=True)
    assert np.abs(A @ A.T - np.eye(10)).max() > 0.05


def test_with_all_components_the_map_is_a_rotation_of_the_directions_without_mean():
    X = tall()
    fitted = OLPI(23).fit(X)
    Z = without_mean(X, fitted.graph_.degrees)
    np.testing.assert_allclose(fitted.components_.T @ fitted.components_, Z @ Z.T, atol=1e-12)
    np.testing.assert_allclose(pdist(fitted.transform(X)), pdist(X @ Z), atol=1e-10)


def test_with_all_dimensions_lpi_is_no_rotation():
    X = tall()
    fitted = LPI(23).fit(X)
    assert np.abs(pdist(fitted.transform(X)) - pdist(X @ without_mean(X, fitted.graph_.degrees))).max() > 0.1


def test_in_the_row_space_all_dimensions_but_the_constant_keep_distances_up_to_one_direction():
    """Independent documents: one direction, that of the constant, is left out, and no distance can grow."""
    X = wide()
    fitted = OLPI(29).fit(X)
    assert (pdist(fitted.transform(X)) <= pdist(X.toarray()) + 1e-10).all()
    outside = X.toarray() - fitted.transform(X) @ fitted.components_
    assert np.linalg.matrix_rank(outside, tol=1e-8) == 1


def test_values_in_laplacian_form_are_never_above_those_of_lpi_and_the_first_is_equal(X):
    orthogonal, plain = 1 - OLPI(12).fit(X).eigenvalues_, 1 - LPI(12).fit(X).eigenvalues_
    assert abs(orthogonal[0] - plain[0]) < 1e-12
    assert (orthogonal <= plain + 1e-12).all()
    assert (orthogonal < plain - 1e-4).any()


def test_one_minus_a_value_is_the_locality_of_its_coordinate(X):
    fitted = OLPI(10).fit(X)
    np.testing.assert_allclose(locality(fitted.graph_, fitted.transform(X)), 1 - fitted.eigenvalues_, atol=1e-10)


def test_no_direction_orthogonal_to_those_before_does_better():
    X = tall()
    fitted = OLPI(6).fit(X)
    laplacian, degrees = forms(X, fitted.graph_)
    rng = np.random.default_rng(0)
    for k in range(6):
        before = fitted.components_[:k].T
        trial = fitted.components_[k][:, None] + 0.1 * rng.normal(size=(24, 200))
        before = np.linalg.qr(np.column_stack([before, X.T @ fitted.graph_.degrees]))[0]
        trial -= before @ (before.T @ trial)
        quotients = np.sum(trial * (laplacian @ trial), axis=0) / np.sum(trial * (degrees @ trial), axis=0)
        assert quotients.min() >= 1 - fitted.eigenvalues_[k] - 1e-12


def test_directions_are_those_of_the_published_recursion():
    X = tall()
    fitted = OLPI(8).fit(X)
    Z = without_mean(X, fitted.graph_.degrees)
    expected = Z @ published_recursion(*(Z.T @ form @ Z for form in forms(X, fitted.graph_)), 8)
    assert error_up_to_sign(fitted.components_.T, expected) < 1e-6


def test_the_published_recursion_taken_at_its_word_returns_spurious_directions():
    X = tall()
    fitted = OLPI(3).fit(X)
    Z = without_mean(X, fitted.graph_.degrees)
    A = Z @ published_recursion(*(Z.T @ form @ Z for form in forms(X, fitted.graph_)), 3, skip_spurious=False)
    assert np.abs(A.T @ A - np.eye(3)).max() > 0.05
    assert error_up_to_sign(fitted.components_.T[:, 1:], A[:, 1:]) > 0.05


def test_making_lpi_orthogonal_afterwards_does_worse():
    X = tall()
    plain, orthogonal = LPI(6).fit(X), OLPI(6).fit(X)
    afterwards = np.linalg.qr(plain.components_.T)[0]
    quotients = locality(plain.graph_, X @ afterwards)
    assert quotients[1] > 1 - orthogonal.eigenvalues_[1] + 1e-8


def test_no_coordinate_is_the_constant_where_the_constant_is_in_reach():
    X = wide()
    fitted = OLPI(20).fit(X)
    assert np.abs(fitted.graph_.degrees @ fitted.transform(X)).max() < 1e-8 * fitted.graph_.degrees.sum()


def test_lanczos_finds_what_the_dense_solver_finds():
    X = documents()
    dense, lanczos = (OLPI(5, solver=solver).fit(X) for solver in ("dense", "lanczos"))
    np.testing.assert_allclose(lanczos.eigenvalues_, dense.eigenvalues_, atol=1e-10)
    assert error_up_to_sign(lanczos.components_.T, dense.components_.T) < 1e-6


def test_asking_for_fewer_directions_gives_the_first_of_those():
    X = documents()
    np.testing.assert_allclose(OLPI(3).fit(X).components_, OLPI(7).fit(X).components_[:3], atol=1e-12)


def test_a_rotation_of_the_words_rotates_the_directions():
    X = tall().toarray()
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(24, 24)))[0]
    W = stored(OLPI(4).fit(X).graph_)
    one, turned = OLPI(4, graph=W).fit(X), OLPI(4, graph=W).fit(X @ Q)
    assert error_up_to_sign(turned.components_.T, Q.T @ one.components_.T) < 1e-8
