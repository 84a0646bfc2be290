"""Laws of the Laplacian score: a Rayleigh quotient for each term, whatever the graph and however X is stored."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.toys import copies, documents, lawful, random_graph, stored, topics
from vicinal.graph import as_graph, classes, complete, knn, mix, with_labels
from vicinal.metrics import locality
from vicinal.projection import laplacian_scores

X = documents()
GRAPHS = {
    "knn": lambda: knn(X, 6),
    "heat": lambda: knn(X, 6, weight="heat"),
    "with loops": lambda: as_graph(random_graph(60)),
    "classes": lambda: classes(topics()),
    "some unlabelled": lambda: classes(np.where(np.arange(60) % 5 == 0, -1, topics())),
    "complete": lambda: complete(X),
    "complete, heat": lambda: complete(X, weight="heat"),
    "knn and classes": lambda: with_labels(knn(X, 6), np.where(np.arange(60) < 20, topics(), -1)),
    "knn and complete": lambda: mix(knn(X, 6), complete(X), shares=(0.7, 0.3)),
}


@pytest.fixture(params=GRAPHS.values(), ids=GRAPHS.keys(), name="graph")
def any_graph(request):
    return request.param()


def by_brute_force(X, W, centered=False):
    """The definition, term by term, with dense matrices."""
    d = W.sum(axis=1)
    L, scores = np.diag(d) - W, []
    for x in np.asarray(X.toarray(), dtype=np.float64).T:
        x = x - (d @ x / d.sum()) if centered else x
        size = x @ (d * x)
        scores.append(x @ L @ x / size if size > 1e-20 else np.nan)
    return np.array(scores)


@pytest.mark.parametrize("centered", [False, True])
def test_a_score_is_the_rayleigh_quotient_of_its_term(graph, centered):
    scores = laplacian_scores(X, graph, centered=centered)
    np.testing.assert_allclose(scores, by_brute_force(X, stored(graph), centered), rtol=1e-11, atol=1e-13)


def test_brute_force_would_notice_a_wrong_graph():
    wrong = by_brute_force(X, stored(knn(X, 5)))
    assert np.abs(laplacian_scores(X, knn(X, 6)) - wrong).max() > 1e-3


def test_a_score_is_the_locality_of_its_column(graph):
    np.testing.assert_allclose(laplacian_scores(X, graph), locality(graph, X), rtol=1e-11, atol=1e-13)


def test_a_centred_score_is_never_smaller(graph):
    assert np.all(laplacian_scores(X, graph, centered=True) >= laplacian_scores(X, graph) - 1e-13)


def test_a_centred_score_is_the_score_of_the_centred_column(graph):
    d = graph.degrees
    shifted = X.toarray() - d @ X.toarray() / d.sum()
    np.testing.assert_allclose(laplacian_scores(X, graph, centered=True), laplacian_scores(shifted, graph), rtol=1e-10, atol=1e-13)


def test_a_centred_score_does_not_see_a_constant_added_to_a_term(graph):
    plain = laplacian_scores(X, graph, centered=True)
    np.testing.assert_allclose(laplacian_scores(X.toarray() + 3.0, graph, centered=True), plain, rtol=1e-9)
    assert np.abs(laplacian_scores(X.toarray() + 3.0, graph) - laplacian_scores(X, graph)).max() > 0.1


@lawful
@given(scales=st.lists(st.floats(1e-6, 1e6), min_size=90, max_size=90), centered=st.booleans())
def test_the_scale_of_a_term_changes_nothing(scales, centered):
    graph = knn(X, 6)
    scaled = sp.csr_array(X @ sp.diags_array(np.array(scales)))
    np.testing.assert_allclose(
        laplacian_scores(scaled, graph, centered=centered), laplacian_scores(X, graph, centered=centered), rtol=1e-12
    )


@pytest.mark.parametrize("scale", [-1.0, 2.0**300, 2.0**-300])
def test_the_sign_and_powers_of_two_change_no_bit(graph, scale):
    assert np.array_equal(laplacian_scores(X * scale, graph), laplacian_scores(X, graph))


def test_the_scale_of_the_graph_changes_nothing():
    W = random_graph(60)
    np.testing.assert_allclose(laplacian_scores(X, as_graph(7.0 * W)), laplacian_scores(X, as_graph(W)), rtol=1e-13)


def test_the_indicator_of_a_component_is_perfectly_smooth():
    W = copies(random_graph(20), 3)
    X = np.kron(np.eye(3), np.ones((20, 1)))
    assert np.array_equal(laplacian_scores(X, as_graph(W)), np.zeros(3))
    np.testing.assert_allclose(laplacian_scores(X, as_graph(W), centered=True), 0.0, atol=1e-15)


def test_a_term_that_changes_sign_at_every_step_is_as_rough_as_can_be():
    ring = np.roll(np.eye(10), 1, axis=1)
    sign = np.tile([[1.0], [-1.0]], (5, 1))
    np.testing.assert_allclose(laplacian_scores(sign, as_graph(ring + ring.T)), 2.0, rtol=1e-14)


def test_no_score_is_below_that_of_the_smoothest_centred_function():
    W = random_graph(60)
    scale = 1.0 / np.sqrt(W.sum(axis=1))
    second = np.linalg.eigvalsh(scale[:, None] * W * scale)[-2]
    assert laplacian_scores(X, as_graph(W), centered=True).min() >= 1 - second


def test_sparse_and_dense_documents_give_the_same_bits(graph):
    assert np.array_equal(laplacian_scores(X.toarray(), graph), laplacian_scores(X, graph))
