"""Laws of few words: conditions of the lasso, its path, its limits, and what it must not depend on."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import ElasticNet as TheirElasticNet
from sklearn.linear_model import lars_path

from tests.laws.toys import documents, error, lawful, square, tall, topics, wide
from vicinal import RLPI, SLPI, SparsePCA
from vicinal.graph import knn
from vicinal.projection import ElasticNet, Lasso, Ridge, TermCount, lasso_path, regress
from vicinal.spectrum import solve

CORPORA = {"documents": documents, "tall": tall, "wide": wide, "square": square}
TIGHT = {"tol": 1e-9, "max_iter": 10_000}


@pytest.fixture(params=CORPORA.values(), ids=CORPORA.keys(), name="X")
def corpus(request):
    return request.param()


def functions(X, d=3):
    return solve(knn(X, 6), d).vectors


def violation(X, Y, A, alphas, ridge=0.0):
    """How far the correlations with the residual are from what makes A a minimum, relative to α (P17)."""
    left = X.T @ (Y - X @ A) - ridge * A
    off = np.where(A == 0, np.maximum(np.abs(left) - alphas, 0), np.abs(left - alphas * np.sign(A)))
    return float((off / alphas).max())


# conditions of a minimum


@pytest.mark.parametrize("ridge", [0.0, 0.3])
@pytest.mark.parametrize("alpha", [0.5, 0.1, 0.02])
def test_correlations_are_alpha_for_chosen_words_and_no_more_for_others(X, alpha, ridge):
    Y = functions(X)
    found = regress(X, Y, ElasticNet(alpha, ridge, relative=True), **TIGHT)
    alphas = found.made_by["alphas"]
    assert violation(X, Y, found.weights, alphas, ridge) < 1e-8
    assert violation(X, Y, found.weights * 1.001, alphas, ridge) > 1e-5  # and the law can tell


def test_the_same_holds_where_the_number_of_words_chose_alpha(X):
    Y = functions(X)
    found = regress(X, Y, TermCount(10))
    assert violation(X, Y, found.weights, found.made_by["alphas"]) < 1e-8


def test_no_change_of_a_weight_makes_the_objective_smaller(X):
    Y = functions(X)
    penalty = ElasticNet(0.5, 0.2)
    A = regress(X, Y, penalty, **TIGHT).weights

    def objective(weights):
        return np.sum((X @ weights - Y) ** 2) + penalty.value(weights)

    rng = np.random.default_rng(0)
    for size in (1e-1, 1e-3, 1e-5):
        for _ in range(20):
            assert objective(A + size * rng.normal(size=A.shape) * (rng.random(A.shape) < 0.1)) >= objective(A)


# agreement with scikit-learn


def test_the_path_is_that_of_scikit_learn(X):
    y = functions(X, 1)[:, 0]
    ours = lasso_path(X, y)
    alphas, _, weights = lars_path(X.toarray(), y, method="lasso")
    for alpha, expected in zip(alphas * X.shape[0], weights.T, strict=True):
        np.testing.assert_allclose(ours.at(max(alpha, ours.alphas[-1])), expected, atol=1e-7 * np.abs(weights).max())


@pytest.mark.parametrize("center", [False, True])
def test_the_elastic_net_is_that_of_scikit_learn(X, center):
    y = functions(X, 1)[:, 0]
    n, alpha, ridge = X.shape[0], 0.3, 0.2
    theirs = TheirElasticNet(
        alpha=(alpha + ridge) / n, l1_ratio=alpha / (alpha + ridge), fit_intercept=center, tol=1e-12, max_iter=100_000
    ).fit(X.toarray(), y)
    found = regress(X, y[:, None], ElasticNet(alpha, ridge), center=center, **TIGHT)
    np.testing.assert_allclose(found.weights[:, 0], theirs.coef_, atol=1e-6 * np.abs(theirs.coef_).max())


# limits


def test_as_alpha_vanishes_the_lasso_becomes_least_squares():
    X = tall()
    Y = functions(X)
    exact = np.linalg.lstsq(X.toarray(), Y, rcond=None)[0]
    errors = [error(regress(X, Y, Lasso(alpha, relative=True), **TIGHT).weights, exact) for alpha in (1e-2, 1e-4, 1e-6)]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 1e-4


def test_as_alpha_vanishes_the_elastic_net_becomes_the_ridge(X):
    Y = functions(X)
    ridge = regress(X, Y, Ridge(0.3)).weights
    near, nearer = (error(regress(X, Y, ElasticNet(a, 0.3, relative=True), **TIGHT).weights, ridge) for a in (1e-5, 1e-6))
    assert nearer < 1e-3
    assert 5 < near / nearer < 20  # of first order in alpha


def test_as_many_words_as_there_are_is_no_restriction():
    X = tall()
    Y = functions(X)
    assert error(regress(X, Y, TermCount(24)).weights, np.linalg.lstsq(X.toarray(), Y, rcond=None)[0]) < 1e-8
    for X in (tall(), wide()):
        Y = functions(X)
        assert error(regress(X, Y, TermCount(X.shape[1], 0.3)).weights, regress(X, Y, Ridge(0.3)).weights) < 1e-8


def test_where_every_function_is_in_reach_all_words_together_reach_it():
    X = wide()
    Y = functions(X)
    found = regress(X, Y, TermCount())
    assert error(X @ found.weights, Y) < 1e-8
    assert np.count_nonzero(found.weights, axis=0).max() <= X.shape[0]


# the number of words (AAAI 2008)


@lawful
@given(st.integers(0, 10_000), st.integers(1, 40))
def test_for_any_number_of_words_some_alpha_gives_no_more(seed, n_terms):
    X = documents(seed=seed % 7)
    y = np.random.default_rng(seed).normal(size=60)
    found = regress(X, y[:, None], TermCount(n_terms))
    assert np.count_nonzero(found.weights) == n_terms
    assert violation(X, y[:, None], found.weights, found.made_by["alphas"]) < 1e-7
    again = regress(X, y[:, None], Lasso(float(found.made_by["alphas"][0])), **TIGHT)
    np.testing.assert_allclose(again.weights, found.weights, atol=1e-7 * np.abs(found.weights).max())


def test_the_number_of_words_is_that_of_the_first_time_one_more_would_enter():
    X = documents()
    y = np.random.default_rng(3).normal(size=60)
    whole = lasso_path(X, y)
    on_the_way = np.diff(whole.weights.indptr)  # words in play up to each knot, with those whose weight is zero just there
    assert np.any(np.diff(on_the_way) < 0)  # words leave on this path, so a number may come more than once
    for n_terms in range(1, 50):
        found = regress(X, y[:, None], TermCount(n_terms)).weights[:, 0]
        knot = int(np.argmax(on_the_way > n_terms)) - 1
        np.testing.assert_allclose(found, whole.weights[[knot]].toarray().ravel(), atol=1e-10)


def test_more_words_come_closer_to_the_function(X):
    Y = functions(X, 1)
    fits = [np.sum((X @ regress(X, Y, TermCount(k)).weights - Y) ** 2) for k in (1, 3, 6, 12, 20)]
    assert np.all(np.diff(fits) < 0)


# labels


def test_two_classes_give_the_response_of_discriminant_analysis():
    X = documents()
    y = (topics() < 1).astype(int)
    m = np.bincount(y)
    response = np.where(y == 0, 60 / m[0], -60 / m[1])  # (9) of AAAI 2008, up to scale
    model = SLPI(n_terms=8).fit(X, y)
    expected = regress(X, response[:, None], TermCount(8)).weights[:, 0]
    found = model.components_[0]
    assert model.components_.shape == (1, 90)
    cosine = abs(found @ expected) / np.linalg.norm(found) / np.linalg.norm(expected)
    assert cosine > 1 - 1e-12


# what does not matter


@pytest.mark.parametrize("options", [{"n_terms": 8}, {"alpha": 0.1}, {"n_terms": 8, "ridge": 0.2}, {"n_terms": 8, "center": True}])
def test_the_order_of_terms_does_not_matter(options):
    X = documents()
    order = np.random.default_rng(0).permutation(90)
    one, other = (SLPI(3, n_neighbors=6, **options).fit(rows).components_ for rows in (X, X[:, order]))
    np.testing.assert_allclose(other, one[:, order], atol=1e-9 * np.abs(one).max())


@pytest.mark.parametrize("model", [SLPI(3, n_terms=8), SLPI(3, alpha=0.1), SparsePCA(3, n_terms=8)], ids=repr)
@pytest.mark.parametrize("form", [sp.csr_array, lambda X: X.toarray()], ids=["sparse", "dense"])
def test_the_number_of_threads_changes_no_bit(model, form):
    X = form(documents(300, 1500))
    one, two = (model.set_params(n_jobs=n_jobs).fit(X).components_.copy() for n_jobs in (1, 2))
    assert np.array_equal(one, two)


def test_a_response_twice_as_large_has_weights_twice_as_large(X):
    Y = functions(X)
    for penalty in (TermCount(8), Lasso(0.1, relative=True)):
        one, two = (regress(X, scale * Y, penalty, **TIGHT).weights for scale in (1.0, 2.0))
        np.testing.assert_allclose(two, 2 * one, atol=1e-10 * np.abs(one).max())


# kinship


def test_sparse_indexing_with_all_words_and_a_ridge_is_regularized_indexing():
    X = tall()
    sparse = SLPI(3, n_neighbors=6, n_terms=24, ridge=0.3).fit(X)
    plain = RLPI(3, n_neighbors=6, alpha=0.3).fit(X)
    assert error(sparse.components_, plain.components_) < 1e-8
