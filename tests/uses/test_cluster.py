"""Clusters: the same bits on any number of threads, numbers that do not depend on the start, and an honest predict."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from vicinal.errors import BadData, BadParameter, EmptyCorpus, TooFewDocuments, Unconverged, UnembeddedDocuments
from vicinal.uses import Clusters, cluster


def groups(seed=0, sizes=(60, 40, 25, 15), d=6, spread=0.3):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return 3 * np.eye(len(sizes), d)[labels] + spread * rng.normal(size=(len(labels), d)), labels


def noise(seed=0, n=400, d=8):
    return np.random.default_rng(seed).normal(size=(n, d))


def documents(seed=0, n=80, n_terms=200, n_topics=5):
    """Counts of words: each document draws most of its words from its topic's share of the vocabulary."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((n, n_terms))
    for i in range(n):
        own = (i % n_topics) * (n_terms // n_topics) + rng.integers(0, n_terms // n_topics, 12)
        np.add.at(counts[i], np.concatenate([own, rng.integers(0, n_terms, 6)]), 1.0)
    return sp.csr_array(counts)


def same_bits(one, two):
    return (
        np.array_equal(one.labels, two.labels)
        and one.centroids.tobytes() == two.centroids.tobytes()
        and one.objective == two.objective
    )


def fingerprint(found):
    parts = (found.labels.tobytes(), found.centroids.tobytes(), np.float64(found.objective).tobytes())
    return hashlib.sha256(b"".join(parts)).hexdigest()


def unit(Z):
    return Z / np.linalg.norm(Z, axis=1, keepdims=True)


# What is found


def test_groups_that_lie_apart_are_found():
    Z, labels = groups()
    found = cluster(Z, 4)
    assert np.array_equal(found.labels, labels)
    assert found.labels.dtype == np.int64
    assert found.sizes.tolist() == [60, 40, 25, 15]


def test_numbers_do_not_depend_on_the_start():
    Z, _ = groups(1)
    first = cluster(Z, 4, random_state=0)
    raw_orders = set()
    for seed in range(6):
        assert np.array_equal(cluster(Z, 4, random_state=seed, init="random").labels, first.labels)
        raw_orders.add(tuple(KMeans(4, n_init=1, random_state=seed).fit(unit(Z)).labels_))
    assert len(raw_orders) > 1


def test_clusters_of_equal_size_are_numbered_by_their_first_document():
    Z = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    assert cluster(Z, 3).labels.tolist() == [0, 1, 2]
    assert cluster(Z[[0, 1, 2, 1, 1]], 3).labels.tolist() == [1, 0, 2, 0, 0]


def test_every_document_is_nearest_to_its_own_centroid_which_is_the_mean():
    Z = noise()
    found = cluster(Z, 7)
    distances = ((unit(Z)[:, None, :] - found.centroids[None]) ** 2).sum(axis=2)
    assert np.array_equal(distances.argmin(axis=1), found.labels)
    for k in range(7):
        assert found.centroids[k] == pytest.approx(unit(Z)[found.labels == k].mean(axis=0), abs=1e-12)
    assert found.objective == pytest.approx(distances.min(axis=1).sum(), rel=1e-12)


def test_the_start_with_the_lowest_objective_is_kept():
    Z = noise(3)
    seeds = np.random.RandomState(7).randint(np.iinfo(np.int32).max, size=8)
    objectives = [KMeans(9, init="random", n_init=1, random_state=s, tol=0).fit(unit(Z)).inertia_ for s in seeds]
    found = cluster(Z, 9, init="random", n_init=8, random_state=7)
    assert found.objective == pytest.approx(min(objectives), rel=1e-10)
    assert max(objectives) > min(objectives) * 1.001
    assert objectives.index(min(objectives)) != 0


def test_scaling_rows_makes_length_irrelevant_and_leaving_them_does_not():
    Z, labels = groups(2)
    stretched = Z * np.random.default_rng(0).uniform(0.01, 100, size=(len(Z), 1))
    assert np.array_equal(cluster(stretched, 4).labels, labels)
    assert not np.array_equal(cluster(stretched, 4, normalize=False).labels, labels)
    assert np.array_equal(cluster(Z, 4, normalize=False).labels, labels)


def test_sparse_documents_are_clustered_as_their_dense_twins(monkeypatch):
    X = documents()
    dense = cluster(X.toarray(), 5)
    heights = []
    toarray = sp.csr_array.toarray
    monkeypatch.setattr(sp.csr_array, "toarray", lambda self, *a: heights.append(self.shape[0]) or toarray(self, *a))
    sparse = cluster(X, 5)
    assert max(heights, default=0) <= 5
    assert np.array_equal(sparse.labels, dense.labels)
    assert sparse.centroids == pytest.approx(dense.centroids, abs=1e-12)
    assert np.array_equal(sparse.predict(X), sparse.labels)


def test_sparse_documents_with_64_bit_indices_are_welcome():
    X = documents()
    wide = sp.csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)
    assert wide.indices.dtype == np.int64
    assert same_bits(cluster(wide, 3), cluster(X, 3))


def test_input_is_left_as_it_was():
    for Z in (noise(), documents()):
        values = Z.data if sp.issparse(Z) else Z
        before = np.array(values, copy=True)
        cluster(Z, 3).predict(Z)
        cluster(Z, 3, normalize=False).predict(Z)
        assert np.array_equal(values, before)


# Threads


def test_no_number_of_threads_changes_a_bit():
    Z = noise(4, n=2000, d=30)
    first = cluster(Z, 20, n_init=4, n_jobs=1)
    for limit in (1, 2):
        with threadpool_limits(limits=limit):
            for n_jobs in (1, 2, 3, None):
                assert same_bits(cluster(Z, 20, n_init=4, n_jobs=n_jobs), first)


def test_clustering_sees_one_openmp_thread_wherever_it_runs(monkeypatch):
    from sklearn.utils._openmp_helpers import _openmp_effective_n_threads

    seen = []
    fit = KMeans.fit

    def watched(self, X, y=None, sample_weight=None):
        seen.append(_openmp_effective_n_threads())
        return fit(self, X, y, sample_weight)

    monkeypatch.setattr(KMeans, "fit", watched)
    with threadpool_limits(limits=2):
        for n_jobs in (1, 2):
            cluster(noise(), 3, n_init=4, n_jobs=n_jobs)
    assert seen == [1] * 8


def test_settings_of_the_environment_change_no_bit():
    program = (
        "import hashlib, numpy as np\n"
        "from vicinal.uses import cluster\n"
        "Z = np.random.default_rng(4).normal(size=(2000, 30))\n"
        "found = cluster(Z, 20, n_init=4)\n"
        "parts = (found.labels.tobytes(), found.centroids.tobytes(), np.float64(found.objective).tobytes())\n"
        "print(hashlib.sha256(b''.join(parts)).hexdigest())\n"
    )
    expected = fingerprint(cluster(noise(4, n=2000, d=30), 20, n_init=4))
    for threads in ("1", "2"):
        limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        printed = subprocess.run(
            [sys.executable, "-c", program], env=os.environ | limits, capture_output=True, text=True, check=True
        )
        assert printed.stdout.strip() == expected


def test_the_same_seed_gives_the_same_bits_and_another_seed_other_starts():
    Z = noise(6)
    assert same_bits(cluster(Z, 9), cluster(Z, 9))
    assert same_bits(cluster(Z, 9, random_state=np.random.RandomState(0)), cluster(Z, 9, random_state=0))
    assert cluster(Z, 9, n_init=1, random_state=1).objective != cluster(Z, 9, n_init=1, random_state=2).objective


# Predict


@given(
    arrays(np.float64, st.tuples(st.integers(4, 25), st.integers(1, 3)), elements=st.integers(-2, 2)),
    st.integers(1, 4),
    st.booleans(),
    st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_predict_gives_documents_their_own_labels_even_on_a_grid_full_of_ties(Z, n_clusters, normalize, sparse):
    given_rows = sp.csr_array(Z) if sparse else Z
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnembeddedDocuments)
        try:
            found = cluster(given_rows, n_clusters, n_init=2, normalize=normalize, n_jobs=1)
        except TooFewDocuments:
            return
    assert np.array_equal(found.predict(given_rows), found.labels)
    assert np.array_equal(found.labels == -1, ~Z.any(axis=1))
    assert found.sizes.min() > 0
    assert found.sizes.tolist() == sorted(found.sizes.tolist(), reverse=True)


def test_a_document_between_two_centroids_goes_to_the_larger_cluster():
    pair = Clusters(np.array([0, 0, 1]), np.array([[2.0, 0.0], [0.0, 0.0]]), 0.0, normalize=False)
    assert pair.predict([[1.0, 0.0], [1.0, 5.0]]).tolist() == [0, 0]
    Z = np.array([[-1.0, 1.0], [1.0, 1.0], [2.0, 1.0], [2.0, 1.0], [2.0, 1.0]])
    found = cluster(Z, 2, normalize=False)
    assert np.array_equal(found.predict(Z), found.labels)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("normalize", [False, True])
def test_a_label_does_not_depend_on_the_rows_beside_it(sparse, normalize):
    Z = documents(3) if sparse else noise(7, n=80)
    found = cluster(Z, 5, normalize=normalize)
    new = documents(9) if sparse else noise(9, n=80)
    together = found.predict(new)
    for size in (1, 3, 17):
        parts = [found.predict(new[start : start + size]) for start in range(0, 80, size)]
        assert np.array_equal(np.concatenate(parts), together)
    assert len(set(together)) > 1


def test_distances_of_a_row_have_the_same_bits_in_any_batch():
    from vicinal._centroids import squared_distances

    for rows, others in ((noise(1, n=60), noise(2, n=7)), (documents(1), documents(2)[:7].toarray())):
        together = squared_distances(rows, others)
        for start, stop in ((0, 1), (5, 8), (13, 30), (59, 60)):
            assert squared_distances(rows[start:stop], others).tobytes() == together[start:stop].tobytes()


def test_new_documents_must_have_the_same_dimensions():
    found = cluster(noise(), 3)
    with pytest.raises(BadData, match="the clusters have 8 components, got rows of 5"):
        found.predict(np.ones((2, 5)))
    with pytest.raises(EmptyCorpus):
        found.predict(np.empty((0, 8)))


# Documents without a place


def test_rows_of_zeros_get_minus_one_and_teach_nothing():
    Z, labels = groups(5)
    holes = np.insert(Z, [0, 7, 7, len(Z)], 0.0, axis=0)
    with pytest.warns(UnembeddedDocuments, match=f"4 of {len(Z) + 4} documents"):
        found = cluster(holes, 4)
    without = cluster(Z, 4)
    placed = holes.any(axis=1)
    assert np.array_equal(found.labels[placed], without.labels)
    assert (found.labels[~placed] == -1).all()
    assert found.centroids.tobytes() == without.centroids.tobytes()
    assert found.sizes.sum() == len(Z)
    assert np.array_equal(found.predict(holes), found.labels)
    assert labels.max() == 3


def test_rows_of_zeros_are_told_apart_without_scaling_and_when_sparse():
    Z = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    stored_zeros = sp.csr_array((np.array([0.0, 1.0, 1.0]), [0, 0, 1], [0, 1, 2, 3, 3]), shape=(4, 2))
    for given_rows in (Z, sp.csr_array(Z), stored_zeros):
        with pytest.warns(UnembeddedDocuments):
            found = cluster(given_rows, 2, normalize=False)
        assert found.labels.tolist() == [-1, 0, 1, -1]


def test_very_short_rows_are_not_rows_of_zeros():
    Z, labels = groups(6)
    assert np.array_equal(cluster(Z * 1e-200, 4).labels, labels)
    assert np.array_equal(cluster(Z * 1e200, 4).labels, labels)
    with pytest.raises(BadData, match="too long"):
        cluster(Z * 1e200, 4, normalize=False)


# What is refused


def test_more_clusters_than_different_documents_are_refused():
    Z = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-0.0, 1.0]])
    with pytest.raises(TooFewDocuments, match="asked for 3 clusters but the 4 embedded documents have 2 different rows"):
        cluster(Z, 3)
    with pytest.raises(TooFewDocuments, match="2 different rows"):
        cluster(sp.csr_array(Z), 3)
    assert cluster(Z, 2).labels.tolist() == [0, 0, 1, 1]


def test_rows_in_one_direction_are_one_row_when_length_does_not_count():
    Z = np.outer(np.arange(1.0, 30.0), [0.1, 0.7, 0.3])
    with pytest.raises(TooFewDocuments, match="have 1 different rows"):
        cluster(Z, 2)
    assert cluster(Z, 2, normalize=False).sizes.min() > 0


def test_a_corpus_without_an_embedded_document_is_refused():
    with pytest.raises(TooFewDocuments, match="have 0 different rows"):
        cluster(np.zeros((4, 2)), 1)


@pytest.mark.parametrize("wrong", [2.0, 0, -1, "3", None, True])
@pytest.mark.parametrize("name", ["n_clusters", "n_init", "max_iter"])
def test_what_is_no_count_is_refused(name, wrong):
    with pytest.raises(BadParameter, match=f"{name} must be a whole number"):
        cluster(noise(), **({"n_clusters": 3} | {name: wrong}))


def test_unknown_starts_seeds_and_threads_are_refused():
    with pytest.raises(BadParameter, match="init must be one of"):
        cluster(noise(), 3, init="farthest")
    with pytest.raises(BadParameter, match="random_state"):
        cluster(noise(), 3, random_state="seed")
    with pytest.raises(BadParameter, match="n_jobs"):
        cluster(noise(), 3, n_jobs=0)
    with pytest.raises(BadData, match="row 0, column 1"):
        cluster([[0.0, np.inf]], 1)


def test_stopping_early_is_said():
    with pytest.warns(Unconverged, match="max_iter=2"):
        cluster(noise(), 9, max_iter=2)
