"""Few words for all responses together: by penalty, and by their number."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, error, tall
from vicinal.errors import EmptyComponents, FewerTerms, Unconverged
from vicinal.projection import RowLasso, RowLassoCount, regress
from vicinal.projection._products import Products
from vicinal.projection._solvers.coordinate_descent import ActiveTerms
from vicinal.projection._solvers.newton import newton
from vicinal.projection._solvers.reweighted_rows import reweighted_rows
from vicinal.projection._solvers.row_lasso import _ActiveRows

TIGHT = {"tol": 1e-8, "max_iter": 10_000}


def responses(X, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(X.shape[0], d))


def words(projection):
    return int(np.count_nonzero(projection.weights.any(axis=1)))


@pytest.mark.parametrize("n_terms", [1, 2, 7, 20, 45])
@pytest.mark.parametrize("ridge", [0.0, 0.5])
@pytest.mark.parametrize("center", [False, True])
def test_as_many_words_have_a_weight_as_were_asked_for(n_terms, ridge, center):
    X = documents()
    assert words(regress(X, responses(X), RowLassoCount(n_terms, ridge), center=center)) == n_terms


def test_a_number_left_open_is_never_said_to_be_too_large():
    X = documents(30, 50)
    assert 0 < words(regress(X, responses(X), RowLassoCount(), **TIGHT)) <= 50


def test_a_number_that_cannot_be_had_is_said_with_what_there_is():
    column = np.array([[1.0], [2.0], [0.0], [1.0]])
    twins = np.hstack([column, column[::-1], column, column[::-1]])  # columns that tie: with a ridge they come in together
    with pytest.warns(FewerTerms, match="asked for 1 terms in all but 0 have a weight"):
        regress(twins, column + column[::-1], RowLassoCount(1, 0.1))
    X = tall()
    with pytest.warns(FewerTerms, match="asked for 30 terms in all"):
        regress(X, responses(X), RowLassoCount(30))


def test_a_relative_alpha_is_a_share_of_the_largest_correlation():
    X = documents()
    Y = responses(X)
    largest = np.linalg.norm(X.T @ Y, axis=1).max()
    relative = regress(X, Y, RowLasso(0.2, relative=True), **TIGHT)
    assert relative.made_by["alpha"] == pytest.approx(0.2 * largest)
    assert error(relative.weights, regress(X, Y, RowLasso(0.2 * largest), **TIGHT).weights) < 1e-12
    assert words(regress(X, Y, RowLasso(0.999, relative=True))) == 1


def test_an_alpha_that_leaves_no_word_is_said():
    X = documents()
    with pytest.warns(EmptyComponents, match=r"no term is left.*alpha=1 .*below 1\."):
        assert words(regress(X, responses(X), RowLasso(1.0, relative=True))) == 0


def test_responses_that_no_word_speaks_of_have_no_words_and_no_warning():
    X = np.array([[1.0, 2.0], [1.0, 0.5], [0.0, 0.0]])
    Y = np.array([[0.0], [0.0], [1.0]])
    for penalty in (RowLasso(0.1, relative=True), RowLassoCount()):
        assert words(regress(X, Y, penalty)) == 0


def test_the_limit_on_sweeps_is_said():
    X = documents(400, 900)
    with pytest.warns(Unconverged, match="stopped after 1 iterations"):
        regress(X, responses(X), RowLasso(0.05, relative=True), tol=1e-8, max_iter=1)


def test_collinear_words_do_not_hold_up_the_sweeps(monkeypatch):
    X = documents(20, 60, n_topics=2)
    X = sp.csr_array(sp.hstack([X, X @ np.random.default_rng(1).uniform(size=(60, 30))]))
    penalty = RowLasso(0.005, relative=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Unconverged)
        regress(X, responses(X), penalty, tol=1e-6, max_iter=2000)
    monkeypatch.setattr("vicinal.projection._solvers.row_lasso.NEWTON", 0)
    with pytest.warns(Unconverged):  # which they would without Newton's method
        regress(X, responses(X), penalty, tol=1e-6, max_iter=2000)


def test_words_that_come_into_play_later_are_found(monkeypatch):
    X = documents(300, 2000, n_topics=5)
    Y = responses(X)
    expected = regress(X, Y, RowLasso(0.5, relative=True), **TIGHT)
    assert words(expected) > 12
    monkeypatch.setattr("vicinal.projection._solvers.row_lasso.FIRST", 3)
    assert error(regress(X, Y, RowLasso(0.5, relative=True), **TIGHT).weights, expected.weights) < 1e-6


def test_newton_ends_where_the_slope_is_nothing():
    X = tall().toarray()
    gram, against, start = X.T @ X, X.T @ responses(X), np.random.default_rng(3).normal(size=(24, 3))
    A = newton(gram, against, 0.5, start)
    lengths = np.linalg.norm(A, axis=1)
    inside = lengths > 0
    slope = (gram @ A - against)[inside] + 0.5 * A[inside] / lengths[inside, None]
    assert inside.sum() > 5
    assert np.abs(slope).max() < 1e-8 * np.abs(against).max()


@pytest.mark.parametrize("seed", range(8))
def test_anderson_extrapolation_is_taken_only_where_it_lowers_the_objective(seed):
    X, rng = documents(40, 12), np.random.default_rng(seed)
    rows = _ActiveRows(ActiveTerms.of(Products(X)), responses(X), 2.0, 0.1)
    A = regress(X, responses(X), RowLasso(2.0, 0.1), **TIGHT).weights  # nothing is lower than the solution
    trail = [A + rng.normal(size=A.shape) for _ in range(5)]
    kept, left = rows._jump([*trail, A], A, rows._left(A))
    assert kept is A
    start = trail[0]
    further, left = rows._jump([start, 0.5 * (start + A), 0.25 * start + 0.75 * A], start, rows._left(start))
    assert rows._objective(further, left) < rows._objective(start, rows._left(start))  # where it pays it is taken
    np.testing.assert_allclose(left, rows._left(further))


def test_a_term_that_is_never_used_does_not_end_a_sweep():
    """Such as one that is in all documents equally often, where documents are centred."""
    X, Y = documents(40, 12).toarray(), responses(np.zeros((40, 1)))
    rows = [_ActiveRows(ActiveTerms.of(Products(each)), Y, 2.0, 0.1) for each in (X, np.hstack([np.zeros((40, 1)), X]))]
    wanted, found = (each.descend(np.zeros((len(each.terms.mean), 3)), 1e-8, 500)[0] for each in rows)
    assert wanted.any()
    assert not found[0].any()
    np.testing.assert_allclose(found[1:], wanted, atol=1e-12)


def test_newton_sets_a_row_that_would_turn_round_to_zero():
    """½a² - 0.1a + 0.5|a| is least at 0; the parabola on the side of a = 1 has its minimum at -0.4."""
    assert newton(np.eye(1), np.array([[0.1]]), 0.5, np.array([[1.0]])).tolist() == [[0.0]]


def test_anderson_extrapolation_gives_no_weight_to_a_term_without_one():
    X = documents(40, 12)
    rows = _ActiveRows(ActiveTerms.of(Products(X)), responses(X), 6.0, 0.1)
    A = regress(X, responses(X), RowLasso(6.0, 0.1), **TIGHT).weights
    lost = int(np.flatnonzero(~A.any(axis=1))[0])
    trail = [(1.0 + share) * A for share in (1.0, 0.5, 0.25)]
    trail[0][lost], trail[1][lost] = 1e-3, 4e-4  # and 0 after the last sweep: the line through them goes on below 0
    further, _ = rows._jump(trail, trail[2], rows._left(trail[2]))
    assert error(further, A) < 1e-2  # the jump is taken
    assert not further[lost].any()


def test_a_constant_term_keeps_its_weight_of_zero_where_documents_are_centred_and_nothing_holds_it_there():
    """Its correlation with any response is rounding, which would be divided by nothing without α and without a ridge."""
    X, Y = documents(40, 12).toarray(), responses(np.zeros((40, 1)))
    X[:, 5] = 0.5
    rows = _ActiveRows(ActiveTerms.of(Products(X, X.mean(axis=0))), Y - Y.mean(axis=0), 0.0, 0.0)
    assert rows.terms.squares[5] == 0.0
    found, _ = rows.descend(np.zeros((12, 3)), 1e-6, 500)
    assert found.any()
    assert not found[5].any()


@pytest.mark.parametrize("tol", [1e-2, 1e-3])
def test_reweighted_ridges_end_with_the_first_that_lowers_the_objective_by_less_than_the_tolerance(tol):
    X = documents(40, 30)
    products, Y, alpha, ridge = Products(X), responses(X), 1.0, 0.1

    def objective(turns):
        A = reweighted_rows(products, Y, alpha, ridge, tol=0.0, max_iter=turns)[0].weights
        return 0.5 * np.sum((Y - X @ A) ** 2) + alpha * np.linalg.norm(A, axis=1).sum() + 0.5 * ridge * np.sum(A * A)

    objectives = [objective(turns) for turns in range(30)]
    falls = [(before - after) / after for before, after in pairwise(objectives)]
    wanted = next(turn for turn, fall in enumerate(falls, 1) if fall <= tol)
    found, made_by = reweighted_rows(products, Y, alpha, ridge, tol=tol, max_iter=30)
    assert made_by["iterations"] == wanted > 1
    assert found.error == pytest.approx(falls[wanted - 1], rel=1e-3)
