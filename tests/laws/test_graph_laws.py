"""Graphs that are never stored: each does exactly what its stored matrix would do."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components

from tests.laws.toys import documents, error, lawful, stored
from vicinal._matrix import unit_rows
from vicinal.errors import ClippedWeights, ContradictingEdges, SingletonClass
from vicinal.graph import as_graph, classes, complete, knn, mix, with_labels

pytestmark = pytest.mark.filterwarnings("ignore::vicinal.errors.SingletonClass")

labels = st.lists(st.integers(-1, 3), min_size=4, max_size=20).filter(lambda y: len(set(y) - {-1}) > 1)


def words_apart(seed=0, n=24, islands=4):
    """Counts without a word in common between islands; documents 3 and 10 are empty, document 5 has a word of its own."""
    rng = np.random.default_rng(seed)
    X = np.zeros((n, 3 * islands + 1))
    for i in range(n):
        X[i, 3 * (i % islands) : 3 * (i % islands) + 3] = rng.random(3)
    X[[3, 5, 10]] = 0.0
    X[5, -1] = 1.0
    return X


def signed(seed=0, n=24, islands=3):
    """Dense vectors in orthogonal planes, half of the coordinates negative; the last document is zero."""
    rng = np.random.default_rng(seed)
    X = np.zeros((n, 2 * islands))
    for i in range(n - 1):
        X[i, 2 * (i % islands) : 2 * (i % islands) + 2] = rng.normal(size=2)
    return X


def cosines_of(X):
    U = unit_rows(X)
    U = U.toarray() if sp.issparse(U) else U
    return U @ U.T


def between_placed(X, W):
    has_words = np.asarray(abs(X).sum(axis=1)).ravel() > 0
    return np.where(has_words[:, None] & has_words[None, :], W, 0.0)


def clipped(X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClippedWeights)
        return complete(X)


def class_matrix(y, weight):
    y = np.asarray(y)
    same = (y[:, None] == y[None, :]) & (y >= 0)[:, None]
    return same / same.sum(axis=1, keepdims=True).clip(1) if weight == "size" else same.astype(float)


def every_kind():
    """One graph of each kind, over 24 documents, none of them connected."""
    X, y = words_apart(), np.arange(24) % 5 - 1
    kinds = {
        "neighbours": knn(X, 2),
        "classes": classes(y),
        "classes of weight one": classes(y, weight="one"),
        "complete sparse": complete(sp.csr_array(X)),
        "complete dense": complete(X),
        "complete clipped": clipped(signed()),
        "complete binary": complete(X, weight="binary"),
        "complete heat of a narrow kernel": complete(X, weight="heat", bandwidth=0.01),
    }
    kinds["neighbours and classes"] = mix(kinds["neighbours"], kinds["classes"], shares=(1.0, 0.5))
    kinds["two sparse graphs"] = mix(kinds["neighbours"], np.roll(np.eye(24), 7, axis=0) + np.roll(np.eye(24), -7, axis=0))
    kinds["neighbours and complete"] = mix(kinds["neighbours"], kinds["complete clipped"])
    return kinds


KINDS = tuple(every_kind())


@pytest.fixture(params=KINDS)
def graph(request):
    return every_kind()[request.param]


@lawful
@given(y=labels, weight=st.sampled_from(["size", "one"]))
def test_class_graph_is_its_stored_matrix(y, weight):
    graph, W = classes(y, weight=weight), class_matrix(y, weight)
    np.testing.assert_allclose(stored(graph), W, atol=1e-15)
    np.testing.assert_allclose(graph.degrees, W.sum(axis=1), atol=1e-14)


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_complete_cosine_graph_of_counts_is_the_gram_matrix_of_unit_rows(storage):
    X = storage(words_apart())
    assert complete(X).factored
    np.testing.assert_allclose(stored(complete(X)), cosines_of(X), atol=1e-15)


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_complete_cosine_graph_of_signed_rows_is_the_gram_matrix_without_its_negative_part(storage):
    X = storage(signed())
    with pytest.warns(ClippedWeights):
        graph = complete(X)
    np.testing.assert_allclose(stored(graph), np.clip(cosines_of(X), 0, 1), atol=1e-15)
    assert error(stored(graph), cosines_of(X)) > 0.1  # the unclipped matrix would be noticed


@pytest.mark.parametrize("X", [words_apart(), signed(), sp.csr_array(words_apart())], ids=["counts", "signed", "sparse"])
@pytest.mark.parametrize("bandwidth", [None, 0.3])
def test_complete_heat_graph_is_the_gaussian_of_all_distances_between_documents_with_words(X, bandwidth):
    squared = 2 - 2 * cosines_of(X)
    W = np.exp(-squared / (2 * (bandwidth or 1.0) ** 2))
    np.testing.assert_allclose(stored(complete(X, weight="heat", bandwidth=bandwidth)), between_placed(X, W), atol=1e-12)


def test_complete_binary_graph_joins_all_documents_with_words():
    X = words_apart()
    np.testing.assert_array_equal(stored(complete(X, weight="binary")), between_placed(X, np.ones((24, 24))))


def test_complete_graph_made_in_blocks_is_the_one_made_at_once():
    X = np.random.default_rng(0).random((1100, 3))  # three blocks of rows
    Y = np.random.default_rng(1).normal(size=(1100, 2))
    W = np.exp(-(1 - cosines_of(X)))
    np.testing.assert_allclose(complete(X, weight="heat").matmul(Y), W @ Y, atol=1e-10)


@lawful
@given(y=labels, shares=st.tuples(st.floats(0, 10), st.floats(0, 10), st.floats(0, 10)))
def test_mixture_is_the_sum_of_its_parts(y, shares):
    X = np.random.default_rng(len(y)).random((len(y), 3))
    parts = knn(X, 2), classes(y), complete(X)
    W = sum(share * stored(part) for share, part in zip(shares, parts, strict=True))
    np.testing.assert_allclose(stored(mix(*parts, shares=shares)), W, atol=1e-13)
    np.testing.assert_allclose(mix(*parts, shares=shares).degrees, W.sum(axis=1), atol=1e-12)


def test_mixture_of_stored_graphs_is_stored_and_the_same_sum():
    X = documents()
    one, two = knn(X, 3), knn(X, 9, weight="binary")
    mixed = mix(one, two, shares=(0.25, 2.0))
    np.testing.assert_allclose(mixed.weights.toarray(), 0.25 * stored(one) + 2.0 * stored(two), atol=1e-15)


def test_restricting_a_graph_is_taking_rows_and_columns_of_its_matrix(graph):
    some = np.random.default_rng(0).permutation(24)[:15]
    np.testing.assert_allclose(stored(graph.restrict(some)), stored(graph)[np.ix_(some, some)], atol=1e-14)


def test_degrees_are_the_row_sums_of_the_stored_matrix(graph):
    np.testing.assert_allclose(graph.degrees, stored(graph).sum(axis=1), atol=1e-13)


def test_every_graph_is_symmetric_and_not_negative(graph):
    W = stored(graph)
    np.testing.assert_allclose(W, W.T, atol=1e-15)
    assert W.min() >= 0


def assert_components_are_those_of_the_stored_matrix(graph):
    W = stored(graph)
    placed = W.sum(axis=1) > 0
    expected = connected_components(sp.csr_array(W > 0), directed=False)[1]
    np.testing.assert_array_equal(graph.connected_components >= 0, placed)
    found = graph.connected_components[placed]
    pairs = set(zip(found.tolist(), expected[placed].tolist(), strict=True))
    assert len(pairs) == len(set(found.tolist())) == len(set(expected[placed].tolist()))
    sizes = np.bincount(found)
    assert (np.diff(sizes) <= 0).all()


def test_components_are_those_of_the_stored_matrix_largest_first(graph):
    assert_components_are_those_of_the_stored_matrix(graph)


@pytest.mark.parametrize("shares", [(1.0, 0.0), (0.0, 1.0)])
def test_a_part_of_share_zero_joins_no_components(shares):
    islands = as_graph(np.kron(np.eye(2), np.ones((3, 3))))
    assert_components_are_those_of_the_stored_matrix(mix(islands, classes([0, 1, 0, 1, 0, 2]), shares=shares))


def half_labelled():
    """Documents of which 25 have a label, and which pairs of them have different ones."""
    y = np.where(np.arange(60) < 25, np.arange(60) % 4, -1)
    return documents(), y, (y[:, None] != y[None, :]) & (y >= 0)[:, None] & (y >= 0)[None, :]


def test_with_labels_takes_out_edges_between_classes_and_adds_the_class_graph():
    X, y, contradicts = half_labelled()
    graph = knn(X, 7)
    expected = np.where(contradicts, 0.0, stored(graph)) + 2.0 * graph.degrees.mean() * class_matrix(y, "size")
    assert (stored(graph) * contradicts).any()
    np.testing.assert_allclose(stored(with_labels(graph, y, strength=2.0)), expected, atol=1e-12)


def test_with_labels_says_where_it_cannot_take_edges_out():
    X, y, _ = half_labelled()
    graph = complete(X)
    with pytest.warns(ContradictingEdges):
        mixed = with_labels(graph, y, strength=2.0)
    np.testing.assert_allclose(stored(mixed), stored(graph) + 2.0 * graph.degrees.mean() * class_matrix(y, "size"), atol=1e-12)


def test_a_class_of_one_document_is_joined_to_itself_alone():
    with pytest.warns(SingletonClass):
        graph = classes([0, 0, 1])
    np.testing.assert_array_equal(stored(graph)[2], [0.0, 0.0, 1.0])
