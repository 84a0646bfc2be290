"""Ways to build a graph: who is joined, what is refused, and what labels do to neighbours."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import stored
from vicinal.errors import BadLabels, BadParameter, ClippedWeights, OneClass, TooFewDocuments
from vicinal.graph import MixedGraph, SparseGraph, as_graph, classes, complete, epsilon, knn, mix, with_labels


def notes(*texts):
    """One row per text, one column per letter from a to f."""
    return np.array([[text.count(letter) for letter in "abcdef"] for text in texts], dtype=float)


def edges(graph):
    upper = sp.triu(graph.weights).tocoo()
    return sorted(zip(upper.row.tolist(), upper.col.tolist(), strict=True))


def path(*weights):
    """A chain of documents, each joined to the next."""
    return np.diag(weights, k=1) + np.diag(weights, k=-1)


# neighbours


def test_a_document_that_many_choose_has_more_neighbours_than_it_chose():
    graph = knn(notes("abcd", "a", "b", "c", "d"), 1)
    assert edges(graph) == [(0, 1), (0, 2), (0, 3), (0, 4)]


def test_a_document_that_shares_a_word_with_nobody_stays_unplaced():
    graph = knn(notes("aab", "abb", "bbc", "f"), 2)
    assert graph.has_edges.tolist() == [True, True, True, False]
    assert graph.connected_components.tolist() == [0, 0, 0, -1]


@pytest.mark.parametrize("storage", [sp.csr_array, np.asarray])
def test_copies_are_joined_to_the_first_and_neighbours_counted_among_distinct_documents(storage):
    X = storage(notes("aab", "aab", "aab", "abb", "bbb", "aab"))
    assert edges(knn(X, 1)) == [(0, 1), (0, 2), (0, 5), (3, 4)]  # of four copies each other document sees none
    assert edges(knn(X, 1, distinct=True)) == [(0, 1), (0, 2), (0, 3), (0, 5), (3, 4)]


def test_the_edge_between_copies_weighs_what_a_cosine_of_one_weighs():
    W = knn(notes("aab", "aab", "abb", "bbc"), 1, distinct=True, weight="heat", bandwidth=0.5).weights
    assert W[0, 1] == 1.0
    assert 0 < W[0, 2] < 1


def test_more_neighbours_than_distinct_documents_are_refused_with_the_number_of_distinct_ones():
    X = notes("ab", "ab", "ab", "bc", "cd")
    assert knn(X, 3).n_edges > 0
    with pytest.raises(TooFewDocuments, match=r"asked for 3 neighbours .* 3 distinct documents .*n_samples = 5.* n_neighbors=2"):
        knn(X, 3, distinct=True)


# radius


def test_a_radius_is_measured_on_the_rows_as_they_are():
    graph = epsilon(notes("a", "aa", "aaaa"), 1.0)
    assert edges(graph) == [(0, 1)]  # all three have the same direction


def test_a_document_without_words_is_within_nobodys_radius():
    assert epsilon(notes("", "a", "b", ""), 1.5).has_edges.tolist() == [False, True, True, False]


def test_an_edge_of_weight_zero_is_no_edge():
    X = notes("a", "b", "ab")
    assert epsilon(X, 1.5).n_edges == 3
    graph = epsilon(X, 1.5, weight="cosine")
    assert edges(graph) == [(0, 2), (1, 2)]
    np.testing.assert_allclose(graph.weights.data, np.sqrt(0.5), atol=1e-15)


@pytest.mark.parametrize("radius", [0, -1.0, np.nan, np.inf, "far", True])
def test_a_radius_that_is_no_number_above_zero_is_refused(radius):
    with pytest.raises(BadParameter, match="radius must be a finite number greater than 0"):
        epsilon(notes("a", "b"), radius)


def test_a_radius_finds_its_pairs_far_from_the_origin_too():
    X = np.array([[1e8, 1.0], [1e8 + 0.9, 1.0], [1e8 + 1.8, 1.0]])
    assert edges(epsilon(X, 1.0)) == [(0, 1), (1, 2)]


# everybody, classes


@pytest.mark.parametrize("build", [knn, complete])
@pytest.mark.parametrize("options", [{"weight": "nearness"}, {"weight": "heat", "bandwidth": 0.0}])
def test_a_weight_that_does_not_exist_is_refused(build, options):
    with pytest.raises(BadParameter, match=r"weight must be one of|bandwidth must be"):
        build(notes("ab", "bc", "abc", "a", "b", "c", "ac", "acc"), **options)


def test_classes_may_have_names_and_a_document_without_one_stands_outside():
    graph = classes(np.array(["tea", None, "jam", "tea", "jam"], dtype=object))
    assert graph.has_edges.tolist() == [True, False, True, True, True]
    np.testing.assert_allclose(stored(graph)[0], [0.5, 0, 0, 0.5, 0])


@pytest.mark.parametrize("y", [[1, 1, 1], [-1, -1], ["tea", "tea"]])
def test_fewer_than_two_classes_are_refused_with_their_number(y):
    with pytest.raises(OneClass, match=f"labels of {len(y)} documents .* name {0 if y[0] == -1 else 1} class"):
        classes(y)


def test_an_edge_inside_a_class_weighs_by_size_or_one_and_nothing_else():
    with pytest.raises(BadParameter, match="weight must be one of 'size', 'one'"):
        classes([0, 1, 0, 1], weight="heat")


def test_a_single_label_is_bad_labels():
    with pytest.raises(BadLabels):
        classes(3)


# mixtures


def test_matrices_of_weights_may_be_mixed_with_graphs():
    mixed = mix(path(1.0, 2.0, 1.0), classes([0, 0, 1, 1]))
    assert isinstance(mixed, MixedGraph)
    assert mixed.degrees.tolist() == [2.0, 4.0, 4.0, 2.0]


def test_a_stored_part_of_share_zero_leaves_no_edge_behind():
    mixed = mix(path(1.0, 0.0), path(0.0, 1.0), shares=(0.0, 3.0))
    assert isinstance(mixed, SparseGraph)
    assert edges(mixed) == [(1, 2)]
    assert mixed.weights[1, 2] == 3.0


@pytest.mark.parametrize(
    ("graphs", "shares", "message"),
    [
        ((), None, "graphs of the same documents"),
        ((path(1.0), path(1.0, 1.0)), None, r"sizes \[2, 3\]"),
        ((path(1.0), path(1.0)), (1.0,), "1 shares for 2 graphs"),
        ((path(1.0), path(1.0)), (1.0, -0.5), "each share must be a finite number of at least 0, got -0.5"),
    ],
)
def test_a_mixture_that_makes_no_sense_is_refused(graphs, shares, message):
    with pytest.raises(BadParameter, match=message):
        mix(*graphs, shares=shares)


# labels and neighbours together


def test_labels_that_contradict_an_edge_remove_it_and_silence_keeps_it():
    y = np.array([0, 1, -1, 0, 1, 1])
    neighbours = with_labels(as_graph(path(1.0, 1.0, 1.0, 1.0, 1.0)), y).parts[0]
    assert edges(neighbours) == [(1, 2), (2, 3), (4, 5)]


@pytest.mark.parametrize("strength", [0.5, 3.0])
def test_a_labelled_document_gets_strength_times_the_mean_degree_from_its_class(strength):
    graph = as_graph(path(1.0, 1.0, 2.0, 1.0, 1.0))
    y = np.array([0, 0, 0, -1, 1, 1])  # contradicts no edge
    gained = with_labels(graph, y, strength=strength).degrees - graph.degrees
    np.testing.assert_allclose(gained, np.where(y >= 0, strength * graph.degrees.mean(), 0.0), atol=1e-14)


def test_the_mean_degree_is_that_of_documents_in_the_graph():
    alone = as_graph(np.pad(path(1.0, 1.0), (0, 5)))
    mixed = with_labels(alone, [0, 1, -1, 0, 1, -1, -1, -1])
    assert mixed.degrees[3] == pytest.approx(4 / 3)


def test_labels_of_strength_zero_only_take_edges_out():
    mixed = with_labels(as_graph(path(1.0, 2.0, 1.0)), [0, 0, 1, 1], strength=0)
    np.testing.assert_array_equal(stored(mixed), path(1.0, 0.0, 1.0))


@pytest.mark.parametrize("strength", [-1, np.inf, "strong"])
def test_a_strength_that_is_no_number_from_zero_up_is_refused(strength):
    with pytest.raises(BadParameter, match="strength must be a finite number of at least 0"):
        with_labels(as_graph(path(1.0, 2.0, 1.0)), [0, 0, 1, 1], strength=strength)


def test_labels_leave_the_graph_they_were_given_alone():
    graph = as_graph(path(1.0, 2.0, 1.0))
    with_labels(graph, [0, 1, 0, 1])
    np.testing.assert_array_equal(stored(graph), path(1.0, 2.0, 1.0))


def test_the_share_of_clipped_pairs_of_a_complete_graph_counts_every_pair():
    with pytest.warns(ClippedWeights, match=r"22\.2% of all pairs"):  # two of nine
        complete(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]))


def test_the_share_of_neighbours_that_are_left_out_counts_those_and_no_others():
    X = np.array([[1.0, 0.1], [1.0, 0.0], [-1.0, 0.1], [-1.0, 0.0]])
    with pytest.warns(ClippedWeights, match=r"66\.7% of the neighbours"):  # two of the three of each
        knn(X, 3)
