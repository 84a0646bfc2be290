"""Categories by the nearest mean: scikit-learn's contract, and the formulas by hand."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import NearestCentroid
from sklearn.utils.estimator_checks import parametrize_with_checks

from vicinal.errors import BadData, BadLabels, BadParameter, OneClass, VicinalError
from vicinal.uses import CentroidClassifier

METRICS = ("cosine", "euclidean")


@parametrize_with_checks([CentroidClassifier(), CentroidClassifier(metric="euclidean")])
def test_scikit_learns_contract(estimator, check):
    check(estimator)


def documents(seed=0, n=60, d=7, n_classes=4):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % n_classes
    rows = np.abs(rng.normal(size=(n_classes, d)))[labels] + 0.4 * rng.normal(size=(n, d))
    rows[rng.random((n, d)) < 0.3] = 0.0
    return rows * rng.uniform(0.1, 10, size=(n, 1)), labels


def unit(v):
    return v / np.linalg.norm(v)


def cosines_by_hand(X, y, new):
    scores = []
    for row in new:
        middles = [unit(np.mean([unit(x) for x, label in zip(X, y, strict=True) if label == c], axis=0)) for c in sorted(set(y))]
        scores.append([float(unit(row) @ middle) for middle in middles])
    return np.array(scores)


def test_a_score_is_the_cosine_with_the_mean_of_unit_rows():
    X, y = documents()
    new, _ = documents(1)
    model = CentroidClassifier().fit(X, y)
    expected = cosines_by_hand(X, y, new)
    assert model.decision_function(new) == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(model.predict(new), expected.argmax(axis=1))
    assert np.linalg.norm(model.centroids_, axis=1) == pytest.approx(np.ones(4), abs=1e-12)
    plain_means = np.array([unit(X[y == c].mean(axis=0)) for c in range(4)])
    assert np.abs(model.centroids_ - plain_means).max() > 1e-3


def test_euclidean_is_scikit_learns_nearest_centroid():
    X, y = documents()
    new, _ = documents(1)
    model, peer = CentroidClassifier(metric="euclidean").fit(X, y), NearestCentroid().fit(X, y)
    assert model.centroids_ == pytest.approx(peer.centroids_, abs=1e-12)
    assert np.array_equal(model.predict(new), peer.predict(new))
    distances = ((new[:, None] - peer.centroids_[None]) ** 2).sum(axis=2)
    assert model.decision_function(new) == pytest.approx(-distances, rel=1e-12)


def test_the_two_metrics_disagree_where_length_misleads():
    X, y = [[1.0, 0.0], [1.0, 0.1], [9.0, 9.0], [8.0, 9.0]], ["short", "short", "long", "long"]
    assert CentroidClassifier().fit(X, y).predict([[20.0, 0.5]]).tolist() == ["short"]
    assert CentroidClassifier(metric="euclidean").fit(X, y).predict([[20.0, 0.5]]).tolist() == ["long"]


@pytest.mark.parametrize("metric", METRICS)
def test_sparse_documents_are_classified_as_their_dense_twins_and_never_made_dense(metric, monkeypatch):
    X, y = documents()
    dense = CentroidClassifier(metric=metric).fit(X, y)
    heights = []
    toarray = sp.csr_array.toarray
    monkeypatch.setattr(sp.csr_array, "toarray", lambda self, *a, **k: heights.append(self.shape[0]) or toarray(self, *a, **k))
    sparse = CentroidClassifier(metric=metric).fit(sp.csr_array(X), y)
    found = sparse.decision_function(sp.csr_array(X))
    assert sparse.centroids_ == pytest.approx(dense.centroids_, abs=1e-12)
    assert found == pytest.approx(dense.decision_function(X), abs=1e-9)
    assert max(heights, default=0) <= 4


def test_entries_stored_twice_count_as_their_sum():
    twice = sp.csr_array((np.array([1.0, 1.0, 1.0, 3.0]), [0, 0, 1, 1], [0, 3, 4]), shape=(2, 2))
    model = CentroidClassifier().fit(twice, [0, 1])
    assert model.centroids_[0] == pytest.approx(unit(np.array([2.0, 1.0])))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_scores_of_a_row_have_the_same_bits_in_any_batch(metric, form):
    X, y = documents()
    new = form(documents(2)[0])
    model = CentroidClassifier(metric=metric).fit(X, y)
    together = model.decision_function(new)
    for start, stop in ((0, 1), (5, 8), (13, 30), (59, 60)):
        assert model.decision_function(new[start:stop]).tobytes() == together[start:stop].tobytes()


@pytest.mark.parametrize("metric", METRICS)
def test_two_classes_have_one_score_whose_sign_decides(metric):
    X, y = documents(n_classes=2)
    model = CentroidClassifier(metric=metric).fit(X, np.where(y == 0, "no", "yes"))
    scores = model.decision_function(X)
    assert scores.shape == (60,)
    assert np.array_equal(model.predict(X), np.where(scores > 0, "yes", "no"))
    assert len(set(model.predict(X))) == 2


def test_a_row_of_zeros_scores_nothing_and_falls_to_the_first_class():
    X, y = documents()
    model = CentroidClassifier().fit(X, np.array(["d", "c", "b", "a"])[y])
    assert model.decision_function(np.zeros((1, 7))).tolist() == [[0.0] * 4]
    assert model.predict(np.zeros((1, 7))).tolist() == ["a"]


def test_minus_one_is_a_class_like_any_other():
    model = CentroidClassifier().fit([[1.0, 0.0], [0.0, 1.0], [0.1, 1.0]], [-1, 5, 5])
    assert model.classes_.tolist() == [-1, 5]
    assert model.predict([[1.0, 0.0]]).tolist() == [-1]


def test_a_class_whose_documents_cancel_out_scores_nothing():
    model = CentroidClassifier().fit([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [0, 0, 1, 2])
    assert model.centroids_[0].tolist() == [0.0, 0.0]
    assert model.decision_function([[3.0, 4.0]])[0, 0] == 0.0
    assert model.predict([[3.0, 4.0]]).tolist() == [2]


def test_it_can_be_cloned_and_cross_validated():
    X, y = documents(n=120)
    model = clone(CentroidClassifier(metric="euclidean"))
    assert model.metric == "euclidean"
    assert cross_val_score(CentroidClassifier(), X, y, cv=4).mean() > 0.5


def test_what_cannot_be_learnt_from_is_refused_in_our_words():
    X, y = documents()
    with pytest.raises(OneClass, match="y has one class, 'a'"):
        CentroidClassifier().fit(X, ["a"] * 60)
    with pytest.raises(BadParameter, match="metric must be one of 'cosine', 'euclidean', got 'manhattan'"):
        CentroidClassifier(metric="manhattan").fit(X, y)
    with pytest.raises(BadLabels, match="inconsistent numbers of samples"):
        CentroidClassifier().fit(X, y[:5])
    with pytest.raises(BadLabels, match="requires y"):
        CentroidClassifier().fit(X, None)
    with pytest.raises(BadLabels):
        CentroidClassifier().fit(X[:2], np.array(["a", 1], dtype=object))
    with pytest.raises(BadData, match="NaN"):
        CentroidClassifier().fit(np.full((2, 1), np.nan), [0, 1])
    with pytest.raises(VicinalError, match="features"):
        CentroidClassifier().fit(X, y).predict(X[:, :3])
