"""Keys of documents by what they contain, and the order of these keys, which does not depend on where the documents stand.

Random starts, ties and rounding all depend on the order of rows. What is computed in the order of content, and put back afterwards,
is therefore the same, to the bit, for the same documents in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from vicinal._typing import IntArray, Terms

Keys = NDArray[np.uint64]
_STEP, _FIRST, _SECOND = (np.uint64(each) for each in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def content_order(X: Terms, labels: IntArray | None = None, ties: Keys | None = None) -> IntArray:
    """Rows in the order of the sums of their entries' keys; equal rows by label and ``ties``, then as they stand: no difference."""
    sums = _sums(X, _keys_of_columns(X.shape[1]))
    return np.lexsort([each for each in (ties, labels, sums) if each is not None]).astype(np.int64)


def keys_of_rows(X: Terms, names: Iterable[str] | None) -> Keys:
    """One key per row: of its terms, by name where they have names and by column elsewhere, and their numbers.

    Keys of rows can be added up: a sum says which rows there are, and not only which entries they have together.
    """
    return mixed(_sums(X, _keys_of_columns(X.shape[1]) if names is None else keys_of_texts(names)))


def keys_of_texts(texts: Iterable[str]) -> Keys:
    """One key per text."""
    found = (blake2b(str(text).encode("utf8", "surrogatepass"), digest_size=8).digest() for text in texts)
    return np.frombuffer(b"".join(found), dtype="<u8").astype(np.uint64)


def mixed(keys: Keys) -> Keys:
    """Each key mixed by itself, one to one, so that sums of keys say nothing of each other (Steele, Lea and Flood's splitmix64)."""
    return _finished(keys + _STEP)


def _finished(keys: Keys) -> Keys:
    """Every bit of the result depends on every bit given."""
    keys = (keys ^ (keys >> np.uint64(30))) * _FIRST
    keys = (keys ^ (keys >> np.uint64(27))) * _SECOND
    return np.asarray(keys ^ (keys >> np.uint64(31)))


def _keys_of_columns(n_columns: int) -> Keys:
    return mixed(np.arange(n_columns, dtype=np.uint64))


def _sums(X: Terms, columns: Keys) -> Keys:
    """The sum of the keys of each row's entries (column and value), so that neither their order nor stored zeros matter."""
    rows = sp.csr_array(X)
    values = np.ascontiguousarray(rows.data, dtype=np.float64)
    entries = np.where(values != 0, _finished(columns[rows.indices] + values.view(np.uint64)), np.uint64(0))
    before = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(entries, dtype=np.uint64)])
    return np.asarray(before[rows.indptr[1:]] - before[rows.indptr[:-1]])
