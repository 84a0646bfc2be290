"""The search for the most similar documents: what it returns, for whom, and among whom."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents
from vicinal._matrix import unit_rows
from vicinal.errors import BadData
from vicinal.graph import nearest
from vicinal.graph._neighbors import _at_most_the_kth

STORAGES = {"sparse": sp.csr_array, "dense": np.asarray}

#: Letters are words. The first three are a fan from "a" to "b"; the last shares a word with nobody.
NOTES = np.array([[2, 0, 0], [1, 1, 0], [0, 2, 0], [0, 0, 1]], dtype=float)


@pytest.fixture(name="U", params=STORAGES)
def unit_notes(request):
    return STORAGES[request.param](unit_rows(NOTES))


def test_neighbours_come_nearest_first_with_their_cosines():
    X = np.array([[1.0, 0.0], [3.0, 4.0], [4.0, 3.0], [0.0, 1.0]])
    found = nearest(unit_rows(X), 2)
    assert found.documents.tolist() == [[2, 1], [2, 3], [1, 0], [1, 2]]
    np.testing.assert_allclose(found.similarities[:2], [[0.8, 0.6], [0.96, 0.8]], atol=1e-15)


def test_a_row_with_too_few_neighbours_ends_in_minus_one_and_zero(U):
    found = nearest(U, 2)
    assert found.documents.tolist() == [[1, -1], [0, 2], [1, -1], [-1, -1]]
    assert ((found.similarities == 0) == (found.documents == -1)).all()


def test_more_neighbours_than_documents_may_be_asked_for(U):
    found = nearest(U, 7)
    assert found.documents.shape == (4, 7)
    assert found.documents[1].tolist() == [0, 2, -1, -1, -1, -1, -1]


def test_only_those_who_ask_are_answered_in_the_order_in_which_they_ask(U):
    assert nearest(U, 1, queries=np.array([2, 3, 0])).documents.tolist() == [[1], [-1], [1]]


def test_documents_of_the_own_group_do_not_count(U):
    found = nearest(U, 2, group=np.array([0, 0, 1, 1]))
    assert found.documents.tolist() == [[-1, -1], [2, -1], [1, -1], [-1, -1]]


def test_pairs_name_who_asks_by_position_and_leave_out_what_was_not_found(U):
    rows, columns, cosines = nearest(U, 2, queries=np.array([3, 1, 0])).pairs()
    assert rows.tolist() == [1, 1, 2]
    assert columns.tolist() == [0, 2, 1]
    np.testing.assert_allclose(cosines, np.sqrt(0.5), atol=1e-15)


@pytest.mark.parametrize("storage", STORAGES)
def test_a_negative_cosine_makes_no_neighbour(storage):
    U = STORAGES[storage](unit_rows(NOTES * np.array([[1.0], [1.0], [-1.0], [1.0]])))
    assert nearest(U, 2).documents.tolist() == [[1, -1], [0, -1], [-1, -1], [-1, -1]]


@pytest.mark.parametrize("storage", ["sparse", "dense"])
def test_documents_beyond_the_first_block_are_found_as_in_one_block(storage):
    X = documents(n=300)
    cosines = (unit_rows(X) @ unit_rows(X).T).toarray()
    np.fill_diagonal(cosines, 0.0)
    found = nearest(unit_rows(X if storage == "sparse" else X.toarray()), 5, n_jobs=2)
    np.testing.assert_array_equal(found.documents, np.argsort(-cosines, axis=1)[:, :5])
    np.testing.assert_allclose(found.similarities, -np.sort(-cosines, axis=1)[:, :5], atol=1e-14)


def test_rows_that_are_not_of_length_one_are_refused_with_the_first_of_them():
    with pytest.raises(BadData, match=r"length one, got 2 in row 1\. Use vicinal\.terms\.unit_rows"):
        nearest(np.diag([1.0, 2.0, 1.0, 3.0]), 1)


@pytest.mark.parametrize("width", [30, 500, 4000])
def test_few_more_entries_than_are_wanted_reach_the_limit_that_is_found_in_one_pass(width):
    cosines = np.random.default_rng(0).random((20, width))
    reached = np.count_nonzero(cosines >= _at_most_the_kth(cosines, 5)[:, None], axis=1)
    assert reached.min() >= 5
    assert reached.max() <= 8
