"""One array to blocks and back: dense, sparse and text arrays are cut into blocks of rows, and assembled again.

=======  =========================  ===================================================================
kind     what it is                 parts of each block
=======  =========================  ===================================================================
dense    numpy array                rows
csr      SciPy array, row by row    starts (of each row, from 0 in every block), columns, values
text     list of str                starts (of each text, from 0 in every block), letters (as UTF-8)
=======  =========================  ===================================================================
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vicinal._store.blocks import Header, dtype_name
from vicinal._store.document_row import encodable
from vicinal._typing import SparseMatrix
from vicinal.errors import BadData, DamagedIndex

#: Anything that can be stored: a numpy array, a SciPy sparse array, or texts. Who reads one knows by its name which it is.
Array: TypeAlias = "NDArray[Any] | SparseMatrix | Sequence[str]"
Parts: TypeAlias = "dict[str, NDArray[Any]]"

#: A block has about this many bytes: enough that headers cost nothing, few enough that a few rows are read quickly.
BLOCK_BYTES = 1 << 20
_MOST_ROWS = 1 << 17


@dataclass(frozen=True)
class Outline:
    """Kind, dtype and shape of an array.

    Parameters
    ----------
    kind : {"dense", "csr", "text"}
    dtype : str
        Of its numbers; "text" for texts.
    shape : tuple of int
    """

    kind: str
    dtype: str
    shape: tuple[int, ...]


PARTS = {"dense": ("rows",), "csr": ("starts", "columns", "values"), "text": ("starts", "letters")}


def prepared(array: Array) -> tuple[Outline, Array]:
    """Validate an array that is to be stored.

    Parameters
    ----------
    array : ndarray, SciPy sparse array or matrix, or list of str

    Returns
    -------
    outline : Outline
    array : the same, in the form in which it is cut

    Raises
    ------
    BadData
        It is none of these, or of another dtype than can be stored.
    """
    if hasattr(array, "tocsr"):
        rows = array.tocsr()
        return Outline("csr", dtype_name(rows.data.dtype), tuple(map(int, rows.shape))), rows
    if isinstance(array, list | tuple) or (isinstance(array, np.ndarray) and array.dtype.kind == "U" and array.ndim == 1):
        texts = array.tolist() if isinstance(array, np.ndarray) else list(array)
        if not all(isinstance(text, str) and encodable(text) for text in texts):
            raise BadData(
                "a list that is to be stored must hold texts that can be written as UTF-8. Turn numbers into a numpy array."
            )
        return Outline("text", "text", (len(texts),)), texts
    if not isinstance(array, np.ndarray) or array.ndim == 0:
        raise BadData(
            f"an array or a list of texts can be stored by name, got {type(array).__name__}. Store single values as settings."
        )
    return Outline("dense", dtype_name(array.dtype), array.shape), array


def cut(outline: Outline, array: Array) -> Iterator[tuple[int, Parts]]:
    """Cut an array into pieces of about `BLOCK_BYTES`.

    Parameters
    ----------
    outline : Outline
    array : what `prepared` gave

    Yields
    ------
    n_rows : int
    parts : dict from part to ndarray
    """
    return _CUT[outline.kind](array)


def _cut_dense(array: NDArray[Any]) -> Iterator[tuple[int, Parts]]:
    row_bytes = int(np.prod(array.shape[1:], dtype=np.int64)) * array.dtype.itemsize
    step = max(1, BLOCK_BYTES // max(row_bytes, 1))
    for start in range(0, array.shape[0], step):
        rows = array[start : start + step]
        yield len(rows), {"rows": rows}


def _cut_csr(rows: SparseMatrix) -> Iterator[tuple[int, Parts]]:
    for start, stop in _cuts(rows.indptr, rows.data.dtype.itemsize + rows.indices.dtype.itemsize):
        first, last = int(rows.indptr[start]), int(rows.indptr[stop])
        starts = rows.indptr[start : stop + 1].astype(np.int64) - first
        yield stop - start, {"starts": starts, "columns": rows.indices[first:last], "values": rows.data[first:last]}


def _cut_text(texts: Sequence[str]) -> Iterator[tuple[int, Parts]]:
    written = [text.encode() for text in texts]
    ends = np.fromiter(itertools.accumulate(map(len, written), initial=0), dtype=np.int64, count=len(written) + 1)
    for start, stop in _cuts(ends, 1):
        letters = np.frombuffer(b"".join(written[start:stop]), dtype=np.uint8)
        yield stop - start, {"starts": ends[start : stop + 1] - ends[start], "letters": letters}


def _cuts(starts: NDArray[Any], entry_bytes: int) -> Iterator[tuple[int, int]]:
    """Ranges of rows with about `BLOCK_BYTES` of entries each, and at least one row."""
    n_rows, start = len(starts) - 1, 0
    while start < n_rows:
        full = int(np.searchsorted(starts, starts[start] + BLOCK_BYTES // entry_bytes, side="right")) - 1
        stop = max(start + 1, min(full, start + _MOST_ROWS, n_rows))
        yield start, stop
        start = stop


def mismatch(outline: Outline, headers: Mapping[str, Header]) -> str:
    """Describe how the headers of one piece disagree with the array or with each other; empty where they agree.

    Parameters
    ----------
    outline : Outline
    headers : dict from part to Header

    Returns
    -------
    str
    """
    n_rows = next(iter(headers.values())).n_rows
    sides = {part: header.shape for part, header in headers.items()}
    dtypes = {part: header.dtype for part, header in headers.items()}
    if outline.kind == "dense":
        sound = sides["rows"] == (n_rows, *outline.shape[1:]) and dtypes["rows"] == outline.dtype
    elif outline.kind == "csr":
        sound = sides["starts"] == (n_rows + 1,) and len(sides["columns"]) == 1 and sides["columns"] == sides["values"]
        sound = (
            sound and dtypes["starts"] == "int64" and dtypes["columns"] in ("int32", "int64") and dtypes["values"] == outline.dtype
        )
    else:
        sound = sides["starts"] == (n_rows + 1,) and len(sides["letters"]) == 1
        sound = sound and dtypes == {"starts": "int64", "letters": "uint8"}
    return "" if sound else f"{sides} of {dtypes} do not make {n_rows} rows of {outline.shape} {outline.dtype}"


def assemble(outline: Outline, n_rows: int, n_entries: int, pieces: Iterable[Parts]) -> Any:
    """Put pieces together again, one after the other, so that only one is held beside the whole.

    Parameters
    ----------
    outline : Outline
    n_rows, n_entries : int
        Rows and stored entries of all pieces together, as their headers say.
    pieces : iterable of dict from part to ndarray

    Returns
    -------
    ndarray, csr_array or list of str

    Raises
    ------
    DamagedIndex
        Starts that do not rise, columns that are not there, letters that are no text.
    """
    return _ASSEMBLE[outline.kind](outline, n_rows, n_entries, pieces)


def _assemble_dense(outline: Outline, n_rows: int, n_entries: int, pieces: Iterable[Parts]) -> NDArray[Any]:
    whole = np.empty((n_rows, *outline.shape[1:]), dtype=outline.dtype)
    at = 0
    for piece in pieces:
        rows = piece["rows"]
        whole[at : at + len(rows)] = rows
        at += len(rows)
    return whole


def _assemble_csr(outline: Outline, n_rows: int, n_entries: int, pieces: Iterable[Parts]) -> SparseMatrix:
    import scipy.sparse as sp

    small = max(n_entries, *outline.shape) < np.iinfo(np.int32).max
    indices = np.empty(n_entries, dtype=np.int32 if small else np.int64)
    data = np.empty(n_entries, dtype=outline.dtype)
    indptr = np.zeros(n_rows + 1, dtype=indices.dtype)
    row = entry = 0
    for piece in pieces:
        starts, columns = piece["starts"], piece["columns"]
        check_piece(outline, piece)
        n, k = len(starts) - 1, len(columns)
        indptr[row + 1 : row + n + 1] = starts[1:] + entry
        indices[entry : entry + k], data[entry : entry + k] = columns, piece["values"]
        row, entry = row + n, entry + k
    whole: SparseMatrix = sp.csr_array((data, indices, indptr), shape=(n_rows, outline.shape[1]))
    return whole


def _assemble_text(outline: Outline, n_rows: int, n_entries: int, pieces: Iterable[Parts]) -> list[str]:
    texts: list[str] = []
    for piece in pieces:
        check_piece(outline, piece)
        letters, starts = piece["letters"].tobytes(), piece["starts"].tolist()
        texts += [decoded(letters[start:stop]) for start, stop in itertools.pairwise(starts)]
    return texts


def decoded(letters: bytes) -> str:
    """One text of a list from its bytes; DamagedIndex where they are none.

    Parameters
    ----------
    letters : bytes

    Returns
    -------
    str
    """
    try:
        return letters.decode()
    except UnicodeDecodeError:
        raise DamagedIndex("a list of texts is damaged: its bytes are no text. Repair the index.") from None


def check_piece(outline: Outline, parts: Parts) -> None:
    """Raise DamagedIndex where the parts of a piece do not fit together: starts that do not rise, columns that are not there.

    Parameters
    ----------
    outline : Outline
    parts : dict from part to ndarray
        Some parts of a piece, or all.
    """
    entries = parts.get("columns", parts.get("letters"))
    if "starts" in parts and entries is not None:
        check_starts(parts["starts"], len(entries))
    if "columns" in parts:
        columns = parts["columns"]
        if columns.size and not 0 <= columns.min() <= columns.max() < outline.shape[1]:
            raise DamagedIndex(
                f"a sparse array of {outline.shape[1]} columns is damaged: it has an entry in another column. Repair the index."
            )


def check_starts(starts: NDArray[Any], n_entries: int) -> None:
    """Raise DamagedIndex unless starts begin at 0, never fall, and end where the entries do.

    Parameters
    ----------
    starts : ndarray of int64
    n_entries : int
    """
    if starts[0] != 0 or starts[-1] != n_entries or np.any(starts[1:] < starts[:-1]):
        raise DamagedIndex("starts of rows are damaged: they do not rise from 0 to the number of entries. Repair the index.")


_CUT: dict[str, Callable[[Any], Iterator[tuple[int, Parts]]]] = {"dense": _cut_dense, "csr": _cut_csr, "text": _cut_text}
_ASSEMBLE: dict[str, Callable[[Outline, int, int, Iterable[Parts]], Array]] = {
    "dense": _assemble_dense,
    "csr": _assemble_csr,
    "text": _assemble_text,
}
