"""Rows at the end of an array: whoever has read an array reads those alone that were appended to it since."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vicinal._store.array_layout import PARTS, check_piece
from vicinal._store.arrays import Arrays


def block_at(arrays: Arrays, name: str, first_row: int) -> tuple[int, int] | None:
    """What tells one block from another that was written in its place, for that which begins with a row; None where none does.

    Parameters
    ----------
    arrays : Arrays
    name : str
    first_row : int

    Returns
    -------
    (int, int) or None
        Its row in the table of blocks, and its checksum.
    """
    found = arrays.store.rows(
        "SELECT block, checksum FROM blocks WHERE name = ? AND part = ? AND first_row = ?",
        (name, PARTS[arrays.outline(name).kind][0], first_row),
    )
    return found[0] if found else None


def rows_from(arrays: Arrays, name: str, first_row: int, out: NDArray[Any]) -> bool:
    """Read the rows of a dense array from one on into an array, where a block begins with that row.

    Parameters
    ----------
    arrays : Arrays
    name : str
    first_row : int
    out : ndarray
        As many rows as are left.

    Returns
    -------
    bool
        Whether a block begins there, or no row is left; else nothing was read.
    """
    if len(out) and first_row and block_at(arrays, name, first_row) is None:
        return False
    for piece in arrays.pieces(name, first_row) if len(out) else ():
        at = piece.first_row - first_row
        out[at : at + piece.n_rows] = arrays.read_piece(piece)["rows"]
    return True


def entries_from(arrays: Arrays, name: str, first_row: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None:
    """The rows of a sparse array from one on, where a block begins with that row; else None.

    Parameters
    ----------
    arrays : Arrays
    name : str
    first_row : int
        One that is there.

    Returns
    -------
    lengths : ndarray of int64
        How many entries each row has.
    columns, values : ndarray
        Of all entries, row after row.
    """
    if first_row and block_at(arrays, name, first_row) is None:
        return None
    outline, read = arrays.outline(name), [arrays.read_piece(piece) for piece in arrays.pieces(name, first_row)]
    for parts in read:
        check_piece(outline, parts)
    lengths = np.concatenate([np.diff(parts["starts"]) for parts in read])
    columns, values = (np.concatenate([parts[part] for parts in read]) for part in ("columns", "values"))
    return lengths, columns, values
