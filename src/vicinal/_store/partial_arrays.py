"""Arrays of which only those blocks are read that are asked for; each is compared with its checksum when it is first read."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from vicinal._store.array_layout import Parts, check_piece, decoded
from vicinal._store.arrays import Arrays
from vicinal._typing import IntArray


@final
class PartialArray:
    """An array of a store by its rows.

    It reads from the state of the file that it was made in: the caller reads inside the same transaction, or makes sure that
    nothing but rows at the end was changed since.

    Parameters
    ----------
    arrays : Arrays
    name : str

    Raises
    ------
    BadParameter
        There is no such array.
    DamagedIndex
        Its headers do not fit together; or, later, a block is not what was written.
    """

    def __init__(self, arrays: Arrays, name: str) -> None:
        self._arrays = arrays
        self.outline = arrays.outline(name)
        self._pieces = arrays.pieces(name)
        self._first_rows = [piece.first_row for piece in self._pieces]
        self._read: dict[int, Parts] = {}

    def __len__(self) -> int:
        return self.outline.shape[0]

    def _piece_of(self, row: int) -> tuple[Parts, int]:
        """The piece that a row is in, and its number there."""
        if not 0 <= row < len(self):
            raise IndexError(f"row {row} of {len(self)}")
        position = bisect_right(self._first_rows, row) - 1
        return self._parts(position), row - self._first_rows[position]

    def _parts(self, position: int) -> Parts:
        found = self._read.get(position)
        if found is None:
            found = self._arrays.read_piece(self._pieces[position])
            check_piece(self.outline, found)
            self._read[position] = found
        return found

    def rows(self, wanted: IntArray) -> NDArray[Any]:
        """Some rows of a dense array, in the order asked for.

        Parameters
        ----------
        wanted : int array

        Returns
        -------
        ndarray
        """
        found = np.empty((len(wanted), *self.outline.shape[1:]), dtype=self.outline.dtype)
        for i, row in enumerate(wanted.tolist()):
            parts, position = self._piece_of(row)
            found[i] = parts["rows"][position]
        return found

    def entries(self, row: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Columns and values of one row of a sparse array.

        Parameters
        ----------
        row : int

        Returns
        -------
        columns, values : ndarray
        """
        parts, position = self._piece_of(row)
        start, stop = parts["starts"][position : position + 2]
        return parts["columns"][start:stop], parts["values"][start:stop]

    def text(self, row: int) -> str:
        """One text of a list.

        Parameters
        ----------
        row : int

        Returns
        -------
        str
        """
        parts, position = self._piece_of(row)
        return decoded(_letters(parts, position))

    def find(self, text: str) -> int:
        """The row of a text in a list without repetitions, -1 where it is not there.

        A list in the order of its letters is searched by halves; what is not found so is compared with every text, so that the
        answer is right for any list.

        Parameters
        ----------
        text : str

        Returns
        -------
        int
        """
        wanted = text.encode("utf-8", "surrogatepass")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if _letters(*self._piece_of(middle)) < wanted else (low, middle)
        if low < len(self) and _letters(*self._piece_of(low)) == wanted:
            return low
        return next((row for row in (self._find_in(at, wanted) for at in range(len(self._pieces))) if row >= 0), -1)

    def _find_in(self, position: int, wanted: bytes) -> int:
        """The row of a text in one piece, by comparing all texts that are as long."""
        parts, letters = self._parts(position), np.frombuffer(wanted, dtype=np.uint8)
        starts = parts["starts"][:-1]
        there = np.flatnonzero(np.diff(parts["starts"]) == len(letters))
        for i, letter in enumerate(letters):
            there = there[parts["letters"][starts[there] + i] == letter]
        return self._first_rows[position] + int(there[0]) if len(there) else -1


def _letters(parts: Parts, position: int) -> bytes:
    start, stop = parts["starts"][position : position + 2]
    return parts["letters"][start:stop].tobytes()
