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
from vicinal._consensus.n_clusters import MARGIN, _fine_clusters, along_merges, choose_n_clusters, modularity, n_to_merge
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


def test_modularity_along_the_way_is_that_of_the_merged_groups(groups):
    _, graph, labels, between = groups
    found = along_merges(between, between)
    for score, k in zip(found, range(N_GROUPS, 1, -1), strict=True):
        B = edges_between(graph, merged(labels, between, k, average), k)
        assert score == pytest.approx(np.trace(B) - np.sum(B.sum(axis=1) ** 2), abs=1e-12)
    assert np.argmax(found) == N_GROUPS - 5  # the halves are put together again, and no more


def test_clusters_may_be_merged_by_one_graph_and_judged_by_another(groups):
    rows, _, labels, between = groups
    other = knn(unit_rows(rows), 12)
    found = along_merges(between, edges_between(other, labels, N_GROUPS))
    for score, k in zip(found, range(N_GROUPS, 1, -1), strict=True):
        assert score == pytest.approx(modularity(edges_between(other, merged(labels, between, k, average), k)), abs=1e-12)
    assert not np.allclose(found, along_merges(between, between))


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
