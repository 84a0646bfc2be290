"""Block conjugate gradients: wide blocks, dependent responses, long columns, and the error that is claimed."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, error, wide
from vicinal.projection._products import Products
from vicinal.projection._solvers.cgls import COLUMNS, ROWS, cgls
from vicinal.projection._solvers.cholesky import exact_ridge


def responses(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def test_more_responses_than_one_block_holds_are_solved_as_narrow_ones_are():
    X = Products(documents(n=100, n_terms=150))
    Y = responses(100, COLUMNS + 6)
    together = cgls(X, Y, 0.1, 1e-12, 500)
    assert error(together.weights, exact_ridge(X, Y, 0.1)) < 1e-9
    narrow = [cgls(X, Y[:, c : c + 10], 0.1, 1e-12, 500) for c in range(0, COLUMNS + 6, 10)]
    assert error(together.weights, np.column_stack([part.weights for part in narrow])) < 1e-9


def test_what_is_said_of_several_blocks_is_the_worst_of_them():
    X = Products(documents(n=100, n_terms=150))
    Y = responses(100, COLUMNS + 1)
    both, last = cgls(X, Y, 0.1, 1e-4, 500), cgls(X, Y[:, COLUMNS:], 0.1, 1e-4, 500)
    first = cgls(X, Y[:, :COLUMNS], 0.1, 1e-4, 500)
    assert first.iterations != last.iterations
    assert both.iterations == max(first.iterations, last.iterations)
    assert both.error == max(first.error, last.error)


@pytest.mark.parametrize("alpha", [0.1, 1e-4])
@pytest.mark.parametrize("tol", [1e-2, 1e-4])
def test_the_error_claimed_is_of_the_size_of_the_error_made(alpha, tol):
    X = Products(documents(n=100, n_terms=150))
    Y = responses(100, 3)
    exact, found = exact_ridge(X, Y, alpha), cgls(X, Y, alpha, tol, 500)

    def energy(A):
        return np.sqrt(np.sum(X.forward(A) ** 2, axis=0) + alpha * np.sum(A**2, axis=0))

    made = (energy(found.weights - exact) / energy(exact)).max()
    assert made / 30 < found.error <= tol
    assert found.error < 1000 * made


def dependent_responses():
    Y = responses(30, 2)
    return np.column_stack([Y, Y[:, 0], 2 * Y[:, 0] - Y[:, 1], np.zeros(30)])


@pytest.mark.parametrize("alpha", [0.0, 0.1])
def test_responses_that_repeat_or_combine_others_are_fitted_too(alpha):
    X, Y = Products(wide()), dependent_responses()
    found = cgls(X, Y, alpha, 1e-10, 500).weights
    assert error(X.forward(found), X.forward(exact_ridge(X, Y, alpha))) < 1e-7
    assert not found[:, 4].any()


def test_responses_that_repeat_others_get_the_smallest_weights_without_alpha():
    X, Y = Products(wide()), dependent_responses()
    assert error(cgls(X, Y, 0.0, 1e-10, 500).weights, exact_ridge(X, Y, 0.0)) < 1e-7


def test_a_tolerance_beyond_rounding_never_loses_what_was_found():
    X = Products(wide())
    for seed in range(20):
        Y = responses(30, 29, seed)
        for alpha in (1e-11, 1e-9):
            assert error(X.forward(cgls(X, Y, alpha, 1e-10, 500).weights), X.forward(exact_ridge(X, Y, alpha))) < 1e-3


def test_responses_that_are_all_zero_need_no_iteration():
    found = cgls(Products(wide()), np.zeros((30, 2)), 0.1, 1e-4, 500)
    assert not found.weights.any()
    assert (found.iterations, found.error) == (0, 0.0)


def test_responses_that_no_word_can_express_get_no_weight():
    X = sp.csr_array(np.array([[1.0, 2.0], [2.0, 1.0], [0.0, 0.0]]))
    assert not cgls(Products(X), np.array([[0.0], [0.0], [5.0]]), 0.1, 1e-4, 500).weights.any()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_more_words_than_one_thread_handles_at_a_time_change_nothing(n_jobs):
    X = sp.random_array((40, 2 * ROWS + 100), density=0.02, random_state=np.random.default_rng(0), format="csr")
    Y = responses(40, 3)
    found = cgls(Products(X, n_jobs=n_jobs), Y, 0.1, 1e-12, 500).weights
    assert error(found, exact_ridge(Products(X), Y, 0.1)) < 1e-9
    assert np.array_equal(found, cgls(Products(X, n_jobs=3 - n_jobs), Y, 0.1, 1e-12, 500).weights)


@pytest.mark.parametrize("storage", [sp.csr_array, lambda X: X.toarray()])
def test_nothing_given_is_changed(storage):
    X, Y = storage(wide()), responses(30, 3)
    before, Y_before = X.copy(), Y.copy()
    cgls(Products(X), Y, 0.1, 1e-6, 500)
    assert abs(X - before).max() == 0
    assert np.array_equal(Y, Y_before)
