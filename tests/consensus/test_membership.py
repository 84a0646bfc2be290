"""Memberships: views that agree make documents certain, views that divide a cluster make its documents belong to several."""

from __future__ import annotations

import numpy as np
import pytest

from vicinal._consensus.membership import memberships, with_memberships
from vicinal._consensus.views import View

LABELS = np.array([0, 0, 0, 0, 1, 1, 2, 2])


def view(labels, share=1.0):
    return View("a view", np.array(labels), 0.0, share)


def test_views_that_agree_put_every_document_in_its_cluster():
    other_numbers = view([2, 2, 2, 2, 0, 0, 1, 1])
    np.testing.assert_array_equal(memberships(LABELS, 3, [other_numbers, view(LABELS)]), np.eye(3)[LABELS])


def test_a_view_that_puts_two_clusters_together_shares_their_documents():
    found = memberships(LABELS, 3, [view([0, 0, 0, 0, 1, 1, 1, 1])])
    np.testing.assert_array_equal(found[:4], np.eye(3)[[0] * 4])
    np.testing.assert_array_equal(found[4:], np.tile([0.0, 0.5, 0.5], (4, 1)))


def test_views_count_by_their_share():
    found = memberships(LABELS, 3, [view(LABELS, 3.0), view([0, 0, 0, 0, 1, 1, 1, 1], 1.0)])
    np.testing.assert_allclose(found[4], [0.0, 0.875, 0.125])


def test_a_document_that_no_view_has_belongs_nowhere_and_one_that_some_have_by_those():
    some, others = view([-1, -1, 0, 0, 1, 1, 2, 2]), view([-1, 0, 0, 0, 1, 1, 2, 2])
    found = memberships(LABELS, 3, [some, others])
    assert not found[0].any()
    np.testing.assert_array_equal(found[1], [1.0, 0.0, 0.0])


def test_a_document_without_a_cluster_counts_for_none():
    labels = np.array([0, 0, -1, 1])
    np.testing.assert_array_equal(memberships(labels, 2, [view([0, 0, 0, 1])])[2], [1.0, 0.0])


def test_both_are_combined_by_their_geometric_mean_and_a_row_without_memberships_stays():
    p, m = np.array([[0.8, 0.2], [0.8, 0.2]]), np.array([[0.5, 0.5], [0.0, 0.0]])
    found = np.exp(with_memberships(np.log(p), m))
    np.testing.assert_allclose(found[0], np.sqrt([0.4, 0.1]) / np.sqrt([0.4, 0.1]).sum())
    np.testing.assert_allclose(found[1], p[1])
    assert found.sum() == pytest.approx(2)
