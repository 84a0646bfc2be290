"""Ridge regression: three ways to one answer, and that answer is the minimum."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from tests.laws.toys import documents, error, lawful, tall, wide
from vicinal import RLPI, Ridge
from vicinal.projection import regress
from vicinal.projection._products import Products
from vicinal.projection._solvers.cholesky import exact_ridge

CORPORA = {"tall": tall, "wide": wide}
ALPHAS = (10.0, 0.1, 1e-4)
STORAGES = {"sparse": sp.csr_array, "dense": lambda X: X.toarray()}


@pytest.fixture(name="X", params=CORPORA)
def corpus(request):
    return CORPORA[request.param]()


def responses(X, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(X.shape[0], d))


def centred(X):
    X = X.toarray() if sp.issparse(X) else X
    return X - X.mean(axis=0)


def primal(X, Y, alpha):
    """(XᵀX + αI)^-1 XᵀY, terms x terms."""
    return np.linalg.solve(X.T @ X + alpha * np.eye(X.shape[1]), X.T @ Y)


def dual(X, Y, alpha):
    """Xᵀ(XXᵀ + αI)^-1 Y, documents x documents."""
    return X.T @ np.linalg.solve(X @ X.T + alpha * np.eye(X.shape[0]), Y)


def low_rank(n=30, n_terms=40, rank=6, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n, rank)) @ rng.random((rank, n_terms))


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("storage", STORAGES)
def test_primal_dual_cholesky_and_iteration_agree(X, alpha, center, storage):
    Y, rows = responses(X), STORAGES[storage](X)
    explicit = centred(X) if center else X.toarray()
    expected = dual(explicit, Y, alpha)
    assert error(primal(explicit, Y, alpha), expected) < 1e-9
    assert error(regress(rows, Y, Ridge(alpha), center=center, solver="cholesky").weights, expected) < 1e-9
    iterated = regress(rows, Y, Ridge(alpha), center=center, solver="cgls", tol=1e-13, max_iter=1000)
    assert error(iterated.weights, expected) < 1e-8


def test_the_squared_alpha_of_a_damped_least_squares_solver_would_be_noticed(X):
    Y = responses(X)
    assert error(regress(X, Y, Ridge(0.1)).weights, dual(X.toarray(), Y, 0.1**2)) > 1e-3


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("solver", ["cholesky", "cgls"])
def test_normal_equations_hold(X, alpha, solver):
    Y, dense = responses(X), X.toarray()
    A = regress(X, Y, Ridge(alpha), solver=solver, tol=1e-13, max_iter=1000).weights
    assert error(dense.T @ (dense @ A - Y) + alpha * A + dense.T @ Y, dense.T @ Y) < 1e-10


def test_too_few_iterations_do_not_satisfy_the_normal_equations():
    X = wide()
    Y, dense = responses(X), X.toarray()
    A = regress(X, Y, Ridge(1e-4), solver="cgls", tol=0.0, max_iter=2).weights
    assert error(dense.T @ (dense @ A - Y) + 1e-4 * A + dense.T @ Y, dense.T @ Y) > 1e-4


def test_no_weights_are_cheaper(X):
    Y, penalty, rng = responses(X), Ridge(0.1), np.random.default_rng(0)
    A = regress(X, Y, penalty).weights

    def price(B):
        return np.sum((X @ B - Y) ** 2) + penalty.value(B)

    for size in (1e-3, 1e-1, 1.0):
        assert all(price(A + size * rng.normal(size=A.shape)) > price(A) for _ in range(20))


@lawful
@given(
    A=arrays(np.float64, (3, 2), elements=st.floats(-10, 10)),
    step=st.floats(0, 10),
    alpha=st.floats(0, 10),
)
def test_prox_of_ridge_is_where_the_price_of_moving_and_the_penalty_are_least(A, step, alpha):
    penalty = Ridge(alpha)

    def price(B):
        return 0.5 * np.sum((B - A) ** 2) + step * penalty.value(B)

    found = penalty.prox(A, step)
    gradient = (found - A) + step * 2 * alpha * found
    np.testing.assert_allclose(gradient, 0, atol=1e-12 * max(1.0, np.abs(A).max()))
    by_search = minimize(lambda b: price(b.reshape(A.shape)), np.zeros(A.size), jac=None, tol=1e-12)
    assert price(found) <= by_search.fun + 1e-9 * max(1.0, by_search.fun)


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("make", [tall, wide, lambda: sp.csr_array(low_rank()), lambda: sp.csr_array(low_rank(60, 20))])
def test_without_alpha_the_weights_are_those_of_the_pseudo_inverse(make, storage, center):
    X = make()
    Y = responses(X)
    expected = np.linalg.pinv(centred(X) if center else X.toarray(), rcond=1e-10) @ Y
    assert error(regress(STORAGES[storage](X), Y, Ridge(0.0), center=center).weights, expected) < 1e-8


@pytest.mark.parametrize("condition", [1e1, 1e2, 1e3])
def test_without_alpha_the_weights_stay_those_of_the_pseudo_inverse_where_words_are_nearly_dependent(condition):
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.normal(size=(n, 12)))[0] for n in (40, 30))
    X = (U * np.geomspace(1, 1 / condition, 12)) @ V.T
    Y = rng.normal(size=(40, 3))
    assert error(regress(X, Y, Ridge(0.0)).weights, np.linalg.pinv(X, rcond=1e-12) @ Y) < 1e-8


def test_inverting_without_a_look_at_the_rank_would_be_noticed():
    X = low_rank(60, 20)
    Y = responses(X)
    naive = np.linalg.solve(X.T @ X + 1e-16 * np.eye(20), X.T @ Y)
    assert error(naive, np.linalg.pinv(X, rcond=1e-10) @ Y) > 1e-3


@pytest.mark.parametrize(
    "stop", [{"tol": 1e-10, "max_iter": 200}, {"tol": 0.0, "max_iter": 15}], ids=["to a tolerance", "fifteen iterations"]
)
def test_iteration_without_alpha_finds_the_smallest_weights(stop):
    X = sp.csr_array(low_rank())
    Y = responses(X)
    A = regress(X, Y, Ridge(0.0), solver="cgls", **stop).weights
    assert error(A, np.linalg.pinv(X.toarray(), rcond=1e-10) @ Y) < 1e-8


@pytest.mark.parametrize("alpha", [0.0, 0.1])
@pytest.mark.parametrize("solver", ["cholesky", "cgls"])
@pytest.mark.parametrize("storage", STORAGES)
def test_centring_inside_is_centring_before(X, alpha, solver, storage):
    Y = responses(X)
    options = {"solver": solver, "tol": 1e-10 if alpha == 0 else 1e-13, "max_iter": 1000}
    inside = regress(STORAGES[storage](X), Y, Ridge(alpha), center=True, **options)
    before = regress(centred(X), Y, Ridge(alpha), **options)
    assert error(inside.weights, before.weights) < 1e-8
    assert error(inside.transform(X), centred(X) @ before.weights) < 1e-8


def test_not_centring_would_be_noticed(X):
    Y = responses(X)
    assert error(regress(X, Y, Ridge(0.1)).weights, regress(centred(X), Y, Ridge(0.1)).weights) > 1e-3


@pytest.mark.parametrize("factor", [0.01, 3.0, 1000.0])
@pytest.mark.parametrize("solver", ["cholesky", "cgls"])
def test_words_scaled_by_c_and_alpha_by_its_square_give_the_same_places(X, factor, solver):
    options = {"solver": solver, "tol": 1e-12, "max_iter": 1000}
    one = RLPI(4, alpha=0.1, **options).fit_transform(X)
    scaled = RLPI(4, alpha=0.1 * factor**2, **options).fit_transform(X * factor)
    assert error(scaled, one) < 1e-9


def test_words_scaled_by_c_and_alpha_by_c_would_be_noticed(X):
    assert error(RLPI(4, alpha=1.0).fit_transform(X * 10), RLPI(4, alpha=0.1).fit_transform(X)) > 1e-4


def test_each_response_is_solved_as_if_it_were_alone(X):
    Y = responses(X, d=5)
    together = regress(X, Y, Ridge(0.1), solver="cgls", tol=1e-12, max_iter=1000).weights
    alone = [regress(X, Y[:, [j]], Ridge(0.1), solver="cgls", tol=1e-12, max_iter=1000).weights for j in range(5)]
    assert error(together, np.column_stack(alone)) < 1e-9


def test_weights_are_linear_in_the_responses(X):
    Y, Z = responses(X), responses(X, seed=1)
    solved = (regress(X, part, Ridge(0.1)).weights for part in (Y, Z, 2 * Y - 3 * Z))
    A, B, C = solved
    assert error(C, 2 * A - 3 * B) < 1e-10


def test_more_alpha_means_smaller_weights_and_a_worse_fit(X):
    Y = responses(X)
    fitted = [regress(X, Y, Ridge(alpha)).weights for alpha in (0.01, 0.1, 1.0, 10.0)]
    sizes, misfits = [np.sum(A**2) for A in fitted], [np.sum((X @ A - Y) ** 2) for A in fitted]
    assert sizes == sorted(sizes, reverse=True)
    assert misfits == sorted(misfits)


def test_both_forms_of_the_factorisation_are_the_same_matrix():
    X = documents(n=50, n_terms=50)
    Y = responses(X)
    by_terms = exact_ridge(Products(X[:, :49]), Y, 0.1)
    by_documents = exact_ridge(Products(sp.csr_array(sp.hstack([X[:, :49], sp.csr_array((50, 5))]))), Y, 0.1)
    assert error(by_documents[:49], by_terms) < 1e-11
    assert not by_documents[49:].any()
