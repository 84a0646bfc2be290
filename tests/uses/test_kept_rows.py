"""Rows that are passed over: neighbours and embeddings of the others are the same as where those were left out for good."""

from __future__ import annotations

import numpy as np
import pytest

from vicinal.uses._kept_rows import KeptLenders, KeptRows
from vicinal.uses._postings import Lenders

KEPT = np.array([4, 0, 2, 5])


@pytest.fixture(name="lenders")
def lenders_of_six():
    starts = np.array([0, 2, 4, 7, 7, 9, 11])
    return Lenders(starts, np.array([1, 2, 0, 3, 5, 4, 1, 2, 3, 0, 4]), np.linspace(0.1, 0.6, 11))


@pytest.fixture(name="kept")
def kept_of_them(lenders):
    positions = np.full(6, -1)
    positions[KEPT] = np.arange(4)
    return KeptLenders(lenders, KEPT, positions)


@pytest.mark.parametrize("documents", [[0], [1, 3], [3, 2, 1, 0], []])
def test_pairs_are_those_of_lists_without_what_is_left_out(kept, documents):
    documents, values = np.array(documents, dtype=np.int64), np.array([0.3, 0.0, 2.0, 5.0])
    one, other = kept.pairs(documents), kept.alone.pairs(documents)
    assert one.borrowers.tolist() == other.borrowers.tolist()
    assert one.lenders.tolist() == other.lenders.tolist()
    assert one.weights.tolist() == other.weights.tolist()
    assert one.means(values[one.lenders]).tolist() == other.means(values[other.lenders]).tolist()
    assert kept.count(documents) == len(one.lenders)


def test_lists_of_their_own_are_there_for_compiled_loops(kept):
    assert kept.starts.tolist() == [0, 1, 2, 4, 6]
    assert kept.lenders.tolist() == [2, 2, 3, 0, 1, 0]
    assert len(kept.weights) == 6


def test_rows_are_looked_up_where_they_are_kept():
    every = np.arange(12.0).reshape(6, 2)
    rows = KeptRows(every, KEPT)
    assert (len(rows), rows.shape) == (4, (4, 2))
    assert rows[1].tolist() == every[0].tolist()
    assert rows[::2].tolist() == every[[4, 2]].tolist()
    assert rows[np.array([3, 0])].tolist() == every[[5, 4]].tolist()
    assert np.asarray(rows).tolist() == every[KEPT].tolist()
    assert np.asarray(rows, dtype=np.float32).dtype == np.float32
