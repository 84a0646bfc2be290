"""Products from both sides: with and without a mean, narrow numbers, several blocks."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents
from vicinal.projection._products import Products, multiply, multiply_into


@pytest.fixture(name="X", params=[sp.csr_array, lambda X: X.toarray()], ids=["sparse", "dense"])
def corpus(request):
    return request.param(documents())


@pytest.fixture(params=[False, True], ids=["plain", "centred"])
def mean(request):
    return np.linspace(0, 1, 90) if request.param else None


def explicit(X, mean):
    return (X.toarray() if sp.issparse(X) else X) - (0.0 if mean is None else mean)


def columns(n, d=3):
    return np.random.default_rng(0).normal(size=(n, d))


def test_products_are_those_of_the_matrix_with_its_mean_taken_off(X, mean):
    products, dense = Products(X, mean), explicit(X, mean)
    np.testing.assert_allclose(products.forward(columns(90)), dense @ columns(90), atol=1e-12)
    np.testing.assert_allclose(products.backward(columns(60)), dense.T @ columns(60), atol=1e-12)


def test_gram_matrices_are_those_of_the_matrix_with_its_mean_taken_off(X, mean):
    products, dense = Products(X, mean), explicit(X, mean)
    np.testing.assert_allclose(products.gram_of_documents(), dense @ dense.T, atol=1e-11)
    np.testing.assert_allclose(products.gram_of_terms(), dense.T @ dense, atol=1e-11)


def assert_double(found, expected):
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


def test_narrow_numbers_are_added_up_in_double_precision(X, mean):
    products, dense = Products(X.astype(np.float32), mean), explicit(X.astype(np.float32).astype(np.float64), mean)
    assert_double(products.forward(columns(90)), dense @ columns(90))
    assert_double(products.backward(columns(60)), dense.T @ columns(60))
    assert_double(products.gram_of_documents(), dense @ dense.T)


@pytest.mark.parametrize(
    "mean",
    [
        None,
        np.linspace(0, 1, 90),
    ],
    ids=["plain", "centred"],
)
def test_narrow_numbers_make_a_gram_matrix_of_terms_in_double_precision(X, mean):
    dense = explicit(X.astype(np.float32).astype(np.float64), mean)
    assert_double(Products(X.astype(np.float32), mean).gram_of_terms(), dense.T @ dense)


@pytest.mark.parametrize("n_jobs", [1, 2, None])
def test_more_rows_than_one_block_are_multiplied_whole(n_jobs):
    X = sp.random_array((2500, 40), density=0.1, random_state=np.random.default_rng(0), format="csr")
    B = columns(40)
    np.testing.assert_allclose(multiply(X, B, n_jobs), X.toarray() @ B, atol=1e-13)
    assert np.array_equal(multiply(X, B, n_jobs)[1030:1040], multiply(X[1030:1040], B))


def test_columns_may_lie_in_memory_in_any_way():
    X, B = documents(), columns(90, 6)
    assert np.array_equal(multiply(X, np.asfortranarray(B)[:, ::2]), multiply(X, B[:, ::2].copy()))


def test_a_document_without_words_and_a_word_without_documents_give_zero():
    X = sp.csr_array(np.array([[1.0, 0.0], [0.0, 0.0]]))
    assert Products(X).forward(np.ones((2, 1))).tolist() == [[1.0], [0.0]]
    assert Products(X).backward(np.ones((2, 1))).tolist() == [[1.0], [0.0]]


def test_column_numbers_of_64_bits_are_read_as_such():
    X = documents()
    wide = X.copy()
    wide.indices, wide.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    np.testing.assert_array_equal(multiply(wide, columns(X.shape[1])), multiply(X, columns(X.shape[1])))
    written = np.empty((X.shape[0], 3))
    multiply_into(wide, columns(X.shape[1]), written)
    np.testing.assert_array_equal(written, multiply(X, columns(X.shape[1])))
