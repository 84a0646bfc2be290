"""Arrays by name: put, get, append and drop, stored as blocks of rows."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from vicinal._store.array_layout import PARTS, Array, Outline, Parts, assemble, check_piece, cut, mismatch, prepared
from vicinal._store.array_rules import check_numbers
from vicinal._store.blocks import DTYPES, Header, dtype_name, read_header, read_shape, to_array, to_bytes, write_shape
from vicinal._store.checksums import change_tally, checksum
from vicinal._store.document_row import encodable
from vicinal._store.store import Store
from vicinal.errors import BadData, BadParameter, DamagedIndex

_LONGEST_NAME = 200
_INT32 = np.iinfo(np.int32).max


@dataclass(frozen=True)
class Piece:
    """Where the parts of one block of rows are, and their headers.

    Parameters
    ----------
    headers : dict from part to Header
    blocks : dict from part to its row in the table of blocks
    """

    headers: dict[str, Header]
    blocks: dict[str, int]

    @property
    def first_row(self) -> int:
        """The row of the array that it begins with."""
        return next(iter(self.headers.values())).first_row

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return next(iter(self.headers.values())).n_rows

    @property
    def n_entries(self) -> int:
        """How many entries its rows have together."""
        return math.prod(self.headers[next(reversed(self.headers))].shape)


@final
class Arrays:
    """The arrays of a store.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def put(self, name: str, array: Array) -> None:
        """Store an array under a name, in place of the one with that name.

        Parameters
        ----------
        name : str
        array : ndarray, SciPy sparse array or matrix, or list of str
            Of float32, float64, int32, int64, bool or uint8; texts of any length.
        """
        _check_name(name)
        outline, ready = prepared(array)
        with self.store.writing():
            self.drop(name)
            self._write_outline(name, replace(outline, shape=(0, *outline.shape[1:])))
            self._write_pieces(name, outline, ready, 0)

    def append(self, name: str, array: Array) -> None:
        """Add rows at the end of a stored array.

        Parameters
        ----------
        name : str
        array : as for `put`
            Of the same kind, dtype and columns.
        """
        outline, ready = prepared(array)
        with self.store.writing():
            there = self.outline(name)
            if (there.kind, there.dtype, there.shape[1:]) != (outline.kind, outline.dtype, outline.shape[1:]):
                raise BadData(
                    f"rows of {there} can be added to array {name!r:.80}, got {outline}. Convert them, or put the array anew."
                )
            self._write_pieces(name, outline, ready, there.shape[0])

    def _write_pieces(self, name: str, outline: Outline, array: Array, first_row: int) -> None:
        for n_rows, parts in cut(outline, array):
            for part, numbers in parts.items():
                header = Header(name, part, first_row, n_rows, dtype_name(numbers.dtype), numbers.shape)
                self._write_block(header, to_bytes(header, numbers))
            first_row += n_rows
        self._write_outline(name, replace(outline, shape=(first_row, *outline.shape[1:])))

    def _write_block(self, header: Header, data: bytes) -> None:
        check = header.checksum(data)
        self.store.execute(
            "INSERT INTO blocks (name, part, first_row, n_rows, dtype, shape, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (header.name, header.part, header.first_row, header.n_rows, header.dtype, write_shape(header.shape), check, data),
        )
        change_tally(self.store, "blocks", 1, check)

    def _write_outline(self, name: str, outline: Outline) -> None:
        fields = (name, outline.kind, outline.dtype, write_shape(outline.shape))
        before = self.store.rows("SELECT checksum FROM arrays WHERE name = ?", (name,))
        self.store.execute(
            "INSERT INTO arrays (name, kind, dtype, shape, checksum) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (name) DO UPDATE SET shape = excluded.shape, checksum = excluded.checksum",
            (*fields, checksum(*fields)),
        )
        change_tally(self.store, "arrays", 1 - len(before), checksum(*fields) - sum(check for (check,) in before))

    def drop(self, name: str) -> bool:
        """Delete an array.

        Parameters
        ----------
        name : str

        Returns
        -------
        bool
            Whether it was there.
        """
        _check_name(name)
        with self.store.writing():
            [[rows, total]] = self.store.rows("SELECT count(*), coalesce(sum(checksum), 0) FROM blocks WHERE name = ?", (name,))
            checks = self.store.rows("SELECT checksum FROM arrays WHERE name = ?", (name,))
            self.store.execute("DELETE FROM blocks WHERE name = ?", (name,))
            self.store.execute("DELETE FROM arrays WHERE name = ?", (name,))
            change_tally(self.store, "blocks", -rows, -total)
            change_tally(self.store, "arrays", -len(checks), -sum(check for (check,) in checks))
        return bool(checks)

    def clear(self) -> None:
        """Delete all arrays, and count them anew from none."""
        with self.store.writing():
            for table in ("blocks", "arrays"):
                self.store.execute(f"DELETE FROM {table}")
                self.store.execute("UPDATE tallies SET n_rows = 0, total = 0 WHERE name = ?", (table,))

    def names(self) -> list[str]:
        """Names of all arrays, in alphabetical order."""
        return [name for (name,) in self.store.rows("SELECT name FROM arrays ORDER BY name")]

    def has(self, name: str) -> bool:
        """Whether there is an array of that name.

        Parameters
        ----------
        name : str

        Returns
        -------
        bool
        """
        return bool(self.store.rows("SELECT 1 FROM arrays WHERE name = ?", (name,)))

    def outline(self, name: str) -> Outline:
        """Kind, dtype and shape of an array.

        Parameters
        ----------
        name : str

        Returns
        -------
        Outline
        """
        _check_name(name)
        found = self.store.rows("SELECT kind, dtype, shape, checksum FROM arrays WHERE name = ?", (name,))
        if not found:
            there = ", ".join(map(repr, self.names()[:20])) or "none"
            raise BadParameter(f"there is no array {name!r:.80} in {self.store.path}. There are: {there}.")
        return _read_outline(name, *found[0])

    def pieces(self, name: str, start: int = 0) -> list[Piece]:
        """The pieces of an array in the order of their rows, by their headers alone, which must leave no hole.

        Parameters
        ----------
        name : str
        start : int, default=0
            The row that the first of them begins with; headers of earlier ones are not read.

        Returns
        -------
        list of Piece
        """
        outline = self.outline(name)
        parts = PARTS[outline.kind] if start else ()  # by which SQLite finds later headers without passing over the earlier
        behind = f" AND part IN ({', '.join('?' * len(parts))}) AND first_row >= ?" if parts else ""
        rows = self.store.rows(
            "SELECT block, part, first_row, n_rows, dtype, shape, length(bytes) FROM blocks "
            f"WHERE name = ?{behind} ORDER BY first_row",
            (name, *parts, start) if parts else (name,),
        )
        together: dict[int, Piece] = {}
        for block, part, first_row, n_rows, dtype, shape, n_bytes in rows:
            header = read_header(name, part, first_row, n_rows, dtype, shape)
            if header.n_bytes != n_bytes:
                raise DamagedIndex(f"{header} is damaged: {header.n_bytes} bytes must be there, got {n_bytes}. Repair the index.")
            piece = together.setdefault(first_row, Piece({}, {}))
            piece.headers[header.part], piece.blocks[header.part] = header, block
        return _without_holes(name, outline, list(together.values()), start)

    def get(self, name: str) -> Any:
        """Return an array as it was put.

        Parameters
        ----------
        name : str

        Returns
        -------
        ndarray, csr_array or list of str

        Raises
        ------
        BadParameter
            There is no such array.
        DamagedIndex
            The stored bytes are not those that were written.
        """
        with self.store.reading():
            outline, pieces = self.outline(name), self.pieces(name)
            n_entries = sum(piece.n_entries for piece in pieces)
            return assemble(outline, outline.shape[0], n_entries, (self.read_piece(piece) for piece in pieces))

    def pattern(self, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Where each row of a sparse array begins, and the columns of its entries; the values are not read.

        Parameters
        ----------
        name : str

        Returns
        -------
        starts : ndarray of int64
        columns : ndarray of int32 or int64
        """
        with self.store.reading():
            outline, pieces = self.outline(name), self.pieces(name)
            starts = np.zeros(outline.shape[0] + 1, dtype=np.int64)
            columns = np.empty(
                sum(piece.n_entries for piece in pieces), dtype=np.int32 if max(outline.shape) < _INT32 else np.int64
            )
            entry = 0
            for piece in pieces:
                parts = self.read_piece(piece, ("starts", "columns"))
                check_piece(outline, parts)
                n_entries = len(parts["columns"])
                starts[piece.first_row + 1 : piece.first_row + piece.n_rows + 1] = parts["starts"][1:] + entry
                columns[entry : entry + n_entries] = parts["columns"]
                entry += n_entries
        return starts, columns

    def read_piece(self, piece: Piece, only: Collection[str] | None = None) -> Parts:
        """Numbers of a piece; the checksum of each part is compared.

        Parameters
        ----------
        piece : Piece
        only : collection of str, optional
            The parts that are read; all of them where it is None.

        Returns
        -------
        dict from part to ndarray
        """
        parts = {}
        for part, header in piece.headers.items():
            if only is not None and part not in only:
                continue
            [[data, check]] = self.store.rows("SELECT bytes, checksum FROM blocks WHERE block = ?", (piece.blocks[part],))
            parts[part] = to_array(header, data, check)
            check_numbers(header, parts[part])
        return parts

    def every_piece(self, name: str) -> Iterator[Piece]:
        """Pieces of an array one after the other, each read and checked, for `check`.

        Parameters
        ----------
        name : str

        Yields
        ------
        Piece
        """
        outline = self.outline(name)
        for piece in self.pieces(name):
            assemble(outline, piece.n_rows, piece.n_entries, [self.read_piece(piece)])
            yield piece


@lru_cache(maxsize=1024)
def _read_outline(name: str, kind: Any, dtype: Any, shape: Any, check: Any) -> Outline:
    what = f"array {name!r:.80}"
    known = kind in PARTS and (dtype == "text" if kind == "text" else dtype in DTYPES)
    sides = read_shape(shape, what)
    if not known or checksum(name, kind, dtype, shape) != check or (kind != "dense" and len(sides) != {"csr": 2, "text": 1}[kind]):
        raise DamagedIndex(
            f"{what} is damaged: its header ({kind!r:.20}, {dtype!r:.20}, {shape}) is not what was written. Repair the index."
        )
    return Outline(kind, dtype, sides)


def _without_holes(name: str, outline: Outline, pieces: list[Piece], row: int) -> list[Piece]:
    """The pieces from a row on, if each has all its parts, and begins where the one before it ended."""
    for piece in pieces:
        parts = {part: piece.headers[part] for part in PARTS[outline.kind] if part in piece.headers}
        if len(parts) != len(PARTS[outline.kind]) or len(piece.headers) != len(parts):
            raise DamagedIndex(
                f"array {name!r:.80}, row {row} is damaged: it has the parts {sorted(piece.headers)}. Repair the index."
            )
        if piece.first_row != row or len({header.n_rows for header in parts.values()}) != 1:
            raise DamagedIndex(
                f"array {name!r:.80}, row {row} is damaged: the next block is of row {piece.first_row}. Repair the index."
            )
        if wrong := mismatch(outline, parts):
            raise DamagedIndex(f"array {name!r:.80}, row {row} is damaged: {wrong}. Repair the index.")
        row += piece.n_rows
    if row != outline.shape[0]:
        raise DamagedIndex(f"array {name!r:.80} is damaged: {outline.shape[0]} rows must be there, got {row}. Repair the index.")
    return [Piece({part: piece.headers[part] for part in PARTS[outline.kind]}, piece.blocks) for piece in pieces]


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or not encodable(name):
        raise BadParameter(
            f"an array must have a name of 1 to {_LONGEST_NAME} characters, got {name!r:.80}. Use one such as 'vectors'."
        )
