"""Keys of documents by their content, and their order: the same documents in any order come out in the same one."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal._content_keys import content_order, keys_of_rows, keys_of_texts

ROWS = sp.random_array((200, 50), density=0.1, rng=np.random.default_rng(0), format="csr")


@pytest.mark.parametrize("seed", range(5))
def test_documents_in_another_order_come_out_in_the_same_order(seed):
    mixed = np.random.default_rng(seed).permutation(200)
    expected = ROWS[content_order(ROWS)].toarray()
    assert np.array_equal(ROWS[mixed][content_order(ROWS[mixed])].toarray(), expected)


def test_it_is_an_order_of_all_documents_and_not_the_one_given():
    order = content_order(ROWS)
    assert sorted(order.tolist()) == list(range(200))
    assert not np.array_equal(order, np.arange(200))


def test_dense_and_sparse_rows_unsorted_entries_and_stored_zeros_make_no_difference():
    order = content_order(ROWS)
    assert np.array_equal(content_order(ROWS.toarray()), order)
    unsorted = ROWS.copy()
    for start, end in zip(unsorted.indptr[:-1], unsorted.indptr[1:], strict=True):
        unsorted.data[start:end], unsorted.indices[start:end] = unsorted.data[start:end][::-1], unsorted.indices[start:end][::-1]
    assert np.array_equal(content_order(unsorted), order)
    zeros = ROWS.copy()
    zeros.data = np.where(np.arange(zeros.nnz) % 7 == 0, 0.0, zeros.data)
    pruned = zeros.copy()
    pruned.eliminate_zeros()
    assert np.array_equal(content_order(zeros), content_order(pruned))


def test_equal_rows_come_by_label():
    X = np.ones((4, 2))
    assert content_order(X, np.array([3, 1, -1, 2])).tolist() == [2, 1, 3, 0]


def test_one_entry_in_another_column_or_of_another_value_changes_the_place_of_a_row():
    """A hash that ignored column or value would leave the order as it is."""
    X = np.diag(np.arange(1.0, 41.0))
    assert not np.array_equal(content_order(X), content_order(X[:, ::-1]))
    assert not np.array_equal(content_order(X), content_order(np.diag(np.arange(41.0, 81.0))))


def test_keys_of_rows_go_with_the_names_of_columns_wherever_these_stand():
    names, mixed = np.array([f"term{i}" for i in range(50)]), np.random.default_rng(1).permutation(50)
    keys = keys_of_rows(ROWS, names)
    assert np.array_equal(keys_of_rows(ROWS[:, mixed], names[mixed]), keys)
    assert not np.array_equal(keys_of_rows(ROWS[:, mixed], None), keys_of_rows(ROWS, None))
    assert len(set(keys.tolist())) == len(np.unique(ROWS.toarray(), axis=0))


def test_the_same_entries_in_other_rows_have_another_sum_of_keys():
    """A node of a tree is known by the sum of the keys of its documents: "a", "b" is not "a b"."""
    apart, together = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 1.0]])
    assert keys_of_rows(apart, None).sum() != keys_of_rows(together, None).sum()


def test_texts_have_keys_of_their_own():
    assert len(set(keys_of_texts(["a", "b", "ab", ""]).tolist())) == 4
    assert keys_of_texts(["a"]).tolist() == keys_of_texts(iter(["a"])).tolist()
