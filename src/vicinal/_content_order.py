"""An order of documents that depends on what they contain and not on where they stand.

Random starts, ties and rounding all depend on the order of rows. What is computed in this order, and put back afterwards, is
therefore the same, to the bit, for the same documents in any order.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._typing import IntArray, Terms

_GOLDEN, _FIRST, _SECOND = (np.uint64(each) for each in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def content_order(X: Terms, labels: IntArray | None = None) -> IntArray:
    """Rows in the order of a 64-bit hash of their entries; equal rows by label, then as they stand, which makes no difference.

    The hash of a row is the sum of the hashes of its entries (column and value), so that the order of entries does not matter.
    """
    rows = sp.csr_array(X)
    kept = rows.data != 0
    values = np.ascontiguousarray(rows.data, dtype=np.float64).view(np.uint64)
    entries = np.where(kept, _mixed(_mixed(rows.indices.astype(np.uint64) + _GOLDEN) + values), np.uint64(0))
    before = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(entries, dtype=np.uint64)])
    hashes = before[rows.indptr[1:]] - before[rows.indptr[:-1]]
    return np.lexsort((hashes,) if labels is None else (labels, hashes)).astype(np.int64)


def _mixed(x: np.ndarray) -> np.ndarray:
    """Steele, Lea and Flood's splitmix64: every bit of the result depends on every bit given."""
    x = (x ^ (x >> np.uint64(30))) * _FIRST
    x = (x ^ (x >> np.uint64(27))) * _SECOND
    return np.asarray(x ^ (x >> np.uint64(31)))
