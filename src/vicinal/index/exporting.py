"""Out again: documents with what was learnt of them, vectors, and the map itself, in files that other programs read.

What is written is chosen by the name: csv, tsv, jsonl and parquet for documents; parquet and npz for vectors; npz and safetensors
for the map. Nothing that is written is code, and no cell of a table for spreadsheets can start a formula.
"""

from __future__ import annotations

import csv
import json
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from vicinal._store import Documents, Labels, Store
from vicinal.errors import BadParameter, MissingExtra
from vicinal.index.groups import lasting
from vicinal.index.state import State

CHUNK = 1000
#: What a spreadsheet takes for a formula, also behind blanks, quotes or what cannot be seen (which some programs drop), and in the
#: wide letters of East Asian writing.
_FORMULA = re.compile(r"""^[\s"'\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*[=+\-@\t\r\n＝＋－＠]""")


def export(state: State | None, store: Store, file: Path, what: str, raw: bool = False) -> int:
    """Write a file and return how many rows it has.

    Parameters
    ----------
    state : State or None
    store : Store
    file : Path
    what : {"documents", "embeddings", "projection"}
    raw : bool, default=False
        Whether cells of csv and tsv stay as they are, though a spreadsheet may take them for formulas.
    """
    writers = WRITERS[what] | (RAW_DOCUMENTS if raw and what == "documents" else {})
    kind = file.suffix.lower().removeprefix(".")
    if kind not in writers:
        raise BadParameter(f"{what} are written as {', '.join(writers)}, got {file.name!r}. Name the file accordingly.")
    unfinished = file.with_name(f"{file.name}.part")
    try:
        rows = writers[kind](state, store, unfinished)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return rows


def records(state: State | None, store: Store) -> Iterator[dict[str, Any]]:
    """One row per document: what it is, and what was learnt of it."""
    labels = Labels(store).get()
    clusters = None if state is None else lasting(state)
    for chunk in Documents(store).chunks(CHUNK):
        for stored in chunk:
            document = stored.document
            row = -1 if state is None else state.rows.row(stored.number)
            label = labels.get(stored.number)
            own = {
                "id": document.id,
                "title": document.title,
                "text": document.text,
                "source": document.source,
                "label": "" if label is None else label.label,
                "cluster": None if row < 0 or clusters is None else int(clusters[row]),
                "uncertainty": None if row < 0 or state is None else round(float(state.rows.uncertainty[row]), 4),
            }
            yield own | {name if name not in own else f"{name} (metadata)": value for name, value in document.metadata.items()}


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: text that could be one gets an apostrophe; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def _columns(state: State | None, store: Store) -> list[str]:
    return list(dict.fromkeys(name for record in records(state, store) for name in record))


def _delimited(delimiter: str, cell: Callable[[Any], Any] = harmless) -> Callable[[State | None, Store, Path], int]:
    def write(state: State | None, store: Store, file: Path) -> int:
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, _columns(state, store), delimiter=delimiter, restval="")
            writer.writerow({name: cell(name) for name in writer.fieldnames})
            count = 0
            for record in records(state, store):
                writer.writerow({name: cell(value) for name, value in record.items()})
                count += 1
        return count

    return write


def _json_lines(state: State | None, store: Store, file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8") as stream:
        for record in records(state, store):
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    return count


def _documents_as_parquet(state: State | None, store: Store, file: Path) -> int:
    pa, parquet = _arrow()
    names, rows = _columns(state, store), list(records(state, store))
    columns = {name: [row.get(name) for row in rows] for name in names}
    parquet.write_table(pa.table({name: _column(pa, values) for name, values in columns.items()}), file)
    return len(rows)


def _column(pa: Any, values: list[Any]) -> Any:
    """Of one kind; a column of several kinds becomes text."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1 and not kinds <= {int, float}:
        return pa.array([None if value is None else str(value) for value in values])
    return pa.array([None if value is None else float(value) for value in values] if kinds == {int, float} else values)


def _vectors_as_parquet(state: State | None, store: Store, file: Path) -> int:
    pa, parquet = _arrow()
    state = _learnt(state, "embeddings")
    ids, places = _ids(state, store), np.ascontiguousarray(state.rows.places, dtype=np.float32)
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(places.ravel()), places.shape[1])
    parquet.write_table(pa.table({"id": pa.array(ids), "embedding": vectors}), file)
    return len(ids)


def _vectors_as_npz(state: State | None, store: Store, file: Path) -> int:
    state = _learnt(state, "embeddings")
    ids = _ids(state, store)
    with file.open("wb") as stream:
        np.savez(stream, ids=np.array(ids, dtype=np.str_), embeddings=np.asarray(state.rows.places, dtype=np.float32))
    return len(ids)


def _map_as_npz(state: State | None, store: Store, file: Path) -> int:
    state = _learnt(state, "the projection")
    words = np.array([str(word) for word in state.model.space.vocabulary], dtype=np.str_)
    with file.open("wb") as stream:
        np.savez(
            stream,
            terms=words,
            weights=state.model.space.weights.astype(np.float32),
            values=np.asarray(state.model.space.eigenvalues),
        )
    return len(words)


def _map_as_safetensors(state: State | None, store: Store, file: Path) -> int:
    """Eight bytes of length, a header in JSON, the numbers: words are in the header, one to a line."""
    state = _learnt(state, "the projection")
    words = [str(word) for word in state.model.space.vocabulary]
    tensors = {"weights": state.model.space.weights.astype("<f4"), "values": np.asarray(state.model.space.eigenvalues, dtype="<f8")}
    header: dict[str, Any] = {"__metadata__": {"format": "vicinal", "terms": "\n".join(words)}}
    start = 0
    for name, tensor in tensors.items():
        kind = {"<f4": "F32", "<f8": "F64"}[tensor.dtype.str]
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [start, start + tensor.nbytes]}
        start += tensor.nbytes
    written = json.dumps(header, ensure_ascii=False).encode()
    written += b" " * (-len(written) % 8)
    with file.open("wb") as stream:
        stream.write(struct.pack("<Q", len(written)) + written)
        for tensor in tensors.values():
            stream.write(np.ascontiguousarray(tensor).tobytes())
    return len(words)


def _ids(state: State, store: Store) -> list[str]:
    numbers = state.rows.numbers.tolist()
    documents = Documents(store)
    return [each.document.id for i in range(0, len(numbers), CHUNK) for each in documents.at(numbers[i : i + CHUNK])]


def _learnt(state: State | None, what: str) -> State:
    if state is None:
        raise BadParameter(f"an index that is not fitted has no file of {what} to write. Fit it first.")
    return state


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtra(
            "Parquet needs pyarrow, which is not installed. Run pip install vicinal[read], or write jsonl."
        ) from None
    return pa, parquet


#: What can be written, and how: a new format is a row here.
WRITERS: dict[str, dict[str, Callable[[State | None, Store, Path], int]]] = {
    "documents": {"csv": _delimited(","), "tsv": _delimited("\t"), "jsonl": _json_lines, "parquet": _documents_as_parquet},
    "embeddings": {"parquet": _vectors_as_parquet, "npz": _vectors_as_npz},
    "projection": {"npz": _map_as_npz, "safetensors": _map_as_safetensors},
}
RAW_DOCUMENTS = {"csv": _delimited(",", lambda value: value), "tsv": _delimited("\t", lambda value: value)}
