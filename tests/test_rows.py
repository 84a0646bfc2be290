"""Rows of a matrix: lengths, rows of length one, and the two ways to store them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents
from vicinal._matrix import nonzero_rows, per_entry, row_norms, small_indices, unit_rows, with_entries

ROWS = np.array([[3.0, 0.0, 4.0], [0.0, 0.0, 0.0], [0.0, -6.0, 8.0], [0.0, 0.0, 0.0]])


@pytest.fixture(params=[np.asarray, sp.csr_array], ids=["dense", "sparse"])
def storage(request):
    return request.param


def as_array(X):
    return X.toarray() if sp.issparse(X) else X


def test_rows_that_hold_anything_are_known(storage):
    assert nonzero_rows(storage(ROWS)).tolist() == [True, False, True, False]


def test_lengths_are_euclidean_and_an_empty_row_has_none(storage):
    assert row_norms(storage(ROWS)).tolist() == [5.0, 0.0, 10.0, 0.0]


def test_lengths_of_narrow_numbers_are_summed_in_double_precision(storage):
    X = np.full((1, 1001), 1e-4, dtype=np.float32)
    X[0, 0] = 1.0
    expected = np.sqrt(1.0 + 1000 * float(np.float32(1e-4)) ** 2)
    assert row_norms(storage(X))[0] == pytest.approx(expected, rel=1e-14)


def test_rows_become_of_length_one_and_an_empty_row_stays_empty(storage):
    U = unit_rows(storage(ROWS))
    assert sp.issparse(U) == (storage is sp.csr_array)
    np.testing.assert_allclose(as_array(U), [[0.6, 0, 0.8], [0, 0, 0], [0, -0.6, 0.8], [0, 0, 0]], atol=1e-16)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-120, 1e120, 1e300, 1e307])
def test_rows_of_extreme_size_become_of_length_one_too(storage, scale):
    X = np.vstack([ROWS * scale, ROWS])
    U = as_array(unit_rows(storage(X)))
    np.testing.assert_allclose(U[4:], unit_rows(ROWS), atol=1e-15)
    np.testing.assert_allclose(U[:4], unit_rows(ROWS), rtol=0, atol=1e-15 if scale > 1e-310 else 1e-3)  # subnormals have few digits


def test_a_power_of_two_changes_no_bit(storage):
    X = documents().toarray()
    assert np.array_equal(as_array(unit_rows(storage(X * 2.0**600))), as_array(unit_rows(storage(X))))


def test_neither_other_rows_nor_words_elsewhere_change_a_bit_of_a_sparse_row():
    X = documents()
    assert np.array_equal(unit_rows(X[[7]]).data, unit_rows(X)[[7]].data)
    wider = sp.csr_array(sp.hstack([sp.csr_array((60, 13)), X]))
    assert np.array_equal(unit_rows(wider).data, unit_rows(X).data)


@pytest.mark.parametrize("other", [[3.0, 4.0], [0.0, 0.0], [1e200, 0.0], [1e-200, 1e-200]])
def test_a_row_of_length_one_keeps_its_bits_beside_any_other_row(storage, other):
    """Divided by a length of 1 - 1e-16 it would not; and a power of two taken off all rows would hide that it has length one."""
    rng = np.random.default_rng(0)
    rows = rng.random((200, 2))
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    rows = np.vstack([rows, [0.0, 1.0], [2.0, 1.0]])
    alone = np.vstack([as_array(unit_rows(storage(row[None, :]))) for row in rows])
    together = as_array(unit_rows(storage(np.vstack([rows, other]))))[:-1]
    assert np.array_equal(together, alone)
    assert np.array_equal(together[:201], rows[:201])
    divided = rows / np.sqrt(np.sum(rows**2, axis=1))[:, None]
    assert not np.array_equal(divided[:200], rows[:200])  # dividing them all would have moved bits


def test_what_was_given_is_not_changed(storage):
    X = storage(ROWS.copy())
    unit_rows(X)
    row_norms(X)
    assert np.array_equal(as_array(X), ROWS)


def test_a_value_per_row_is_repeated_for_every_entry(storage):
    X = storage(ROWS)
    doubled = with_entries(X, (X.data if sp.issparse(X) else X) * per_entry(X, np.array([2.0, 5.0, 10.0, 5.0])))
    assert as_array(doubled).tolist() == [[6, 0, 8], [0, 0, 0], [0, -60, 80], [0, 0, 0]]


def test_a_matrix_of_empty_rows_has_lengths_too(storage):
    X = storage(np.zeros((3, 2)))
    assert row_norms(X).tolist() == [0.0, 0.0, 0.0]
    assert not as_array(unit_rows(X)).any()


def test_long_column_numbers_become_short_ones_and_short_ones_stay_where_they_are():
    X = sp.csr_array(ROWS)
    long = sp.csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)
    short = small_indices(long)
    assert short.indices.dtype == short.indptr.dtype == np.int32
    assert np.array_equal(short.toarray(), ROWS)
    assert small_indices(short) is short
    assert small_indices(ROWS) is ROWS


def test_column_numbers_that_need_their_length_keep_it():
    wide = sp.csr_array(([1.0], ([0], [2**33])), shape=(1, 2**34))
    assert small_indices(wide).indices.tolist() == [2**33]


def test_a_row_whose_size_is_a_power_of_two_is_scaled_too():
    """Brought near 1 by that power its length is exactly 1, which is not the length it had."""
    for size in (2.0**512, 2.0**-512):
        np.testing.assert_array_equal(unit_rows(np.array([[size, 0.0]])), [[1.0, 0.0]])


def test_rows_of_length_one_come_back_as_they_are():
    X = np.array([[0.6, 0.8], [0.0, 0.0]])
    assert unit_rows(X) is X
