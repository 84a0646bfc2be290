"""Ridge by factoring the smaller Gram matrix: by hand, at the edges of rank, and without touching what it was given."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import error, tall, wide
from vicinal.errors import Unconverged
from vicinal.projection._products import Products
from vicinal.projection._solvers import cholesky, graded_svd
from vicinal.projection._solvers.cholesky import exact_ridge
from vicinal.projection._solvers.row_space import row_space


@pytest.mark.parametrize("storage", [sp.csr_array, np.asarray])
def test_one_word_has_the_weight_of_the_textbook(storage):
    X = storage(np.array([[1.0], [2.0]]))
    np.testing.assert_allclose(exact_ridge(Products(X), np.array([[3.0], [4.0]]), 0.5), [[11 / 5.5]], atol=1e-15)


def test_one_document_shares_its_response_among_its_words():
    X = np.array([[1.0, 2.0, 0.0]])
    np.testing.assert_allclose(exact_ridge(Products(X), np.array([[10.0]]), 5.0), [[1.0], [2.0], [0.0]], atol=1e-14)


def test_a_penalty_below_rounding_gives_the_smallest_weights_that_fit_best():
    X = np.array([[1.0, 1.0], [1.0, 1.0], [2.0, 2.0]])
    for alpha in (0.0, 1e-18):
        np.testing.assert_allclose(exact_ridge(Products(X), np.array([[1.0], [3.0], [4.0]]), alpha), [[1.0], [1.0]], atol=1e-13)


@pytest.mark.parametrize("alpha", [0.0, 0.1])
@pytest.mark.parametrize("shape", [(3, 5), (5, 3)])
def test_documents_without_words_give_words_without_weight(alpha, shape):
    assert exact_ridge(Products(np.zeros(shape)), np.ones((shape[0], 2)), alpha).tolist() == np.zeros((shape[1], 2)).tolist()


@pytest.mark.parametrize("shape", [(40, 12), (12, 40)])
def test_words_that_nearly_repeat_each_other_do_not_cost_half_of_the_digits(shape):
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.normal(size=(n, 12)))[0] for n in shape)
    s, Y = np.geomspace(1, 1e-5, 12), rng.normal(size=(shape[0], 2))
    expected = V @ ((s / (s**2 + 1e-10))[:, None] * (U.T @ Y))
    assert error(exact_ridge(Products((U * s) @ V.T), Y, 1e-10), expected) < 1e-10


def graded(shape):
    """Documents, or terms if there are fewer, whose lengths go from 1e-6 to 1e6: condition 1e12, and 1e24 of a Gram matrix."""
    X, scales = tall().toarray()[: shape[0], : shape[1]], np.geomspace(1e-6, 1e6, min(shape))
    return X * scales if shape[1] < shape[0] else X * scales[:, None]


@pytest.mark.parametrize("shape", [(40, 12), (10, 24)])
def test_ill_conditioned_documents_too_large_to_decompose_are_said_to_be(shape, monkeypatch):
    X, Y = graded(shape), np.random.default_rng(0).normal(size=(shape[0], 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exact_ridge(Products(X), Y, 1e-9)
    monkeypatch.setattr(graded_svd, "SIDE", 5)
    with pytest.warns(Unconverged, match="the regression may be inaccurate"):
        exact_ridge(Products(X), Y, 1e-9)
    with pytest.warns(Unconverged, match="the components may be inaccurate"):
        row_space(Products(X))


def test_a_refinement_that_does_not_settle_is_not_believed(monkeypatch):
    X, Y = wide().toarray(), np.random.default_rng(0).normal(size=(30, 2))
    expected = exact_ridge(Products(X), Y, 0.1)
    rough = lambda gram, alpha, products=None: (lambda right: right / (np.trace(gram) + alpha), True)  # noqa: E731
    monkeypatch.setattr(cholesky, "_factored", rough)
    assert error(exact_ridge(Products(X), Y, 0.1), expected) < 1e-10


@pytest.mark.parametrize("X", [tall(), wide(), tall().toarray()], ids=["tall", "wide", "dense"])
@pytest.mark.parametrize("alpha", [0.0, 0.1])
def test_nothing_given_is_changed(X, alpha):
    Y = np.random.default_rng(0).normal(size=(X.shape[0], 2))
    before, Y_before = X.copy(), Y.copy()
    exact_ridge(Products(X, np.ones(X.shape[1])), Y, alpha)
    assert abs(X - before).max() == 0
    assert np.array_equal(Y, Y_before)


@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1.0, 1e150])
def test_the_rank_of_a_decomposition_does_not_depend_on_the_unit_of_the_weights(scale):
    X = np.array([[1.0, 0.0, 0.0], [0.0, 1e-8, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    np.testing.assert_allclose(graded_svd.graded_svd(Products(scale * X)).singular, scale * np.array([np.sqrt(2.0), 1e-8]))


def test_what_single_precision_cannot_hold_is_not_said_to_be_inaccurate(monkeypatch):
    """A combination of columns is one up to the rounding of float32, which is far above that of the arithmetic."""
    X = np.random.default_rng(0).uniform(size=(20, 4))
    X = np.hstack([X, X @ np.random.default_rng(1).uniform(size=(4, 3))]).astype(np.float32)
    monkeypatch.setattr(graded_svd, "SIDE", 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error", Unconverged)
        assert len(row_space(Products(X)).singular) == 4
    with pytest.warns(Unconverged, match="the components may be inaccurate"):
        row_space(Products(X.astype(np.float64)))


@pytest.mark.parametrize(
    ("dtype", "share", "ambiguous"),
    [("f8", 0.005, False), ("f8", 0.02, True), ("f8", 99.5, True), ("f8", 100.5, False), ("f4", 0.5, False), ("f4", 2.0, True)],
)
def test_an_eigenvalue_near_the_rounding_of_its_gram_matrix_is_ambiguous(dtype, share, ambiguous):
    products = Products(sp.csr_array(np.eye(2, dtype=dtype)))
    cut = graded_svd.rounding(products) * 2  # of two eigenvalues, the larger of which is 1
    assert graded_svd.is_ambiguous(np.array([1.0, share * cut]), products) is ambiguous


@pytest.mark.parametrize("shape", [(3, 2), (2, 3)])
def test_documents_without_words_have_no_singular_values(shape):
    svd = graded_svd.graded_svd(Products(sp.csr_array(shape)))
    assert svd.singular.tolist() == []
    assert (svd.U.shape, svd.V.shape) == ((shape[0], 0), (shape[1], 0))
