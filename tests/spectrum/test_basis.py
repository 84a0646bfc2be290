"""Bases that depend on the graph alone: components by hand, tied groups, signs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ortho_group

from vicinal.errors import IndistinctComponents
from vicinal.spectrum._basis import canonical, canonical_rotation, component_functions, say_indistinct, signs, tied_groups

DEGREES = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
COMPONENTS = np.array([0, 0, 0, 1, 1, 2])


def test_functions_of_components_are_orthonormal_by_degree_and_orthogonal_to_the_constant():
    F = component_functions(DEGREES, COMPONENTS, 2)
    np.testing.assert_allclose(F.T @ (DEGREES[:, None] * F), np.eye(2), atol=1e-15)
    np.testing.assert_allclose(DEGREES @ F, 0, atol=1e-15)


def test_each_function_compares_one_component_with_the_smaller_ones_after_it():
    F = component_functions(DEGREES, COMPONENTS, 2)
    assert (np.sign(F[:, 0]) == [1, 1, 1, -1, -1, -1]).all()
    assert (np.sign(F[:, 1]) == [0, 0, 0, 1, 1, -1]).all()
    assert len(set(F[3:, 0])) == 1  # the smaller ones are not yet told apart


def test_fewer_functions_of_components_are_the_first_of_them():
    np.testing.assert_array_equal(component_functions(DEGREES, COMPONENTS, 1), component_functions(DEGREES, COMPONENTS, 2)[:, :1])
    assert component_functions(DEGREES, COMPONENTS, 0).shape == (6, 0)


def test_values_are_split_where_they_differ_by_more_than_a_tie():
    groups = tied_groups(np.array([1.0, 1.0 - 5e-11, 0.5, 0.5 - 2e-10, 0.1]))
    assert [group.tolist() for group in groups] == [[0, 1], [2], [3], [4]]
    assert tied_groups(np.empty(0)) == []


def test_a_rotation_mixes_tied_functions_only():
    values = np.array([0.9, 0.5, 0.5, 0.1])
    V = np.random.default_rng(0).normal(size=(9, 4))
    R = canonical_rotation(values, V)
    np.testing.assert_allclose(R.T @ R, np.eye(4), atol=1e-14)
    allowed = np.array([[1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]], dtype=bool)
    assert not R[~allowed].any()
    assert (R[1:3, 1:3] != 0).all()


def test_any_basis_of_a_tied_group_has_the_same_canonical_form():
    values = np.array([0.9, 0.5, 0.5, 0.5])
    V = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 4)))[0]
    turned = V.copy()
    turned[:, 1:] = V[:, 1:] @ ortho_group.rvs(3, random_state=1)
    turned[:, 0] *= -1
    np.testing.assert_allclose(canonical(values, turned), canonical(values, V), atol=1e-13)


def test_the_document_that_stands_out_most_is_explained_by_the_first_function_of_its_group_alone():
    V = np.random.default_rng(0).normal(size=(9, 3))
    out = int(np.argmax(np.linalg.norm(V, axis=1)))
    turned = canonical(np.full(3, 0.5), V)
    np.testing.assert_allclose(turned[out], [np.linalg.norm(V[out]), 0, 0], atol=1e-14)


def test_the_largest_entry_becomes_positive_and_of_equals_the_first():
    V = np.array([[1.0, -2.0, -3.0], [-4.0, 2.0, 0.0], [2.0, 1.0, 3.0 * (1 + 1e-12)]])
    assert signs(V).tolist() == [-1.0, -1.0, -1.0]
    assert signs(-V).tolist() == [1.0, 1.0, 1.0]


def test_no_documents_and_no_functions_have_signs_too():
    assert signs(np.empty((0, 2))).tolist() == [1.0, 1.0]
    assert signs(np.empty((3, 0))).tolist() == []


def test_a_cut_through_equals_names_both_dimensions_and_the_value():
    with pytest.warns(IndistinctComponents, match=r"components 3 and 4 cannot be told apart: both have eigenvalue 0\.25"):
        say_indistinct(3, 0.25)
