"""Copies of a document, and documents that are all alike."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal.graph._exact_duplicates import all_proportional, first_duplicates


@pytest.fixture(params=[np.asarray, sp.csr_array], ids=["dense", "sparse"])
def storage(request):
    return request.param


def test_each_document_points_to_the_first_that_is_the_same(storage):
    X = storage(np.array([[1.0, 2.0], [0.0, 1.0], [1.0, 2.0], [1.0, 2.0], [0.0, 1.0]]))
    assert first_duplicates(X).tolist() == [0, 1, 0, 0, 1]


def test_the_same_number_for_another_word_or_another_number_makes_no_copy(storage):
    X = storage(np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [1.0 + 1e-16, 0.0], [np.nextafter(1.0, 2.0), 0.0]]))
    assert first_duplicates(X).tolist() == [0, 1, 2, 0, 4]


def test_documents_without_words_are_copies_of_each_other(storage):
    assert first_duplicates(storage(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]))).tolist() == [0, 1, 0]


def test_documents_that_differ_in_length_alone_are_alike(storage):
    assert all_proportional(storage(np.array([[1.0, 2.0], [10.0, 20.0], [0.5, 1.0]])))


def test_a_document_without_words_is_like_any_other(storage):
    assert all_proportional(storage(np.array([[0.0, 0.0], [1.0, 2.0], [0.0, 0.0], [2.0, 4.0]])))


def test_one_document_of_another_direction_is_noticed_though_the_first_two_are_alike(storage):
    X = np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]])
    assert all_proportional(storage(X))
    X[2, 0] += 1e-5
    assert not all_proportional(storage(X))


def test_opposite_directions_are_not_alike(storage):
    assert not all_proportional(storage(np.array([[1.0, 2.0], [-1.0, -2.0]])))


def test_where_nobody_has_words_nobody_is_alike(storage):
    assert not all_proportional(storage(np.zeros((3, 2))))
