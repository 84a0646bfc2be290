"""Rooms: long arrays of zeros that are used again, since the system clears new memory of that size page by page every time.

A search of 200,000 documents spent a quarter of its time so.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

#: Rooms that a thread keeps.
_MOST_KEPT = 4


@final
class _Kept(threading.local):
    """The rooms of a thread that nobody is in, by their length and kind of number."""

    def __init__(self) -> None:
        self.rooms: dict[tuple[int, type], NDArray[Any]] = {}


_KEPT = _Kept()


@contextmanager
def room(length: int, dtype: type) -> Iterator[NDArray[Any]]:
    """Zeros for as long as a block lasts, at the end of which they must be zeros again; after an error they are thrown away.

    Parameters
    ----------
    length : int
    dtype : type
    """
    kept, key = _KEPT.rooms, (length, dtype)
    zeros = kept.pop(key, None)
    if zeros is None:
        zeros = np.zeros(length, dtype=dtype)
    yield zeros
    if len(kept) >= _MOST_KEPT:
        kept.clear()
    kept[key] = zeros
