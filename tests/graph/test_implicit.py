"""Graphs that are not stored: that they stay small, and what a part of them is."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, stored
from vicinal.graph import ClassGraph, CompleteGraph, MixedGraph, as_graph, classes, complete, mix


def test_a_vector_is_multiplied_as_a_column_is():
    graph = classes([0, 1, 1, -1, 0], weight="one")
    y = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    assert graph.matmul(y).tolist() == [6.0, 5.0, 5.0, 0.0, 6.0]
    np.testing.assert_array_equal(graph.matmul(y), graph.matmul(y[:, None]).ravel())


def test_a_part_of_a_class_keeps_the_weight_of_the_whole():
    part = classes([0, 0, 0, 0, 1, 1]).restrict(np.array([0, 1, 4]))
    assert isinstance(part, ClassGraph)
    assert part.degrees.tolist() == [0.5, 0.5, 0.5]


def test_a_class_of_which_nobody_is_left_joins_nobody():
    part = classes([0, 0, 1, 1]).restrict(np.array([3, 2]))
    assert stored(part).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert part.connected_components.tolist() == [0, 0]


@pytest.mark.parametrize("build", [complete, lambda X: complete(X, weight="binary")])
def test_a_skeleton_has_no_more_entries_than_the_documents_have_words(build):
    X = documents(n=200)
    graph = build(X)
    assert isinstance(graph, CompleteGraph)
    assert graph.skeleton().nnz <= X.nnz < 200**2 / 3
    assert graph.connected_components.tolist() == [0] * 200


def test_the_skeleton_of_classes_has_one_entry_per_labelled_document():
    assert classes(np.arange(100) % 4 - 1).skeleton().nnz == 75


def test_documents_of_a_complete_graph_that_share_no_word_are_apart():
    X = np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    assert complete(X).connected_components.tolist() == [0, 0, 1, -1]
    assert complete(X, weight="heat").connected_components.tolist() == [0, 0, 0, -1]  # a distance is never infinite


def test_documents_without_words_have_no_weight_in_a_complete_graph_of_any_kind():
    X = sp.csr_array(np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]]))
    for weight in ("cosine", "heat", "binary"):
        W = stored(complete(X, weight=weight))
        assert not W[1].any()
        assert not W[:, 1].any()
        assert W[0, 2] > 0


def test_a_mixture_says_what_it_is_made_of():
    mixed = MixedGraph((as_graph([[0, 1], [1, 0]]), classes([0, 1, 0, 1]).restrict(np.array([0, 1]))), (1.0, 0.5))
    assert repr(mixed) == "MixedGraph(1 x SparseGraph(2 documents, 1 edges), 0.5 x ClassGraph(2 documents, 2 classes))"


def test_a_mixture_can_hold_a_mixture():
    inner = MixedGraph((as_graph(np.eye(4)), classes([0, 0, 1, 1])), (1.0, 2.0))
    outer = MixedGraph((inner, classes([0, 1, 1, 0])), (0.5, 1.0))
    np.testing.assert_allclose(stored(outer), 0.5 * np.eye(4) + stored(classes([0, 0, 1, 1])) + stored(classes([0, 1, 1, 0])))
    assert outer.connected_components.tolist() == [0, 0, 0, 0]
    assert outer.restrict(np.array([1, 3])).degrees.tolist() == [1.5, 1.5]


def test_a_part_with_share_zero_joins_nobody():
    apart = as_graph([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    mixed = mix(apart, classes([0, 1, 1, 0]), shares=(1.0, 0.0))
    assert mixed.connected_components.tolist() == [0, 0, 1, 1]
    assert mixed.degrees.tolist() == [1.0, 1.0, 1.0, 1.0]


def test_one_graph_alone_can_be_mixed_and_is_scaled_by_its_share():
    mixed = mix(classes([0, 0, 1, 1]), shares=[3.0])
    assert mixed.n_documents == 4
    np.testing.assert_array_equal(stored(mixed), 3.0 * stored(classes([0, 0, 1, 1])))
