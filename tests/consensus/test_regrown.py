"""The tree around other clusters: leaves stay, parts of divided leaves share their edges, and terms decide on the rest."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal._consensus.regrown import regrow

N_EACH = 8
LEAVES = np.repeat(np.arange(4), N_EACH)  # two clusters of two leaves each


@pytest.fixture(scope="module", name="counts")
def terms_of_four_subjects():
    """Documents of four subjects: each has two terms of its own, and one that it shares with another."""
    rng = np.random.default_rng(0)
    table = rng.integers(0, 2, (4 * N_EACH, 10)).astype(float)
    for leaf in range(4):
        rows = leaf == LEAVES
        table[rows, 2 * leaf : 2 * leaf + 2] += 3
        table[rows, 8 + leaf // 2] += 3
    return sp.csr_array(np.log1p(table))


@pytest.fixture(scope="module", name="between")
def edges_between_leaves():
    edges = np.full((4, 4), 1.0) + np.diag([20.0] * 4)
    edges[0, 1] = edges[1, 0] = edges[2, 3] = edges[3, 2] = 5.0
    return sp.csr_array(edges / edges.sum())


def held(tree, node):
    """The leaves of a node, by the leaves that they were."""
    below = {node}
    for merge in range(len(tree.merges) - 1, -1, -1):
        if len(tree.merges) + 1 + merge in below:
            below |= set(tree.merges[merge].tolist())
    return {leaf for leaf in below if leaf <= len(tree.merges)}


def test_the_same_clusters_have_the_same_leaves_and_edges(counts, between):
    tree = regrow(LEAVES, between, counts, LEAVES // 2, 2)
    assert np.array_equal(tree.leaves, LEAVES)
    assert np.allclose(tree.between.toarray(), between.toarray())
    assert [held(tree, int(node)) for node in tree.fitted] == [{0, 1}, {2, 3}]
    assert tree.heights[-1] == pytest.approx(1.0)


def test_clusters_are_nodes_whatever_was_near_what(counts, between):
    labels = np.array([0, 1, 0, 1])[LEAVES]
    tree = regrow(LEAVES, between, counts, labels, 2)
    assert all(len(np.unique(labels[tree.leaves == leaf])) == 1 for leaf in range(4))
    assert [len(held(tree, int(node))) for node in tree.fitted] == [2, 2]


def test_a_leaf_of_two_clusters_is_divided_and_its_edges_too(counts, between):
    labels = LEAVES // 2
    labels[:3] = 1  # three documents of eight
    tree = regrow(LEAVES, between, counts, labels, 2)
    assert len(tree.merges) + 1 == 5
    edges = tree.between.toarray()
    assert edges.sum() == pytest.approx(1.0)
    part, rest = int(tree.leaves[0]), int(tree.leaves[3])
    other = int(tree.leaves[-1])
    assert edges[part, other] / edges[rest, other] == pytest.approx(3 / 5)


def test_a_document_that_left_its_leaf_alone_gets_another_by_its_terms(counts, between):
    labels = LEAVES // 2
    labels[0] = 1
    tree = regrow(LEAVES, between, counts, labels, 2)
    assert len(tree.merges) + 1 == 4
    assert np.array_equal(tree.leaves[1:], LEAVES[1:])
    assert tree.leaves[0] in (2, 3)


def test_documents_without_a_leaf_get_that_of_their_like(counts, between):
    leaves = LEAVES.copy()
    leaves[::4] = -1
    tree = regrow(leaves, between, counts, LEAVES // 2, 2)
    assert np.array_equal(tree.leaves, LEAVES)


def test_a_cluster_of_documents_without_leaves_is_one_leaf_without_edges(counts, between):
    leaves, labels = LEAVES.copy(), LEAVES // 2
    leaves[-4:], labels[-4:] = -1, 2
    tree = regrow(leaves, between, counts, labels, 3)
    assert len(np.unique(tree.leaves[-4:])) == 1
    assert tree.between.toarray()[tree.leaves[-1]].sum() == 0.0
    assert tree.fitted[2] == tree.leaves[-1]


def test_documents_and_clusters_that_are_gone_are_in_no_node(counts, between):
    labels = np.where(LEAVES == 3, -1, LEAVES // 2)
    tree = regrow(LEAVES, between, counts, labels, 3)
    assert np.array_equal(tree.leaves >= 0, labels >= 0)
    assert len(tree.merges) + 1 == 3
    assert tree.fitted[2] == -1
