"""Rows on disk: documents x terms in three files of one folder, of which any range of rows is read without the others."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, final

import numpy as np

from vicinal._matrix import csr
from vicinal._typing import Integers, SparseMatrix
from vicinal.errors import BadData, EmptyCorpus

DESCRIPTION = "rows.json"  # written last: a folder without it is not whole
FORMAT = "vicinal rows 1"


@final
@dataclass(frozen=True)
class StoredRows:
    """Some rows of a folder that :func:`write_rows` has written."""

    folder: str
    start: int
    stop: int
    n_terms: int

    @property
    def rows(self) -> int:
        """How many documents."""
        return self.stop - self.start

    def load(self) -> SparseMatrix:
        """Read the rows; the files are mapped, so that nothing else of them is read."""
        starts = np.array(self._array("indptr")[self.start : self.stop + 1])
        first, last = int(starts[0]), int(starts[-1])
        entries = (np.array(self._array("data")[first:last]), np.array(self._array("indices")[first:last]))
        return csr((*entries, _narrow(starts - first)), shape=(self.rows, self.n_terms))

    def part(self, start: int, stop: int) -> StoredRows:
        """Some of these rows."""
        return StoredRows(self.folder, self.start + start, self.start + stop, self.n_terms)

    def _array(self, name: str) -> Any:
        return np.load(Path(self.folder) / f"{name}.npy", mmap_mode="r", allow_pickle=False)


def _narrow(starts: Integers) -> Integers:
    return starts.astype(np.int32) if starts[-1] <= np.iinfo(np.int32).max else starts


def is_stored(folder: Path) -> bool:
    """Whether a folder holds rows that were written whole."""
    return (folder / DESCRIPTION).is_file()


def described(folder: Path) -> dict[str, Any]:
    """What a folder of rows says of itself: numbers of documents, terms and entries, and their type."""
    told: dict[str, Any] = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
    if told.get("format") != FORMAT:
        raise BadData(f"{folder} holds rows of another format: {told.get('format')!r}. Write them again with RowBlocks.write.")
    return told


def stored_rows(folder: Path) -> StoredRows:
    """All rows of a folder."""
    told = described(folder)
    return StoredRows(str(folder), 0, int(told["n_documents"]), int(told["n_terms"]))


def write_rows(folder: Path, blocks: Iterable[SparseMatrix]) -> None:
    """Write rows that come in blocks, each of them once; only one block is in memory."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DESCRIPTION).unlink(missing_ok=True)
    with (
        (folder / "indptr.npy").open("wb") as starts,
        (folder / "indices.npy").open("wb") as terms,
        (folder / "data.npy").open("wb") as weights,
    ):
        files = (starts, terms, weights)
        shape, n_entries, dtype = _append(files, blocks)
        for file, kind, length in zip(files, _types(dtype), (shape[0] + 1, n_entries, n_entries), strict=True):
            _header(file, kind, length)
    told = {"format": FORMAT, "n_documents": shape[0], "n_terms": shape[1], "n_entries": n_entries, "dtype": dtype.name}
    (folder / DESCRIPTION).write_text(json.dumps(told), encoding="utf-8")


def _append(files: tuple[BinaryIO, BinaryIO, BinaryIO], blocks: Iterable[SparseMatrix]) -> tuple[tuple[int, int], int, Any]:
    """Write the entries of all blocks after headers that are filled in later; return shape, number of entries and their type."""
    n_documents, n_terms, n_entries, dtype = 0, -1, 0, None
    for block in blocks:
        if dtype is None:
            n_terms, dtype = block.shape[1], block.dtype
            for file, kind in zip(files, _types(dtype), strict=True):
                _header(file, kind, 0)
            files[0].write(np.zeros(1, np.int64).tobytes())
        if block.shape[1] != n_terms:
            raise BadData(f"blocks must have the same terms, got {block.shape[1]} after {n_terms}. Use one vocabulary for all.")
        files[0].write((block.indptr[1:].astype(np.int64) + n_entries).tobytes())
        files[1].write(block.indices.astype(np.int32).tobytes())
        files[2].write(block.data.astype(dtype).tobytes())
        n_documents, n_entries = n_documents + block.shape[0], n_entries + block.nnz
    if dtype is None:
        raise EmptyCorpus("there are no blocks of documents x terms. Check what was read before them.")
    return (n_documents, n_terms), n_entries, dtype


def _types(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], np.dtype[Any], np.dtype[Any]]:
    return np.dtype(np.int64), np.dtype(np.int32), dtype


def _header(file: BinaryIO, dtype: np.dtype[Any], length: int) -> None:
    """Write the header of an array of one dimension; NumPy leaves room in it, so that its length never changes."""
    file.seek(0)
    said = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_1_0(file, said)
