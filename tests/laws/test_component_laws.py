"""Components: a graph in pieces has the eigenvalue 1 once per piece, and every one of them is found, whatever ARPACK says."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from tests.laws.toys import angle, around_a_hub, copies, documents, eigenvalues, error, random_graph
from vicinal import LaplacianEigenmap
from vicinal.errors import DisconnectedGraph, IndistinctComponents
from vicinal.graph import as_graph
from vicinal.spectrum import solve
from vicinal.spectrum._eigensolvers import EIGENSOLVERS

SOLVERS = tuple(EIGENSOLVERS)


def block():
    return random_graph(8, density=0.6, seed=3)


def fifty_alike():
    return copies(block(), 50)


def fifty_of_their_own():
    return sp.csr_array(sp.block_diag([random_graph(5 + i % 7, density=0.5, seed=i) for i in range(50)]))


def islands(sizes=(12, 9, 7, 4)):
    """Pieces of different sizes in mixed order, with a document that has no edge."""
    weights = sp.block_diag([random_graph(n, density=0.5, seed=n) for n in sizes] + [np.zeros((1, 1))]).toarray()
    order = np.random.default_rng(0).permutation(len(weights))
    return weights[np.ix_(order, order)]


def symmetric_form(W):
    scale = sp.diags_array(1.0 / np.sqrt(np.asarray(W.sum(axis=1)).ravel()))
    return scale @ W @ scale


def placed(W):
    return W[np.ix_(W.any(axis=1), W.any(axis=1))]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("graph", [fifty_alike, fifty_of_their_own])
def test_fifty_components_have_fifty_eigenvalues_one_of_which_all_but_the_constant_are_returned(graph, solver):
    W = graph()
    assert (eigenvalues(W.toarray()) > 1 - 1e-9).sum() == 50
    spectrum = solve(W, 49, solver=solver)
    np.testing.assert_array_equal(spectrum.values, np.ones(49))
    d = np.asarray(W.sum(axis=1)).ravel()
    np.testing.assert_allclose(spectrum.vectors.T @ (d[:, None] * spectrum.vectors) / d.sum(), np.eye(49), atol=1e-12)
    np.testing.assert_allclose(d @ spectrum.vectors / d.sum(), 0, atol=1e-13)
    np.testing.assert_allclose(W @ spectrum.vectors, d[:, None] * spectrum.vectors, atol=1e-12)


def test_arpack_alone_misses_some_of_the_fifty():
    values = eigsh(symmetric_form(fifty_alike()), 50, which="LA", tol=1e-5, v0=np.random.default_rng(0).normal(size=400))[0]
    assert (values > 1 - 1e-6).sum() < 50


@pytest.mark.parametrize("solver", SOLVERS)
def test_after_the_forty_nine_come_the_functions_inside_components(solver):
    W = fifty_of_their_own()
    spectrum = solve(W, 55, solver=solver)
    np.testing.assert_allclose(spectrum.values, eigenvalues(W.toarray())[1:56], atol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS)
def test_fifty_copies_that_hardly_touch_have_fifty_values_near_one_and_all_are_found(solver):
    W = copies(block(), 50, joint=1e-9)
    assert as_graph(W).connected_components.max() == 0
    expected = eigenvalues(W.toarray())[1:50]
    assert expected.min() > 1 - 1e-8
    spectrum = solve(W, 49, solver=solver)
    np.testing.assert_allclose(spectrum.values, expected, atol=1e-12)
    flat = np.kron(np.eye(50), np.ones((8, 1)))  # nearly constant on every copy
    assert angle(np.column_stack([np.ones(400), spectrum.vectors]), flat) < 1e-7
    d = np.asarray(W.sum(axis=1)).ravel()
    np.testing.assert_allclose(spectrum.vectors.T @ (d[:, None] * spectrum.vectors) / d.sum(), np.eye(49), atol=1e-10)
    np.testing.assert_allclose(d @ spectrum.vectors / d.sum(), 0, atol=1e-10)


def test_arpack_alone_misses_some_of_the_fifty_that_hardly_touch():
    W = symmetric_form(copies(block(), 50, joint=1e-9))
    values = eigsh(W, 50, which="LA", tol=1e-5, v0=np.random.default_rng(0).normal(size=400))[0]
    assert (values > 1 - 1e-6).sum() < 50


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_value_repeated_twenty_nine_times_in_a_connected_graph_is_found_as_often(solver):
    W = around_a_hub(block(), 30, joint=1.0)
    expected = eigenvalues(W)[1:30]
    assert np.ptp(expected) < 1e-12
    spectrum = solve(W, 29, solver=solver)
    np.testing.assert_allclose(spectrum.values, expected, atol=1e-10)
    d = W.sum(axis=1)
    np.testing.assert_allclose(spectrum.vectors.T @ (d[:, None] * spectrum.vectors) / d.sum(), np.eye(29), atol=1e-9)
    assert np.abs(W @ spectrum.vectors - d[:, None] * spectrum.vectors * spectrum.values).max() < 1e-8


def test_arpack_alone_misses_some_of_the_twenty_nine_at_any_tolerance():
    W = symmetric_form(sp.csr_array(around_a_hub(block(), 30, joint=1.0)))
    values = eigsh(W, 30, which="LA", tol=1e-10, v0=np.random.default_rng(0).normal(size=241))[0]
    assert (values > values.max() - 0.2).sum() < 30  # the constant and the twenty-nine


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_comes_after_the_cut_hinders_nobody(solver):
    """Nineteen functions of one value, far from the rest; the next is 3e-5 above a crowd of its own."""
    W = around_a_hub(block(), 20, joint=0.01)
    values = eigenvalues(W)
    assert values[19] - values[20] > 0.4
    assert 0 < values[20] - values[21] < 1e-4
    np.testing.assert_allclose(solve(W, 19, solver=solver).values, values[1:20], atol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS)
def test_kept_components_give_all_values_but_one_trivial_one(solver):
    W = islands()
    np.testing.assert_allclose(solve(W, 8, solver=solver).values, eigenvalues(placed(W))[1:9], atol=1e-10)


@pytest.mark.parametrize("solver", SOLVERS)
def test_components_apart_give_all_values_but_exactly_one_per_component(solver):
    W = islands()
    spectrum = solve(W, 8, solver=solver, disconnected="apart")
    np.testing.assert_allclose(spectrum.values, eigenvalues(placed(W))[4:12], atol=1e-10)
    for piece in range(4):
        inside = spectrum.connected_components == piece
        assert np.abs(W[inside].sum(axis=1) @ spectrum.vectors[inside]).max() < 1e-10


def test_apart_is_kept_without_its_first_functions():
    W = islands()
    kept, apart = solve(W, 11), solve(W, 8, disconnected="apart")
    np.testing.assert_allclose(apart.values, kept.values[3:], atol=1e-13)
    assert error(apart.vectors, kept.vectors[:, 3:]) < 1e-10


def test_functions_of_components_are_constant_on_each_and_a_document_without_edges_has_zero():
    spectrum = solve(islands(), 3)
    for piece in range(4):
        assert np.ptp(spectrum.vectors[spectrum.connected_components == piece], axis=0).max() == 0
    assert not spectrum.vectors[spectrum.connected_components < 0].any()


@pytest.mark.parametrize("small", [[[0, 0.9], [0.9, 0]], [[0, 0.4, 0], [0.4, 0, 0.7], [0, 0.7, 0]]], ids=["pair", "triple"])
@pytest.mark.parametrize("disconnected", ["keep", "apart"])
def test_a_component_of_two_or_three_documents_hinders_nobody(small, disconnected):
    W = sp.block_diag([random_graph(12, density=0.5), np.array(small)]).toarray()
    first = 1 if disconnected == "keep" else 2
    np.testing.assert_allclose(solve(W, 4, disconnected=disconnected).values, eigenvalues(W)[first : first + 4], atol=1e-12)


@pytest.mark.parametrize("disconnected", ["keep", "apart"])
def test_documents_that_share_no_words_come_out_by_component(disconnected):
    X = sp.csr_array(sp.block_diag([documents(n=20, n_terms=30, n_topics=1, seed=seed) for seed in range(3)]))
    with pytest.warns(DisconnectedGraph):
        method = LaplacianEigenmap(4, disconnected=disconnected).fit(X)
    W = method.graph_.weights.toarray()
    first = 1 if disconnected == "keep" else 3
    np.testing.assert_allclose(method.eigenvalues_, eigenvalues(W)[first : first + 4], atol=1e-12)


def test_a_cut_through_repeated_values_is_said():
    with pytest.warns(IndistinctComponents):
        solve(fifty_alike(), 20)
