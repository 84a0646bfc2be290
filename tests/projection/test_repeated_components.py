"""Dimensions that only repeat others are left out, with all that belongs to them."""

from __future__ import annotations

import numpy as np
import pytest

from vicinal.projection import Projection
from vicinal.projection._solvers.repeated_components import independent_components

X = np.random.default_rng(0).random((12, 6))
A = np.random.default_rng(1).normal(size=(6, 3))


def project(*columns, offset=False):
    weights = np.column_stack(columns)
    offset = np.ones(weights.shape[1]) if offset else None
    return Projection(weights, offset, eigenvalues=np.linspace(1, 0.5, weights.shape[1]), made_by={"a": 1})


def test_a_dimension_that_combines_earlier_ones_is_left_out_with_its_value_and_offset():
    given = project(A[:, 0], A[:, 1], A[:, 0] - 2 * A[:, 1], A[:, 2], offset=True)
    given = Projection(given.weights, given.weights.T @ X.mean(axis=0), eigenvalues=given.eigenvalues)
    kept = independent_components(given, X)
    assert np.array_equal(kept.weights, A)
    assert kept.eigenvalues.tolist() == given.eigenvalues[[0, 1, 3]].tolist()
    assert kept.offset.tolist() == given.offset[[0, 1, 3]].tolist()


def test_dimensions_that_all_say_something_are_returned_as_they_are():
    given = project(*A.T)
    assert independent_components(given, X) is given


def test_it_is_places_that_count_and_not_weights():
    no_fifth_word = X * [1, 1, 1, 1, 0, 1]
    bent = A[:, 0] + 7.0 * np.eye(6)[4]
    assert independent_components(project(A[:, 0], bent), X).n_components == 2
    assert independent_components(project(A[:, 0], bent), no_fifth_word).n_components == 1


@pytest.mark.parametrize(("dtype", "size", "kept"), [(np.float64, 1e-6, 2), (np.float64, 1e-10, 1), (np.float32, 1e-6, 1)])
def test_how_small_a_difference_counts_depends_on_the_width_of_the_numbers(dtype, size, kept):
    given = project(A[:, 0], A[:, 0] + size * A[:, 1])
    assert independent_components(given, X.astype(dtype)).n_components == kept
    assert independent_components(project(A[:, 0], size * A[:, 1]), X.astype(dtype)).n_components == kept


def test_no_more_dimensions_are_left_than_there_are_documents():
    assert independent_components(project(*A.T), X[:2]).n_components == 2


def test_a_map_to_zero_keeps_its_dimensions():
    assert independent_components(project(*np.zeros((3, 6))), X).n_components == 3


def test_what_is_left_still_says_how_it_was_made():
    assert independent_components(project(A[:, 0], A[:, 0]), X).made_by == {"a": 1}
