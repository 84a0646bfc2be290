"""Links: pairs of documents become a graph, in any order and any number of times; pairs that cannot be one are refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.toys import lawful, stored
from vicinal.errors import BadData, BadParameter
from vicinal.graph import SparseGraph, as_graph, links

N = 9
pair = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)).filter(lambda ij: ij[0] != ij[1])
weighted = st.lists(st.tuples(pair, st.floats(0, 5)), max_size=25)


def explicit(pairs, weights):
    """W entry by entry (G12)."""
    W = np.zeros((N, N))
    for (i, j), weight in zip(pairs, weights, strict=True):
        W[i, j] = W[j, i] = max(W[i, j], weight)
    return W


@lawful
@given(weighted)
def test_links_are_the_largest_weight_of_each_pair_either_way(given_links):
    pairs, weights = [ij for ij, _ in given_links], [w for _, w in given_links]
    graph = links(pairs, N, weights=weights)
    assert isinstance(graph, SparseGraph)
    np.testing.assert_array_equal(stored(graph), explicit(pairs, weights))
    assert as_graph(graph.weights).weights.nnz == graph.weights.nnz  # symmetric and without stored zeros


@lawful
@given(weighted, st.randoms())
def test_order_direction_and_repetition_of_links_do_not_matter(given_links, random):
    turned = [((j, i), w) for (i, j), w in given_links] + given_links[:3]
    random.shuffle(turned)
    W, V = (stored(links([ij for ij, _ in each], N, weights=[w for _, w in each])) for each in (given_links, turned))
    np.testing.assert_array_equal(W, V)


def test_ids_are_the_numbers_of_their_documents():
    by_id = links([("c", "a"), ["b", "c"]], ids=["a", "b", "c", "d"], weights=[2, 3])
    np.testing.assert_array_equal(stored(by_id), stored(links([(2, 0), (1, 2)], 4, weights=[2, 3])))
    np.testing.assert_array_equal(stored(links([(7, 5)], ids=[5, 6, 7])), stored(links([(2, 0)], 3)))


@pytest.mark.parametrize("nothing", [[], np.empty((0, 2)), ()])
def test_no_links_are_a_graph_without_edges(nothing):
    assert links(nothing, 4).n_edges == links(nothing, ids="abcd").n_edges == 0
    assert len(links(nothing, 4)) == 4


def test_the_pairs_given_are_not_changed():
    pairs, weights = np.array([[3, 1], [0, 2]]), np.array([2.0, 1.0])
    links(pairs, 4, weights=weights)
    assert pairs.tolist() == [[3, 1], [0, 2]]
    assert weights.tolist() == [2.0, 1.0]


BAD_DATA = {
    "a number too large": (([(0, 1), (1, 4)], 4), r"link 1 .*does not exist: \(1, 4\).*0 to 3.*Leave it out"),
    "a number below zero": (([(-1, 2)], 4), r"link 0 .*does not exist: \(-1, 2\)"),
    "itself": (([(0, 1), (2, 2)], 4), r"link 1 joins a document with itself: \(2, 2\)"),
    "half a document": (([(0, 1.5)], 4), r"whole numbers, got \(0, 1.5\) in link 0"),
    "not a number": (([(0, np.nan)], 4), r"whole numbers, got \(0, nan\)"),
    "three of them": (([(0, 1, 2)], 4), r"shape \(1, 3\).*one row"),
    "a list of numbers": (([0, 1], 4), r"shape \(2,\)"),
    "ids without ids": (([("a", "b")], 4), r"pairs of document numbers.*pass ids"),
    "pairs of different lengths": (([(0, 1), (1,)], 4), r"pairs of document numbers"),
}


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_pairs_are_refused_by_their_place(case):
    arguments, said = BAD_DATA[case]
    with pytest.raises(BadData, match=said):
        links(*arguments)


@pytest.mark.parametrize(
    ("weights", "said"),
    [([1.0], "one weight per link, got shape"), ([1, -2], "-2.0 for link 1"), ([np.nan, 1], "nan for link 0"), ("ab", "numbers")],
)
def test_bad_weights_are_refused(weights, said):
    with pytest.raises(BadData, match=said):
        links([(0, 1), (1, 2)], 3, weights=weights)


def test_unknown_ids_and_what_is_no_pair_are_refused():
    with pytest.raises(BadData, match="link 1 names a document that does not exist: 'z' is none of the 2 ids"):
        links([("a", "b"), ("a", "z")], ids=["a", "b"])
    for no_pair in ("ab", ("a", "b", "a"), 3):
        with pytest.raises(BadData, match=r"pairs of ids, got .* in link 0"):
            links([no_pair], ids=["a", "b"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "neither n_documents nor ids"),
        ({"n_documents": 0}, "n_documents"),
        ({"n_documents": 3, "ids": ["a", "b"]}, "3 but there are 2 ids"),
        ({"ids": ["a", "b", "a"]}, "'a' more than once"),
    ],
)
def test_the_number_of_documents_must_be_known(options, said):
    with pytest.raises(BadParameter, match=said):
        links([], **options)
