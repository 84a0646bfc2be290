"""What a search keeps in memory of arrays that grow: after a commit the new rows alone are read, and nothing is copied for them.

Each of these belongs to one fit. States of the file share it: one that has fewer rows sees the beginning of what is there, and rows
are never changed in memory. An array that was put anew, as clusters are when people change them, is read anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from vicinal._store import Arrays, block_at, entries_from, rows_from
from vicinal._typing import IntArray, Integers
from vicinal.errors import DamagedIndex
from vicinal.index import _stored
from vicinal.uses._postings import Lenders

#: Terms, rows and counts, in order of the terms, and of the rows of each.
_Run: TypeAlias = "tuple[Integers, IntArray, Integers]"


@final
class _Room:
    """An array with room behind its end, so that what is appended is written there, and seldom all is copied.

    Parameters
    ----------
    start : ndarray
        What is there at first.
    """

    def __init__(self, start: NDArray[Any]) -> None:
        self._array = start
        self.length = len(start)

    def behind(self, n: int) -> NDArray[Any]:
        """Room for some entries behind the end, to be written; they are there when the length says so."""
        total = self.length + n
        if total > len(self._array):
            grown = np.empty((total + total // 8, *self._array.shape[1:]), dtype=self._array.dtype)
            grown[: self.length] = self._array[: self.length]
            self._array = grown
        return self._array[self.length : total]

    def append(self, entries: NDArray[Any]) -> None:
        """Write entries behind the end."""
        self.behind(len(entries))[:] = entries
        self.length += len(entries)

    def first(self, n: int) -> NDArray[Any]:
        """The first entries, of which there are so many."""
        return self._array[:n]


@final
class GrowingRows:
    """A dense array with a row for each embedded document.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._room: _Room | None = None
        self._first_block: tuple[int, int] | None = None
        self._lock = Lock()

    def read(self, arrays: Arrays) -> NDArray[Any]:
        """The array as it is in the file now.

        Threads may see different states of the file: one reads at a time, and rows that another has read already stay.
        """
        outline = arrays.outline(self._name)
        n_rows = outline.shape[0]
        if n_rows != arrays.outline(_stored.NUMBERS).shape[0]:
            raise DamagedIndex(f"array {self._name!r} has {n_rows:,} rows, not one for each document. Fit the index again.")
        with self._lock:
            first_block = block_at(arrays, self._name, 0)
            if self._room is None or first_block != self._first_block:
                self._room = _Room(np.empty((0, *outline.shape[1:]), dtype=outline.dtype))
                self._first_block = first_block
            if n_rows > self._room.length:
                self._fill(arrays, self._room, n_rows)
            return self._room.first(n_rows)

    def _fill(self, arrays: Arrays, room: _Room, n_rows: int) -> None:
        if not rows_from(arrays, self._name, room.length, room.behind(n_rows - room.length)):
            rows_from(arrays, self._name, 0, room.first(n_rows))
        room.length = n_rows


@final
class GrowingLenders:
    """The neighbours of the documents that the model was fitted to, and behind them those of documents that came later."""

    def __init__(self) -> None:
        self._rooms: tuple[_Room, _Room, _Room] | None = None
        self._lock = Lock()

    def read(self, arrays: Arrays, n_rows: int) -> Lenders:
        """Of all rows: those that came after the fit have the ones that were found when they came, or none.

        Parameters
        ----------
        arrays : Arrays
        n_rows : int
            In all.
        """
        with self._lock:
            if self._rooms is None:
                self._rooms = _lenders_of_fit(arrays)
            starts, lenders, weights = self._rooms
            n_fitted = _stored.n_fitted_to(arrays.store)
            if not _has_lenders(arrays, n_rows - n_fitted, n_fitted):
                known = starts.first(n_fitted + 1)
                n_entries = int(known[-1])
                return Lenders(
                    np.pad(known, (0, n_rows - n_fitted), mode="edge"), lenders.first(n_entries), weights.first(n_entries)
                )
            if n_rows >= starts.length:
                _append_lenders(arrays, self._rooms, n_fitted)
            n_entries = int(starts.first(n_rows + 1)[-1])
            return Lenders(starts.first(n_rows + 1), lenders.first(n_entries), weights.first(n_entries))


def _lenders_of_fit(arrays: Arrays) -> tuple[_Room, _Room, _Room]:
    starts, lenders = arrays.pattern(_stored.NEIGHBORS)
    weights = [arrays.read_piece(piece, ("values",))["values"] for piece in arrays.pieces(_stored.NEIGHBORS)]
    return _Room(starts), _Room(lenders), _Room(np.concatenate([np.zeros(0, dtype=np.float32), *weights]))


def _has_lenders(arrays: Arrays, n_later: int, n_fitted: int) -> bool:
    """Whether neighbours of later documents were kept, for each of them."""
    return arrays.has(_stored.LATER_LENDERS) and arrays.outline(_stored.LATER_LENDERS).shape == (n_later, n_fitted)


def _append_lenders(arrays: Arrays, rooms: tuple[_Room, _Room, _Room], n_fitted: int) -> None:
    starts, lenders, weights = rooms
    found = entries_from(arrays, _stored.LATER_LENDERS, starts.length - 1 - n_fitted)
    if found is None:
        raise DamagedIndex(f"array {_stored.LATER_LENDERS!r} was written anew since the fit. Fit the index again.")
    lengths, columns, values = found
    lenders.append(columns)
    weights.append(values)
    starts.append(int(starts.first(starts.length)[-1]) + np.cumsum(lengths))


@final
@dataclass(frozen=True, eq=False)
class LaterTerms:
    """The terms of rows behind those of the lists of a fit.

    Attributes
    ----------
    runs : tuple of (terms, rows, counts)
        Each in order of terms, of rows behind those of the run before.
    n_rows : int
        Rows of the file; any that are behind them in a run came later still.
    """

    runs: tuple[_Run, ...]
    n_rows: int

    def entries(self, column: int) -> tuple[IntArray, Integers]:
        """The rows that have a term, rising, and how often."""
        found = [(rows[new], counts[new]) for terms, rows, counts in self.runs for new in [_slice_of(terms, column)]]
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *(rows for rows, _ in found)])
        n_there = int(np.searchsorted(rows, self.n_rows))
        counts = np.concatenate([np.zeros(0, dtype=np.uint8), *(counts for _, counts in found)])
        return rows[:n_there], counts[:n_there]


def _slice_of(terms: Integers, column: int) -> slice:
    start, stop = np.searchsorted(terms, [column, column + 1])
    return slice(int(start), int(stop))


@final
class GrowingTerms:
    """The terms of documents that came after a fit, in runs in order of the terms; two of similar length are made one.

    Parameters
    ----------
    first_row : int
        The first row that is not in the lists of the fit.
    """

    def __init__(self, first_row: int) -> None:
        self._first_row = self._n_rows = first_row
        self._runs: tuple[_Run, ...] = ()
        self._lock = Lock()

    def read(self, arrays: Arrays) -> LaterTerms:
        """The terms of all later rows."""
        n_rows = arrays.outline(_stored.COUNTS).shape[0]
        with self._lock:
            if n_rows > self._n_rows:
                found = entries_from(arrays, _stored.COUNTS, self._n_rows)
                if found is None:
                    raise DamagedIndex(f"array {_stored.COUNTS!r} was written anew since the fit. Fit the index again.")
                self._runs = _joined((*self._runs, _run(self._n_rows, *found)))
                self._n_rows = n_rows
            return LaterTerms(self._runs, n_rows)


def _run(first_row: int, lengths: IntArray, columns: Integers, counts: Integers) -> _Run:
    order = np.argsort(columns, kind="stable")
    return columns[order], (first_row + np.repeat(np.arange(len(lengths)), lengths))[order], counts[order]


def _joined(runs: tuple[_Run, ...]) -> tuple[_Run, ...]:
    """The runs, where each is more than twice as long as the next: an entry is moved seldom, and there are few runs."""
    while len(runs) > 1 and len(runs[-2][0]) <= 2 * len(runs[-1][0]):
        terms, rows, counts = (np.concatenate(pair) for pair in zip(*runs[-2:], strict=True))
        order = np.argsort(terms, kind="stable")
        runs = (*runs[:-2], (terms[order], rows[order], counts[order]))
    return runs
