"""Cosines that single precision cannot tell apart are still ranked as double precision ranks them."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import unit_rows
from vicinal.graph import nearest
from vicinal.graph._neighbors import TICK


def nearly_alike(n=200, m=1500):
    random = np.random.RandomState(0)
    return unit_rows(sp.csr_array(1.0 + random.rand(m) + 1e-4 * random.rand(n, m)))


def test_neighbours_among_nearly_equal_documents_are_those_of_double_precision():
    U = nearly_alike()
    cosines = np.round((U @ U.T).toarray() * TICK)
    np.fill_diagonal(cosines, -1)
    expected = np.argsort(-cosines, axis=1, kind="stable")[:, :5]
    np.testing.assert_array_equal(nearest(U, 5).documents, expected)


def test_single_precision_alone_would_choose_others():
    single = nearly_alike().toarray().astype(np.float32)
    cosines = single @ single.T
    np.fill_diagonal(cosines, -1)
    chosen = np.argsort(-cosines, axis=1, kind="stable")[:, :5]
    assert np.mean(np.sort(chosen, axis=1) == np.sort(nearest(nearly_alike(), 5).documents, axis=1)) < 0.9


def test_a_dense_document_nearer_by_less_than_a_tick_does_not_come_before_its_turn():
    """Documents 1 and 2 are equally similar to document 0 when cosines are rounded, though 2 is nearer in the last digits."""
    near = np.array([0.5 - 0.2 / TICK, 0.5 + 0.2 / TICK])
    U = np.vstack([[1.0, 0.0], np.column_stack([near, np.sqrt(1.0 - near**2)])])
    assert U[2] @ U[0] > U[1] @ U[0]
    for rows in (U, sp.csr_array(U)):
        assert nearest(rows, 1, queries=[0]).documents.tolist() == [[1]]
