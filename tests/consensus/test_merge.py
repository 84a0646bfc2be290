"""Merging groups: the table of edges, the order of merges against one that starts anew each time, and labels after it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.laws.toys import copies, random_graph
from vicinal._consensus.merge import average, conductances, edges_between, merge_path, merged, smaller_share, without_gaps
from vicinal.graph import as_graph


def table(n_groups=9, seed=0):
    labels = np.random.default_rng(seed).integers(0, n_groups, 60)
    labels[:n_groups] = np.arange(n_groups)
    graph = as_graph(random_graph(60, seed=seed))
    return graph, labels, edges_between(graph, labels, n_groups)


def naive_path(graph, labels, n_groups, linkage):
    """Count all edges again after every merge."""
    labels = labels.copy()
    while len(set(labels)) > 1:
        names = sorted(set(labels))
        between = edges_between(graph, np.searchsorted(names, labels), len(names))
        volume = between.sum(axis=1)
        best, pair = -1.0, None
        for a in range(len(names)):
            for b in range(a + 1, len(names)):
                value = linkage(between, volume)[a, b]
                if value > best * (1 + 1e-12):
                    best, pair = value, (names[a], names[b])
        labels[labels == pair[1]] = pair[0]
        yield pair


def test_edges_between_groups_are_those_of_the_weights():
    graph, labels, between = table()
    members = np.eye(9)[labels]
    W = graph.weights.toarray()
    np.testing.assert_allclose(between, members.T @ W @ members / W.sum(), rtol=1e-12)


def test_documents_without_a_group_have_no_edges():
    graph, labels, _ = table()
    labels[5:30] = -1
    inside = labels >= 0
    np.testing.assert_allclose(
        edges_between(graph, labels, 9), edges_between(graph.restrict(np.flatnonzero(inside)), labels[inside], 9), rtol=1e-12
    )


@pytest.mark.parametrize("linkage", [smaller_share, average])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_order_of_merges_is_that_of_counting_anew_each_time(linkage, seed):
    graph, labels, between = table(seed=seed)
    assert list(merge_path(between, linkage)) == list(naive_path(graph, labels, 9, linkage))


def test_merging_leaves_the_table_as_it_was():
    _, _, between = table()
    before = between.copy()
    list(merge_path(between, average))
    assert np.array_equal(between, before)


def test_halves_of_a_group_are_merged_before_groups_and_labels_have_no_gaps():
    graph = as_graph(copies(np.ones((8, 8)), 3, joint=0.1))
    halves = np.arange(24) // 4
    halves[7] = -1
    between = edges_between(graph, halves, 6)
    for linkage in (smaller_share, average):
        found = merged(halves, between, 3, linkage)
        assert found[7] == -1
        assert found[halves >= 0].tolist() == [0] * 7 + [1] * 8 + [2] * 8


def test_a_small_group_of_its_own_is_not_swallowed_while_parts_of_a_large_one_are():
    """Two halves of a large group, and a small one that has one thin edge to it."""
    weights = np.zeros((24, 24))
    weights[:20, :20] = 1.0
    weights[20:, 20:] = 1.0
    weights[0, 20] = weights[20, 0] = 1.0
    labels = np.repeat([0, 1, 2], [10, 10, 4])
    assert merged(labels, edges_between(as_graph(weights), labels, 3), 2).tolist() == [0] * 20 + [1] * 4


def test_nothing_is_merged_where_there_are_no_more_groups_than_wanted():
    _, labels, between = table()
    assert np.array_equal(merged(labels, between, 9), labels)
    assert np.array_equal(merged(labels, between, 12), labels)


def test_all_can_be_merged_into_one():
    _, labels, between = table()
    assert merged(labels, between, 1).tolist() == [0] * 60


def test_groups_without_a_member_leave_no_gap_and_the_others_keep_their_order():
    assert without_gaps(np.array([7, -1, 2, 7, 4, -3])).tolist() == [2, -1, 0, 2, 1, -1]
    assert without_gaps(np.array([0, 1, 1])).tolist() == [0, 1, 1]
    assert without_gaps(np.array([-1, -1])).tolist() == [-1, -1]


def test_conductance_is_the_share_of_the_weight_of_a_cluster_that_leads_out_of_it():
    W = random_graph(40)
    labels = np.arange(40) % 3
    out = [W[labels == g][:, labels != g].sum() / W[labels == g].sum() for g in range(3)]
    np.testing.assert_allclose(conductances(edges_between(as_graph(W), labels, 3)), out)


def test_clean_clusters_have_no_conductance_and_an_empty_one_has_all():
    graph = as_graph(copies(np.ones((5, 5)), 3))
    found = conductances(edges_between(graph, np.arange(15) // 5, 4))
    np.testing.assert_allclose(found, [0, 0, 0, 1], atol=1e-15)


def test_linkages_are_the_share_of_the_smaller_cluster_and_the_weight_beside_the_expected():
    between = np.array([[0.5, 0.04], [0.04, 0.42]])
    volume = np.array([0.6, 0.2])
    assert smaller_share(between, volume)[0, 1] == pytest.approx(0.04 / 0.2)
    assert average(between, volume)[0, 1] == pytest.approx(0.04 / 0.12)
    assert np.isfinite(smaller_share(np.zeros((2, 2)), np.zeros(2))).all()  # clusters without an edge
