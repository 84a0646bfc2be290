"""A graph that stores its edges, its components, and what a matrix of weights must be to become one."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal.errors import BadData
from vicinal.graph import SparseGraph, as_graph, classes
from vicinal.graph._graph import number_by_size

#: Two islands, a document with a loop alone, and one with nothing.
ISLANDS = np.zeros((7, 7))
for a, b, weight in ((0, 1, 2.0), (2, 3, 1.0), (3, 4, 0.5), (5, 5, 3.0)):
    ISLANDS[a, b] = ISLANDS[b, a] = weight


def test_an_edge_counts_once_and_so_does_a_loop():
    assert as_graph(ISLANDS).n_edges == 4


def test_degrees_are_sums_of_weights_and_a_loop_counts_once():
    assert as_graph(ISLANDS).degrees.tolist() == [2.0, 2.0, 1.0, 1.5, 0.5, 3.0, 0.0]


def test_components_are_numbered_by_size_and_a_document_without_edges_has_none():
    assert as_graph(ISLANDS).connected_components.tolist() == [1, 1, 0, 0, 0, 2, -1]


def test_groups_of_equal_size_are_numbered_by_their_first_member():
    assert number_by_size(np.array([5, -1, 9, 9, 5, 2, -3])).tolist() == [0, -1, 1, 1, 0, 2, -1]
    assert number_by_size(np.array([-1, -1])).tolist() == [-1, -1]


def test_a_restricted_graph_keeps_the_order_in_which_documents_are_named():
    some = as_graph(ISLANDS).restrict(np.array([4, 3, 0]))
    assert some.weights.toarray().tolist() == [[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert some.has_edges.tolist() == [True, True, False]


def test_a_graph_says_how_large_it_is():
    assert len(as_graph(ISLANDS)) == 7
    assert repr(as_graph(ISLANDS)) == "SparseGraph(7 documents, 4 edges)"


def test_a_graph_is_taken_as_it_is():
    graph = classes([0, 1, 0, 1])
    assert as_graph(graph) is graph


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_matrix, sp.coo_array, np.ndarray.tolist])
def test_a_matrix_may_be_given_in_any_form(form):
    graph = as_graph(form(ISLANDS))
    assert isinstance(graph, SparseGraph)
    np.testing.assert_array_equal(graph.weights.toarray(), ISLANDS)


def test_a_matrix_given_is_copied():
    given = sp.csr_array(ISLANDS)
    graph = as_graph(given)
    given.data[:] = 7.0
    np.testing.assert_array_equal(graph.weights.toarray(), ISLANDS)


def test_a_weight_of_zero_is_no_edge_and_weights_given_twice_are_added():
    twice = sp.coo_array(([1.0, 2.0, 3.0, 0.0, 0.0], ([0, 0, 1, 1, 2], [1, 1, 0, 2, 1])), shape=(3, 3))
    graph = as_graph(twice)
    assert graph.n_edges == 1
    assert graph.weights[0, 1] == 3.0
    assert twice.nnz == 5


@pytest.mark.parametrize(("value", "shown"), [(np.nan, "nan"), (np.inf, "inf"), (-0.5, "-0.5")])
@pytest.mark.parametrize(("row", "column"), [(3, 6), (6, 6)])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_weight_that_is_no_number_from_zero_up_is_refused_with_row_and_column(value, shown, row, column, form):
    W = ISLANDS.copy()
    W[row, column] = W[column, row] = value
    with pytest.raises(BadData, match=f"got {shown} in row {row}, column {column}"):
        as_graph(form(W))


def test_a_matrix_that_is_not_symmetric_is_refused_with_the_difference():
    W = ISLANDS.copy()
    W[3, 6] = 0.25
    with pytest.raises(BadData, match=r"symmetric, got a difference of 0\.25 .*W\.maximum\(W\.T\)"):
        as_graph(W)


def test_a_matrix_that_is_not_symmetric_is_refused_with_row_and_column():
    W = ISLANDS.copy()
    W[3, 6] = 0.25
    with pytest.raises(BadData, match="row 3, column 6"):
        as_graph(W)


def test_rounding_does_not_make_a_matrix_lopsided():
    W = ISLANDS.copy()
    W[0, 1] *= 1 + 1e-13
    assert as_graph(W).n_edges == 4


@pytest.mark.parametrize("given", [np.ones((3, 4)), np.ones(3), 1.0, "knn", None, [["a", "b"], ["b", "a"]]])
def test_what_is_no_square_matrix_is_refused(given):
    with pytest.raises(BadData, match="a graph must be a square matrix of weights, got"):
        as_graph(given)
