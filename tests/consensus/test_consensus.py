"""Views and their consensus: how views are weighed, what they agree on, and how many topics are found."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted, planted, same_groups
from tests.laws.toys import copies
from vicinal import Topics
from vicinal._consensus import choose_n_clusters, cluster_by_consensus, consensus_input, neighbor_graphs, take_views
from vicinal._consensus.consensus import DIRECT_STARTS, LARGE, LUMP, MERGED_STARTS, consensus, direct, merged_from_many, quality
from vicinal._consensus.embeddings import ALPHA, n_consensus_components, unit_with_constant
from vicinal._consensus.merge import conductances, edges_between, merged
from vicinal._consensus.mixture import NEARLY, refine
from vicinal._consensus.views import TEMPERATURE, kmeans_labels
from vicinal._matrix import unit_rows
from vicinal.graph import AgreementGraph, as_graph, knn
from vicinal.graph._graph import number_by_size
from vicinal.projection import Ridge, regress
from vicinal.spectrum._solve import smoothest


def corpus(known=None, random_state=0, **sizes):
    counts, topic = counted(**sizes)
    return consensus_input(unit_rows(counts), counts, known, random_state, None), topic


@pytest.fixture(scope="module")
def seen():
    here, topic = corpus()
    return here, neighbor_graphs(here.X, 0, None), topic


@pytest.fixture(scope="module")
def unclear():
    """Documents whose subjects overlap, so that candidates and starts give different clusterings."""
    rng = np.random.default_rng(7)
    subject = np.arange(120) % 4
    counts = sp.csr_array(rng.poisson(0.25 + 0.35 * (subject[:, None] == np.arange(40) % 4)).astype(float))
    data = consensus_input(unit_rows(counts), counts, None, 0, None)
    return data, neighbor_graphs(data.X, 0, None)


def test_a_view_counts_by_how_well_it_explains_the_words(seen):
    here, around, _ = seen
    views = take_views(here, around, 5)
    nats = np.array([view.log_likelihood for view in views])
    np.testing.assert_allclose([view.share for view in views], np.exp((nats - nats.max()) / TEMPERATURE))
    assert max(view.share for view in views) == 1.0
    assert len({view.name for view in views}) == len(views) == 8 * 3
    assert all(view.labels.shape == (120,) and view.labels.max() < 5 for view in views)


def test_where_no_word_can_be_counted_all_views_count_the_same():
    rows = np.random.default_rng(0).normal(size=(40, 8))
    here = consensus_input(unit_rows(rows), None, None, 0, None)
    assert here.log_counts is None
    assert {view.share for view in take_views(here, neighbor_graphs(here.X, 0, None), 3)} == {1.0}


def test_views_are_settled_into_the_planted_topics(seen):
    here, around, topic = seen
    answer = cluster_by_consensus(here, around, 5)
    assert same_groups(answer.labels, topic)
    assert len(answer.views) == len(take_views(here, around, 5))
    assert answer.projection.n_terms == 60
    assert len(answer.qualities) >= 2
    assert all(np.isfinite(value) for value in answer.qualities.values())


def test_labelled_documents_keep_their_class_and_topics_its_number():
    _, topic = counted()
    known = np.full(120, -1)
    known[:5] = (topic[:5] + 2) % 5
    here, _ = corpus(known)
    answer = cluster_by_consensus(here, neighbor_graphs(here.X, 0, None), 5)
    assert (answer.labels == (topic + 2) % 5).all()


def test_a_document_labelled_against_its_words_keeps_its_class():
    _, topic = counted()
    known = np.where(np.arange(120) < 40, topic, -1)
    known[0] = (topic[0] + 1) % 5
    here, _ = corpus(known)
    labels = cluster_by_consensus(here, neighbor_graphs(here.X, 0, None), 5).labels
    assert labels[0] == known[0]
    assert (labels[1:] == topic[1:]).all()


@pytest.mark.parametrize("n_topics", [3, 6])
def test_the_planted_number_is_found_with_its_evidence(n_topics):
    here, _ = corpus(n=150, n_topics=n_topics)
    choice = choose_n_clusters(here, neighbor_graphs(here.X, 0, None))
    assert choice.name == "n_clusters"
    assert n_topics / 2 <= choice.chosen <= n_topics * 2
    assert choice.low <= choice.chosen <= choice.high
    assert choice.candidates[0] == 2
    assert choice.scores[np.searchsorted(choice.candidates, choice.chosen)] == choice.scores.max()


def test_the_consensus_graph_joins_documents_of_one_topic_and_no_others_as_strongly():
    counts, topic = counted()
    graph = consensus(unit_rows(counts), 5)
    assert isinstance(graph, AgreementGraph)
    W = graph.matmul(np.eye(120))
    together = topic[:, None] == topic
    assert W[together].min() > 5 * W[~together].max()


def test_an_empty_document_is_in_no_view():
    counts, _ = counted()
    counts = sp.csr_array(sp.vstack([counts, sp.csr_array((1, 60))]))
    here = consensus_input(unit_rows(counts), counts, None, 0, None)
    around = neighbor_graphs(here.X, 0, None)
    assert {int(view.labels[-1]) for view in take_views(here, around, 5)} == {-1}
    assert cluster_by_consensus(here, around, 5).labels[-1] == -1


@pytest.mark.parametrize("with_terms", [True, False])
def test_the_true_clustering_has_a_higher_quality_than_one_with_a_third_at_random(with_terms):
    X, topic = counted()
    rng = np.random.default_rng(0)
    spoilt = np.where(rng.random(len(topic)) < 0.3, rng.integers(0, 5, len(topic)), topic)
    data = consensus_input(X, X if with_terms else -X, None, 0, None)
    assert (data.log_counts is not None) == with_terms
    assert quality(data, knn(X, 7), topic, 5) > quality(data, knn(X, 7), spoilt, 5)


def test_a_perfect_cut_is_worth_a_finite_amount():
    rows = np.random.default_rng(0).normal(size=(15, 4))
    graph = as_graph(copies(np.ones((5, 5)), 3))
    assert np.isfinite(quality(consensus_input(rows, None, None, 0, None), graph, np.arange(15) // 5, 3))


def test_known_labels_count_as_much_as_all_views_together():
    """The degree of a document is the sum of the shares of the clusterings that hold it."""
    counts, topic = counted()
    known = np.where(np.arange(120) < 15, topic, -1)
    X = unit_rows(counts)
    graph = consensus(X, 5, labels=known)
    data = consensus_input(X, None, known, 0, None)
    shares = sum(view.share for view in take_views(data, neighbor_graphs(X, 0, None), 5))
    np.testing.assert_allclose(graph.degrees[:15], 2 * shares)
    np.testing.assert_allclose(graph.degrees[15:], shares)
    unlabelled = consensus(X, 5, labels=np.full(120, -1))
    assert unlabelled.factor.shape == consensus(X, 5).factor.shape


def test_quality_is_the_gain_in_likelihood_less_evenness_and_looseness(seen):
    here, around, topic = seen
    gain = here.log_likelihood(topic, 5) - here.log_likelihood(np.zeros(120, dtype=np.int64), 1)
    loose = np.mean(conductances(edges_between(around.combined, topic, 5)))
    found = quality(here, around.combined, topic, 5)
    assert found == pytest.approx(np.log(gain) - 0.4 - 0.2 * np.log(loose), rel=1e-12)  # five subjects of one size
    clean = as_graph(copies(np.ones((24, 24)), 5))
    blocks = np.arange(120) // 24
    assert here.gain(blocks, 5) < 0  # blocks have nothing to do with the subjects
    assert quality(here, clean, blocks, 5) == pytest.approx(np.log(1e-4) - 0.4 - 0.2 * np.log(1e-4))


def test_without_counted_terms_quality_is_the_information_of_edges():
    rows = np.random.default_rng(0).normal(size=(12, 4))
    W = np.kron(np.eye(3), np.ones((4, 4))) + 0.2
    labels = np.arange(12) // 4
    joint = edges_between(as_graph(sp.csr_array(W)), labels, 3)
    information = np.sum(joint * np.log(joint * 9))
    found = quality(consensus_input(rows, None, None, 0, None), as_graph(sp.csr_array(W)), labels, 3)
    assert found == pytest.approx(np.log(information) - 0.4 - 0.2 * np.log(1 - 3 * joint[0, 0]) - (1 / 3 - 0.3))


def test_a_lump_with_crumbs_is_worse_than_the_subjects_and_two_halves_of_a_subject_are_worse_than_the_subject(seen):
    here, around, topic = seen
    lump = np.where(topic < 4, 0, 1)
    lump[np.flatnonzero(topic == 0)[:3]], lump[np.flatnonzero(topic == 1)[:3]], lump[np.flatnonzero(topic == 2)[:3]] = 2, 3, 4
    assert quality(here, around.combined, topic, 5) > quality(here, around.combined, lump, 5) + 0.3
    halved = np.where(topic == 4, 3, topic)
    halved[np.flatnonzero(topic == 0)[::2]] = 4
    assert quality(here, around.combined, topic, 5) > quality(here, around.combined, halved, 5) + 0.1


def test_every_candidate_is_tried_from_several_starts_and_the_best_by_quality_is_kept(unclear):
    data, graphs = unclear
    answer = cluster_by_consensus(data, graphs, 4)
    assert list(answer.qualities) == [
        *(f"direct, start {start}" for start in range(1, DIRECT_STARTS + 1)),
        *(f"merged from many, start {start}" for start in range(1, MERGED_STARTS + 1)),
    ]
    assert answer.projection.n_components == n_consensus_components(4)
    Z = answer.projection.transform(data.X)
    starts = {direct: DIRECT_STARTS, merged_from_many: MERGED_STARTS}
    tried = [way(data, graphs, Z, 4, start) for way, n_starts in starts.items() for start in range(n_starts)]
    found = [quality(data, graphs.combined, labels, 4) for labels in tried]
    assert found == list(answer.qualities.values())
    assert len(set(found)) > 2  # starts and candidates differ
    assert np.array_equal(answer.labels, tried[int(np.argmax(found))])


def test_candidates_are_corrected_by_their_terms(unclear):
    data, graphs = unclear
    Z = cluster_by_consensus(data, graphs, 4).projection.transform(data.X)
    for start in range(3):
        rows = unit_with_constant(Z[:, :4])
        plain = kmeans_labels(rows, 4, data, start)
        assert np.array_equal(direct(data, graphs, Z, 4, start), refine(data.log_counts, plain, 4))
        fine = number_by_size(refine(data.log_counts, kmeans_labels(unit_with_constant(Z), 12, data, start), 12, settled=NEARLY))
        coarse = merged(fine, edges_between(graphs.combined, fine, int(fine.max()) + 1), 4)
        assert np.array_equal(merged_from_many(data, graphs, Z, 4, start), refine(data.log_counts, coarse, 4))


def test_clusters_that_are_left_empty_do_not_count_among_those_that_are_merged(monkeypatch):
    """Of twelve fine clusters the even numbers are empty: four are left after two merges, not after eight."""
    rows = 4 * np.eye(8)[np.arange(72) % 6] + np.random.default_rng(0).normal(size=(72, 8))
    data = consensus_input(unit_rows(rows), None, None, 0, None)
    graphs = neighbor_graphs(data.X, 0, None)
    monkeypatch.setattr(import_module("vicinal._consensus.consensus"), "kmeans_labels", lambda *_: 2 * (np.arange(72) % 6) + 1)
    labels = merged_from_many(data, graphs, rows, 4, 0)
    assert np.unique(labels).tolist() == [0, 1, 2, 3]
    assert all(len(set(labels[subject::6])) == 1 for subject in range(6))


def test_labelled_clusters_are_corrected_by_terms_with_labels_fixed(unclear):
    data, graphs = unclear
    known = np.where(np.arange(120) < 40, np.arange(120) % 4, -1)
    labels = cluster_by_consensus(replace(data, known=known), graphs, 4).labels
    assert np.array_equal(labels[:40], known[:40])
    once_more = refine(data.log_counts, labels, 4, fixed=known)
    assert np.array_equal(once_more, labels)  # at rest


def test_labels_against_the_starts_of_k_means_still_make_each_class_one_cluster(unclear):
    """Two labels per class are enough to number clusters from the first view on: no cluster is named after the fact."""
    data, graphs = unclear
    known = np.full(120, -1)
    known[:8] = np.arange(8) % 4
    views = take_views(replace(data, known=known), graphs, 4)
    assert all(np.array_equal(view.labels[:8], known[:8]) for view in views)


def test_labelled_documents_keep_their_class_where_terms_cannot_be_counted():
    rows = 4 * np.eye(5)[np.arange(60) % 3] + np.random.default_rng(0).normal(size=(60, 5))
    known = np.where(np.arange(60) < 12, np.arange(60) % 3, -1)
    known[0] = 1  # against its neighbours
    data = consensus_input(unit_rows(rows), None, known, 0, None)
    labels = cluster_by_consensus(data, neighbor_graphs(data.X, 0, None), 3).labels
    assert np.array_equal(labels[:12], known[:12])
    assert np.array_equal(labels[12:], np.arange(12, 60) % 3)


def test_the_views_of_a_consensus_have_two_clusters_at_least():
    X = unit_rows(counted()[0])
    one, two = consensus(X, 1), consensus(X, 2)
    assert (one.factor != two.factor).nnz == 0


def test_where_all_views_have_one_cluster_the_combined_graph_gives_the_embedding(unclear):
    data, graphs = unclear
    found = cluster_by_consensus(data, graphs, 1)
    wanted = regress(data.X, smoothest(graphs.combined, 2, random_state=0), Ridge(ALPHA))
    np.testing.assert_allclose(found.projection.weights, wanted.weights, rtol=1e-9)
    assert set(found.labels.tolist()) == {0}


@pytest.mark.parametrize(("sizes", "n_clusters"), [((20, 20), 7), ((4, 4), 8), ((30, 30), 12)])
def test_as_many_clusters_as_are_asked_for_even_where_neighbours_do_not_tell_them_apart(sizes, n_clusters):
    texts, _ = planted(sizes, seed=3)
    assert Topics(n_clusters).fit(texts).n_clusters_ == n_clusters


def test_where_sharing_leaves_too_few_clusters_documents_are_assigned_to_one_each(unclear, monkeypatch):
    data, graphs = unclear
    module = import_module("vicinal._consensus.consensus")
    plain = cluster_by_consensus(data, graphs, 4)
    assert not any(name.startswith("one cluster each") for name in plain.qualities)
    lump = np.zeros(120, dtype=np.int64)
    monkeypatch.setattr(module.ConsensusInput, "refined", lambda *_, **__: lump)
    found = cluster_by_consensus(data, graphs, 4, views=plain.views)
    Z = found.projection.transform(data.X)
    one_each = [module.one_cluster_each(data, graphs, Z, 4, start) for start in range(MERGED_STARTS)]
    assert any(np.array_equal(found.labels, each) for each in one_each)
    assert len(np.unique(found.labels)) == 4


def test_a_lump_costs_its_share_beyond_the_limit(unclear, monkeypatch):
    data, graphs = unclear
    labels = np.arange(120) % 4
    lump = np.where(labels == 1, 0, labels)
    judged = [quality(data, graphs.combined, each, 4) for each in (labels, lump)]
    monkeypatch.setattr(import_module("vicinal._consensus.consensus"), "LUMP", 0.0)
    free = [quality(data, graphs.combined, each, 4) for each in (labels, lump)]
    assert judged[0] == free[0]
    assert judged[1] == pytest.approx(free[1] - LUMP * (0.5 - LARGE))


def test_clusters_that_are_merged_share_nothing_with_neighbours(unclear):
    data, graphs = unclear
    Z = cluster_by_consensus(data, graphs, 4).projection.transform(data.X)
    sharing = data.sharing(graphs)
    assert sharing.neighbors is not None
    shared_nothing = merged_from_many(replace(sharing, neighbors=None), graphs, Z, 4, 0)
    assert np.array_equal(merged_from_many(sharing, graphs, Z, 4, 0), shared_nothing)
