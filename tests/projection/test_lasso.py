"""Few words per response: by penalty, by their number, and the whole path."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, error, tall, wide
from vicinal.errors import BadData, BadParameter, EmptyComponents, FewerTerms, Unconverged
from vicinal.projection import ElasticNet, Lasso, LassoPath, Penalty, Ridge, TermCount, lasso_path, regress
from vicinal.projection._products import Products
from vicinal.projection._solvers.coordinate_descent import ActiveTerms
from vicinal.projection._solvers.lars import homotopy
from vicinal.projection._solvers.lasso import follow


def responses(X, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(X.shape[0], d))


def large(n=300, n_terms=2000):
    """Many more words than a response is started with."""
    return documents(n, n_terms, n_topics=5)


def words(projection):
    return np.count_nonzero(projection.weights, axis=0).tolist()


# dispatch


def test_every_penalty_has_its_solver():
    X = tall()
    kinds = {Ridge(0.1): "cholesky", Lasso(1.0): "descent", ElasticNet(1.0, 0.1): "descent", TermCount(3): "lars"}
    assert {penalty: regress(X, responses(X), penalty).made_by["solver"] for penalty in kinds} == kinds


def test_a_penalty_without_a_solver_is_refused_with_those_that_have_one():
    class Surprise(Penalty):
        def value(self, A):
            return 0.0

        def prox(self, A, step):
            return A

    with pytest.raises(BadParameter, match="penalty must be one of Ridge, Lasso, ElasticNet, TermCount"):
        regress(tall(), responses(tall()), Surprise())


# number of words


@pytest.mark.parametrize("n_terms", [1, 2, 7, 20])
@pytest.mark.parametrize("ridge", [0.0, 0.5])
@pytest.mark.parametrize("center", [False, True])
def test_every_dimension_has_exactly_the_number_of_words_asked_for(n_terms, ridge, center):
    X = documents()
    assert words(regress(X, responses(X), TermCount(n_terms, ridge), center=center)) == [n_terms] * 3


def test_a_large_vocabulary_is_searched_beyond_the_words_it_starts_with(monkeypatch):
    X = large()
    expected = regress(X, responses(X), TermCount(40))
    assert words(expected) == [40] * 3
    monkeypatch.setattr("vicinal.projection._solvers.lasso.FIRST", 4)
    monkeypatch.setattr("vicinal.projection._solvers.lasso.MOST", 4)
    found = regress(X, responses(X), TermCount(40))
    assert found.made_by["iterations"] > expected.made_by["iterations"]
    np.testing.assert_allclose(found.weights, expected.weights, atol=1e-12)
    monkeypatch.setattr("vicinal.projection._solvers.lasso._missing", lambda *_: np.empty(0, dtype=np.int64))
    with pytest.warns(FewerTerms):  # without the look at all words it would be left with those four
        assert words(regress(X, responses(X), TermCount(40))) == [4] * 3


def test_fewer_words_than_asked_for_are_said_with_the_least_number():
    X = tall()
    with pytest.warns(FewerTerms, match=r"asked for 30 terms but 3 of 3 components have fewer, the least 24"):
        projection = regress(X, responses(X), TermCount(30))
    assert words(projection) == [24] * 3


def test_a_number_left_open_is_never_said_to_be_too_large():
    assert words(regress(tall(), responses(tall()), TermCount())) == [24] * 3
    assert words(regress(large(), responses(large()), TermCount())) == [50] * 3


def test_a_response_that_has_nothing_to_do_with_any_word_has_no_words():
    X = np.array([[1.0, 2.0], [1.0, 0.5], [0.0, 0.0]])
    projection = regress(X, np.array([[0.0], [0.0], [1.0]]), TermCount())
    assert not projection.weights.any()


def test_words_that_tie_come_in_term_order():
    """Copies of a column tie always; without a ridge only the first can come in, with one both do, and the first goes first."""
    column = np.array([[1.0], [2.0], [0.0], [1.0]])
    X = np.hstack([[[0.5], [0.0], [1.0], [0.0]], column, column, column])
    y = column + 0.1
    with pytest.warns(FewerTerms):
        alone = regress(X, y, TermCount(4)).weights[:, 0]
    assert np.flatnonzero(alone).tolist() == [0, 1]
    assert np.flatnonzero(regress(X, y, TermCount(1, 0.1)).weights).tolist() == [1]
    assert np.flatnonzero(regress(X, y, TermCount(2, 0.1)).weights).tolist() == [1, 2]
    assert np.flatnonzero(regress(X, y, TermCount(4, 0.1)).weights).tolist() == [0, 1, 2, 3]


# penalty


@pytest.mark.parametrize("make", [documents, tall, wide, large])
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize(("alpha", "ridge"), [(0.5, 0.0), (0.1, 0.0), (0.1, 1.0)])
def test_the_solution_by_penalty_lies_on_the_path(make, center, alpha, ridge):
    X = make()
    Y = responses(X, 2)
    found = regress(X, Y, ElasticNet(alpha, ridge, relative=True), center=center, tol=1e-9, max_iter=10_000)
    for j in range(2):
        whole = lasso_path(X, Y[:, j], alpha_min=found.made_by["alphas"][j], ridge=ridge, center=center)
        assert error(found.weights[:, j], whole.weights[[-1]].toarray().ravel()) < 1e-8


def test_a_relative_alpha_is_a_share_of_the_largest_correlation_of_each_response():
    X = documents()
    Y = responses(X) * [1.0, 10.0, 0.1]
    relative = regress(X, Y, Lasso(0.2, relative=True))
    largest = np.abs(X.T @ Y).max(axis=0)
    np.testing.assert_allclose(relative.made_by["alphas"], 0.2 * largest)
    for j in range(3):
        absolute = regress(X, Y[:, [j]], Lasso(0.2 * largest[j]))
        np.testing.assert_allclose(relative.weights[:, [j]], absolute.weights, atol=1e-12)
    scaled = regress(X, Y / largest, Lasso(0.2)).weights * largest  # what relative means: responses in units of their own
    np.testing.assert_allclose(relative.weights, scaled, atol=1e-10)


def test_an_alpha_that_leaves_no_word_is_said_and_places_everyone_at_zero():
    X = documents()
    Y = responses(X)
    with pytest.warns(EmptyComponents, match=r"3 of 3 components have no term left.*alpha=2 .*below 1\."):
        projection = regress(X, Y, Lasso(2.0, relative=True))
    assert not projection.transform(X).any()
    largest = np.abs(X.T @ Y).max(axis=0)
    with pytest.warns(EmptyComponents, match="1 of 3 components"):
        regress(X, Y, Lasso(float(np.sort(largest)[0]) * 1.01))


def test_the_limit_on_sweeps_is_said():
    X = documents(400, 900)
    with pytest.warns(Unconverged, match="stopped after 1 iterations"):
        regress(X, responses(X), Lasso(0.01, relative=True), tol=1e-9, max_iter=1)


def test_collinear_words_do_not_hold_up_the_sweeps():
    X = documents(20, 60, n_topics=2)
    X = sp.csr_array(sp.hstack([X, X @ np.random.default_rng(1).uniform(size=(60, 30))]))
    with warnings.catch_warnings():
        warnings.simplefilter("error", Unconverged)
        regress(X, responses(X), Lasso(0.01, relative=True), tol=1e-6, max_iter=1000)


def test_a_term_that_is_never_used_does_not_end_a_sweep(monkeypatch):
    monkeypatch.setattr("vicinal.projection._solvers.coordinate_descent.SMALL_GRAM", 0)  # sweeps alone
    X = np.hstack([np.zeros((60, 1)), documents().toarray()[:, :20]])
    whole, part = (ActiveTerms.of(Products(each)) for each in (X, X[:, 1:]))
    y = responses(X)[:, 0]
    found = whole.solve(y, np.zeros(21), 0.5, 0.1, 1e-10, 500)[0]
    assert found[0] == 0.0
    np.testing.assert_allclose(found[1:], part.solve(y, np.zeros(20), 0.5, 0.1, 1e-10, 500)[0], atol=1e-10)
    assert np.count_nonzero(found) > 5


def test_weights_are_solved_for_exactly_only_where_that_keeps_their_signs():
    """Two terms that nearly agree: from weights of one sign the exact solution gives the second the other sign."""
    X = np.array([[1.0, 0.9], [0.0, 0.3], [1.0, 1.1]])
    terms, y = ActiveTerms.of(Products(X)), np.array([2.0, -1.0, 2.0])
    signs = np.ones(2)
    exact = np.linalg.solve(X.T @ X, X.T @ y - 0.1 * signs)
    assert exact[1] < 0 < exact[0]
    assert terms._settled(y, signs, 0.1, 0.0) is None
    weights = terms.solve(y, signs, 0.1, 0.0, 1e-12, 1)[0]
    left = X.T @ (y - X @ weights)
    np.testing.assert_allclose(left[weights != 0], 0.1 * np.sign(weights[weights != 0]), atol=1e-12)
    assert np.abs(left).max() <= 0.1 + 1e-12


# path


def test_a_path_begins_without_words_and_ends_where_it_is_told():
    X = documents()
    y = responses(X)[:, 0]
    whole, part, strong = lasso_path(X, y), lasso_path(X, y, n_terms=9), lasso_path(X, y, alpha_min=5.0)
    assert isinstance(whole, LassoPath)
    assert whole.counts[0] == 0
    assert whole.alphas[0] == np.abs(X.T @ y).max()
    assert np.all(np.diff(whole.alphas) <= 0)
    assert whole.alphas[-1] == 0
    assert part.counts[-1] == 9
    assert part.counts.max() == 9
    assert strong.alphas[-1] == 5.0
    assert whole.weights.shape == (len(whole), 90)
    assert whole.counts.tolist() == [np.count_nonzero(row) for row in whole.weights.toarray()]


def test_between_knots_the_path_is_straight_and_above_the_first_it_is_zero():
    X = documents()
    y = responses(X)[:, 0]
    whole = lasso_path(X, y)
    assert not whole.at(whole.alphas[0] * 2).any()
    middle = float(whole.alphas[10:12].mean())
    exact = regress(X, y[:, None], Lasso(middle), tol=1e-10, max_iter=1000).weights[:, 0]
    np.testing.assert_allclose(whole.at(middle), exact, atol=1e-10)
    np.testing.assert_array_equal(whole.at(0.0), whole.weights[[-1]].toarray().ravel())
    with pytest.raises(BadParameter, match="alpha must be"):
        lasso_path(X, y, n_terms=3).at(0.0)  # beyond the end of that path nothing is known


def test_a_path_of_nothing_has_one_knot():
    nothing = lasso_path(documents(), np.zeros(60))
    assert (len(nothing), nothing.alphas.tolist(), nothing.counts.tolist()) == (1, [0.0], [0])
    assert not nothing.at(1.0).any()


@pytest.mark.parametrize("y", [np.ones(59), np.ones((60, 1)), np.full(60, np.nan)], ids=["short", "matrix", "nan"])
def test_a_response_that_is_not_one_number_per_document_is_bad_data(y):
    with pytest.raises(BadData, match=r"expected shape \(60,\)"):
        lasso_path(documents(), y)


@pytest.mark.parametrize("options", [{"n_terms": 0}, {"alpha_min": -1.0}, {"ridge": np.nan}], ids=str)
def test_options_that_do_not_exist_are_refused_by_name(options):
    with pytest.raises(BadParameter, match=f"{next(iter(options))} must be"):
        lasso_path(documents(), np.ones(60), **options)


def test_ties_that_cannot_be_resolved_end_the_path_with_a_word_of_warning(monkeypatch):
    X = documents().toarray()
    monkeypatch.setattr("vicinal.projection._solvers.lars.EVENTS", 0)
    with pytest.warns(Unconverged, match=r"given up after 1 events"):
        homotopy(X.T @ X, X.T @ np.arange(60.0), 5)


# products


@pytest.mark.parametrize("form", [sp.csr_array, lambda X: X.toarray()], ids=["sparse", "dense"])
@pytest.mark.parametrize("center", [False, True])
def test_some_terms_of_a_matrix_are_those_columns(form, center):
    X = documents()
    mean = np.asarray(X.mean(axis=0)).ravel() if center else None
    terms = np.array([3, 50, 7])
    some = Products(form(X), mean).of_terms(terms)
    B = responses(X[:3].T, 2)[:3]
    dense = X.toarray()[:, terms] - (0.0 if mean is None else mean[terms])
    np.testing.assert_allclose(some.forward(B), dense @ B, atol=1e-12)
    np.testing.assert_allclose(some.gram_of_terms(), dense.T @ dense, atol=1e-10)


# dependent terms


def whole_numbers(seed, n, m):
    """Columns of small whole numbers, more of them than rows: many depend on others, and many events tie."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-2, 3, (n, m)).astype(float), rng.integers(-3, 4, n).astype(float)
    return X.T @ X, X.T @ y


def violation(gram, against, knot):
    """How far a knot is from the optimality conditions (P17)."""
    a = np.zeros(len(against))
    a[knot.terms] = knot.weights
    left = against - gram @ a
    return np.where(a == 0, np.abs(left) - knot.alpha, np.abs(left - np.sign(a) * knot.alpha)).max()


@pytest.mark.parametrize(("seed", "n", "m"), [(0, 3, 5), (6, 3, 5), (2, 3, 5), (17, 3, 5), (18, 4, 6), (20, 4, 6), (21, 4, 6)])
def test_a_path_of_dependent_terms_is_optimal_at_every_knot_and_its_terms_are_independent(seed, n, m):
    """At seed 6 a term becomes independent when another leaves, and enters later; at 18 and 20 rounding turns a sign."""
    gram, against = whole_numbers(seed, n, m)
    knots = homotopy(gram, against, len(against))
    assert len(knots) > 2
    for knot in knots:
        assert violation(gram, against, knot) < 1e-9 * np.abs(against).max()
        assert np.linalg.cond(gram[np.ix_(knot.terms, knot.terms)]) < 1e8 if len(knot.terms) else True


@pytest.mark.parametrize(("seed", "n", "m", "n_terms"), [(2, 3, 5, 2), (34, 3, 5, 2), (148, 4, 6, 3), (181, 4, 6, 1)])
def test_a_term_that_ties_with_the_last_one_allowed_waits_and_the_path_goes_on(seed, n, m, n_terms):
    gram, against = whole_numbers(seed, n, m)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Unconverged)
        knots = homotopy(gram, against, n_terms)
    assert np.count_nonzero(knots[-1].weights) == n_terms
    for knot in knots:
        assert violation(gram, against, knot) < 1e-9 * np.abs(against).max()


@pytest.mark.parametrize(("seed", "n", "m", "n_terms"), [(403, 5, 8, 3), (573, 5, 8, 3)])
def test_a_term_that_waited_for_room_enters_when_another_leaves(seed, n, m, n_terms):
    gram, against = whole_numbers(seed, n, m)
    for knot in homotopy(gram, against, n_terms):
        assert violation(gram, against, knot) < 1e-9 * np.abs(against).max()


def test_a_duplicate_of_a_term_never_enters_beside_it():
    X = np.hstack([tall().toarray()[:, :6]] * 2)
    y = responses(X, 1)[:, 0]
    for knot in homotopy(X.T @ X, X.T @ y, 12):
        assert len({term % 6 for term in knot.terms}) == len(knot.terms)
        assert np.isfinite(knot.weights).all()


def test_terms_that_tie_up_to_rounding_enter_in_term_order():
    """The third correlates more by less than rounding; it still waits behind the second."""
    path = homotopy(np.eye(3), np.array([3.0, 1.0, 1.0 + 1e-13]), 2)
    assert path[-1].terms.tolist() == [0, 1]
    apart = homotopy(np.eye(3), np.array([3.0, 1.0, 1.0 + 1e-7]), 2)
    assert apart[-1].terms.tolist() == [0, 2]


def test_near_duplicates_of_a_term_that_cannot_enter_beside_it_end_the_search_though_more_of_them_are_outside():
    """All of them correlate a little more than they should; 200, 400, 800 and 1,600 terms are looked at, and then no more."""
    X, rng = documents(60, 6, 2).toarray(), np.random.default_rng(0)
    near = X[:, [1]] + 1e-6 * rng.normal(size=(60, 2500))
    products, y = Products(np.hstack([X, near])), rng.normal(size=60)
    path, rounds = follow(products, y, products.backward(y[:, None])[:, 0], 100, 0.0, 0.0)
    assert rounds == 4
    assert len(path[-1].terms) == 6
