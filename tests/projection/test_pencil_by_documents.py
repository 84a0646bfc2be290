"""The pencil solved for embeddings: the same answer as for directions, where documents are nearly independent."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents
from vicinal import LPP, LaplacianEigenmap
from vicinal._threads import single_threaded_libraries
from vicinal.graph import classes, knn
from vicinal.projection import pencil
from vicinal.projection._products import Products
from vicinal.projection._solvers.pencil_by_documents import FEWEST, MOST_DEPENDENT, find_reachable
from vicinal.projection._solvers.pencil_eigen import has_mean

SIZE = FEWEST + 30


@pytest.fixture(name="X", scope="module")
def independent():
    return documents(n=SIZE, n_terms=4 * SIZE, n_topics=4)


@pytest.fixture(name="copies", scope="module")
def with_copies(X):
    """Every fortieth document twice."""
    return sp.csr_array(sp.vstack([X, X[::40]]))


def both(X, graph, **options):
    return (pencil(X, graph, 5, solver=solver, **options) for solver in ("auto", "dense"))


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("name", ["X", "copies"])
def test_embeddings_and_directions_give_the_same_projection(name, center, request):
    X = request.getfixturevalue(name)
    by_embeddings, by_directions = both(X, knn(X, 7), center=center)
    assert by_embeddings.made_by == by_directions.made_by
    np.testing.assert_allclose(by_embeddings.eigenvalues, by_directions.eigenvalues, atol=1e-9)
    np.testing.assert_allclose(by_embeddings.weights, by_directions.weights, atol=1e-6 * np.abs(by_directions.weights).max())


def test_classes_too(copies):
    by_embeddings, by_directions = both(copies, classes(np.arange(copies.shape[0]) % 6))
    assert by_embeddings.n_components == by_directions.n_components == 5
    np.testing.assert_allclose(by_embeddings.weights, by_directions.weights, atol=1e-6 * np.abs(by_directions.weights).max())


@pytest.mark.parametrize("name", ["X", "copies"])
def test_what_the_factor_gives_is_the_null_space_and_the_shortest_way_back(name, request):
    X = request.getfixturevalue(name)
    reachable, dense = find_reachable(Products(X)), X.toarray()
    assert reachable.rank == SIZE
    N = reachable.dependencies
    np.testing.assert_allclose(N.T @ N, np.eye(X.shape[0] - SIZE), atol=1e-12)
    np.testing.assert_allclose(N.T @ dense, 0.0, atol=1e-9)
    Y = dense @ np.random.default_rng(0).normal(size=(dense.shape[1], 3))
    with single_threaded_libraries():
        np.testing.assert_allclose(reachable.lift(Y), np.linalg.lstsq(dense, Y, rcond=1e-10)[0], atol=1e-8)


def test_there_is_a_mean_to_take_out_unless_the_documents_are_centred_or_one(copies):
    degrees = np.random.default_rng(0).uniform(1.0, 9.0, copies.shape[0])
    mean = copies.T @ degrees / degrees.sum()
    assert has_mean(Products(copies), degrees)
    assert has_mean(Products(copies, np.asarray(copies.mean(axis=0)).ravel()), degrees)
    assert not has_mean(Products(copies, mean), degrees)
    assert not has_mean(Products(copies.toarray() - mean), degrees)
    assert not has_mean(Products((copies.toarray() - mean).astype(np.float32)), degrees)
    assert not has_mean(Products(copies[:1]), degrees[:1])


def test_few_documents_many_dependent_ones_and_few_terms_take_the_other_route(X):
    assert find_reachable(Products(X[: FEWEST - 1])) is None
    assert find_reachable(Products(X[:, : SIZE - 1])) is None
    more = round(2 * MOST_DEPENDENT * SIZE)
    assert find_reachable(Products(sp.csr_array(sp.vstack([X, X[:more]])))) is None


def test_documents_too_nearly_dependent_for_a_gram_matrix_take_the_other_route(X):
    largest = np.linalg.norm(X.toarray(), ord=2)
    short = X.toarray()
    short[3] *= 1e-5 * largest / np.linalg.norm(short[3])
    assert find_reachable(Products(short)) is None  # its pivot is 1e-10 of the largest eigenvalue: few digits
    nearly = X.toarray()
    nearly[3] = nearly[4] * (1 + 1e-7 * np.random.default_rng(0).normal(size=nearly.shape[1]))
    assert find_reachable(Products(nearly)) is None  # its pivot is rounding, but the document is not a combination of the others
    nearly[3] = nearly[4]
    assert find_reachable(Products(nearly)).rank == SIZE - 1


def test_independent_documents_are_embedded_as_by_laplacian_eigenmaps(X):
    lpp, le = LPP(3, n_neighbors=7).fit_transform(X), LaplacianEigenmap(3, n_neighbors=7).fit_transform(X)
    np.testing.assert_allclose(np.abs(np.corrcoef(lpp.T, le.T)[:3, 3:]), np.eye(3), atol=0.05)
