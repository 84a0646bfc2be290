"""Where the two routes meet: an eigenvector of the graph that words can express is a direction of the pencil."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.toys import documents, error, error_up_to_sign, lawful, random_graph, square, stored, tall, wide
from vicinal import LPI, LPP, RLPI, LaplacianEigenmap, Ridge
from vicinal.graph import knn
from vicinal.projection import pencil, regress
from vicinal.spectrum import solve

ALPHAS = (1e-2, 1e-3, 1e-4, 1e-5)


def pencil_residual(X, W, A, values):
    """‖XᵀWX a - λ XᵀDX a‖ of each column, compared with ‖XᵀDX a‖."""
    X = X.toarray() if sp.issparse(X) else X
    left, right = X.T @ (W @ (X @ A)), X.T @ (W.sum(axis=1)[:, None] * (X @ A))
    return np.linalg.norm(left - right * values, axis=0) / np.linalg.norm(right, axis=0)


def assert_falls_like_alpha(errors):
    np.testing.assert_allclose(np.divide(errors[1:], errors[:-1]), 0.1, rtol=0.1)


@lawful
@given(seed=st.integers(0, 10**6))
def test_a_function_that_words_express_exactly_is_a_direction_of_the_pencil(seed):
    """W y = λ D y and X a = y imply XᵀWX a = λ XᵀDX a, on a graph that has nothing to do with X."""
    X, W = np.random.default_rng(seed).random((20, 35)), random_graph(20, seed=seed)
    spectrum = solve(W, 5)
    A = regress(X, spectrum, Ridge(0.0)).weights
    np.testing.assert_allclose(X @ A, spectrum.vectors, atol=1e-9)
    assert pencil_residual(X, W, A, spectrum.values).max() < 1e-9


def test_a_function_that_words_cannot_express_is_no_direction_of_the_pencil():
    X = tall()
    graph = knn(X, 7)
    spectrum = solve(graph, 5)
    A = regress(X, spectrum, Ridge(0.0)).weights
    assert pencil_residual(X, stored(graph), A, spectrum.values).min() > 1e-3


def test_ridge_tends_to_a_direction_of_the_pencil_where_the_function_lies_in_the_span_of_the_words():
    """X has rank 9 of 30; the functions are in its span by construction."""
    rng, W = np.random.default_rng(0), random_graph(30)
    spectrum = solve(W, 3)
    X = np.column_stack([spectrum.vectors, rng.normal(size=(30, 6))]) @ rng.normal(size=(9, 50))
    assert np.linalg.matrix_rank(X) == 9
    residuals = [
        pencil_residual(X, W, regress(X, spectrum, Ridge(alpha)).weights, spectrum.values).max() for alpha in (1.0, 0.1, 0.01)
    ]
    assert_falls_like_alpha(residuals)


def test_directions_of_ridge_tend_to_those_of_the_pencil_as_fast_as_alpha_for_independent_documents():
    X = wide()
    exact = LPI(5).fit(X)
    errors = [error_up_to_sign(RLPI(5, alpha=alpha).fit(X).components_.T, exact.components_.T) for alpha in ALPHAS]
    assert_falls_like_alpha(errors)
    assert error_up_to_sign(RLPI(5, alpha=1e-10).fit(X).components_.T, exact.components_.T) < 1e-9


def test_places_of_ridge_tend_to_the_functions_themselves_as_fast_as_alpha():
    X = wide()
    Y = LaplacianEigenmap(5).fit_transform(X)
    assert_falls_like_alpha([error(RLPI(5, alpha=alpha).fit_transform(X), Y) for alpha in ALPHAS])


def test_for_independent_documents_the_direction_is_the_pseudo_inverse_times_the_function():
    X = wide()
    U, s, Vt = np.linalg.svd(X.toarray(), full_matrices=False)
    expected = Vt.T @ ((U.T @ solve(knn(X, 7), 5).vectors) / s[:, None])
    assert error_up_to_sign(LPI(5).fit(X).components_.T, expected) < 1e-10
    assert error_up_to_sign(RLPI(5, alpha=0.0).fit(X).components_.T, expected) < 1e-10


def test_for_documents_that_are_not_independent_the_routes_stay_apart():
    X = tall()
    assert error_up_to_sign(RLPI(3, alpha=1e-10).fit(X).components_.T, LPI(3).fit(X).components_.T) > 1e-2


@pytest.mark.parametrize("method", [LPP, LPI])
def test_projections_are_laplacian_eigenmaps_when_x_is_square_and_of_full_rank(method):
    X = square()
    assert np.linalg.matrix_rank(X.toarray()) == X.shape[0] == X.shape[1]
    embeddings, map_ = method(8).fit(X), LaplacianEigenmap(8).fit(X)
    np.testing.assert_allclose(embeddings.eigenvalues_, map_.eigenvalues_, atol=1e-10)
    assert error_up_to_sign(embeddings.transform(X), map_.embedding_) < 1e-9


@pytest.mark.parametrize("method", [LPP, LPI])
def test_projections_are_no_laplacian_eigenmaps_without_one_document_more_of_rank(method):
    X = tall()
    assert error_up_to_sign(method(3).fit_transform(X), LaplacianEigenmap(3).fit_transform(X)) > 1e-2


@pytest.mark.parametrize("alpha", [1e-4, 1e-8, 1e-12])
@pytest.mark.parametrize("make", [tall, wide])
def test_the_regularised_pencil_tends_to_the_plain_one(make, alpha):
    X = make()
    graph = knn(X, 7)
    plain, ridge = pencil(X, graph, 4), pencil(X, graph, 4, alpha=alpha)
    assert error_up_to_sign(ridge.transform(X), plain.transform(X)) < 10 * alpha + 1e-9


def test_masked_words_give_directions_of_the_masked_pencil():
    """Words may be left out first: X diag(p) a = y gives the same eigenvalue on the words that stay."""
    X = documents(n=25, n_terms=90)
    graph = knn(X, 7)
    spectrum = solve(graph, 4)
    mask = (np.random.default_rng(0).random(90) < 0.7).astype(float)
    masked = X.toarray() * mask
    assert np.linalg.matrix_rank(masked) == 25
    A = regress(masked, spectrum, Ridge(0.0)).weights
    assert not A[mask == 0].any()
    assert pencil_residual(masked, stored(graph), A, spectrum.values).max() < 1e-10
