"""One block to bytes and back: some rows of an array, with a header that is compared with them before they are used.

Sizes are compared before any bytes become an array: what a header claims beyond the bytes that are there is never allocated. A
dtype is one of the few names below, so nothing that is read can name a class.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vicinal._store.checksums import checksum
from vicinal.errors import BadData, DamagedIndex

#: Names of dtypes and how they lie in the file: little-endian.
DTYPES = {"float32": "<f4", "float64": "<f8", "int32": "<i4", "int64": "<i8", "bool": "|b1", "uint8": "|u1"}
LONGEST_BLOCK = 500_000_000
_LARGEST_SIDE = 1 << 48
_MOST_SIDES = 8
_LONGEST_SHAPE = 200


@dataclass(frozen=True)
class Header:
    """Header of a block.

    Parameters
    ----------
    name, part : str
    first_row, n_rows : int
    dtype : str
    shape : tuple of int
    """

    name: str
    part: str
    first_row: int
    n_rows: int
    dtype: str
    shape: tuple[int, ...]

    @property
    def n_bytes(self) -> int:
        """How many bytes must follow."""
        return math.prod(self.shape) * np.dtype(DTYPES[self.dtype]).itemsize

    def checksum(self, data: bytes) -> int:
        """Checksum of the header and its bytes together."""
        return checksum(self.name, self.part, self.first_row, self.n_rows, self.dtype, write_shape(self.shape), data)

    def __str__(self) -> str:
        return f"array {self.name!r:.80}, {self.part}, rows {self.first_row} to {self.first_row + self.n_rows}"


def write_shape(shape: tuple[int, ...]) -> str:
    """A shape as text.

    Parameters
    ----------
    shape : tuple of int

    Returns
    -------
    str
    """
    return json.dumps([int(side) for side in shape])


def read_shape(text: object, what: str) -> tuple[int, ...]:
    """Turn text back into a shape.

    Parameters
    ----------
    text : str
    what : str
        What it is the shape of.

    Returns
    -------
    tuple of int

    Raises
    ------
    DamagedIndex
        It is no list of a few whole numbers that an array can have.
    """
    try:
        sides = json.loads(text) if isinstance(text, str) and len(text) <= _LONGEST_SHAPE else None
    except (ValueError, RecursionError):
        sides = None
    whole = isinstance(sides, list) and all(type(side) is int and 0 <= side <= _LARGEST_SIDE for side in sides)
    if not isinstance(sides, list) or not whole or not 1 <= len(sides) <= _MOST_SIDES:
        raise DamagedIndex(f"{what} is damaged: {text!r:.80} is no shape of an array. Repair the index.")
    if math.prod(max(side, 1) for side in sides) * 8 >= 1 << 63:
        raise DamagedIndex(f"{what} is damaged: no array can have the shape {sides}. Repair the index.")
    return tuple(sides)


def read_header(name: str, part: object, first_row: object, n_rows: object, dtype: object, shape: object) -> Header:
    """Validate the fields of a header.

    Parameters
    ----------
    name : str
    part, first_row, n_rows, dtype, shape
        As they stand in the file.

    Returns
    -------
    Header
    """
    what = f"array {name!r:.80}, {part}, row {first_row}"
    if (
        type(first_row) is not int
        or type(n_rows) is not int
        or not 0 <= first_row <= _LARGEST_SIDE
        or not 0 < n_rows <= _LARGEST_SIDE
    ):
        raise DamagedIndex(f"{what} is damaged: its rows are given as {first_row!r} and {n_rows!r}. Repair the index.")
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise DamagedIndex(f"{what} is damaged: {dtype!r:.80} is none of {', '.join(DTYPES)}. Repair the index.")
    return Header(name, str(part), first_row, n_rows, dtype, read_shape(shape, what))


def dtype_name(dtype: np.dtype[np.generic]) -> str:
    """Name of a dtype that can be stored.

    Parameters
    ----------
    dtype : numpy dtype

    Returns
    -------
    str

    Raises
    ------
    BadData
        It cannot.
    """
    if dtype.name not in DTYPES:
        raise BadData(f"an array must be of {', '.join(DTYPES)} or a list of texts, got {dtype}. Convert it first.")
    return dtype.name


def to_bytes(header: Header, array: NDArray[Any]) -> bytes:
    """The numbers of a block, row after row, little-endian.

    Parameters
    ----------
    header : Header
    array : ndarray

    Returns
    -------
    bytes
    """
    if header.n_bytes > LONGEST_BLOCK:
        raise BadData(f"{header} has {header.n_bytes:,} bytes, and {LONGEST_BLOCK:,} can be stored in one row. Split its rows.")
    return np.ascontiguousarray(array, dtype=DTYPES[header.dtype]).tobytes()


def to_array(header: Header, data: object, check: object) -> NDArray[Any]:
    """Bytes back as numbers, if they are what was written.

    Parameters
    ----------
    header : Header
    data : bytes
    check : int
        The checksum beside them.

    Returns
    -------
    ndarray, which cannot be written

    Raises
    ------
    DamagedIndex
        They are not.
    """
    if not isinstance(data, bytes) or len(data) != header.n_bytes:
        got = len(data) if isinstance(data, bytes) else type(data).__name__
        raise DamagedIndex(f"{header} is damaged: {header.n_bytes} bytes must be there, got {got}. Repair the index.")
    if header.checksum(data) != check:
        raise DamagedIndex(f"{header} is damaged: its checksum is not that of its content. Repair the index.")
    if header.dtype == "bool" and data.strip(b"\0\1"):
        raise DamagedIndex(f"{header} is damaged: it holds other values than true and false. Repair the index.")
    array = np.frombuffer(data, dtype=DTYPES[header.dtype]).reshape(header.shape)
    return array.astype(array.dtype.newbyteorder("="), copy=False)
