"""Layouts: neighbours near, clusters apart, nothing piled up, and the same bits for every order and every number of threads."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import vicinal
from vicinal import Vectorizer
from vicinal._matrix import unit_rows
from vicinal.datasets import load_docstrings
from vicinal.errors import BadData, BadParameter
from vicinal.graph import as_graph, nearest
from vicinal.uses import extend_layout, layout
from vicinal.uses._layout import repulsion
from vicinal.uses._layout.affinities import affinities_of
from vicinal.uses._layout.orientation import oriented


def documents(n=300, n_terms=120, n_subjects=6, seed=0):
    """Counts of terms, most of which are of the subject of a document; and the subjects."""
    rng = np.random.default_rng(seed)
    subjects, width, counts = rng.integers(0, n_subjects, n), n_terms // n_subjects, np.zeros((n, n_terms))
    for i, subject in enumerate(subjects):
        np.add.at(counts[i], np.append(subject * width + rng.integers(0, width, 12), rng.integers(0, n_terms, 4)), 1.0)
    return sp.csr_array(counts), subjects


def share_of_own(points, labels, n_nearest=10):
    """How many of the nearest points have the same label, on average."""
    squared = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    near = np.argsort(squared, axis=1)[:, :n_nearest]
    return (labels[near] == labels[:, None]).mean()


def spacing(points):
    squared = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    return np.sqrt(squared.min(axis=1))


@pytest.fixture(scope="module")
def corpus():
    X, subjects = documents()
    return X, subjects, layout(X)


def test_nearest_points_are_of_the_same_subject(corpus):
    _, subjects, points = corpus
    assert share_of_own(points, subjects) > 0.95
    assert share_of_own(np.random.default_rng(0).permutation(points), subjects) < 0.3  # which the measure would tell


def test_subjects_are_apart(corpus):
    _, subjects, points = corpus
    centres = np.array([points[subjects == each].mean(axis=0) for each in range(6)])
    within = np.sqrt(((points - centres[subjects]) ** 2).sum(axis=1)).mean()
    between = np.sqrt(((centres[:, None] - centres[None]) ** 2).sum(axis=2))[np.triu_indices(6, 1)]
    assert between.min() > 2 * within


def test_the_layout_of_documentation_strings_keeps_modules_together():
    found = [document for document in load_docstrings(["numpy"]) if document.label]
    X = Vectorizer("bm25", min_df=2).fit_transform([document.text for document in found])
    labels = np.unique([document.label for document in found], return_inverse=True)[1]
    points = layout(X)
    kept = np.isfinite(points).all(axis=1)
    by_terms = nearest(unit_rows(X), 10).documents
    of_terms = (labels[by_terms] == labels[:, None])[by_terms >= 0].mean()
    assert share_of_own(points[kept], labels[kept]) > 0.85 * of_terms
    assert np.quantile(spacing(points[kept]), 0.01) > 1e-3 * np.ptp(points[kept], axis=0).max() / np.sqrt(kept.sum())


def test_the_number_of_threads_changes_no_bit(monkeypatch):
    X, _ = documents(900)
    for module in ("descent", "extension", "repulsion"):
        monkeypatch.setattr(f"vicinal.uses._layout.{module}.BLOCK", 100)
    one = layout(X, n_jobs=1)
    assert np.array_equal(one, layout(X, n_jobs=4))
    new = sp.csr_array(np.random.default_rng(0).random((500, 900)) * (np.random.default_rng(1).random((500, 900)) < 0.01))
    assert np.array_equal(extend_layout(one, new, n_jobs=1), extend_layout(one, new, n_jobs=3), equal_nan=True)


def test_the_order_of_documents_changes_no_bit(corpus):
    X, _, points = corpus
    order = np.random.default_rng(0).permutation(X.shape[0])
    assert np.array_equal(layout(X[order]), points[order])


def test_another_random_seed_gives_another_layout(corpus):
    assert not np.array_equal(layout(corpus[0], random_state=1), corpus[2])


def test_a_refit_keeps_the_orientation(corpus):
    X, _, points = corpus
    turn = np.array([[np.cos(2.0), -np.sin(2.0)], [np.sin(2.0), np.cos(2.0)]]) @ np.diag([1.0, -1.0])
    like = points @ turn + [50.0, -20.0]
    apart = np.linalg.norm(like - like.mean(axis=0), axis=1).mean()
    more = sp.vstack([X, documents(30, seed=5)[0]], format="csr")
    for corpus_now, n_new in ((X, 0), (more, 30)):
        again = layout(corpus_now, like=np.vstack([like, np.full((n_new, 2), np.nan)]))
        assert np.isfinite(again).all()
        assert np.linalg.norm(again[:300] - like, axis=1).mean() < 0.2 * apart
    assert np.linalg.norm(layout(more)[:300] - like, axis=1).mean() > apart  # which a layout of its own is not


def test_a_layout_with_few_earlier_points_is_turned_to_be_like_them(corpus):
    X, _, points = corpus
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    like = np.full_like(points, np.nan)
    like[:100] = points[:100] @ turn
    assert np.allclose(layout(X, like=like), points @ turn, atol=1e-6 * np.abs(points).max())


def test_what_did_not_move_keeps_its_very_numbers(corpus):
    points = corpus[2].astype(np.float32).astype(float)
    assert np.array_equal(oriented(corpus[2], points), points)


def test_orientation_needs_two_common_documents(corpus):
    like = np.full_like(corpus[2], np.nan)
    like[0] = 7.0
    assert np.array_equal(oriented(corpus[2], like), corpus[2])


def test_new_documents_are_near_their_neighbours_and_others_stay(corpus):
    X, subjects, points = corpus
    rows, before = unit_rows(X).tocsr(), points[:200].copy()
    near = nearest(rows, 10).documents
    weights = np.zeros((100, 200))
    for new in range(100):
        for old in near[200 + new]:
            if 0 <= old < 200:
                weights[new, old] = (rows[[200 + new]] @ rows[[old]].T).toarray()[0, 0]
    found = extend_layout(points[:200], weights)
    asked = np.flatnonzero((weights > 0).sum(axis=1) >= 3)
    squared = ((found[asked, None] - points[None, :200]) ** 2).sum(axis=2)
    assert (subjects[squared.argmin(axis=1)] == subjects[200 + asked]).mean() > 0.95
    assert np.array_equal(points[:200], before)
    assert np.array_equal(extend_layout(points[:200], weights[asked[:1]]), found[asked[:1]])  # it depends on no other new one


def test_a_new_document_stands_with_most_of_its_neighbours_and_not_between():
    points = [[0.0, 0.0], [0.2, 0.0], [0.0, 0.2], [20.0, 20.0]]
    assert np.linalg.norm(extend_layout(points, [[1.0, 1.0, 1.0, 1.0]])[0]) < 1.0
    assert np.isnan(extend_layout(points, [[0.0, 0.0, 0.0, 0.0]])).all()
    assert np.allclose(extend_layout([[np.nan, np.nan], [3.0, 4.0]], [[1.0, 0.5]]), [[3.0, 4.0]])


@pytest.mark.parametrize("n", [1, 2, 3])
def test_very_few_documents(n):
    points = layout(np.eye(3)[:n] + 1.0)
    assert points.shape == (n, 2)
    assert np.isfinite(points).all() == (n > 1)  # one document has no neighbours
    if n > 1:
        assert spacing(points).min() > 1e-3


def test_duplicates_are_beside_each_other():
    points = layout(np.ones((40, 3)))
    assert np.isfinite(points).all()
    assert spacing(points).min() > 1e-3 * np.ptp(points, axis=0).max()


def test_an_empty_document_has_no_point_and_changes_nothing(corpus):
    X, _, points = corpus
    with_empty = layout(sp.vstack([X, sp.csr_array((1, X.shape[1]))], format="csr"))
    assert np.isnan(with_empty[-1]).all()
    assert np.isfinite(points).all()
    assert np.isfinite(with_empty[:-1]).all()


def test_connected_components_stay_in_sight():
    pairs = np.kron(np.eye(30), 1 - np.eye(2))
    points = layout(as_graph(pairs))
    assert np.isfinite(points).all()
    partner = np.arange(60) ^ 1
    squared = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    assert (squared.argmin(axis=1) == partner).mean() > 0.9
    assert np.ptp(points, axis=0).max() < 300


def test_a_graph_without_edges_has_no_points():
    assert np.isnan(layout(as_graph(np.zeros((3, 3))))).all()


def test_the_grid_gives_what_the_sum_over_pairs_gives():
    points = np.random.default_rng(0).normal(size=(900, 2)) * [20.0, 5.0]
    apart = points[:, None] - points[None]
    near = 1.0 / (1.0 + (apart**2).sum(axis=2))
    exact = np.column_stack([near.sum(axis=1), *(near[:, :, None] ** 2 * apart).sum(axis=1).T])
    found = repulsion.repulsion(points, 1)
    assert np.abs(found[:, 0] - exact[:, 0]).max() < 0.01 * exact[:, 0].max()
    assert np.linalg.norm(found[:, 1:] - exact[:, 1:]) < 0.08 * np.linalg.norm(exact[:, 1:])
    few = repulsion.repulsion(points[:300], 1)
    near = near[:300, :300]
    assert np.allclose(few, np.column_stack([near.sum(axis=1), *(near[:, :, None] ** 2 * apart[:300, :300]).sum(axis=1).T]))


def test_a_very_wide_layout_has_a_grid_of_bounded_size():
    grid = repulsion.grid_around(np.array([[0.0, 0.0], [1e6, 3.0]]))
    assert grid.side <= repulsion.LARGEST
    assert grid.spacing * grid.side >= 1e6


def test_affinities_count_every_document_alike():
    weights = np.array([[9.0, 1.0, 5.0], [1.0, 0.0, 0.0], [5.0, 0.0, 0.0]])
    found = affinities_of(sp.csr_array(weights)).toarray()
    assert found.sum() == pytest.approx(1.0)
    assert np.array_equal(found, found.T)
    assert found[0, 1] == pytest.approx((1 / 6 + 1) / 6)


def test_what_is_wrong_is_refused(corpus):
    X = corpus[0]
    with pytest.raises(BadParameter, match="n_neighbors"):
        layout(X, 0)
    with pytest.raises(BadData, match="embeddings must have a row"):
        layout(X, embeddings=np.ones((3, 2)))
    with pytest.raises(BadData, match="like must have two numbers"):
        layout(X, like=np.ones((300, 3)))
    with pytest.raises(BadData, match="a column for each of the 2 points"):
        extend_layout(np.ones((2, 2)), np.ones((1, 3)))
    with pytest.raises(BadData, match="at least 0"):
        extend_layout(np.ones((2, 2)), [[1.0, -1.0]])
    assert vicinal.layout is layout
