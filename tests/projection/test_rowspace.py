"""The row space of documents: the same decomposition from either side."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, tall, wide
from vicinal.projection._products import Products
from vicinal.projection._solvers.row_space import FromDocuments, FromTerms, row_space


@pytest.fixture(name="X", params=[tall, wide], ids=["tall", "wide"])
def corpus(request):
    return request.param()


@pytest.fixture(params=[False, True], ids=["plain", "centred"])
def products(request, X):
    return Products(X, X.mean(axis=0) if request.param else None)


def explicit(products):
    return products.X.toarray() - (0.0 if products.mean is None else products.mean)


def coordinates(space, columns=4):
    return np.random.default_rng(0).normal(size=(space.rank, columns))


def test_the_smaller_side_is_the_one_that_is_stored():
    assert isinstance(row_space(Products(tall())), FromTerms)
    assert isinstance(row_space(Products(wide())), FromDocuments)


def test_singular_values_are_those_of_a_dense_decomposition(products):
    expected = np.linalg.svd(explicit(products), compute_uv=False)
    space = row_space(products)
    assert space.rank == np.linalg.matrix_rank(explicit(products))
    np.testing.assert_allclose(space.singular, expected[: space.rank], rtol=1e-10)


def test_a_direction_that_is_lifted_places_documents_where_the_span_says(products):
    space = row_space(products)
    C = coordinates(space)
    np.testing.assert_allclose(explicit(products) @ space.lift(C), space.span(C), atol=1e-10)


def test_projecting_undoes_spanning_and_the_span_is_orthonormal(products):
    space = row_space(products)
    C = coordinates(space)
    np.testing.assert_allclose(space.project(space.span(C)), C, atol=1e-10)
    U = space.span(np.eye(space.rank))
    np.testing.assert_allclose(U.T @ U, np.eye(space.rank), atol=1e-10)


def test_a_form_wider_than_one_block_of_columns_is_put_together_right():
    X = documents(n=300, n_terms=320, n_topics=1)
    space = row_space(Products(X))
    assert space.rank > 256
    d = np.linspace(1, 2, 300)
    U = space.span(np.eye(space.rank))
    np.testing.assert_allclose(space.quadratic(lambda Y: d[:, None] * Y), U.T @ (d[:, None] * U), atol=1e-10)


@pytest.mark.parametrize(
    ("dtype", "noise", "rank"), [(np.float64, 1e-16, 3), (np.float64, 1e-9, 8), (np.float64, 1e-3, 8), (np.float32, 1e-7, 3)]
)
@pytest.mark.parametrize("shape", [(20, 8), (8, 20)])
def test_singular_values_that_are_rounding_are_left_out(dtype, noise, rank, shape):
    rng = np.random.default_rng(0)
    X = rng.random((shape[0], 3)) @ rng.random((3, shape[1])) + noise * rng.random(shape)
    assert row_space(Products(X.astype(dtype))).rank == rank


def test_words_that_no_document_uses_have_no_weight_at_all():
    X = sp.csr_array(sp.hstack([tall(), sp.csr_array((80, 3))]))
    space = row_space(Products(X))
    assert isinstance(space, FromTerms)
    assert not space.lift(coordinates(space))[24:].any()


def test_documents_without_words_span_nothing():
    assert row_space(Products(sp.csr_array((4, 3)))).rank == 0
