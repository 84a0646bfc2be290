"""Holes of a graph: who is joined to whom, what stays as it was, and what is said."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import minimum_spanning_tree

from tests.laws.toys import documents, stored, topics
from vicinal._matrix import unit_rows
from vicinal.errors import BadParameter, DisconnectedGraph, JoinedDocuments, UnembeddedDocuments
from vicinal.graph import as_graph, classes, knn, repair
from vicinal.graph._joining import repair_of_checked


def notes(*texts):
    """One row per text, one column per letter from a to f."""
    return np.array([[text.count(letter) for letter in "abcdef"] for text in texts], dtype=float)


def joined(n, *pairs):
    """A graph of n documents with an edge of weight 0.5 for each pair."""
    W = np.zeros((n, n))
    for a, b in pairs:
        W[a, b] = W[b, a] = 0.5
    return as_graph(W)


def added(graph, repaired):
    """The edges that repair added, with their weights."""
    upper = sp.triu(sp.csr_array(stored(repaired) - stored(graph))).tocoo()
    return {(int(a), int(b)): float(w) for a, b, w in zip(upper.row, upper.col, upper.data, strict=True)}


def islands():
    """Documents about four topics, and a graph in which only documents of one topic are joined."""
    X, y = documents(), topics()
    W = knn(X, 7).weights.tocoo()
    kept = y[W.row] == y[W.col]
    return X, as_graph(sp.csr_array((W.data[kept], (W.row[kept], W.col[kept])), shape=W.shape))


def test_a_graph_without_holes_is_returned_as_it_is():
    graph = joined(3, (0, 1), (1, 2))
    assert repair(graph, notes("ab", "ab", "ab")) is graph


def test_neighbours_are_looked_for_only_where_a_document_has_none(monkeypatch):
    def search(*_, **__):
        raise AssertionError("a search, which takes about as long as the graph itself")

    monkeypatch.setattr("vicinal.graph._joining.nearest_in", search)
    repair(joined(3, (0, 1), (1, 2)), notes("ab", "ab", "ab"))
    with pytest.raises(AssertionError):
        repair(joined(3, (0, 1)), notes("ab", "ab", "ab"))


def test_an_isolated_document_is_joined_to_its_most_similar_one_by_their_cosine():
    X = notes("aa", "aab", "abb", "aaab")
    graph = joined(4, (0, 1), (1, 2))
    with pytest.warns(JoinedDocuments, match="^1 documents"):
        repaired = repair(graph, X)
    assert added(graph, repaired) == {(1, 3): pytest.approx(7 / np.sqrt(50))}


def test_two_isolated_documents_that_are_nearest_to_each_other_get_one_edge_and_then_a_bridge():
    X = notes("aa", "ab", "ccb", "cc")
    graph = joined(4, (0, 1))
    with (
        pytest.warns(JoinedDocuments, match="^2 documents"),
        pytest.warns(DisconnectedGraph, match="2 connected components of 2, 2"),
    ):
        repaired = repair(graph, X)
    assert set(added(graph, repaired)) == {(2, 3), (1, 2)}


def test_a_document_that_shares_a_word_with_nobody_stays_unplaced_and_is_named():
    graph = joined(4, (0, 1), (1, 3))
    with pytest.warns(UnembeddedDocuments, match="1 of 4 documents .* The first is document 2"):
        repaired = repair(graph, notes("ab", "ab", "f", "abb"))
    assert repaired.has_edges.tolist() == [True, True, False, True]
    assert repaired is graph


@pytest.mark.parametrize("storage", [sp.csr_array, lambda X: X.toarray()])
def test_bridging_adds_components_less_one_edges_and_picks_the_most_similar_pairs(storage):
    X, graph = islands()
    n_islands = graph.connected_components.max() + 1
    assert n_islands > 2
    with pytest.warns(DisconnectedGraph, match=f"{n_islands} connected components of .* joined"):
        repaired = repair(graph, storage(X))
    assert repaired.connected_components.max() == 0
    cosines = (unit_rows(X) @ unit_rows(X).T).toarray()
    between = graph.connected_components[:, None] != graph.connected_components[None, :]
    # Edges inside components cost next to nothing, so what a spanning tree of least cost adds are the best bridges.
    tree = minimum_spanning_tree(np.where(between, 2 - cosines, 1e-3)).tocoo()
    bridges = {(min(a, b), max(a, b)) for a, b in zip(tree.row, tree.col, strict=True) if between[a, b]}
    assert added(graph, repaired) == {pair: pytest.approx(cosines[pair]) for pair in bridges}
    assert len(bridges) == n_islands - 1


def test_bridging_adds_components_less_one_edges_where_pairs_are_equally_similar():
    X = notes("ac", "bc", "bc", "ac", "fc", "ffc", "fffc")
    graph = joined(7, (0, 1), (2, 3), (4, 5), (5, 6))
    with pytest.warns(DisconnectedGraph):
        repaired = repair(graph, X)
    assert len(added(graph, repaired)) == 2


def test_islands_without_a_common_word_stay_apart_and_that_is_said():
    X = notes("ab", "ab", "bc", "bc", "ff", "f")
    graph = joined(6, (0, 1), (2, 3), (4, 5))
    with pytest.warns(
        DisconnectedGraph, match="3 connected components of 2, 2, 2 documents, joined .*; 2 that share no term stay apart"
    ):
        repaired = repair(graph, X)
    assert set(added(graph, repaired)) == {(0, 2)}


@pytest.mark.parametrize(
    ("disconnected", "done"), [("keep", "told apart by components of their own"), ("apart", "embedded each by itself")]
)
def test_islands_that_are_to_stay_islands_are_said_and_left_alone(disconnected, done):
    graph = joined(4, (0, 1), (2, 3))
    with pytest.warns(DisconnectedGraph, match=f"2 connected components of 2, 2 documents, {done}"):
        assert repair(graph, notes("ab", "ab", "bc", "bc"), disconnected=disconnected) is graph


def test_sizes_of_more_than_five_islands_are_cut_short():
    X = np.kron(np.eye(7), np.ones((2, 1)))
    with pytest.warns(DisconnectedGraph, match="7 connected components of 2, 2, 2, 2, 2, … documents"):
        repair(as_graph(np.kron(np.eye(7), [[0, 1], [1, 0]])), X)


def test_a_graph_that_is_not_stored_is_bridged_too():
    X = notes("aab", "ab", "bc", "bcc")
    graph = classes([0, 0, 1, 1])
    with pytest.warns(DisconnectedGraph):
        repaired = repair(graph, X)
    assert repaired.connected_components.max() == 0
    assert set(added(graph, repaired)) == {(1, 2)}


def test_a_graph_given_stays_as_it_was():
    graph = joined(4, (0, 1), (2, 3))
    before = stored(graph)
    with pytest.warns(DisconnectedGraph):
        repair(graph, notes("ab", "ab", "bc", "bc"))
    np.testing.assert_array_equal(stored(graph), before)


def test_what_to_do_with_islands_must_be_one_of_three_things():
    with pytest.raises(BadParameter, match="disconnected must be one of 'bridge', 'keep', 'apart', got 'drop'"):
        repair(joined(2, (0, 1)), notes("a", "a"), disconnected="drop")


def test_an_edge_added_to_a_graph_that_is_not_stored_weighs_the_whole_cosine():
    X = notes("aab", "aab", "bcc", "bcc", "ccd")
    graph = classes([0, 0, 1, 1, -1])
    with pytest.warns(JoinedDocuments), pytest.warns(DisconnectedGraph):
        repaired = repair(graph, X)
    U = unit_rows(X)
    assert added(graph, repaired) == {(0, 2): pytest.approx(U[0] @ U[2]), (2, 4): pytest.approx(U[2] @ U[4])}
    assert repaired.degrees[4] == pytest.approx(U[2] @ U[4])


def test_edges_that_join_a_graph_of_dot_products_weigh_dot_products():
    X = notes("aaab", "aab", "ccd", "cdb")
    graph = joined(4, (0, 1), (2, 3))
    with pytest.warns(DisconnectedGraph):
        repaired = repair_of_checked(graph, X, by_length=True)
    assert added(graph, repaired) == {(1, 3): pytest.approx(X[1] @ X[3])}
    lonely = joined(4, (1, 2), (2, 3))
    with pytest.warns(JoinedDocuments):
        repaired = repair_of_checked(lonely, X, by_length=True)
    assert added(lonely, repaired) == {(0, 1): pytest.approx(X[0] @ X[1])}
