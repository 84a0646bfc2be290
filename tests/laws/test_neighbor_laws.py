"""Neighbours: what the fast search finds is what rational arithmetic finds, and an edge weighs what its formula says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from tests.laws.toys import documents, error, lawful, wide
from vicinal._matrix import unit_rows
from vicinal.graph import epsilon, knn, nearest

STORAGES = {"sparse": sp.csr_array, "dense": np.asarray}

#: Few words and small counts: copies, empty documents and equal cosines are the rule.
counts = st.tuples(st.integers(4, 14), st.integers(2, 6)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 2)).map(lambda X: X.astype(float))
)


def rank_key(x, z):
    """The squared cosine of two counts, but for the factor that all rivals of z share: exact, so that ties are ties."""
    x, z = ([Fraction(int(count)) for count in row] for row in (x, z))
    size = sum(b * b for b in z)
    return sum(a * b for a, b in zip(x, z, strict=True)) ** 2 / size if size else Fraction(0)


def nearest_by_fractions(X, k, tie=1):
    """The k nearest of each document; of equals the earlier one comes first, or with ``tie=-1`` the later."""
    found = []
    for i, x in enumerate(X):
        keys = {j: rank_key(x, z) for j, z in enumerate(X) if j != i}
        found.append(sorted((j for j in keys if keys[j] > 0), key=lambda j: (-keys[j], tie * j))[:k])
    return found


def cosines_of(X):
    X = np.asarray(X, dtype=float)
    lengths = np.linalg.norm(X, axis=1)
    U = X / np.where(lengths > 0, lengths, 1.0)[:, None]
    return U @ U.T


def chosen_by(X, k):
    near = nearest_by_fractions(X, k)
    chosen = np.zeros((len(X), len(X)), dtype=bool)
    for i, row in enumerate(near):
        chosen[i, row] = True
    return chosen


@pytest.mark.parametrize("storage", STORAGES)
@lawful
@given(X=counts, k=st.integers(1, 3))
def test_nearest_documents_are_those_of_rational_arithmetic_with_ties_in_document_order(storage, X, k):
    found = nearest(unit_rows(STORAGES[storage](X)), k).documents
    assert [[j for j in row if j >= 0] for row in found.tolist()] == nearest_by_fractions(X, k)


def test_ties_in_the_other_order_would_be_noticed():
    X = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    assert nearest(unit_rows(X), 1).documents[0].tolist() == nearest_by_fractions(X, 1)[0] != nearest_by_fractions(X, 1, tie=-1)[0]


@pytest.mark.parametrize("storage", STORAGES)
@lawful
@given(X=counts, k=st.integers(1, 3))
def test_two_documents_are_joined_when_either_chose_the_other(storage, X, k):
    W = knn(STORAGES[storage](X), k).weights.toarray()
    chosen = chosen_by(X, k)
    np.testing.assert_array_equal(W > 0, chosen | chosen.T)
    np.testing.assert_allclose(W, np.where(chosen | chosen.T, cosines_of(X), 0.0), atol=1e-14)


def test_the_rule_that_both_must_choose_would_be_noticed():
    X = documents().toarray()
    chosen = chosen_by(np.round(X * 8), 7)
    W = knn(np.round(X * 8), 7).weights.toarray()
    assert ((W > 0) == (chosen | chosen.T)).all()
    assert not ((W > 0) == (chosen & chosen.T)).all()


@lawful
@given(X=counts, k=st.integers(1, 3), weight=st.sampled_from(["cosine", "heat", "binary"]))
def test_weights_are_symmetric_to_the_bit_positive_and_never_on_the_diagonal(X, k, weight):
    W = knn(X, k, weight=weight).weights
    assert abs(W - W.T).nnz == 0
    assert (W.data > 0).all()
    assert not W.diagonal().any()


def test_search_gives_the_same_similarities_from_sparse_and_from_dense_rows():
    U = unit_rows(wide())
    sparse, dense = nearest(U, 5), nearest(U.toarray(), 5)
    np.testing.assert_array_equal(sparse.documents, dense.documents)
    np.testing.assert_allclose(sparse.similarities, dense.similarities, atol=1e-15)


def test_a_very_small_similarity_means_the_same_in_sparse_and_in_dense_rows():
    X = np.array([[1.0, 1e-6, 0.0], [0.0, 1e-6, 1.0], [1.0, 0.0, 1.0]])
    sparse, dense = (nearest(unit_rows(storage(X)), 2).documents for storage in STORAGES.values())
    np.testing.assert_array_equal(sparse, dense)


@pytest.mark.parametrize("bandwidth", [None, 0.4, 3.0])
def test_heat_weight_is_the_gaussian_of_the_distance_of_unit_rows(bandwidth):
    X = wide()
    W = knn(X, 5, weight="heat", bandwidth=bandwidth).weights.toarray()
    U = unit_rows(X).toarray()
    distances = cdist(U, U)
    edges = np.triu(W > 0)
    width = distances[edges].mean() if bandwidth is None else bandwidth
    np.testing.assert_allclose(W, np.where(edges | edges.T, np.exp(-(distances**2) / (2 * width**2)), 0.0), atol=1e-12)


def test_a_heat_kernel_without_the_factor_two_would_be_noticed():
    X = wide()
    W = knn(X, 5, weight="heat", bandwidth=0.4).weights
    squared = 2 - 2 * cosines_of(X.toarray())
    assert error(W.toarray(), np.where(W.toarray() > 0, np.exp(-squared / 0.4**2), 0.0)) > 0.01


def test_weight_changes_what_an_edge_weighs_and_not_which_edges_there_are():
    X = wide()
    cosine, heat, binary = (knn(X, 5, weight=weight).weights.toarray() for weight in ("cosine", "heat", "binary"))
    np.testing.assert_array_equal(cosine > 0, binary == 1)
    np.testing.assert_array_equal(heat > 0, binary == 1)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("radius", [0.5, 1.2, 2.1, 2.9, 100.0])
def test_radius_graph_joins_exactly_the_pairs_within_the_radius(storage, radius):
    X = np.random.default_rng(0).integers(0, 3, size=(30, 6)).astype(float)
    within = (cdist(X, X) <= radius) & ~np.eye(30, dtype=bool)
    np.testing.assert_array_equal(epsilon(STORAGES[storage](X), radius).weights.toarray(), within.astype(float))


def test_radius_graph_holds_the_pairs_exactly_at_the_radius():
    X = np.array([[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]])  # in floating point, √3 squared is less than 3
    assert epsilon(X, float(np.sqrt(3.0))).n_edges == 2


@lawful
@given(X=counts, k=st.integers(1, 3))
def test_with_distinct_neighbours_each_copy_hangs_on_the_first_and_nothing_else_changes(X, k):
    first = [next(i for i in range(j + 1) if (X[i] == X[j]).all()) for j in range(len(X))]
    originals = np.unique(first)
    assume(len(originals) > k)
    W = knn(X, k, distinct=True).weights.toarray()
    np.testing.assert_allclose(W[np.ix_(originals, originals)], knn(X[originals], k).weights.toarray(), atol=1e-14)
    for copy in np.setdiff1d(np.arange(len(X)), originals):
        assert not X[copy].any() or np.flatnonzero(W[copy]).tolist() == [first[copy]]


def test_with_distinct_neighbours_empty_documents_stay_outside_the_graph():
    X = np.vstack([np.zeros((2, 6)), np.random.default_rng(0).random((8, 6))])
    assert not knn(X, 3, distinct=True).has_edges[:2].any()
