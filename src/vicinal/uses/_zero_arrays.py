"""Long arrays of zeros that are used again, since the system clears new memory of that size page by page every time.

A search of 200,000 documents spent a quarter of its time so.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

#: Arrays that a thread keeps.
_MOST_KEPT = 4


@final
class _Kept(threading.local):
    """The arrays of a thread that are not in use."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[Any]] = []


_KEPT = _Kept()


@contextmanager
def zeros_for_a_while(length: int, dtype: type) -> Iterator[NDArray[Any]]:
    """Zeros for as long as a block lasts, at the end of which they must be zeros again; after an error they are thrown away.

    Parameters
    ----------
    length : int
    dtype : type
    """
    whole = _taken(length, np.dtype(dtype))
    yield whole[:length]
    if len(_KEPT.arrays) >= _MOST_KEPT:
        _KEPT.arrays.clear()
    _KEPT.arrays.append(whole)


def _taken(length: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The smallest array that is large enough, or a new one in place of the largest that is too small."""
    same = [each for each in _KEPT.arrays if each.dtype == dtype]
    enough = [each for each in same if len(each) >= length]
    chosen = min(enough, key=len) if enough else max(same, key=len, default=None)
    if chosen is not None:
        _KEPT.arrays = [each for each in _KEPT.arrays if each is not chosen]
    return chosen if chosen is not None and enough else np.zeros(length, dtype=dtype)
