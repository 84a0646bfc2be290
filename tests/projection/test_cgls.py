"""Block conjugate gradients: wide blocks, dependent responses, long columns, and the error that is claimed."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, error, wide
from vicinal.projection._products import Products
from vicinal.projection._solvers import cgls as cgls_module
from vicinal.projection._solvers.cgls import COLUMNS, ROWS, _error, _Objective, _RidgeProblem, _Run, cgls
from vicinal.projection._solvers.cholesky import exact_ridge
from vicinal.projection._solvers.scaled_products import SINGLE, DoubleProducts


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


def ill_conditioned(n, m, condition, seed, d):
    """U, s and V of an X with singular values from 1 to 1 / condition, and responses."""
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.normal(size=(side, min(n, m))))[0] for side in (n, m))
    return U, np.geomspace(1, 1 / condition, min(n, m)), V, rng.normal(size=(n, d))


def energy_error(U, s, V, Y, alpha, found):
    """The relative error in the energy norm, of the worst response."""
    exact = V @ ((s / (s**2 + alpha))[:, None] * (U.T @ Y))

    def energy(A):
        return np.sqrt(np.sum((s[:, None] * (V.T @ A)) ** 2, axis=0) + alpha * np.sum(A**2, axis=0))

    return (energy(found - exact) / energy(exact)).max()


DIVERGES = [(100, 30, 1e10, 2, 5, 1e-3), (40, 60, 1e12, 2, 20, 1e-3), (100, 30, 1e6, 0, 10, 1e-10)]


@pytest.mark.parametrize(("n", "m", "condition", "seed", "d", "alpha"), DIVERGES)
@pytest.mark.parametrize("tol", [0.0, 1e-12])
def test_more_iterations_never_make_the_weights_worse(n, m, condition, seed, d, alpha, tol):
    """Rounding makes the iteration diverge after it has converged: without a look at the objective the last error is about 1."""
    U, s, V, Y = ill_conditioned(n, m, condition, seed, d)
    X = Products(sp.csr_array((U * s) @ V.T))
    errors = [energy_error(U, s, V, Y, alpha, cgls(X, Y, alpha, tol, steps).weights) for steps in (10, 20, 40)]
    assert max(errors) < 1e-4
    assert errors[2] <= 10 * errors[0] + 1e-7


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("condition", [1e3, 1e6, 1e10])
@pytest.mark.parametrize("alpha", [1e-8, 1e-6, 1e-3])
@pytest.mark.parametrize("d", [1, 8])
def test_an_ill_conditioned_fit_is_as_exact_as_it_claims_or_says_that_it_is_not(condition, alpha, seed, d):
    U, s, V, Y = ill_conditioned(50, 70, condition, 3 * seed, d)
    found = cgls(Products(sp.csr_array((U * s) @ V.T)), Y, alpha, 1e-3, 200)
    assert found.error > 1e-3 or energy_error(U, s, V, Y, alpha, found.weights) < 1e-2


def test_an_error_that_is_claimed_too_small_is_seen_in_the_objective():
    """The recurrences claim gains that the objective does not show: the difference is an error that must be there."""
    Y = np.array([[3.0], [4.0]])
    objective = _Objective(Y, 0.0, np.zeros(1))
    assert not objective.after(np.array([[3.0], [0.0]]), np.zeros(1)).any()
    assert objective.missing([np.array([9.0])]) == 0.0
    assert objective.missing([np.array([25.0])]) == pytest.approx(0.8)


def test_a_step_that_makes_some_responses_worse_is_taken_back_in_those():
    objective = _Objective(np.array([[3.0, 1.0]]), 0.0, np.zeros(2))
    assert objective.after(np.array([[1.0, -1.0]]), np.zeros(2)).tolist() == [False, True]
    assert objective.left.tolist() == [[2.0, 1.0]]
    assert objective.value.tolist() == [4.0, 1.0]


@pytest.mark.parametrize("seed", range(1, 6))
def test_an_iteration_that_only_moves_rounding_about_ends(seed):
    """The gradient falls to 1e-11 of the first and grows again: nothing is left to gain, though it never gets below 1e-13."""
    found = cgls(Products(wide()), responses(30, 29, seed), 1e-11, 1e-14, 60)
    assert found.iterations < 10
    assert found.error == 0.0


def test_an_iteration_that_keeps_diverging_is_left_to_the_factorisation(monkeypatch):
    X, Y = Products(wide()), responses(30, 3)
    monkeypatch.setattr(_Objective, "after", lambda self, change, price: np.ones(3, dtype=bool))
    found = cgls(X, Y, 0.1, 1e-6, 500)
    assert np.array_equal(found.weights, exact_ridge(X, Y, 0.1))
    assert found.error == 0.0


def test_what_is_taken_back_is_the_last_step_and_no_more(monkeypatch):
    X, Y = Products(wide()), responses(30, 2)
    steps = [cgls(X, Y, 0.1, 0.0, count).weights for count in (2, 3)]
    follow, seen = _Objective.after, []

    def worse_in_the_second_at_the_third(self, change, price):
        follow(self, change, price)
        seen.append(change)
        return np.array([False, len(seen) == 3])

    monkeypatch.setattr(_Objective, "after", worse_in_the_second_at_the_third)
    monkeypatch.setattr(cgls_module, "RESTARTS", 0)
    found = cgls(X, Y, 0.1, 0.0, 10).weights
    assert np.array_equal(found[:, 0], steps[1][:, 0])
    assert np.array_equal(found[:, 1], steps[0][:, 1])


def test_an_error_seen_in_the_objective_is_what_is_claimed(monkeypatch):
    X, Y = Products(wide()), responses(30, 3)
    monkeypatch.setattr(_Objective, "missing", lambda self, gains: 0.5)
    assert np.array_equal(cgls(X, Y, 0.1, 1e-6, 500).weights, exact_ridge(X, Y, 0.1))
    monkeypatch.setattr(cgls_module, "SIDE", 29)
    assert cgls(X, Y, 0.1, 1e-6, 500).error == 0.5


def test_an_iteration_that_keeps_diverging_on_large_data_says_so(monkeypatch):
    X, Y = Products(wide()), responses(30, 3)
    monkeypatch.setattr(_Objective, "after", lambda self, change, price: np.ones(3, dtype=bool))
    monkeypatch.setattr(cgls_module, "SIDE", 29)
    assert cgls(X, Y, 0.1, 1e-6, 500).error > 1e-6


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


def used_precisions(monkeypatch):
    """The precision of every run of the iteration, in order."""
    used, plain = [], cgls_module._RidgeProblem.iterate

    def noting(problem, A, tol, max_iter):
        used.append("single" if problem.X.precision is SINGLE else "double")
        return plain(problem, A, tol, max_iter)

    monkeypatch.setattr(cgls_module._RidgeProblem, "iterate", noting)
    return used


@pytest.mark.parametrize(
    ("alpha", "tol", "scale", "wanted"),
    [(0.1, 1e-3, 1.0, ["single"]), (0.1, 1e-6, 1.0, ["double"]), (0.0, 1e-3, 1.0, ["double"]), (0.1, 1e-3, 1e12, ["double"])],
    ids=["as usual", "small tolerance", "no ridge", "huge responses"],
)
def test_single_precision_is_for_errors_it_can_reach(monkeypatch, alpha, tol, scale, wanted):
    used = used_precisions(monkeypatch)
    X, Y = Products(documents(n=100, n_terms=150)), scale * responses(100, 3)
    found = cgls(X, Y, alpha, tol, 500)
    assert used == wanted
    assert error(X.forward(found.weights), X.forward(exact_ridge(X, Y, alpha))) < 3 * tol


def test_rounding_that_exceeds_the_tolerance_is_seen_and_taken_over_by_double_precision(monkeypatch):
    """Products that are wrong by a thousandth, as those of a far lower precision would be, leave no error in the answer."""
    used = used_precisions(monkeypatch)
    plain = cgls_module.SingleProducts.backward
    monkeypatch.setattr(cgls_module.SingleProducts, "backward", lambda self, R: plain(self, R) * np.float32(1.001))
    X, Y = Products(documents(n=100, n_terms=150)), responses(100, 3)
    found = cgls(X, Y, 0.1, 1e-4, 500)
    assert used[:2] == ["single", "double"]
    exact = exact_ridge(X, Y, 0.1)
    made = np.linalg.norm(X.forward(found.weights - exact)) / np.linalg.norm(X.forward(exact))
    assert made < 2e-4


def test_rounding_is_seen_where_that_of_one_response_is_the_opposite_of_another():
    """In the plain sum of the two nothing would be left of it."""
    X, Y, alpha = Products(documents(n=100, n_terms=150)), responses(100, 2), 0.1
    problem = _RidgeProblem(DoubleProducts(X, np.ones(150)), Y, np.full(150, alpha), None)
    exact, gained = exact_ridge(X, Y, alpha), np.array([4.0, 9.0])
    nothing = np.zeros((150, 2)), np.zeros((2, 2))
    wrong = 1e-3 * responses(150, 1) * [[2.0, -3.0]]
    assert not problem.checked(_Run(exact, 9, 0.0, False, gained, nothing), 1e-4).diverged
    assert problem.checked(_Run(exact + wrong, 9, 0.0, False, gained, nothing), 1e-4).diverged


@pytest.mark.parametrize("center", [False, True])
def test_single_precision_gives_the_same_bits_on_any_number_of_threads(center):
    X, Y = documents(n=3 * ROWS, n_terms=2 * ROWS), responses(3 * ROWS, 5)
    mean = np.asarray(X.mean(axis=0)).ravel() if center else None
    one, three = (cgls(Products(X, mean, n_jobs), Y, 0.1, 1e-3, 500).weights for n_jobs in (1, 3))
    assert np.array_equal(one, three)


def test_an_estimate_from_the_last_iterations_is_believed_up_to_a_quarter_of_the_careful_one():
    """A stretch of a hundred small gains at the beginning shows that as much may follow on the last two."""
    gains = [np.array([gain]) for gain in (1.0, *(1e-4 for _ in range(100)), 1e-8, 1e-8)]
    nothing, total = np.zeros(1), 1.0 + 100e-4 + 2e-8
    last, careful = np.sqrt(2e-8 / total), np.sqrt((100 + 2e-4) * 1e-8 / total)
    assert _error(gains, nothing, careful / 3.9) == pytest.approx(last, rel=1e-6)
    assert _error(gains, nothing, careful / 4.1) == pytest.approx(careful, rel=1e-6)
