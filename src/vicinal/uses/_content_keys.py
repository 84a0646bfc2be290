"""Keys of documents by their content: the same for the same terms and counts, in whatever order documents and columns come."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from vicinal._matrix import csr
from vicinal._typing import Terms

Keys = NDArray[np.uint64]
_STEP, _FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: none is taken for another
SHORTEST, LONGEST = 5, 13  # letters of an id; thirteen hold 64 bits


def keys_of_rows(rows: Terms, names: Iterable[str] | None) -> Keys:
    """One key per row: of its terms, by name where they have names and by column elsewhere, and their numbers."""
    entries = csr(rows)
    columns = mixed(np.arange(entries.shape[1], dtype=np.uint64)) if names is None else keys_of_texts(names)
    values = np.ascontiguousarray(entries.data, dtype=np.float64) + 0.0  # which makes -0 to 0
    each = np.where(values != 0, mixed(columns[entries.indices] ^ mixed(values.view(np.uint64))), np.uint64(0))
    sums = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(each, dtype=np.uint64)])
    return mixed(sums[entries.indptr[1:]] - sums[entries.indptr[:-1]])


def keys_of_texts(texts: Iterable[str]) -> Keys:
    """One key per text."""
    found = (blake2b(str(text).encode("utf8", "surrogatepass"), digest_size=8).digest() for text in texts)
    return np.frombuffer(b"".join(found), dtype="<u8").astype(np.uint64)


def mixed(keys: Keys) -> Keys:
    """Each key mixed by itself, one to one, so that sums of keys say nothing of each other (the finaliser of SplitMix64)."""
    keys = keys + _STEP
    keys = (keys ^ (keys >> np.uint64(30))) * _FIRST
    keys = (keys ^ (keys >> np.uint64(27))) * _SECOND
    return np.asarray(keys ^ (keys >> np.uint64(31)))


def short_ids(keys: Keys) -> tuple[str, ...]:
    """Keys as texts of five letters and digits, or as many more as tell all of them apart."""
    written = ["".join(_DIGITS[(int(key) >> (5 * place)) & 31] for place in range(LONGEST)) for key in keys]
    for length in range(SHORTEST, LONGEST):
        if len({each[:length] for each in written}) == len(written):
            return tuple(each[:length] for each in written)
    return tuple(written)
