"""The smoothest functions of graphs that can be solved by hand, what is refused, and who solves what."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import cycle, documents, random_graph
from vicinal.errors import BadParameter, FewerComponents, IndistinctComponents, NoNeighbors, NotConverged
from vicinal.graph import SparseGraph, classes, knn
from vicinal.spectrum import Spectrum, solve
from vicinal.spectrum import _eigensolvers as solvers
from vicinal.spectrum._eigensolvers import EIGENSOLVERS
from vicinal.spectrum._solve import smoothest

SOLVERS = tuple(EIGENSOLVERS)


def path(n):
    return np.eye(n, k=1) + np.eye(n, k=-1)


@pytest.mark.parametrize("solver", SOLVERS)
def test_functions_of_a_path_are_cosines(solver):
    found = solve(path(15), 4, solver=solver)
    np.testing.assert_allclose(found.values, np.cos(np.pi * np.arange(1, 5) / 14), atol=1e-12)
    expected = np.cos(np.pi * np.outer(np.arange(15), np.arange(1, 5)) / 14) * np.sqrt(2)
    np.testing.assert_allclose(found.vectors, expected, atol=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_values_of_a_ring_come_in_pairs_of_cosines(solver):
    np.testing.assert_allclose(
        solve(cycle(15), 4, solver=solver).values, np.cos(2 * np.pi * np.array([1, 1, 2, 2]) / 15), atol=1e-10
    )


def test_two_documents_differ_in_one_way():
    found = solve([[0.0, 0.3], [0.3, 0.0]], 1)
    np.testing.assert_allclose(found.values, [-1.0], atol=1e-15)
    np.testing.assert_allclose(found.vectors, [[1.0], [-1.0]], atol=1e-15)


def test_a_single_document_keeps_the_constant():
    found = solve([[4.0]], 1)
    assert found.values.tolist() == [1.0]
    assert found.vectors.tolist() == [[1.0]]


def test_a_document_outside_the_graph_has_zero_and_no_component_and_changes_nobody():
    alone = np.insert(np.insert(path(15), 6, 0.0, axis=0), 6, 0.0, axis=1)
    found = solve(alone, 3)
    assert not found.vectors[6].any()
    assert found.connected_components[6] == -1
    assert found.has_edges.tolist() == [i != 6 for i in range(16)]
    np.testing.assert_array_equal(np.delete(found.vectors, 6, axis=0), solve(path(15), 3).vectors)


def test_the_first_functions_of_a_spectrum_are_a_spectrum():
    found = solve(path(15), 4)
    some = found.first(2)
    assert isinstance(some, Spectrum)
    assert len(some) == 2
    np.testing.assert_array_equal(some.vectors, found.vectors[:, :2])
    assert len(some.residuals) == 2
    assert repr(some).startswith("Spectrum(2 functions on 15 documents, values 0.97")


def test_a_graph_without_an_edge_is_refused_with_its_size():
    with pytest.raises(NoNeighbors, match="the graph of 5 documents has no edge"):
        solve(np.zeros((5, 5)), 2)


def test_fewer_functions_than_asked_for_are_said_with_all_numbers():
    two = np.kron(np.eye(2), path(3))
    with pytest.warns(
        FewerComponents, match="asked for 9 components .* 5 functions: 6 documents in 2 connected components. Continuing with 5"
    ):
        assert len(solve(two, 9)) == 5
    assert len(smoothest(two, 9)) == 5  # which says nothing, and a warning would fail here


def test_components_apart_have_one_function_less_each():
    with pytest.warns(FewerComponents, match="4 functions"):
        assert len(solve(np.kron(np.eye(2), path(3)), 9, disconnected="apart")) == 4


def test_few_documents_are_solved_densely_and_many_by_lanczos():
    X = documents(n=520, n_topics=1)
    assert solve(knn(X, 5), 3).solver == "lanczos"
    assert solve(knn(X[:100], 5), 3).solver == "dense"


def test_nearly_all_functions_are_solved_densely_whatever_was_asked_for():
    assert solve(random_graph(8), 6, solver="lanczos").solver == "dense"
    assert solve(random_graph(8), 3, solver="lanczos").solver == "lanczos"


def test_functions_of_components_and_classes_need_no_solver():
    with pytest.warns(IndistinctComponents):
        assert solve(np.kron(np.eye(4), path(3)), 2, solver="lanczos").solver == "exact"
    assert solve(classes(np.arange(12) % 3), 2).solver == "exact"


def test_the_solver_named_is_the_one_that_found_the_functions():
    apart = sp.block_diag([knn(documents(n=100), 5).weights, path(2)])
    assert solve(apart, 4, disconnected="apart", solver="lanczos").solver == "dense and lanczos"


def test_the_same_random_state_gives_the_same_bits_and_a_generator_may_be_given():
    graph = knn(documents(n=100), 5)
    one, two = (solve(graph, 4, solver="lanczos", random_state=np.random.RandomState(3)).vectors for _ in range(2))
    assert np.array_equal(one, two)


@pytest.mark.parametrize(
    "options",
    [
        {"n_components": 0},
        {"n_components": 2.0},
        {"disconnected": "bridge"},
        {"solver": "arpack"},
        {"tol": -1e-3},
        {"tol": np.nan},
    ],
    ids=str,
)
def test_options_that_do_not_exist_are_refused_by_name(options):
    with pytest.raises(BadParameter, match=f"{next(iter(options))} must be"):
        solve(path(15), **{"n_components": 3, **options})


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_limit_that_is_no_count_is_refused(solver):
    with pytest.raises(BadParameter, match="max_iter must be"):
        solve(path(15), 3, solver=solver, max_iter=-1)


def unfinished(S, count, tol, max_iter, random):
    """A solver that returns anything."""
    V = np.linalg.qr(random.standard_normal((S.size, count)))[0]
    return np.linspace(0.9, 0.1, count), V


def test_functions_that_have_not_converged_are_found_by_a_second_solver(monkeypatch):
    graph = knn(documents(n=100), 5)
    expected = solve(graph, 4)
    monkeypatch.setitem(solvers.EIGENSOLVERS, "lanczos", unfinished)
    found = solve(graph, 4, solver="lanczos")
    np.testing.assert_allclose(found.values, expected.values, atol=1e-9)
    assert found.residuals.max() < 1e-6


def test_functions_that_no_solver_finds_are_refused(monkeypatch):
    graph = knn(documents(n=100), 5)
    monkeypatch.setitem(solvers.EIGENSOLVERS, "lanczos", unfinished)
    monkeypatch.setitem(solvers.EIGENSOLVERS, "chebyshev", unfinished)
    with pytest.raises(NotConverged, match=r"the lanczos solver reached a residual of .* where 1e-06 is needed"):
        solve(graph, 4, solver="lanczos")


def test_the_function_beyond_the_cut_need_not_converge(monkeypatch):
    graph = knn(documents(n=100), 5)
    dense = solvers.EIGENSOLVERS["dense"]

    def careless(S, count, tol, max_iter, random):
        values, V = dense(S, count, tol, max_iter, random)
        return values, np.linalg.qr(np.column_stack([V[:, :-1], random.standard_normal(S.size)]))[0]

    monkeypatch.setitem(solvers.EIGENSOLVERS, "lanczos", careless)
    monkeypatch.setitem(solvers.EIGENSOLVERS, "chebyshev", unfinished)
    assert len(solve(graph, 4, solver="lanczos")) == 4


def test_a_stored_graph_and_its_matrix_have_the_same_functions():
    W = sp.csr_array(random_graph())
    assert np.array_equal(solve(W, 3).vectors, solve(SparseGraph(W), 3).vectors)
