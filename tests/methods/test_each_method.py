"""Each method is its row of the table: a graph, a route, an option, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import vicinal
from tests.laws.toys import angle, documents, error, topics
from vicinal import LPI, LPP, LSI, OLPI, RLPI, LaplacianEigenmap, Ridge
from vicinal.errors import BadParameter, FewerComponents, NoVariation, UnembeddedDocuments
from vicinal.graph import complete, knn, with_labels
from vicinal.methods import METHODS
from vicinal.projection import pencil, regress
from vicinal.spectrum import solve


@pytest.fixture(name="X")
def corpus():
    return documents()


def test_every_method_is_a_public_name():
    assert all(getattr(vicinal, method.__name__) is method for method in METHODS)


# rows of the table


def test_an_eigenmap_is_the_spectrum_of_the_neighbour_graph(X):
    model = LaplacianEigenmap(4, n_neighbors=5).fit(X)
    expected = solve(knn(X, 5), 4)
    assert np.array_equal(model.embedding_, expected.vectors)
    assert np.array_equal(model.eigenvalues_, expected.values)
    assert model.spectrum_.solver == "dense"


def test_an_eigenmap_may_have_more_dimensions_than_there_are_words():
    X = documents(n=40, n_terms=12, n_topics=1)
    assert LaplacianEigenmap(20).fit(X).embedding_.shape == (40, 20)


@pytest.mark.parametrize(
    ("method", "options"),
    [(LPI, {}), (LPP, {"center": True}), (OLPI, {"orthogonal": True})],
    ids=["LPI", "LPP", "OLPI"],
)
def test_a_direct_method_is_the_pencil_of_the_neighbour_graph(X, method, options):
    model = method(4, n_neighbors=5, alpha=0.2).fit(X)
    expected = pencil(X, knn(X, 5), 4, alpha=0.2, **options)
    assert np.array_equal(model.components_, expected.weights.T)
    assert np.array_equal(model.eigenvalues_, expected.eigenvalues)
    assert np.array_equal(model.transform(X), expected.transform(X))


@pytest.mark.parametrize("center", [False, True])
def test_rlpi_is_the_spectrum_regressed_onto_words(X, center):
    model = RLPI(4, n_neighbors=5, alpha=0.2, center=center).fit(X)
    expected = regress(X, solve(knn(X, 5), 4), Ridge(0.2), center=center)
    assert np.array_equal(model.components_, expected.weights.T)
    assert np.array_equal(model.eigenvalues_, expected.eigenvalues)
    assert np.array_equal(model.transform(X), expected.transform(X))


def test_lsi_is_the_truncated_decomposition_of_the_documents(X):
    model = LSI(4).fit(X)
    U, s, Vt = np.linalg.svd(X.toarray())
    np.testing.assert_allclose(model.singular_values_, s[:4], rtol=1e-12)
    np.testing.assert_allclose(model.eigenvalues_, s[:4] ** 2, rtol=1e-12)
    assert angle(model.components_.T, Vt[:4].T) < 1e-10
    np.testing.assert_allclose(np.abs(model.transform(X)), np.abs(U[:, :4] * s[:4]), atol=1e-10)


# options of the rows


@pytest.mark.parametrize("solver", ["arpack", "randomized"])
def test_every_solver_of_lsi_finds_the_same(X, solver):
    found = LSI(3, solver=solver, max_iter=30).fit(X)
    assert error(found.components_, LSI(3).fit(X).components_) < 1e-6


def test_lsi_decomposes_few_documents_exactly_and_many_by_arpack():
    X = documents(n=520, n_terms=510, n_topics=3)
    by_size, by_name = LSI(3).fit(X), LSI(3, solver="arpack").fit(X)
    assert np.array_equal(by_size.components_, by_name.components_)
    exact = LSI(3).fit(X[:400])
    assert not np.array_equal(exact.components_, LSI(3, solver="arpack").fit(X[:400]).components_)


@pytest.mark.parametrize("eigen_solver", ["lanczos", "chebyshev"])
@pytest.mark.parametrize("solver", ["cholesky", "cgls"])
def test_every_solver_of_rlpi_finds_the_same(X, eigen_solver, solver):
    found = RLPI(4, eigen_solver=eigen_solver, solver=solver, tol=1e-10, max_iter=1000).fit(X)
    assert found.projection_.made_by["solver"] == solver
    assert error(found.components_, RLPI(4, eigen_solver="dense").fit(X).components_) < 1e-6


def test_rlpi_counts_its_iterations(X):
    model = RLPI(4, solver="cgls").fit(X)
    assert model.n_iter_ == model.projection_.made_by["iterations"] > 1
    assert RLPI(4, solver="cholesky").fit(X).n_iter_ == 1
    assert np.array_equal(RLPI(4, solver="cgls", max_iter=None).fit(X).components_, model.components_)


@pytest.mark.parametrize("method", [LPI, LPP, OLPI, RLPI, LaplacianEigenmap])
def test_a_solver_that_does_not_exist_is_refused(X, method):
    with pytest.raises(BadParameter, match="solver must be one of"):
        method(solver="magic").fit(X)


def test_what_lsi_and_rlpi_name_differently_is_refused_by_name(X):
    with pytest.raises(BadParameter, match="solver must be one of 'auto', 'arpack', 'randomized'"):
        LSI(solver="lanczos").fit(X)
    with pytest.raises(BadParameter, match=r"solver must be one of .*'chebyshev'"):
        RLPI(eigen_solver="cgls").fit(X)


# graphs of the rows


@pytest.mark.parametrize("method", [LPI, RLPI, LaplacianEigenmap])
def test_a_complete_graph_and_a_weight_may_be_asked_for(X, method):
    heat = method(3, graph="complete", weight="heat").fit(X)
    given = method(3, graph=complete(X, weight="heat")).fit(X)
    assert np.array_equal(heat.fit_transform(X), given.fit_transform(X))
    binary = method(3, n_neighbors=5, weight="binary").fit(X).graph_
    assert set(binary.weights.data) == {1.0}


@pytest.mark.parametrize("method", [LPI, RLPI])
def test_some_labels_mix_classes_into_the_neighbour_graph(X, method):
    y = np.where(np.arange(60) < 20, topics(), -1)
    expected = method(3, graph=with_labels(knn(X, 7), y)).fit(X)
    assert np.array_equal(method(3).fit(X, y).components_, expected.components_)


# nothing to tell apart


@pytest.mark.parametrize("method", [LPI, LPP, OLPI])
def test_copies_beside_documents_that_share_no_word_have_no_variation(method):
    X = sp.csr_array(np.array([[1.0, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]))
    with pytest.warns(UnembeddedDocuments), pytest.raises(NoVariation):
        method().fit(X)


def test_lsi_of_more_dimensions_than_the_rank_says_so():
    X = np.outer(np.arange(1.0, 7), [1, 2, 3]) + np.outer(np.arange(6.0) ** 2, [1, 0, 1])
    with pytest.warns(FewerComponents, match="asked for 3 components but there are 2: the rank of 6 documents x 3 terms"):
        assert LSI(3).fit(X).components_.shape == (2, 3)
