"""At most so many words: the schedule, the exchange of words, and the better of the two."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, error, tall, wide
from vicinal.errors import BadParameter, FewerTerms, Unconverged
from vicinal.projection import Ridge, RowCount, regress
from vicinal.projection._products import Products
from vicinal.projection._solvers.best_subset import largest_eigenvalue
from vicinal.projection._solvers.subset_exchange import Fitting, _Swap, cross_gram


def responses(X, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(X.shape[0], d))


def words(projection):
    return int(np.count_nonzero(projection.weights.any(axis=1)))


def objective(X, Y, A, ridge=0.0):
    return float(np.sum((Y - X @ A) ** 2) + ridge * np.sum(A * A))


def fitting(X, ridge=0.3, center=False, d=3):
    mean = np.asarray(X.mean(axis=0)).ravel() if center else None
    return Fitting(Products(X, mean), responses(X, d), ridge)


SOLVERS = pytest.mark.parametrize("solver", ["auto", "adm", "proximal"])


@SOLVERS
@pytest.mark.parametrize("n_terms", [1, 5, 20])
@pytest.mark.parametrize("center", [False, True])
def test_no_more_words_have_a_weight_than_are_allowed(solver, n_terms, center):
    X = documents()
    found = regress(X, responses(X), RowCount(n_terms, 0.1), solver=solver, center=center)
    assert words(found) == n_terms


@SOLVERS
def test_the_weights_are_the_best_for_their_words(solver):
    X = documents()
    Y = responses(X)
    A = regress(X, Y, RowCount(12, 0.2), solver=solver).weights
    chosen = np.flatnonzero(A.any(axis=1))
    assert error(A[chosen], regress(X[:, chosen], Y, Ridge(0.2)).weights) < 1e-10


def test_the_objectives_of_both_are_told_and_the_lower_is_kept():
    X = documents()
    Y = responses(X)
    both = regress(X, Y, RowCount(12, 0.2))
    objectives = both.made_by["objectives"]
    assert set(objectives) == {"adm", "proximal"}
    assert objective(X, Y, both.weights, 0.2) == pytest.approx(min(objectives.values()))
    assert both.made_by["solver"] == min(objectives, key=objectives.get)
    for solver in objectives:
        alone = regress(X, Y, RowCount(12, 0.2), solver=solver)
        assert alone.made_by["objectives"] == {solver: objectives[solver]}
        assert objective(X, Y, alone.weights, 0.2) == pytest.approx(objectives[solver])


def test_solving_for_the_weights_only_lowers_the_objective_of_the_schedule():
    X = documents()
    made_by = regress(X, responses(X), RowCount(12, 0.2), solver="adm").made_by
    assert made_by["objectives"]["adm"] < made_by["schedule_objective"]


@SOLVERS
def test_as_many_words_as_there_are_is_a_ridge(solver):
    X = sp.csr_array(sp.hstack([tall(), sp.csr_array((80, 6))]))  # words in no document are none
    Y = responses(X)
    for n_terms in (24, 30, 10_000):
        free = regress(X, Y, RowCount(n_terms, 0.3), solver=solver)
        assert error(free.weights, regress(X, Y, Ridge(0.3)).weights) < 1e-10
        assert list(free.made_by["objectives"]) == ["ridge"]
    assert list(regress(X, Y, RowCount(23, 0.3), solver=solver).made_by["objectives"]) != ["ridge"]


def test_words_that_leave_nothing_to_explain_are_enough():
    X = wide()
    with pytest.warns(FewerTerms, match=r"asked for 100 terms in all but \d+ have a weight"):
        found = regress(X, responses(X), RowCount(100, 0.0), solver="proximal")
    assert words(found) < 100
    assert error(X @ found.weights, responses(X)) < 1e-6


def test_solvers_of_the_ridge_are_none_of_this_and_the_other_way_round():
    X = documents()
    with pytest.raises(BadParameter, match="solver must be one of 'auto', 'adm', 'proximal'"):
        regress(X, responses(X), RowCount(3), solver="cgls")
    with pytest.raises(BadParameter, match="solver must be one of 'auto', 'cholesky', 'cgls'"):
        regress(X, responses(X), Ridge(), solver="adm")


@pytest.mark.parametrize("solver", ["adm", "proximal"])
def test_a_limit_that_comes_too_early_is_said(solver):
    X = documents(200, 600)
    with pytest.warns(Unconverged, match=f"by '{solver}' stopped after 1 iterations"):
        regress(X, responses(X), RowCount(60, 0.1), solver=solver, tol=0.0, max_iter=1)


@pytest.mark.parametrize("center", [False, True])
def test_losses_are_what_is_lost_without_a_word(center):
    problem = fitting(documents(), center=center)
    found = problem.forward(15)
    for position in (0, 7, 14):
        without = problem.fit(np.delete(found.terms, position))
        assert without.objective - found.objective == pytest.approx(found.losses[position])


@pytest.mark.parametrize("ridge", [0.0, 0.3])
@pytest.mark.parametrize("center", [False, True])
def test_a_choice_is_left_that_no_exchange_of_one_word_improves(ridge, center):
    problem = fitting(documents(60, 40), ridge, center)
    found, _, _ = problem.exchange(problem.forward(6), 0.0, 500)
    outside = np.setdiff1d(np.arange(40), found.terms)
    others = [problem.fit(np.union1d(np.delete(found.terms, i), [t])).objective for i in range(6) for t in outside]
    assert min(others) >= found.objective * (1 - 1e-10)
    assert min(others) < found.objective * 1.05  # there are choices about as good


def test_many_words_are_chosen_without_their_gram_matrix(monkeypatch):
    X = documents(200, 600)
    Y = responses(X)
    exact = regress(X, Y, RowCount(100, 0.3), solver="proximal").made_by["objectives"]["proximal"]
    monkeypatch.setattr("vicinal.projection._solvers.subset_exchange.LARGEST_GRAM", 40)
    found = regress(X, Y, RowCount(100, 0.3), solver="proximal")
    assert words(found) == 100
    assert exact <= found.made_by["objectives"]["proximal"] < 1.2 * exact


@pytest.mark.parametrize("form", [sp.csr_array, lambda X: X.toarray()], ids=["sparse", "dense"])
@pytest.mark.parametrize("center", [False, True])
def test_products_between_words_are_those_of_their_columns(form, center):
    X = documents()
    mean = np.asarray(X.mean(axis=0)).ravel() if center else None
    products = Products(form(X), mean)
    one, other = np.array([3, 50]), np.array([7, 8, 9])
    dense = X.toarray() - (0.0 if mean is None else mean)
    cross = cross_gram(products.of_terms(one), products.of_terms(other))
    np.testing.assert_allclose(cross, dense[:, one].T @ dense[:, other], atol=1e-10)
    problem = Fitting(products, responses(X), 0.5)
    np.testing.assert_allclose(problem.squares, (dense**2).sum(axis=0) + 0.5, atol=1e-10)


@pytest.mark.parametrize("center", [False, True])
def test_the_step_of_the_schedule_is_the_largest_eigenvalue(center):
    X = documents()
    mean = np.asarray(X.mean(axis=0)).ravel() if center else None
    dense = X.toarray() - (0.0 if mean is None else mean)
    assert largest_eigenvalue(Products(X, mean)) == pytest.approx(np.linalg.norm(dense, 2) ** 2, rel=0.03)
    assert largest_eigenvalue(Products(np.zeros((3, 2)))) == 0.0


def test_a_count_that_restricts_nothing_is_a_ridge_whatever_the_tolerance_of_the_selection(monkeypatch):
    X = documents()
    monkeypatch.setattr("vicinal.projection._regress.EXACT_SIZE", 10)
    found = regress(X, responses(X), RowCount(X.shape[1], 0.3), tol=0.5)
    assert found.made_by["solver"] == "cgls"
    monkeypatch.undo()
    assert error(found.weights, regress(X, responses(X), Ridge(0.3), solver="cholesky").weights) < 1e-3


def test_half_as_many_words_are_exchanged_where_so_many_at_once_make_it_worse(monkeypatch):
    problem, terms, asked = fitting(documents(), 0.0), _Swap.terms, []
    monkeypatch.setattr(_Swap, "terms", lambda self, count: terms(self, asked[-1].append(count) or count))
    found = problem.forward(30)
    for _ in range(4):
        asked.append([])
        better, fits = problem._round(found, 50)
        assert better.objective < found.objective
        assert fits == len(asked[-1])
        assert all(after == before // 2 for before, after in pairwise(asked[-1]))
        found = better
    assert max(map(len, asked)) > 1


def test_forward_selection_adds_terms_in_eight_batches_that_grow():
    problem = fitting(documents(80, 60))
    *_, expected = problem.joining([1, 3, 5, 8, 10, 13, 17, 20])  # 20 (k/8)^1.5, rounded up
    assert problem.forward(20).terms.tolist() == expected.terms.tolist()
    *_, other = problem.joining([20])
    assert other.terms.tolist() != expected.terms.tolist()  # so the batches matter here
