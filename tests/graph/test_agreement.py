"""The graph of agreement is the matrix it stands for, in whole and in part."""

from __future__ import annotations

import numpy as np
import pytest

from vicinal.errors import BadLabels, BadParameter
from vicinal.graph import AgreementGraph, agreement, as_graph, classes, mix

LABELINGS = [[0, 0, 1, 1, 2, 2, -1, 0], [0, 1, 1, 1, 0, 0, -1, 1], [5, 5, 5, 5, 5, 5, -1, -1]]
SHARES = [1.0, 0.25, 0.5]


def explicit(labelings, shares):
    """W entry by entry."""
    W = np.zeros((len(labelings[0]),) * 2)
    for labels, share in zip(np.array(labelings), shares, strict=True):
        for i, j in np.ndindex(W.shape):
            if labels[i] >= 0 and labels[i] == labels[j]:
                W[i, j] += share / np.sum(labels == labels[i])
    return W


def test_products_and_degrees_are_those_of_the_matrix():
    graph, W = agreement(LABELINGS, shares=SHARES), explicit(LABELINGS, SHARES)
    Y = np.random.default_rng(0).normal(size=(8, 3))
    np.testing.assert_allclose(graph.matmul(np.eye(8)), W, atol=1e-15)
    np.testing.assert_allclose(graph.matmul(Y), W @ Y, atol=1e-14)
    np.testing.assert_allclose(graph.degrees, [1.75] * 6 + [0.0] + [1.25], atol=1e-15)
    assert len(graph) == graph.n_documents == 8


def test_a_part_of_the_graph_is_that_part_of_the_matrix():
    some = np.array([7, 1, 4, 5])
    part = agreement(LABELINGS, shares=SHARES).restrict(some)
    assert isinstance(part, AgreementGraph)
    np.testing.assert_allclose(part.matmul(np.eye(4)), explicit(LABELINGS, SHARES)[np.ix_(some, some)], atol=1e-15)


def test_it_is_the_mixture_of_the_class_graphs():
    mixed = mix(*(classes(labels) for labels in LABELINGS[:2]), shares=SHARES[:2])
    np.testing.assert_allclose(agreement(LABELINGS[:2], shares=SHARES[:2]).matmul(np.eye(8)), mixed.matmul(np.eye(8)), atol=1e-15)


@pytest.mark.parametrize(
    "labelings", [LABELINGS, LABELINGS[:1], [LABELINGS[0], LABELINGS[0]], [LABELINGS[0], [0, -1, 0, 1, 1, 2, 2, 2]]]
)
def test_the_skeleton_has_the_components_of_the_matrix_and_few_entries(labelings):
    graph = agreement(labelings)
    assert (
        graph.connected_components.tolist() == as_graph(explicit(labelings, [1.0] * len(labelings))).connected_components.tolist()
    )
    assert graph.skeleton().nnz <= 8 * len(labelings)


def test_a_clustering_without_a_share_joins_nobody():
    graph = agreement(LABELINGS, shares=[1.0, 0.0, 0.0])
    assert graph.connected_components.tolist() == agreement(LABELINGS[:1]).connected_components.tolist()
    np.testing.assert_allclose(graph.degrees, agreement(LABELINGS[:1]).degrees)


def test_names_of_groups_do_not_matter():
    named = agreement([["b", "b", "a", "a"], [3, 1, 1, 1]])
    assert np.array_equal(named.matmul(np.eye(4)), agreement([[0, 0, 1, 1], [0, 1, 1, 1]]).matmul(np.eye(4)))


def test_it_says_how_large_it_is():
    assert repr(agreement([[0, 1, 0], [0, 0, 1]])) == "AgreementGraph(3 documents, 4 clusters)"


@pytest.mark.parametrize(
    ("labelings", "shares", "kind", "message"),
    [
        ([], None, BadParameter, "at least one clustering, got none"),
        ([[0, 1], [0, 1]], [1.0], BadParameter, "got 1 shares for 2"),
        ([[0, 1]], [-1.0], BadParameter, "each share must be a finite number of at least 0, got -1.0"),
        ([[0, 1], [0, 1, 1]], None, BadLabels, r"expected shape \(2,\), got \(3,\)"),
    ],
)
def test_what_is_no_set_of_clusterings_is_refused(labelings, shares, kind, message):
    with pytest.raises(kind, match=message):
        agreement(labelings, shares=shares)
