"""Views: how they are clustered, corrected and weighed; each constant and branch by what would differ without it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted
from vicinal import RLPI, Topics
from vicinal._consensus import consensus_input, neighbor_graphs, take_views
from vicinal._consensus import views as module
from vicinal._consensus.consensus import direct, merged_from_many
from vicinal._consensus.embeddings import (
    ALPHA,
    LOOSE,
    MAX_LATENT,
    N_NEIGHBORS,
    embed_graph,
    latent_embedding,
    n_consensus_components,
    unit_with_constant,
    view_embeddings,
)
from vicinal._consensus.mixture import NEARLY, SETTLED, log_likelihood_per_term, refine, with_equal_sums
from vicinal._consensus.views import ROUNDS, TEMPERATURE, kmeans_labels, numbers_of_clusters
from vicinal._kmeans import draw_seeds
from vicinal._matrix import unit_rows
from vicinal.graph import knn, mix, repair
from vicinal.projection import Ridge, regress
from vicinal.spectrum._solve import smoothest
from vicinal.uses._topics import topics
from vicinal.uses._topics.topics import fit_to_counts
from vicinal.uses._topics.topics_fit import find_clusters

COUNTS, TOPIC = counted()


def data_of(counts, random_state=0, known=None):
    return consensus_input(unit_rows(counts), counts, known, random_state, None)


@pytest.fixture(scope="module")
def noisy():
    """Documents whose subjects overlap, so that clusterings differ by start and by correction."""
    rng = np.random.default_rng(7)
    subject = np.arange(120) % 4
    counts = sp.csr_array(rng.poisson(0.25 + 0.35 * (subject[:, None] == np.arange(40) % 4)).astype(float))
    data = data_of(counts)
    return data, neighbor_graphs(data.X, 0, None)


def test_each_start_of_k_means_has_the_seed_of_its_number(noisy):
    """Start s is the (s + 1)-th seed drawn from the random state: other starts give other labels, the same one the same."""
    from sklearn.cluster import KMeans

    data, graphs = noisy
    rows = unit_with_constant(embed_graph(graphs.by_terms, data.X, 6, None, 0, None))
    seeds = draw_seeds(0, 3)
    assert len(set(seeds)) == 3
    for start in range(3):
        wanted = KMeans(6, n_init=1, random_state=seeds[start]).fit(rows).labels_
        wanted = np.unique(wanted, return_inverse=True)[1]
        assert np.array_equal(kmeans_labels(rows, 6, data, start), wanted)
    assert len({kmeans_labels(rows, 6, data, start).tobytes() for start in range(3)}) > 1


def test_views_start_from_the_first_seed(noisy):
    data, graphs = noisy
    embedding = view_embeddings(data.X, graphs, [4], None, 0, None)[0]
    wanted = refine(data.log_counts, kmeans_labels(embedding.rows, 4, data, 0), 4, settled=NEARLY, rounds=ROUNDS)
    assert np.array_equal(take_views(data, graphs, 4)[0].labels, wanted)


def test_views_are_corrected_by_five_rounds_of_terms_and_not_more(noisy):
    data, graphs = noisy
    rounds = {n: take_views(data, graphs, 4, rounds=n) for n in (0, 1, 5, 30)}
    default = take_views(data, graphs, 4)
    assert ROUNDS == 5
    assert all(np.array_equal(a.labels, b.labels) for a, b in zip(default, rounds[5], strict=True))
    for other in (0, 1, 30):
        assert any(not np.array_equal(a.labels, b.labels) for a, b in zip(default, rounds[other], strict=True))


def test_correction_stops_when_no_more_than_the_settled_share_moves(noisy):
    data, _ = noisy
    start = np.random.default_rng(0).integers(0, 4, 120)
    once = refine(data.log_counts, start, 4, rounds=1)
    share = np.mean(once != start)
    assert np.array_equal(refine(data.log_counts, start, 4, settled=share), once)  # as many may move
    assert not np.array_equal(refine(data.log_counts, start, 4, settled=share - 1e-9), once)


def test_views_are_compared_with_equal_sums_so_that_long_documents_do_not_decide(noisy):
    data, _ = noisy
    sums = np.asarray(data.equal_counts.X.sum(axis=1)).ravel()
    lengths = np.asarray(data.log_counts.X.sum(axis=1)).ravel()
    np.testing.assert_allclose(sums[lengths > 0], lengths[lengths > 0].mean())
    assert data.equal_counts.X.sum() == pytest.approx(data.log_counts.X.sum())
    assert with_equal_sums(sp.csr_array([[1.0, 1.0], [0.0, 0.0], [4.0, 0.0]])).toarray().tolist() == [[1.5, 1.5], [0, 0], [3.0, 0]]


def test_embeddings_of_views_have_the_sizes_and_scalings_of_their_names(noisy):
    data, graphs = noisy
    found = view_embeddings(data.X, graphs, [4], None, 0, None)
    assert [n_consensus_components(k) for k in (1, 2, 4, 5)] == [2, 3, 6, 8]
    assert [each.name.split(", ")[1] for each in found] == [
        *("4 components", "4 components", "6 components") * 2,
        f"{graphs.latent.shape[1] // 2} components",
        f"{graphs.latent.shape[1]} components",
    ]
    for each in found:
        unit = np.allclose(np.linalg.norm(each.rows, axis=1), 1)
        assert unit == each.name.endswith("unit length")
    np.testing.assert_allclose(found[1].rows, unit_with_constant(found[0].rows))
    np.testing.assert_allclose(found[-1].rows, unit_rows(graphs.latent))


def test_the_first_components_serve_the_smaller_number_of_clusters(noisy):
    data, graphs = noisy
    both = view_embeddings(data.X, graphs, [4, 8], None, 0, None)
    assert [each.n_clusters for each in both] == [4, 4, 4, 8, 8, 8] * 2 + [4, 8] * 2
    assert [each.rows.shape[1] for each in both[:6]] == [4, 5, 7, 8, 9, 13]
    np.testing.assert_array_equal(both[0].rows, both[3].rows[:, :4])


def test_finer_views_are_taken_where_their_clusters_are_large_and_no_class_is_known(noisy, monkeypatch):
    data, graphs = noisy
    plain = take_views(data, graphs, 4)
    assert numbers_of_clusters(data, 4) == [4]
    assert len(plain) == 24
    monkeypatch.setattr(module, "FEWEST", 15)
    assert numbers_of_clusters(data, 4) == [4, 8]
    assert numbers_of_clusters(data, 5) == [5]  # 120 documents are 12 for each of ten clusters
    assert numbers_of_clusters(data_of(COUNTS, known=np.zeros(120, dtype=int)), 4) == [4]
    views = take_views(data, graphs, 4)
    assert len(views) == 32
    for number in (4, 8):
        alike = [view for view in views if f", {number} clusters, " in view.name]
        assert {int(view.labels.max()) + 1 for view in alike} == {number}
        nats = np.array([view.log_likelihood for view in alike])
        np.testing.assert_allclose([view.share for view in alike], np.exp((nats - nats.max()) / TEMPERATURE))


def test_neighbour_graphs_are_those_of_terms_of_latent_components_and_their_sum(noisy):
    data, graphs = noisy
    by_terms = repair(knn(data.X, N_NEIGHBORS), data.X)
    assert (graphs.by_terms.weights != by_terms.weights).nnz == 0
    by_latent = repair(knn(graphs.latent, N_NEIGHBORS), data.X)
    assert (graphs.by_latent.weights != by_latent.weights).nnz == 0
    assert (graphs.combined.weights != mix(by_terms, by_latent).weights).nnz == 0
    assert graphs.latent.shape[1] == min(MAX_LATENT, 39)


def test_the_latent_embedding_is_close_to_the_largest_singular_vectors():
    X = unit_rows(COUNTS)
    U, s, _ = np.linalg.svd(X.toarray(), full_matrices=False)
    found = latent_embedding(X, 5, 0)
    wanted = U[:, :5] * s[:5]
    assert found.shape == (120, 5)
    np.testing.assert_allclose(found @ found.T, wanted @ wanted.T, atol=1e-2)
    one = latent_embedding(X[:, :1], 0, 0)
    np.testing.assert_allclose(one.ravel(), np.asarray(X[:, [0]].sum(axis=1)).ravel())


def test_one_known_class_alone_changes_no_embedding_and_two_do(noisy):
    data, graphs = noisy
    plain = embed_graph(graphs.by_terms, data.X, 4, None, 0, None)
    one = np.where(np.arange(120) < 9, 0, -1)
    assert np.array_equal(embed_graph(graphs.by_terms, data.X, 4, one, 0, None), plain)
    two = np.where(np.arange(120) < 9, np.arange(120) % 2, -1)
    assert not np.array_equal(embed_graph(graphs.by_terms, data.X, 4, two, 0, None), plain)


@pytest.mark.filterwarnings("ignore::vicinal.errors.DisconnectedGraph")
def test_a_neighbour_graph_that_exists_is_used_and_gives_the_same_bits():
    built = Topics(5).fit(COUNTS)
    graph = RLPI(5, n_neighbors=N_NEIGHBORS).fit(built._reader.weights(COUNTS)).graph_
    given = fit_to_counts(Topics(5), COUNTS, by_terms=graph)
    for name in ("labels_", "uncertainty_", "typicality_"):
        assert getattr(given, name).tobytes() == getattr(built, name).tobytes()
    assert given.projection_.weights.tobytes() == built.projection_.weights.tobytes()
    other = repair(knn(unit_rows(COUNTS), 2), unit_rows(COUNTS))
    assert neighbor_graphs(unit_rows(COUNTS), 0, None, by_terms=other).by_terms is other


def test_progress_reports_every_part_of_the_fit_in_order(monkeypatch):
    told = []
    monkeypatch.setattr(topics, "printed_progress", lambda: lambda *step: told.append(step))
    Topics(5, verbose=True).fit(COUNTS)
    assert told == [("terms", 0, 1), ("terms", 1, 1), *[("clusters", part, 4) for part in range(5)]]


@pytest.mark.filterwarnings("ignore::vicinal.errors.DisconnectedGraph")
def test_of_a_sample_the_given_graph_of_all_documents_is_not_used():
    data = data_of(COUNTS)
    graph = repair(knn(data.X, N_NEIGHBORS), data.X)
    plain, given = (find_clusters(data, 5, 60, by_terms=each) for each in (None, graph))
    assert given.decision.labels.tobytes() == plain.decision.labels.tobytes()


def test_views_and_what_is_merged_settle_earlier_than_the_last_clusterings(noisy, monkeypatch):
    """One document in two hundred may still move where clusterings are combined or merged afterwards, else one in two thousand."""
    data, graphs = noisy
    allowed = []

    def spy(counts, labels, n_clusters, fixed=None, settled=SETTLED, rounds=15, neighbors=None, links=None):
        allowed.append((n_clusters, settled))
        return refine(counts, labels, n_clusters, fixed, settled, rounds, neighbors, links)

    monkeypatch.setattr("vicinal._consensus.views.refine", spy)
    take_views(data, graphs, 4)
    assert set(allowed) == {(4, NEARLY)}
    allowed.clear()
    Z = graphs.latent[:, :6]
    direct(data, graphs, Z, 4, 0)
    merged_from_many(data, graphs, Z, 4, 0)
    assert allowed == [(4, SETTLED), (12, NEARLY), (4, SETTLED)]


def test_clusterings_are_compared_by_the_counts_with_equal_sums(noisy):
    data, _ = noisy
    labels = np.arange(120) % 4
    assert data.log_likelihood(labels, 4) == log_likelihood_per_term(data.equal_counts, labels, 4)
    assert data.log_likelihood(labels, 4) != log_likelihood_per_term(data.log_counts, labels, 4)


def test_duplicates_are_clustered_into_as_many_clusters_as_there_are_different_rows():
    rows = np.repeat([[3.0, 1.0, 0.0], [0.0, 1.0, 2.0], [1.0, 0.0, 1.0]], 5, axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # scikit-learn warns of more clusters than different rows
        labels = kmeans_labels(unit_rows(rows), 5, data_of(sp.csr_array(rows)))
    assert np.array_equal(labels, labels[::5].repeat(5))
    assert set(labels.tolist()) == {0, 1, 2}


def test_the_embedding_of_a_graph_is_that_of_regression_with_a_ridge_penalty_of_one(noisy):
    data, graphs = noisy
    spectrum = smoothest(graphs.by_terms, 5, random_state=0)
    wanted = regress(data.X, spectrum, Ridge(1.0), tol=1e-2)
    assert np.array_equal(embed_graph(graphs.by_terms, data.X, 5, None, 0, None), wanted.transform(data.X))
    assert (ALPHA, LOOSE) == (1.0, 1e-2)  # on so few documents the solver is exact whatever the tolerance
