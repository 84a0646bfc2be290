"""The number of topics: modularity along the way from many groups to two."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted
from vicinal._consensus import consensus_input, neighbor_graphs
from vicinal._consensus.embeddings import embed_graph, unit_with_constant
from vicinal._consensus.merge import average, edges_between, merged
from vicinal._consensus.mixture import log_counts_of, refine
from vicinal._consensus.n_clusters import (
    MARGIN,
    _fine_clusters,
    along_merges,
    choice_along_merges,
    choose_n_clusters,
    inside_and_expected,
    last_of_largest,
    n_to_merge,
    resolution_of,
)
from vicinal._consensus.views import kmeans_labels
from vicinal._matrix import unit_rows
from vicinal.graph import knn

N_GROUPS = 9


@pytest.fixture(name="groups")
def many_groups():
    X, topic = counted()
    labels = 2 * topic + np.arange(len(topic)) % 2
    labels[labels == 9] = 8  # nine groups: the last topic whole, the others in halves
    graph = knn(unit_rows(X), 6)
    return log_counts_of(X), graph, labels, edges_between(graph, labels, N_GROUPS)


def test_the_edges_along_the_way_are_those_of_the_merged_groups(groups):
    _, graph, labels, between = groups
    inside, expected = along_merges(between, between)
    for i, k in enumerate(range(N_GROUPS, 1, -1)):
        B = edges_between(graph, merged(labels, between, k, average), k)
        assert inside[i] == pytest.approx(np.trace(B), abs=1e-12)
        assert expected[i] == pytest.approx(np.sum(B.sum(axis=1) ** 2), abs=1e-12)
    assert len(inside) == N_GROUPS - 1
    assert np.argmax(inside - expected) == N_GROUPS - 5  # the halves are put together again, and no more


def test_clusters_may_be_merged_by_one_graph_and_judged_by_another(groups):
    rows, _, labels, between = groups
    other = knn(unit_rows(rows), 12)
    found = np.transpose(along_merges(between, edges_between(other, labels, N_GROUPS)))
    for shares, k in zip(found, range(N_GROUPS, 1, -1), strict=True):
        assert shares == pytest.approx(inside_and_expected(edges_between(other, merged(labels, between, k, average), k)), abs=1e-12)
    assert not np.allclose(found, np.transpose(along_merges(between, between)))


def planted(n_classes, parts, inside, between_parts):
    """Edges of equal classes in parts: a share inside classes, of which a share between their parts, and the rest anywhere."""
    n = n_classes * parts
    kin = np.kron(np.eye(n_classes), np.ones((parts, parts)))
    own, others = np.eye(n), kin - np.eye(n)
    within = (1.0 - between_parts) * own / n + between_parts * others / others.sum()
    return inside * within + (1.0 - inside) * (1.0 - kin) / (1.0 - kin).sum()


def test_many_classes_are_told_apart_where_modularity_at_resolution_one_joins_related_ones():
    """Forty classes in pairs that are related: two fifths of the edges out of a class lead to its relative."""
    n, pair = 40, np.kron(np.eye(20), np.ones((2, 2)))
    relatives, own = pair - np.eye(n), np.eye(n)
    B = 0.9 * own / n + 0.04 * relatives / n + 0.06 * (1.0 - pair) / (1.0 - pair).sum()
    inside, expected = along_merges(B, B)
    assert len(inside) + 1 - last_of_largest(inside - expected) == 20
    choice = choice_along_merges(inside, expected)
    assert choice.chosen == n
    assert choice.low == 20
    assert choice.why.endswith("at resolution 1 it would be 20.")


@pytest.mark.parametrize(("n_classes", "parts"), [(2, 5), (3, 4), (5, 4), (10, 3)])
def test_parts_of_a_class_that_are_well_connected_stay_together(n_classes, parts):
    B = planted(n_classes, parts, 0.9, 0.5)
    assert choice_along_merges(*along_merges(B, B)).chosen == n_classes


def test_the_resolution_makes_modularity_the_likelihood_of_planted_clusters():
    """Along the path the likelihood of a graph with one density inside clusters and one between has modularity for its slope."""
    inside, expected = 0.7, 0.05
    within, across = inside / expected, (1 - inside) / (1 - expected)
    resolution = resolution_of(inside, expected)

    def likelihood(i, e):  # of the edges, as Poisson numbers of these densities relative to chance
        return i * np.log(within) + (1 - i) * np.log(across) - e * within - (1 - e) * across

    for i, e in ((0.72, 0.08), (0.6, 0.04), (0.9, 0.5)):
        slope = likelihood(i, e) - likelihood(inside, expected)
        assert slope == pytest.approx(np.log(within / across) * ((i - inside) - resolution * (e - expected)), abs=1e-12)


@pytest.mark.parametrize(("inside", "expected"), [(1.0, 0.5), (0.5, 0.5), (0.3, 0.5), (1.0, 1.0), (0.0, 0.0), (0.999, 0.5)])
def test_the_resolution_is_one_where_nothing_leads_out_or_nothing_is_clustered(inside, expected):
    assert resolution_of(inside, expected) == 1.0


@pytest.mark.parametrize("seed", range(5))
def test_a_finer_resolution_never_finds_fewer(seed):
    B = np.random.default_rng(seed).random((12, 12)) + 6 * np.eye(12)
    B = (B + B.T) / np.sum(B + B.T)
    inside, expected = along_merges(B, B)
    choice = choice_along_merges(inside, expected)
    at_one = len(inside) + 1 - last_of_largest(inside - expected)
    assert choice.low <= at_one <= choice.chosen <= choice.high


def test_edges_alone_decide_so_that_the_length_of_texts_does_not():
    """A likelihood of terms finds ever more clusters where texts are short: each is assigned by the terms it is judged by."""
    X, _ = counted(n=400, n_topics=4, n_terms=80)
    short = sp.csr_array(X.multiply(np.random.default_rng(0).random(X.shape) < 0.5))
    for counts in (X, short):
        data = consensus_input(unit_rows(counts), counts, None, 0, None)
        assert choose_n_clusters(data, neighbor_graphs(data.X, 0, None)).chosen in {4, 5, 6}


@pytest.mark.parametrize(
    ("n_documents", "many"), [(3, 2), (9, 3), (29, 9), (30, 10), (300, 10), (400, 12), (10_000, 60), (27_778, 100), (10**6, 100)]
)
def test_merging_starts_from_six_tenths_of_the_root_of_the_documents_within_bounds(n_documents, many):
    assert n_to_merge(n_documents) == many


def test_the_candidates_are_all_numbers_from_two_to_those_that_merging_starts_from():
    X, _ = counted(n=150)
    data = consensus_input(unit_rows(X), X, None, 0, None)
    choice = choose_n_clusters(data, neighbor_graphs(data.X, 0, None))
    assert choice.candidates.tolist() == list(range(2, n_to_merge(150) + 1))
    assert choice.score == "modularity"
    near = choice.candidates[choice.scores >= choice.scores.max() - MARGIN]
    assert choice.low >= near.min()
    assert choice.high <= near.max()


def test_documents_that_form_two_clusters_at_most_leave_nothing_to_choose():
    rows = np.repeat([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]], 12, axis=0)
    data = consensus_input(unit_rows(rows), rows, None, 0, None)
    choice = choose_n_clusters(data, neighbor_graphs(data.X, 0, None))
    assert choice.chosen == 2
    assert choice.why == "n_clusters=2: the documents form no more different clusters."


def test_merging_starts_from_k_means_of_as_many_components_corrected_until_settled():
    rng = np.random.default_rng(8)
    counts = sp.csr_array(rng.poisson(0.15 + 0.1 * (np.arange(120)[:, None] % 4 == np.arange(40) % 4)).astype(float))
    data = consensus_input(unit_rows(counts), counts, None, 0, None)
    graphs = neighbor_graphs(data.X, 0, None)
    Z = embed_graph(graphs.by_terms, data.X, 10, None, 0, None)
    start = kmeans_labels(unit_with_constant(Z), 10, data)
    wanted = refine(data.log_counts, start, 10)
    assert not np.array_equal(refine(data.log_counts, start, 10, rounds=1), wanted)  # one round is not enough
    assert np.array_equal(_fine_clusters(data, graphs), wanted)


def test_of_three_different_documents_two_or_three_clusters_are_candidates():
    rows = np.repeat([[3.0, 1.0, 0.0], [0.0, 1.0, 2.0], [1.0, 0.0, 1.0]], 8, axis=0)
    data = consensus_input(unit_rows(rows), rows, None, 0, None)
    assert choose_n_clusters(data, neighbor_graphs(data.X, 0, None)).candidates.tolist() == [2, 3]
