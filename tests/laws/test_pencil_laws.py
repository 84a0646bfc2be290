"""The direct route: LPP and LPI solve XᵀWX a = λ XᵀDX a, and say so in every form the papers give it."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import eigh

from tests.laws.toys import (
    documents,
    error,
    error_up_to_sign,
    nearly_constant,
    random_graph,
    square,
    stored,
    tall,
    wide,
    without_mean,
)
from vicinal import LPI, LPP, OLPI
from vicinal.errors import FewerComponents, NoVariation
from vicinal.graph import complete, knn
from vicinal.metrics import locality
from vicinal.projection import pencil

CORPORA = {"tall": tall, "wide": wide, "square": square, "documents": documents}
ALPHAS = (0.0, 0.3)


@pytest.fixture(name="X", params=CORPORA)
def corpus(request):
    return CORPORA[request.param]()


def forms(X, graph, alpha=0.0):
    """XᵀWX, XᵀDX + αI and the sum of degrees."""
    X = X.toarray() if sp.issparse(X) else X
    return X.T @ graph.matmul(X), X.T @ (graph.degrees[:, None] * X) + alpha * np.eye(X.shape[1]), graph.degrees.sum()


def centred(X, graph):
    X = X.toarray()
    return X - graph.degrees @ X / graph.degrees.sum()


def test_places_are_uncorrelated_by_degree_with_variance_one(X):
    fitted = LPI(6).fit(X)
    weights, degrees, volume = forms(X, fitted.graph_)
    A = fitted.components_.T
    np.testing.assert_allclose(A.T @ degrees @ A, volume * np.eye(6), atol=1e-9 * volume)
    np.testing.assert_allclose(A.T @ weights @ A, volume * np.diag(fitted.eigenvalues_), atol=1e-9 * volume)


def test_a_basis_scaled_to_length_one_would_be_noticed():
    fitted = LPI(6).fit(tall())
    _, degrees, volume = forms(tall(), fitted.graph_)
    A = fitted.components_.T / np.linalg.norm(fitted.components_, axis=1)
    assert error(A.T @ degrees @ A, volume * np.eye(6)) > 0.1


@pytest.mark.parametrize("method", [LPI, OLPI, LPP])
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("solver", ["dense", "lanczos"])
@pytest.mark.parametrize("make", [tall, wide, square, documents, nearly_constant])
def test_every_component_has_mean_zero_by_degree(method, alpha, solver, make):
    X = make()
    fitted = method(4, alpha=alpha, solver=solver).fit(X)
    embeddings = fitted.transform(X)
    assert (np.abs(fitted.graph_.degrees @ embeddings) <= 1e-12 * (fitted.graph_.degrees @ np.abs(embeddings))).all()


@pytest.mark.parametrize("method", [LPI, OLPI, LPP])
@pytest.mark.parametrize("share", [1e-2, 4e-5, 1e-7, 1e-9, 0.0])
def test_a_constant_that_is_nearly_reachable_is_no_component(method, share):
    X = nearly_constant(share)
    fitted = method(3).fit(X)
    assert fitted.eigenvalues_[0] < 0.99
    assert (np.std(fitted.transform(X), axis=0) > 0.1 * np.abs(fitted.transform(X)).max(axis=0)).all()


def test_lpi_of_documents_that_differ_in_length_alone_has_no_component():
    X = np.outer(np.arange(1.0, 9.0), [1.0, 2.0, 3.0])
    with pytest.raises(NoVariation, match="lengths"):
        pencil(X, random_graph(8), 2)
    with pytest.warns(FewerComponents):
        assert pencil(X, random_graph(8), 2, center=True).n_components == 1


def test_directions_solve_the_largest_form_and_the_smallest_form_with_the_same_vectors(X):
    fitted = LPP(6).fit(X)
    weights, degrees, _ = forms(centred(X, fitted.graph_), fitted.graph_)
    A, values = fitted.components_.T, fitted.eigenvalues_
    scale = np.abs(degrees @ A).max()
    np.testing.assert_allclose(weights @ A, degrees @ A * values, atol=1e-9 * scale)
    np.testing.assert_allclose((degrees - weights) @ A, degrees @ A * (1 - values), atol=1e-9 * scale)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_directions_solve_the_form_but_for_the_multiplier_of_the_constraint(X, alpha):
    """Embeddings stay uncorrelated with the constant: a constraint, whose multiplier goes along XᵀD1 (P12')."""
    fitted = LPI(6, alpha=alpha).fit(X)
    weights, degrees, _ = forms(X, fitted.graph_, alpha)
    left_over = weights @ fitted.components_.T - degrees @ fitted.components_.T * fitted.eigenvalues_
    towards = X.T @ fitted.graph_.degrees
    left_over -= np.outer(towards, towards @ left_over) / (towards @ towards)
    np.testing.assert_allclose(left_over, 0, atol=1e-9 * np.abs(degrees @ fitted.components_.T).max())


@pytest.mark.parametrize("alpha", ALPHAS)
def test_values_are_those_of_a_dense_generalised_decomposition_of_both_forms(alpha):
    X = tall()
    fitted = LPI(23, alpha=alpha).fit(X)
    Z = without_mean(X, fitted.graph_.degrees)
    weights, degrees = (Z.T @ form @ Z for form in forms(X, fitted.graph_, alpha)[:2])
    np.testing.assert_allclose(fitted.eigenvalues_, eigh(weights, degrees, eigvals_only=True)[::-1], atol=1e-12)
    np.testing.assert_allclose(1 - fitted.eigenvalues_, eigh(degrees - weights, degrees, eigvals_only=True), atol=1e-12)


@pytest.mark.parametrize("method", [LPI, LPP])
def test_one_minus_a_value_is_the_locality_of_its_coordinate(X, method):
    fitted = method(6).fit(X)
    np.testing.assert_allclose(locality(fitted.graph_, fitted.transform(X)), 1 - fitted.eigenvalues_, atol=1e-10)


@pytest.mark.parametrize("method", [LPI, LPP])
def test_no_coordinate_is_the_constant_where_the_constant_is_in_reach(method):
    X = wide()
    fitted = method(29).fit(X)
    degrees = fitted.graph_.degrees
    assert np.abs(degrees @ fitted.transform(X)).max() < 1e-8 * degrees.sum()
    assert fitted.eigenvalues_.max() < 1 - 1e-3


def test_the_smallest_form_alone_returns_the_constant_first():
    """The published listing without a look at what it found: for independent documents the first place is one point for all."""
    X = wide()
    graph = knn(X, 7)
    U, _, _ = np.linalg.svd(X.toarray(), full_matrices=False)
    laplacian = np.diag(graph.degrees) - stored(graph)
    first = U @ eigh(U.T @ laplacian @ U, U.T @ (graph.degrees[:, None] * U))[1][:, 0]
    assert np.ptp(first) < 1e-8 * np.abs(first).max()


def test_no_coordinate_is_mixed_with_the_constant_on_a_bipartite_graph():
    X = np.random.default_rng(0).random((6, 9))
    star = np.zeros((6, 6))
    star[0, 1:] = star[1:, 0] = 1.0
    assert np.abs(star.sum(axis=1) @ pencil(X, star, 5).transform(X)).max() < 1e-8


def test_centring_inside_is_centring_before(X):
    graph = knn(X, 7)
    inside, before = pencil(X, graph, 6, center=True), pencil(centred(X, graph), graph, 6)
    np.testing.assert_allclose(inside.eigenvalues, before.eigenvalues, atol=1e-10)
    assert error_up_to_sign(inside.weights, before.weights) < 1e-8
    assert error_up_to_sign(inside.transform(X), before.transform(centred(X, graph))) < 1e-8


def test_centring_with_the_plain_mean_would_be_noticed():
    X = tall()
    graph = knn(X, 7)
    plain = X.toarray() - X.toarray().mean(axis=0)
    assert error_up_to_sign(pencil(X, graph, 6, center=True).weights, pencil(plain, graph, 6).weights) > 1e-4


def test_a_column_of_ones_does_what_centring_does(X):
    """It brings the constant in reach, and what is in reach of it is left out."""
    graph = knn(X, 7)
    with_ones = np.column_stack([X.toarray(), np.ones(X.shape[0])])
    np.testing.assert_allclose(pencil(with_ones, graph, 6).eigenvalues, pencil(X, graph, 6, center=True).eigenvalues, atol=1e-9)


def test_plain_values_less_the_first_are_never_above_centred_ones(X):
    """Words and the constant together span one dimension more: λ_{k+1} of the words is at most λ_k of the centred words."""
    graph = knn(X, 7)
    assert (pencil(X, graph, 6).eigenvalues[1:] <= pencil(X, graph, 6, center=True).eigenvalues[:-1] + 1e-10).all()


def test_the_graph_may_be_any_operator():
    X = documents()
    graph = complete(X)
    operator, matrix = pencil(X, graph, 5), pencil(X, stored(graph), 5)
    np.testing.assert_allclose(operator.eigenvalues, matrix.eigenvalues, atol=1e-12)
    assert error(operator.weights, matrix.weights) < 1e-9


@pytest.mark.parametrize("alpha", ALPHAS)
def test_lanczos_finds_what_the_dense_solver_finds(alpha):
    X = documents(n=90, n_terms=120)
    dense, lanczos = (LPI(5, solver=solver, alpha=alpha).fit(X) for solver in ("dense", "lanczos"))
    np.testing.assert_allclose(lanczos.eigenvalues_, dense.eigenvalues_, atol=1e-10)
    assert error(lanczos.transform(X), dense.transform(X)) < 1e-7


def test_values_lie_between_those_of_the_graph():
    """Words can only do as well as the functions themselves (Courant-Fischer)."""
    X = tall()
    fitted = LPP(10).fit(X)
    W = stored(fitted.graph_)
    scale = 1 / np.sqrt(W.sum(axis=1))
    every = np.linalg.eigvalsh(scale[:, None] * W * scale)[::-1]
    assert (fitted.eigenvalues_ <= every[1:11] + 1e-12).all()


def test_an_invertible_change_of_words_changes_no_place():
    """a ↦ B^-1 a: without a penalty, LPI depends on the span of X alone."""
    X, rng = tall().toarray(), np.random.default_rng(0)
    B = np.linalg.qr(rng.normal(size=(24, 24)))[0] * rng.uniform(0.5, 2.0, 24)
    graph = knn(X, 7)
    assert error_up_to_sign(pencil(X @ B, graph, 6).transform(X @ B), pencil(X, graph, 6).transform(X)) < 1e-9


def test_a_penalty_makes_directions_shorter_and_coordinates_less_smooth():
    X, graph = tall(), knn(tall(), 7)
    quotients = [pencil(X, graph, 5, alpha=alpha).eigenvalues.sum() for alpha in (0.0, 1.0, 100.0)]
    assert quotients == sorted(quotients, reverse=True)


def test_directions_lie_in_the_row_space(X):
    weights = pencil(X, random_graph(X.shape[0], seed=1), 12).weights
    rows = np.linalg.svd(X.toarray())[2][: np.linalg.matrix_rank(X.toarray())].T
    assert error(rows @ (rows.T @ weights), weights) < 1e-9
