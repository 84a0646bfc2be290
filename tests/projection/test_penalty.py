"""The price on weights."""

from __future__ import annotations

import numpy as np
import pytest

from vicinal.errors import BadParameter
from vicinal.projection import ElasticNet, Lasso, Penalty, Ridge, RowCount, RowLasso, RowLassoCount, TermCount

A = np.array([[1.0, -2.0], [0.0, 3.0]])


def test_ridge_costs_alpha_times_the_sum_of_squares():
    assert Ridge(0.5).value(A) == 7.0
    assert Ridge(0.0).value(A) == 0.0


def test_ridge_shrinks_every_weight_by_the_same_factor():
    np.testing.assert_allclose(Ridge(0.5).prox(A, 3.0), A / 4)
    np.testing.assert_array_equal(Ridge(0.0).prox(A, 3.0), A)


def test_ridge_is_a_penalty_of_a_tenth_unless_told_otherwise():
    assert isinstance(Ridge(), Penalty)
    assert Ridge() == Ridge(0.1) != Ridge(0.2)


@pytest.mark.parametrize("alpha", [-0.1, np.nan, np.inf, "strong", None, True])
def test_an_alpha_that_is_no_number_from_zero_up_is_refused(alpha):
    with pytest.raises(BadParameter, match="alpha must be a finite number of at least 0, got"):
        Ridge(alpha)


def test_a_ridge_cannot_be_changed_afterwards():
    with pytest.raises(AttributeError):
        Ridge(0.1).alpha = 0.2


# lasso, elastic net, number of words


def test_a_lasso_costs_twice_alpha_times_the_sum_of_sizes():
    assert Lasso(0.5).value(A) == 6.0
    assert ElasticNet(0.5, 0.25).value(A) == 6.0 + Ridge(0.25).value(A)


def best_weight(penalty, weight, step):
    """The number that minimises ½(b - weight)² + step · value(b), tried out on a fine grid."""
    grid = np.linspace(-4, 4, 8_001)
    return min(grid, key=lambda b: 0.5 * (b - weight) ** 2 + step * penalty.value(np.array([[b]])))


@pytest.mark.parametrize("penalty", [Ridge(0.3), Lasso(0.4), ElasticNet(0.4, 0.3), ElasticNet(0.1, 0.0)], ids=repr)
@pytest.mark.parametrize("step", [0.5, 2.0])
def test_the_prox_is_the_best_that_can_be_found_by_trying(penalty, step):
    weights = np.array([[-3.0, -0.7, -0.1], [0.0, 0.35, 2.5]])
    expected = [[best_weight(penalty, weight, step) for weight in row] for row in weights]
    np.testing.assert_allclose(penalty.prox(weights, step), expected, atol=1e-3)


def test_an_elastic_net_without_a_ridge_is_a_lasso():
    np.testing.assert_array_equal(ElasticNet(0.4, 0.0).prox(A, 0.7), Lasso(0.4).prox(A, 0.7))


def test_a_number_of_words_is_kept_per_dimension_with_the_first_of_equals():
    B = np.array([[1.0, -2.0], [-1.0, 3.0], [0.5, 0.0]])
    assert TermCount(1).prox(B, 1.0).tolist() == [[1.0, 0.0], [0.0, 3.0], [0.0, 0.0]]
    assert TermCount(2, 0.5).prox(B, 1.0).tolist() == [[0.5, -1.0], [-0.5, 1.5], [0.0, 0.0]]
    assert (TermCount(1).value(B), TermCount(3).value(B), TermCount(3, 2.0).value(B)) == (np.inf, 0.0, Ridge(2.0).value(B))


def test_the_best_subset_of_words_is_found_by_trying_all():
    B = np.array([[0.9], [-1.1], [0.3], [1.0]])
    subsets = [np.array([[(mask >> t) & 1] for t in range(4)]) for mask in range(16)]
    allowed = [B * subset for subset in subsets if TermCount(2).value(B * subset) == 0]
    expected = min(allowed, key=lambda C: np.sum((C - B) ** 2))
    assert TermCount(2).prox(B, 1.0).tolist() == expected.tolist()


def test_a_number_of_words_left_open_is_fifty():
    assert TermCount().limit == 50
    assert TermCount(7).limit == 7


@pytest.mark.parametrize("alpha", [0.0, -0.1, np.nan, np.inf, "strong", None, True])
@pytest.mark.parametrize("kind", [Lasso, ElasticNet])
def test_a_lasso_whose_alpha_is_not_above_zero_is_refused(kind, alpha):
    with pytest.raises(BadParameter, match="alpha must be a finite number greater than 0, got"):
        kind(alpha)


@pytest.mark.parametrize("n_terms", [0, -1, 2.5, "ten", True])
def test_a_number_of_words_that_is_no_count_is_refused(n_terms):
    with pytest.raises(BadParameter, match="n_terms must be a whole number of at least 1"):
        TermCount(n_terms)


def test_a_ridge_below_zero_is_refused_beside_a_lasso_too():
    for make in (lambda: ElasticNet(0.1, -1.0), lambda: TermCount(3, -1.0)):
        with pytest.raises(BadParameter, match="ridge must be a finite number of at least 0"):
            make()


# rows


def test_a_row_lasso_costs_twice_alpha_times_the_lengths_of_the_rows():
    assert RowLasso(0.5).value(np.array([[3.0, -4.0], [0.0, 2.0]])) == 7.0
    assert RowLasso(0.5, 0.25).value(A) == RowLasso(0.5).value(A) + Ridge(0.25).value(A)


def test_in_one_dimension_a_row_lasso_is_a_lasso():
    column = np.array([[1.5], [-0.2], [0.0], [-3.0]])
    np.testing.assert_allclose(RowLasso(0.4).prox(column, 0.7), Lasso(0.4).prox(column, 0.7))
    np.testing.assert_allclose(RowLasso(0.4, 0.3).prox(column, 0.7), ElasticNet(0.4, 0.3).prox(column, 0.7))
    assert RowLasso(0.4).value(column) == Lasso(0.4).value(column)


@pytest.mark.parametrize("penalty", [RowLasso(0.4), RowLasso(0.4, 0.3), RowCount(2, 0.5), RowLassoCount(1)], ids=repr)
def test_nothing_near_the_prox_of_a_row_penalty_is_better(penalty):
    rows, rng = np.random.default_rng(0).normal(size=(4, 3)), np.random.default_rng(1)

    def objective(B):
        return 0.5 * np.sum((B - rows) ** 2) + 0.7 * penalty.value(B)

    found = penalty.prox(rows, 0.7)
    for size in (1.0, 1e-1, 1e-3):
        for _ in range(50):
            assert objective(found + size * rng.normal(size=rows.shape) * rng.integers(0, 2, (4, 1))) >= objective(found)


def test_the_longest_rows_are_kept_with_the_first_of_equals():
    B = np.array([[3.0, 4.0], [0.0, 5.0], [1.0, 1.0], [6.0, 0.0]])
    assert RowCount(2).prox(B, 1.0).tolist() == [[3.0, 4.0], [0.0, 0.0], [0.0, 0.0], [6.0, 0.0]]
    assert (RowCount(3).value(B), RowCount(4).value(B), RowCount(4, 2.0).value(B)) == (np.inf, 0.0, Ridge(2.0).value(B))


@pytest.mark.parametrize("kind", [RowCount, RowLassoCount])
def test_a_number_of_words_in_all_is_a_count_or_a_thousand(kind):
    assert (kind().limit, kind(7).limit) == (1000, 7)
    for n_terms in (0, -1, 2.5, "ten", True):
        with pytest.raises(BadParameter, match="n_terms must be a whole number of at least 1"):
            kind(n_terms)
    with pytest.raises(BadParameter, match="ridge must be"):
        kind(3, -1.0)


@pytest.mark.parametrize("alpha", [0.0, -0.1, np.nan, np.inf, "strong", None, True])
def test_a_row_lasso_whose_alpha_is_not_above_zero_is_refused(alpha):
    with pytest.raises(BadParameter, match="alpha must be a finite number greater than 0, got"):
        RowLasso(alpha)
