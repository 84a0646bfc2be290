"""Labels: the class graph's eigenvectors are known in closed form, and independent documents of one class become one point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.toys import angle, eigenvalues, error, lawful, stored, tall, topics, wide
from vicinal import LPI, OLPI, RLPI
from vicinal.errors import FewerComponents
from vicinal.graph import classes
from vicinal.spectrum import solve

#: Classes of two or more documents each, in any order.
labels = st.lists(st.integers(2, 6), min_size=2, max_size=5).flatmap(
    lambda sizes: st.permutations(np.repeat(np.arange(len(sizes)), sizes).tolist()).map(np.array)
)
weights = st.sampled_from(["size", "one"])


def indicators(y):
    return (y[:, None] == np.unique(y)[None, :]).astype(float)


@lawful
@given(y=labels, weight=weights)
def test_class_graph_has_one_eigenvalue_one_per_class_and_all_others_zero(y, weight):
    values = eigenvalues(stored(classes(y, weight=weight)))
    n_classes = len(np.unique(y))
    np.testing.assert_allclose(values[:n_classes], 1, atol=1e-12)
    np.testing.assert_allclose(values[n_classes:], 0, atol=1e-12)


@lawful
@given(y=labels, weight=weights)
def test_closed_form_of_the_class_graph_is_what_the_stored_matrix_gives(y, weight):
    graph = classes(y, weight=weight)
    n_functions = len(np.unique(y)) - 1
    closed = solve(graph, n_functions)
    assert closed.solver == "exact"
    np.testing.assert_array_equal(closed.values, np.ones(n_functions))
    scale = 1.0 / np.sqrt(graph.degrees)
    dense = np.linalg.eigh(scale[:, None] * stored(graph) * scale)[1][:, -n_functions - 1 :]
    assert angle(np.column_stack([np.ones(len(y)), closed.vectors]), scale[:, None] * dense) < 1e-12
    assert angle(np.column_stack([np.ones(len(y)), closed.vectors]), indicators(y)) < 1e-12


@lawful
@given(y=labels, weight=weights)
def test_functions_of_classes_times_degrees_are_the_identity_times_the_volume(y, weight):
    graph = classes(y, weight=weight)
    Y = solve(graph, len(np.unique(y)) - 1).vectors
    volume = graph.degrees.sum()
    np.testing.assert_allclose(Y.T @ (graph.degrees[:, None] * Y), volume * np.eye(Y.shape[1]), atol=1e-12 * volume)
    np.testing.assert_allclose(graph.degrees @ Y, 0, atol=1e-12 * volume)


@lawful
@given(y=labels)
def test_class_weights_of_one_over_the_size_make_every_degree_one(y):
    np.testing.assert_allclose(classes(y).degrees, 1, atol=1e-14)


def test_labels_for_all_documents_make_the_class_graph_of_one_over_the_size_and_no_other_edge():
    y = np.repeat([0, 1, 2], [6, 10, 14])
    fitted = RLPI(2).fit(wide(), y)
    np.testing.assert_allclose(stored(fitted.graph_), stored(classes(y)), atol=1e-15)


@lawful
@given(first=st.integers(2, 12), second=st.integers(2, 12))
def test_two_classes_give_the_responses_of_the_discriminant_up_to_scale(first, second):
    y = np.repeat([0, 1], [first, second])
    m = first + second
    response = np.where(y == 0, m / first, -m / second)
    found = solve(classes(y), 1).vectors[:, 0]
    cosine = found @ response / np.linalg.norm(found) / np.linalg.norm(response)
    assert abs(abs(cosine) - 1) < 1e-14


def test_more_functions_than_classes_less_one_do_not_exist():
    with pytest.warns(FewerComponents):
        assert len(solve(classes(topics(30, 3)), 5)) == 2


def spread_within(embeddings, y):
    """The largest distance between places of one class, compared with the largest of all."""
    within = max(np.ptp(embeddings[y == label], axis=0).max() for label in np.unique(y))
    return within / np.ptp(embeddings, axis=0).max()


@pytest.mark.parametrize("method", [LPI, OLPI])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_independent_documents_of_one_class_are_mapped_to_one_point(method, n_classes):
    X, y = wide(), topics(30, n_classes)
    fitted = method(n_classes - 1).fit(X, y)
    np.testing.assert_allclose(fitted.eigenvalues_, 1, atol=1e-12)
    assert spread_within(fitted.transform(X), y) < 1e-10


def test_ridge_brings_documents_of_one_class_to_one_point_as_fast_as_it_vanishes():
    X, y = wide(), topics(30, 3)
    spreads = [spread_within(RLPI(2, alpha=alpha).fit(X, y).transform(X), y) for alpha in (1e-3, 1e-4, 1e-5)]
    np.testing.assert_allclose(np.divide(spreads[1:], spreads[:-1]), 0.1, rtol=0.02)


def test_documents_that_are_not_independent_keep_their_distances_inside_a_class():
    X, y = tall(), topics(80, 3)
    assert spread_within(LPI(2).fit(X, y).transform(X), y) > 0.05


@pytest.mark.parametrize("method", [LPI, RLPI])
def test_subspace_of_the_classes_does_not_depend_on_their_names(method):
    X, y = wide(), topics(30, 3)
    names = np.array(["z", "m", "a"])[y]
    one, other = method(2).fit(X, y), method(2).fit(X, names)
    assert angle(one.components_.T, other.components_.T) < 1e-10


def test_orthogonal_directions_of_classes_do_not_depend_on_the_solver():
    X, y = wide(), np.repeat([0, 1, 2, 3], [5, 6, 8, 11])
    dense, lanczos = (OLPI(3, solver=solver).fit(X, y) for solver in ("dense", "lanczos"))
    assert error(lanczos.transform(X), dense.transform(X)) < 1e-7
