"""Every measure against its formula written as plain loops, on random data and on data full of ties."""

from __future__ import annotations

import itertools
import math
import tracemalloc
import warnings
from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from vicinal import _document_pairs
from vicinal._centroids import squared_distances
from vicinal.errors import BadData, BadLabels, BadParameter, EmptyCorpus
from vicinal.metrics import (
    clustering_accuracy,
    locality,
    neighborhood_accuracy,
    normalized_mutual_info,
    pair_average_precision,
)


def accuracy_by_trying_every_naming(true, found):
    clusters, classes = sorted(set(found)), sorted(set(true))
    names = classes + [None] * max(0, len(clusters) - len(classes))
    best = 0
    for chosen in itertools.permutations(names, len(clusters)):
        naming = dict(zip(clusters, chosen, strict=True))
        best = max(best, sum(naming[f] == t for t, f in zip(true, found, strict=True)))
    return best / len(true)


def entropy(labels):
    return -sum(c / len(labels) * math.log2(c / len(labels)) for c in Counter(labels).values())


def information_by_the_formula(true, found, normaliser=max):
    n, joint, rows, columns = len(true), Counter(zip(true, found, strict=True)), Counter(true), Counter(found)
    shared = sum(c / n * math.log2(c * n / (rows[t] * columns[f])) for (t, f), c in joint.items())
    return shared / normaliser((entropy(true), entropy(found)))


def cosine(a, b):
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(x * x for x in b))
    return round(sum(x * y for x, y in zip(a, b, strict=True)) / lengths, 12) if lengths else 0.0


def pairs(Z, labels):
    both = [(cosine(Z[i], Z[j]), labels[i] == labels[j]) for i in range(len(Z)) for j in range(i + 1, len(Z))]
    return [s for s, _ in both], [same for _, same in both]


def precision_by_counting(similarities, relevant):
    total = 0.0
    for s, wanted in zip(similarities, relevant, strict=True):
        if wanted:
            above = [r for t, r in zip(similarities, relevant, strict=True) if t >= s]
            total += sum(above) / len(above)
    return total / sum(relevant)


def precision_with_ties_in_document_order(similarities, relevant):
    """Compute the broken variant: tied pairs keep the ranks of the order they happen to come in."""
    ranked = [r for _, r in sorted(zip(similarities, relevant, strict=True), key=lambda pair: -pair[0])]
    hits = [sum(ranked[: k + 1]) / (k + 1) for k, wanted in enumerate(ranked) if wanted]
    return sum(hits) / len(hits)


def neighborhood_by_sorting(Z, labels, distance, *, count_self=False):
    shares = []
    for i, label in enumerate(labels):
        wanted = labels.count(label) - (0 if count_self else 1)
        others = [j for j in range(len(Z)) if count_self or j != i]
        nearest = sorted(others, key=lambda j: (distance(Z[i], Z[j]), j))[:wanted]
        if wanted:
            shares.append(sum(labels[j] == label for j in nearest) / wanted)
    return sum(shares) / len(shares)


def squared(a, b):
    return float(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def locality_by_the_double_sum(W, Z):
    n, d = Z.shape
    change = [sum(W[i, j] * (Z[i, c] - Z[j, c]) ** 2 for i in range(n) for j in range(n)) for c in range(d)]
    size = [sum(W[i].sum() * Z[i, c] ** 2 for i in range(n)) for c in range(d)]
    return np.array(change) / (2 * np.array(size))


def random_documents(seed, n=40, d=5, n_labels=4):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_labels, n)
    return rng.normal(size=(n, d)) + rng.normal(size=(n_labels, d))[labels], labels.tolist()


def documents_full_of_ties(seed, n=40):
    rng = np.random.default_rng(seed)
    return rng.integers(-1, 2, size=(n, 2)).astype(float), rng.integers(0, 3, n).tolist()


def random_weights(seed, n=12):
    weights = np.random.default_rng(seed).random((n, n)) * (np.random.default_rng(seed + 1).random((n, n)) < 0.4)
    return np.triu(weights, 1) + np.triu(weights, 1).T


class GraphByHand:
    """The least that counts as a graph: degrees and a product."""

    def __init__(self, W):
        self.W = W
        self.degrees = W.sum(axis=1)

    def matmul(self, Y):
        return self.W @ Y


labelled = st.integers(1, 30).flatmap(
    lambda n: st.tuples(st.lists(st.integers(0, 3), min_size=n, max_size=n), st.lists(st.integers(0, 4), min_size=n, max_size=n))
)


# (M1) clustering accuracy


@pytest.mark.parametrize(("n_classes", "n_clusters"), [(3, 3), (2, 5), (5, 2), (1, 4), (4, 1)])
def test_accuracy_is_the_best_of_all_namings(n_classes, n_clusters):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        true, found = rng.integers(0, n_classes, 25).tolist(), rng.integers(0, n_clusters, 25).tolist()
        assert clustering_accuracy(true, found) == pytest.approx(accuracy_by_trying_every_naming(true, found), abs=1e-15)


def test_a_class_names_one_cluster_only():
    true, found = ["a"] * 4 + ["b"], [0, 0, 1, 1, 2]
    naming_by_majority = sum(Counter(t for t, f in zip(true, found, strict=True) if f == c).most_common(1)[0][1] for c in range(3))
    assert naming_by_majority / 5 == 1.0
    assert clustering_accuracy(true, found) == pytest.approx(0.6)


def test_taking_the_largest_cell_first_is_not_the_best_naming():
    true = [0] * 5 + [1] * 4
    found = [0] * 3 + [1] * 2 + [0] * 4
    assert clustering_accuracy(true, found) == pytest.approx((2 + 4) / 9)


@given(labelled, st.permutations(range(4)), st.permutations(range(5)))
@settings(deadline=None)
def test_names_of_labels_do_not_matter(both, new_classes, new_clusters):
    true, found = both
    renamed_true, renamed_found = [f"class {new_classes[t]}" for t in true], [new_clusters[f] - 1 for f in found]
    assert clustering_accuracy(renamed_true, renamed_found) == clustering_accuracy(true, found)
    assert normalized_mutual_info(renamed_true, renamed_found) == pytest.approx(normalized_mutual_info(true, found), abs=1e-12)


@given(labelled, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_of_documents_does_not_matter(both, random):
    true, found = both
    order = random.sample(range(len(true)), len(true))
    shuffled = [true[i] for i in order], [found[i] for i in order]
    assert clustering_accuracy(*shuffled) == clustering_accuracy(true, found)
    assert normalized_mutual_info(*shuffled) == pytest.approx(normalized_mutual_info(true, found), abs=1e-12)


@given(labelled)
@settings(deadline=None)
def test_a_labelling_agrees_fully_with_itself(both):
    assert clustering_accuracy(both[0], both[0]) == 1.0
    assert normalized_mutual_info(both[0], both[0]) == pytest.approx(1.0, abs=1e-12)


# (M2) normalised mutual information


def test_information_is_divided_by_the_larger_entropy():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        true, found = rng.integers(0, 3, 50).tolist(), rng.integers(0, 7, 50).tolist()
        assert normalized_mutual_info(true, found) == pytest.approx(information_by_the_formula(true, found), abs=1e-12)
        by_the_mean = information_by_the_formula(true, found, normaliser=lambda both: sum(both) / 2)
        assert normalized_mutual_info(true, found) < by_the_mean - 1e-6


def test_one_class_and_one_cluster_agree_and_one_against_many_tells_nothing():
    assert normalized_mutual_info(["a"] * 3, [7] * 3) == 1.0
    assert normalized_mutual_info(["a"] * 3, [0, 1, 2]) == 0.0
    assert normalized_mutual_info([0, 1, 2], ["a"] * 3) == 0.0


@given(labelled)
@settings(deadline=None)
def test_information_is_a_share_and_symmetric(both):
    true, found = both
    assert 0.0 <= normalized_mutual_info(true, found) <= 1.0
    assert normalized_mutual_info(true, found) == pytest.approx(normalized_mutual_info(found, true), abs=1e-12)


@pytest.mark.parametrize("measure", [clustering_accuracy, normalized_mutual_info])
def test_labels_that_do_not_match_are_refused(measure):
    with pytest.raises(BadLabels, match="3 classes and 2 clusters"):
        measure([0, 1, 1], [0, 1])
    with pytest.raises(EmptyCorpus, match="no labels"):
        measure([], [])
    with pytest.raises(BadLabels, match="continuous"):
        measure([0.5, 1.0], [0, 1])
    with pytest.raises(BadLabels, match="one type"):
        measure(np.array(["a", 1], dtype=object), [0, 1])
    with pytest.raises(BadLabels):
        measure([[0, 1], [1, 0]], [0, 1])
    with pytest.raises(BadLabels):
        measure([[0, 1], [1]], [0, 1])
    with pytest.raises(BadLabels, match="sequence"):
        measure(3, [0, 1])


def test_minus_one_is_a_label_like_any_other():
    assert clustering_accuracy([0, 0, 1, 1], [-1, -1, 0, 0]) == 1.0
    assert normalized_mutual_info([0, 0, 1, 1], [-1, -1, 0, 0]) == pytest.approx(1.0)


# (M3) average precision over pairs


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("make", [random_documents, documents_full_of_ties])
def test_average_precision_is_that_of_plain_counting(make, seed):
    Z, labels = make(seed)
    similarities, relevant = pairs(Z.tolist(), labels)
    found = pair_average_precision(Z, labels)
    assert found == pytest.approx(precision_by_counting(similarities, relevant), abs=1e-12)
    assert found == pytest.approx(average_precision_score(relevant, similarities), abs=1e-12)


def test_order_among_tied_pairs_plays_no_part():
    Z, labels = documents_full_of_ties(0)
    order = np.random.default_rng(1).permutation(len(labels))
    shuffled = Z[order], [labels[i] for i in order]
    assert pair_average_precision(*shuffled) == pytest.approx(pair_average_precision(Z, labels), abs=1e-12)
    broken = [precision_with_ties_in_document_order(*pairs(z.tolist(), y)) for z, y in ((Z, labels), shuffled)]
    assert abs(broken[0] - broken[1]) > 1e-4


def test_average_precision_of_coordinates_without_information_is_the_share_of_relevant_pairs():
    assert pair_average_precision(np.zeros((4, 2)), ["a", "a", "a", "b"]) == pytest.approx(3 / 6)
    assert pair_average_precision(np.ones((4, 2)), ["a", "a", "a", "b"]) == pytest.approx(3 / 6)


def test_classes_in_orthogonal_directions_have_average_precision_one():
    Z = np.array([[1.0, 0.0], [7.0, 0.0], [0.0, 2.0], [0.0, 0.1]])
    assert pair_average_precision(Z, [0, 0, 1, 1]) == 1.0
    assert pair_average_precision(Z, [0, 1, 0, 1]) < 0.5


def test_lengths_of_rows_do_not_change_average_precision_however_extreme():
    Z, labels = random_documents(3)
    scales = np.logspace(-200, 200, len(Z))[:, None]
    assert pair_average_precision(Z * scales, labels) == pytest.approx(pair_average_precision(Z, labels), abs=1e-12)


def test_pairs_need_a_shared_label():
    with pytest.raises(BadLabels, match="no pair of documents is relevant"):
        pair_average_precision(np.eye(3), [0, 1, 2])
    with pytest.raises(BadLabels, match="no pair of documents is relevant"):
        pair_average_precision(np.eye(1), ["alone"])


def test_average_precision_takes_eight_bytes_per_pair_and_no_square(monkeypatch):
    monkeypatch.setattr(_document_pairs, "_BLOCK_ENTRIES", 2**14)
    Z, labels = random_documents(0, n=1500)
    pair_average_precision(Z[:50], labels[:50])
    tracemalloc.start()
    pair_average_precision(Z, labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    all_pairs = 1500 * 1499 // 2
    assert 8 * all_pairs < peak < 8 * all_pairs + 2**21 < 8 * 1500**2


# (M4) neighbourhood accuracy


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("make", [random_documents, documents_full_of_ties])
def test_neighborhood_accuracy_is_that_of_plain_sorting(make, seed):
    Z, labels = make(seed)
    by_length = neighborhood_by_sorting(Z.tolist(), labels, squared)
    by_angle = neighborhood_by_sorting(Z.tolist(), labels, lambda a, b: -cosine(a, b))
    assert neighborhood_accuracy(Z, labels) == pytest.approx(by_length, abs=1e-12)
    assert neighborhood_accuracy(Z, labels, metric="cosine") == pytest.approx(by_angle, abs=1e-12)
    assert abs(by_length - by_angle) > 1e-6
    assert abs(by_length - neighborhood_by_sorting(Z.tolist(), labels, squared, count_self=True)) > 1e-6


def test_of_equally_near_documents_the_earlier_is_the_neighbour():
    Z = [[0.0], [1.0], [-1.0], [50.0]]
    assert neighborhood_accuracy(Z, ["a", "a", "b", "c"]) == pytest.approx((1 + 1) / 2)
    assert neighborhood_accuracy(Z, ["a", "b", "a", "c"]) == pytest.approx((0 + 1) / 2)


def test_rounding_does_not_decide_who_is_nearer():
    near, far = 0.3 - 0.2, 0.2 - 0.1
    assert near < far
    assert neighborhood_accuracy([[0.2], [0.1], [0.3], [9.0]], ["a", "a", "b", "c"]) == 1.0


def test_copies_of_a_sparse_document_are_at_distance_zero():
    originals = np.random.default_rng(0).random((30, 9))
    Z = sp.csr_array(np.repeat(originals, 3, axis=0))
    distances = squared_distances(Z, Z)
    copies = np.kron(np.eye(30), np.ones((3, 3))).astype(bool)
    assert (distances[copies] == 0).all()
    assert (distances[~copies] > 0).all()
    lengths = (Z.toarray() ** 2).sum(axis=1)
    assert (lengths[:, None] + lengths[None, :] - 2 * (Z @ Z.T).toarray())[copies].any()


def test_documents_alone_in_their_class_are_left_out_of_the_mean():
    Z = [[0.0], [0.1], [5.0]]
    assert neighborhood_accuracy(Z, ["a", "a", "alone"]) == 1.0
    with pytest.raises(BadLabels, match="no document has a neighbour to find"):
        neighborhood_accuracy(Z, ["a", "b", "c"])


def test_neighborhoods_do_not_depend_on_the_unit_of_length():
    Z, labels = random_documents(1)
    expected = neighborhood_accuracy(Z, labels)
    assert neighborhood_accuracy(Z * 1e-250, labels) == expected
    assert neighborhood_accuracy(Z * 1e250, labels) == expected


def test_neighborhood_accuracy_never_holds_the_square(monkeypatch):
    monkeypatch.setattr(_document_pairs, "_BLOCK_ENTRIES", 2**14)
    Z, labels = random_documents(0, n=1000)
    neighborhood_accuracy(Z[:50], labels[:50])
    tracemalloc.start()
    neighborhood_accuracy(Z, labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**21 < 8 * 1000**2


def test_an_unknown_metric_is_refused():
    with pytest.raises(BadParameter, match="metric must be one of 'euclidean', 'cosine', got 'manhattan'"):
        neighborhood_accuracy(np.eye(2), [0, 0], metric="manhattan")


# (M3) and (M4) together


@pytest.mark.parametrize(
    "measure",
    [pair_average_precision, neighborhood_accuracy, lambda Z, y: neighborhood_accuracy(Z, y, metric="cosine")],
)
@pytest.mark.parametrize("make", [random_documents, documents_full_of_ties])
def test_sparse_rows_blocks_and_float32_change_nothing(measure, make, monkeypatch):
    Z, labels = make(2)
    Z = Z.astype(np.float32)
    Z[[3, 11]] = 0.0
    before = Z.copy()
    expected = measure(Z, labels)
    assert measure(sp.csr_array(Z), labels) == expected
    assert measure(sp.coo_matrix(Z), labels) == expected
    monkeypatch.setattr(_document_pairs, "_BLOCK_ENTRIES", 3 * len(labels) + 1)
    assert measure(Z, labels) == expected
    assert measure(sp.csr_array(Z), labels) == expected
    assert np.array_equal(Z, before)


@pytest.mark.parametrize("measure", [pair_average_precision, neighborhood_accuracy])
def test_coordinates_and_labels_are_looked_at(measure):
    with pytest.raises(BadLabels, match="expected shape"):
        measure(np.eye(3), [0, 0])
    with pytest.raises(EmptyCorpus):
        measure(np.empty((0, 2)), [])
    with pytest.raises(BadData, match="row 1, column 0"):
        measure([[0.0], [np.nan]], [0, 0])


# (M5) locality


@pytest.mark.parametrize("seed", range(5))
def test_locality_is_the_double_sum_over_edges(seed):
    W, Z = random_weights(seed), np.random.default_rng(seed + 100).normal(size=(12, 3))
    expected = locality_by_the_double_sum(W, Z)
    for graph in (W, sp.csr_array(W), sp.coo_matrix(W), W.tolist(), GraphByHand(W), GraphByHand(sp.csr_array(W))):
        assert locality(graph, Z) == pytest.approx(expected, rel=1e-12)
    assert locality(W, sp.csr_array(Z)) == pytest.approx(expected, rel=1e-12)


def test_locality_is_zero_for_a_constant_and_two_for_a_sign_that_changes_along_every_edge():
    ring = np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1)
    Z = np.column_stack([np.full(6, 0.1), [1.0, -1.0] * 3])
    assert locality(ring, Z) == pytest.approx([0.0, 2.0], abs=1e-15)


def test_locality_of_a_nearly_constant_column_keeps_its_digits():
    W = random_weights(4)
    Z = 1.0 + 1e-9 * np.random.default_rng(0).normal(size=(12, 1))
    expected = locality_by_the_double_sum(W, Z)
    assert locality(W, Z) == pytest.approx(expected, rel=1e-5, abs=0)
    degrees = W.sum(axis=1)
    naive = 1 - np.einsum("ij,ij->j", Z, W @ Z) / (degrees @ Z**2)
    assert naive != pytest.approx(expected, rel=1e-5, abs=0)


def test_a_column_of_zeros_has_no_locality_and_raises_no_warning():
    W = random_weights(0)
    Z = np.column_stack([np.zeros(12), np.arange(12.0)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = locality(W, Z)
        nowhere = locality(np.zeros((12, 12)), Z)
    assert np.isnan(found[0])
    assert found[1] > 0
    assert np.isnan(nowhere).all()


def test_a_column_that_lives_on_documents_without_edges_has_no_locality():
    W = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert np.isnan(locality(W, [[0.0], [0.0], [3.0]])).all()


def test_locality_does_not_depend_on_the_unit_of_length_nor_on_blocks(monkeypatch):
    W, Z = random_weights(1), np.random.default_rng(5).normal(size=(12, 7))
    expected = locality(W, Z)
    assert locality(W, Z * np.logspace(-250, 250, 7)) == pytest.approx(expected, rel=1e-12)
    monkeypatch.setattr(_document_pairs, "_BLOCK_ENTRIES", 30)
    assert locality(W, Z) == pytest.approx(expected, rel=1e-12)
    assert locality(W, sp.csr_array(Z)) == pytest.approx(expected, rel=1e-12)


def test_loops_of_a_document_to_itself_change_its_degree_only():
    W, Z = random_weights(2), np.random.default_rng(5).normal(size=(12, 2))
    looped = W + np.diag(np.arange(12.0))
    assert locality(looped, Z) == pytest.approx(locality_by_the_double_sum(looped, Z), rel=1e-12)


def test_a_graph_that_does_not_fit_is_refused():
    W, Z = random_weights(3), np.ones((12, 1))
    with pytest.raises(BadData, match="same documents, got 12 and 5"):
        locality(W, Z[:5])
    with pytest.raises(BadData, match="same documents, got 12 and 5"):
        locality(GraphByHand(W), Z[:5])
    with pytest.raises(BadData, match="one row and one column per document"):
        locality(W[:6], Z[:6])
    with pytest.raises(BadData, match="symmetric"):
        locality(np.triu(W), Z)
    with pytest.raises(BadData, match="below zero"):
        locality(-W, Z)
