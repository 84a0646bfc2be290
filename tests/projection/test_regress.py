"""The route by regression: what may be regressed on, who takes part, who solves, and what is said."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, error, tall, wide
from vicinal import Ridge
from vicinal.errors import BadData, BadParameter, Unconverged
from vicinal.graph import knn
from vicinal.projection import regress
from vicinal.projection._products import Products
from vicinal.projection._solvers.cgls import cgls
from vicinal.spectrum import solve


def responses(X, d=3):
    return np.random.default_rng(0).normal(size=(X.shape[0], d))


def test_an_array_of_responses_is_regressed_on_and_has_no_values():
    X = tall()
    Y = responses(X)
    projection = regress(X, Y, Ridge(1e-3))
    assert projection.weights.shape == (24, 3)
    assert projection.eigenvalues is None
    exact = X.toarray() @ projection.weights
    np.testing.assert_allclose(regress(X, exact, Ridge(0.0)).weights, projection.weights, atol=1e-10)


def test_a_spectrum_brings_its_values_along():
    X = wide()
    functions = solve(knn(X, 5), 3)
    projection = regress(X, functions)
    assert projection.eigenvalues.tolist() == functions.values.tolist()
    np.testing.assert_array_equal(projection.weights, regress(X, functions.vectors).weights)


def test_the_penalty_left_open_is_a_ridge_of_a_tenth():
    X = tall()
    Y = responses(X)
    np.testing.assert_array_equal(regress(X, Y).weights, regress(X, Y, Ridge(0.1)).weights)
    assert error(regress(X, Y).weights, regress(X, Y, Ridge(0.2)).weights) > 1e-4


@pytest.mark.parametrize("center", [False, True])
def test_documents_outside_the_graph_take_no_part(center):
    X, W = wide(), knn(wide(), 5).weights.tolil()
    W[4, :] = W[:, 4] = 0.0
    functions = solve(sp.csr_array(W), 3)
    changed = X.tolil()
    changed[4, :7] = 100.0
    one, other = (regress(rows, functions, center=center).weights for rows in (X, sp.csr_array(changed)))
    assert np.array_equal(one, other)
    as_array = (regress(rows, functions.vectors, center=center).weights for rows in (X, sp.csr_array(changed)))
    assert error(*as_array) > 1e-3  # as an array of responses its zeros would count


def test_centred_documents_have_their_mean_at_zero():
    X = tall()
    projection = regress(X, responses(X), center=True)
    np.testing.assert_allclose(projection.offset, X.mean(axis=0) @ projection.weights, atol=1e-14)
    np.testing.assert_allclose(projection.transform(X).mean(axis=0), 0, atol=1e-13)


def test_a_single_document_is_not_centred_away():
    projection = regress(np.array([[1.0, 2.0]]), np.array([[3.0]]), center=True)
    assert projection.offset is None
    assert projection.transform([[1.0, 2.0]])[0, 0] == pytest.approx(3.0, rel=0.05)


def test_words_may_be_named_on_the_way():
    X = tall()
    names = [f"w{t}" for t in range(24)]
    assert regress(X, responses(X), vocabulary=names).vocabulary.tolist() == names
    with pytest.raises(BadParameter, match="must name 24 terms"):
        regress(X, responses(X), vocabulary=names[:-1])


@pytest.mark.parametrize("shape", [(79, 3), (80,), (80, 3, 1)])
def test_responses_that_are_not_one_row_per_document_are_refused_with_both_shapes(shape):
    with pytest.raises(BadData, match=rf"expected \(80, d\), got \({shape[0]},"):
        regress(tall(), np.ones(shape))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_responses_that_are_not_finite_are_bad_data(value):
    Y = responses(tall())
    Y[7, 1] = value
    with pytest.raises(BadData):
        regress(tall(), Y)


@pytest.mark.parametrize(
    "options", [{"solver": "lsqr"}, {"tol": -1.0}, {"tol": np.nan}, {"max_iter": 0}, {"max_iter": 2.5}, {"max_iter": None}], ids=str
)
def test_options_that_do_not_exist_are_refused_by_name(options):
    with pytest.raises(BadParameter, match=f"{next(iter(options))} must be"):
        regress(tall(), responses(tall()), **options)


def test_a_small_side_is_factored_and_a_large_matrix_iterated():
    large = sp.random_array((900, 900), density=0.01, random_state=np.random.default_rng(0), format="csr")
    assert regress(large, responses(large, 1)).made_by["solver"] == "cgls"
    assert regress(large[:, :800], responses(large, 1)).made_by == {"route": "regress", "solver": "cholesky"}
    assert regress(large[:700], responses(large[:700], 1)).made_by["solver"] == "cholesky"


def test_the_limit_on_iterations_is_said_with_its_number_and_what_was_reached():
    X = documents()
    with pytest.warns(Unconverged, match=r"after 3 iterations at an estimated error of \d\.\de-\d\d where 1\.0e-09 was asked for"):
        projection = regress(X, responses(X, 1), Ridge(1e-3), solver="cgls", tol=1e-9, max_iter=3)
    assert projection.made_by["iterations"] == 3
    assert projection.made_by["error"] > 1e-9


def test_a_tolerance_of_zero_runs_all_iterations_and_says_nothing():
    X = documents()
    projection = regress(X, responses(X, 1), Ridge(1e-3), solver="cgls", tol=0, max_iter=5)
    assert projection.made_by["iterations"] == 5
    assert projection.made_by["error"] > 1e-6


def test_a_looser_tolerance_takes_fewer_iterations():
    X = documents()
    loose, tight = (regress(X, responses(X), solver="cgls", tol=tol).made_by for tol in (1e-2, 1e-8))
    assert loose["iterations"] < tight["iterations"]
    assert loose["error"] <= 1e-2


def unequal_documents(seed):
    """Documents of lengths over eight powers of ten: for several iterations in the middle nearly nothing is gained."""
    random = np.random.default_rng(seed)
    rows, columns = np.linalg.qr(random.normal(size=(40, 8)))[0], np.linalg.qr(random.normal(size=(8, 8)))[0]
    X = (rows * np.geomspace(1.0, 1e-7, 8)) @ columns.T * 10.0 ** random.uniform(-4, 4, size=(40, 1))
    return X, random.normal(size=(40, 1))


def test_an_error_that_gains_do_not_show_is_found_by_factoring():
    """Which documents mislead the iteration depends on the rounding of the machine: a few of sixty do on each."""
    misled = 0
    for seed in range(60):
        X, Y = unequal_documents(seed)
        claimed, exact = cgls(Products(X), Y, 1e-9, 1e-3, 200), regress(X, Y, Ridge(1e-9), solver="cholesky")
        if claimed.error <= 1e-3 and error(X @ claimed.weights, X @ exact.weights) > 0.1:
            misled += 1
            found = regress(X, Y, Ridge(1e-9), solver="cgls")
            assert error(X @ found.weights, X @ exact.weights) < 1e-3
            assert found.made_by == {"route": "regress", "solver": "cholesky", "iterations": claimed.iterations, "error": 0.0}
    assert misled > 0


def test_weights_whose_error_is_what_was_claimed_stay_those_of_the_iteration():
    X = documents(n=100, n_terms=150)
    Y = responses(X)
    found = regress(X, Y, Ridge(0.1), solver="cgls")
    assert found.made_by["solver"] == "cgls"
    np.testing.assert_array_equal(found.weights, cgls(Products(X), Y, 0.1, 1e-3, 200).weights)
