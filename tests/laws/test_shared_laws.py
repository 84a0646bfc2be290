"""Laws of words that all dimensions share: conditions of a minimum, the best subset, limits, and what must not matter."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import eigh

from tests.laws.toys import documents, error, lawful, random_graph, square, tall, wide
from vicinal import FSSL, LPFL, RLPI
from vicinal.graph import knn
from vicinal.projection import Lasso, Ridge, RowCount, RowLasso, RowLassoCount, regress
from vicinal.spectrum import solve

CORPORA = {"documents": documents, "tall": tall, "wide": wide, "square": square}
TIGHT = {"tol": 1e-9, "max_iter": 10_000}


@pytest.fixture(params=CORPORA.values(), ids=CORPORA.keys(), name="X")
def corpus(request):
    return request.param()


def functions(X, d=3):
    return solve(knn(X, 6), d).vectors


def turned(d=3):
    return np.linalg.qr(np.random.default_rng(5).normal(size=(d, d)))[0]


def violation(X, Y, A, alpha, ridge=0.0):
    """How far correlations with the residual are from what makes A a minimum, relative to α (P22)."""
    left, lengths = X.T @ (Y - X @ A) - ridge * A, np.linalg.norm(A, axis=1)
    pull = np.divide(alpha, lengths, out=np.zeros_like(lengths), where=lengths > 0)[:, None] * A
    off = np.where(lengths == 0, np.linalg.norm(left, axis=1) - alpha, np.linalg.norm(left - pull, axis=1))
    return float(off.max() / alpha)


# conditions of a minimum (P22)


@pytest.mark.parametrize("ridge", [0.0, 0.3])
@pytest.mark.parametrize("alpha", [0.5, 0.1, 0.02])
def test_correlations_are_alpha_long_for_chosen_words_and_no_longer_for_others(X, alpha, ridge):
    Y = functions(X)
    found = regress(X, Y, RowLasso(alpha, ridge, relative=True), **TIGHT)
    assert violation(X, Y, found.weights, found.made_by["alpha"], ridge) < 1e-8
    assert violation(X, Y, found.weights * 1.001, found.made_by["alpha"], ridge) > 1e-5  # and the law can tell


def test_the_same_holds_where_the_number_of_words_chose_alpha(X):
    Y = functions(X)
    found = regress(X, Y, RowLassoCount(10), **TIGHT)
    assert np.count_nonzero(found.weights.any(axis=1)) == 10
    assert violation(X, Y, found.weights, found.made_by["alpha"]) < 1e-8


def test_no_change_of_the_weights_makes_the_objective_smaller(X):
    Y, penalty, rng = functions(X), RowLasso(0.5, 0.2), np.random.default_rng(0)
    A = regress(X, Y, penalty, **TIGHT).weights

    def objective(weights):
        return np.sum((X @ weights - Y) ** 2) + penalty.value(weights)

    for size in (1e-1, 1e-3, 1e-5):
        for _ in range(20):
            assert objective(A + size * rng.normal(size=A.shape) * (rng.random((len(A), 1)) < 0.1)) >= objective(A)


def test_with_one_response_the_row_lasso_is_the_lasso(X):
    y = functions(X, 1)
    rows, lasso = (regress(X, y, kind(0.2, relative=True), **TIGHT).weights for kind in (RowLasso, Lasso))
    assert error(rows, lasso) < 1e-6


# what must not matter


@pytest.mark.parametrize("penalty", [RowLasso(0.1, relative=True), RowLassoCount(10), RowCount(10, 0.1)], ids=repr)
def test_words_depend_on_the_space_of_the_functions_and_not_on_its_basis(X, penalty):
    Y, Q = functions(X), turned()
    found, again = regress(X, Y, penalty, **TIGHT).weights, regress(X, Y @ Q, penalty, **TIGHT).weights
    assert error(again, found @ Q) < 1e-6
    lasso = Lasso(0.1, relative=True)  # which does depend on it
    assert error(regress(X, Y @ Q, lasso, **TIGHT).weights, regress(X, Y, lasso, **TIGHT).weights @ Q) > 1e-2


# limits


def test_as_alpha_vanishes_the_row_lasso_becomes_the_ridge(X):
    Y = functions(X)
    ridge = regress(X, Y, Ridge(0.3)).weights
    near, nearer = (error(regress(X, Y, RowLasso(a, 0.3, relative=True), **TIGHT).weights, ridge) for a in (1e-5, 1e-6))
    assert nearer < 1e-3
    assert 5 < near / nearer < 20  # of first order in alpha


def test_with_all_words_allowed_lpfl_is_rlpi(X):
    free = LPFL(3, n_neighbors=6, n_terms=X.shape[1], ridge=0.2).fit(X)
    assert error(free.components_, RLPI(3, n_neighbors=6, alpha=0.2).fit(X).components_) < 1e-10


# the best subset (P24, P27)


def best_subset(X, Y, n_terms, ridge):
    """The lowest objective of all choices of words, each tried."""
    lowest = np.inf
    for chosen in combinations(range(X.shape[1]), n_terms):
        part = X[:, chosen]
        A = np.linalg.solve(part.T @ part + ridge * np.eye(n_terms), part.T @ Y)
        lowest = min(lowest, np.sum((part @ A - Y) ** 2) + ridge * np.sum(A * A))
    return float(lowest)


def toy(seed):
    """Ten words, none of them negative, of which four are to be kept: words like counts."""
    rng = np.random.default_rng(seed)
    return np.abs(rng.normal(size=(30, 10))), rng.normal(size=(30, 3))


@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_the_best_subset_is_found_nearly_always_and_by_the_schedule_alone_rarely(ridge):
    hits = dict.fromkeys(("adm", "proximal", "auto"), 0)
    for seed in range(30):
        X, Y = toy(seed)
        objectives = regress(X, Y, RowCount(4, ridge), tol=1e-9).made_by["objectives"]
        lowest = best_subset(X, Y, 4, ridge)
        assert min(objectives.values()) >= lowest * (1 - 1e-9)
        for name, value in {**objectives, "auto": min(objectives.values())}.items():
            hits[name] += value <= lowest * (1 + 1e-8)
    assert hits["auto"] >= 27, hits
    assert hits["adm"] <= 15, hits  # the claim of the paper, refuted


@lawful
@given(st.integers(0, 10_000), st.integers(1, 12), st.sampled_from([0.0, 0.1]))
def test_both_together_are_never_worse_than_either(seed, n_terms, ridge):
    X = documents(40, 30, seed=seed % 5)
    Y = np.random.default_rng(seed).normal(size=(40, 2))

    def reached(solver):
        A = regress(X, Y, RowCount(n_terms, ridge), solver=solver).weights
        assert np.count_nonzero(A.any(axis=1)) <= n_terms
        return np.sum((X @ A - Y) ** 2) + ridge * np.sum(A * A)

    assert reached("auto") <= min(reached("adm"), reached("proximal")) * (1 + 1e-12)


def test_more_words_never_fit_worse(X):
    Y = functions(X)
    reached = [min(regress(X, Y, RowCount(m, 0.1)).made_by["objectives"].values()) for m in (2, 5, 10, 20)]
    assert np.all(np.diff(reached) < 0)


def test_nothing_held_back_fits_better_than_a_price_on_as_many_words(X):
    Y = functions(X)
    held = regress(X, Y, RowLassoCount(10)).weights
    free = regress(X, Y, RowCount(10, 0.0)).weights
    assert np.sum((X @ free - Y) ** 2) < np.sum((X @ held - Y) ** 2)


# the theorems of AISTATS 2012


def test_words_that_reach_the_functions_solve_the_pencil_of_their_own():
    """(P28)."""
    X, W = wide(), knn(wide(), 6)
    S = solve(W, 3)
    A = regress(X, S.vectors, RowCount(30, 0.0), tol=1e-9, solver="proximal").weights
    chosen = np.flatnonzero(A.any(axis=1))
    part, weights = X[:, chosen].toarray(), A[chosen]
    assert error(part @ weights, S.vectors) < 1e-7
    left = part.T @ W.matmul(part @ weights)
    assert error(left, part.T @ (W.degrees[:, None] * (part @ weights)) * S.values) < 1e-6


@lawful
@given(st.integers(0, 10_000), st.integers(1, 7))
def test_chosen_words_reach_no_more_than_all_and_no_less_than_the_last(seed, n_terms):
    """(P29)."""
    rng = np.random.default_rng(seed)
    X, W = rng.random((20, 8)), random_graph(20, seed=seed)

    def reach(part):
        return eigh(part.T @ W @ part, part.T @ np.diag(W.sum(axis=1)) @ part, eigvals_only=True)[::-1]

    every, some = reach(X), reach(X[:, rng.permutation(8)[:n_terms]])
    assert np.all(some <= every[:n_terms] + 1e-10)
    assert np.all(some >= every[8 - n_terms :] - 1e-10)


@pytest.mark.parametrize("method", [FSSL, LPFL])
def test_words_chosen_by_class_do_not_depend_on_the_names_of_classes(method):
    X, y = documents(), np.arange(60) % 4
    named = method(n_terms=15).fit(X, np.array(["d", "a", "c", "b"])[y])
    assert set(named.selected_terms_) == set(method(n_terms=15).fit(X, y).selected_terms_)
