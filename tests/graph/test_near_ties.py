"""Cosines that single precision cannot tell apart are still ranked as double precision ranks them."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal.graph import nearest, unit_rows
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
