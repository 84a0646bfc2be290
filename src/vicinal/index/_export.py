"""Export: documents with their clusters and labels, embeddings, and the projection, in files that other programs read.

The suffix of the file chooses the format: csv, tsv, jsonl and parquet for documents; parquet and npz for embeddings; npz and
safetensors for the projection. Nothing that is written is code, and no cell of a table for spreadsheets can start a formula.
"""

from __future__ import annotations

import csv
import json
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vicinal._sqlite_files import belongs_to_sqlite
from vicinal.errors import BadParameter, MissingExtra

if TYPE_CHECKING:
    from vicinal.index._snapshot import Snapshot

CHUNK = 1000
#: What a spreadsheet takes for a formula, also behind blanks, quotes or what cannot be seen (which some programs drop), and in the
#: wide letters of East Asian writing.
_FORMULA = re.compile(r"""^[\s"'\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*[=+\-@\t\r\n＝＋－＠]""")


def export(snapshot: Snapshot, file: Path, what: str, raw: bool = False) -> int:
    """Write a file and return how many rows it has.

    Parameters
    ----------
    snapshot : Snapshot
    file : Path
    what : {"documents", "embeddings", "projection"}
    raw : bool, default=False
        Whether cells of csv and tsv stay as they are, though a spreadsheet may take them for formulas.
    """
    writers = WRITERS[what] | (RAW_DOCUMENTS if raw and what == "documents" else {})
    kind = file.suffix.lower().removeprefix(".")
    if kind not in writers:
        raise BadParameter(f"{what} can be written as {' or '.join(writers)}, got {file.name!r}. Name the file accordingly.")
    unfinished = file.with_name(f"{file.name}.part")
    _refuse_indexes(file, unfinished)
    try:
        rows = writers[kind](snapshot, unfinished)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return rows


def _refuse_indexes(*files: Path) -> None:
    for file in files:
        if belongs_to_sqlite(file):
            raise BadParameter(f"{file} is an index or part of one, and an export would replace it. Name another file.")


def records(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    """One record per document: its content, its label and its cluster."""
    labels, names = snapshot.labels(), snapshot.cluster_names() if snapshot.fitted else {}
    for chunk in snapshot.documents.chunks(CHUNK):
        for stored in chunk:
            document = stored.document
            row = snapshot.rows.row(stored.number) if snapshot.fitted else -1
            label = labels.get(stored.number)
            cluster = None if row < 0 else int(snapshot.cluster_numbers[row])
            own = {
                "id": document.id,
                "title": document.title,
                "text": document.text,
                "source": document.source,
                "label": "" if label is None else label.label,
                "cluster": cluster,
                "cluster_name": None if cluster is None else names.get(cluster),
                "uncertainty": None if row < 0 else round(float(snapshot.rows.uncertainty[row]), 4),
            }
            yield own | {name if name not in own else f"{name} (metadata)": value for name, value in document.metadata.items()}


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: text that could be one gets an apostrophe; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def _columns(snapshot: Snapshot) -> list[str]:
    return list(dict.fromkeys(name for record in records(snapshot) for name in record))


def _delimited(delimiter: str, cell: Callable[[Any], Any] = harmless) -> Callable[[Snapshot, Path], int]:
    def write(snapshot: Snapshot, file: Path) -> int:
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, _columns(snapshot), delimiter=delimiter, restval="")
            writer.writerow({name: cell(name) for name in writer.fieldnames})
            count = 0
            for record in records(snapshot):
                writer.writerow({name: cell(value) for name, value in record.items()})
                count += 1
        return count

    return write


def _json_lines(snapshot: Snapshot, file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8") as stream:
        for record in records(snapshot):
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    return count


def _documents_as_parquet(snapshot: Snapshot, file: Path) -> int:
    pa, parquet = _arrow()
    names, rows = _columns(snapshot), list(records(snapshot))
    columns = {name: [row.get(name) for row in rows] for name in names}
    parquet.write_table(pa.table({name: _column(pa, values) for name, values in columns.items()}), file)
    return len(rows)


def _column(pa: Any, values: list[Any]) -> Any:
    """A column of one type; one of several types becomes text."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1 and not kinds <= {int, float}:
        return pa.array([None if value is None else str(value) for value in values])
    return pa.array([None if value is None else float(value) for value in values] if kinds == {int, float} else values)


def _embeddings_as_parquet(snapshot: Snapshot, file: Path) -> int:
    pa, parquet = _arrow()
    _require_fitted(snapshot, "embeddings")
    ids, embeddings = _ids(snapshot), np.ascontiguousarray(snapshot.rows.embeddings, dtype=np.float32)
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(embeddings.ravel()), embeddings.shape[1])
    parquet.write_table(pa.table({"id": pa.array(ids), "embedding": vectors}), file)
    return len(ids)


def _embeddings_as_npz(snapshot: Snapshot, file: Path) -> int:
    _require_fitted(snapshot, "embeddings")
    ids = _ids(snapshot)
    with file.open("wb") as stream:
        np.savez(stream, ids=np.array(ids, dtype=np.str_), embeddings=np.asarray(snapshot.rows.embeddings, dtype=np.float32))
    return len(ids)


def _terms(snapshot: Snapshot) -> list[str]:
    """The terms of the embedding, as they are shown."""
    vocabulary = snapshot.model.vocabulary
    return [str(form) for form in vocabulary.forms[vocabulary.columns]]


def _projection_as_npz(snapshot: Snapshot, file: Path) -> int:
    _require_fitted(snapshot, "the projection")
    projection = snapshot.model.projection
    terms = np.array(_terms(snapshot), dtype=np.str_)
    with file.open("wb") as stream:
        values = np.asarray(projection.eigenvalues)
        np.savez(stream, terms=terms, weights=projection.weights.astype(np.float32), values=values)
    return len(terms)


def _projection_as_safetensors(snapshot: Snapshot, file: Path) -> int:
    """Eight bytes of length, a header in JSON, the numbers: terms are in the header, one to a line."""
    _require_fitted(snapshot, "the projection")
    projection = snapshot.model.projection
    terms = _terms(snapshot)
    tensors = {
        "weights": projection.weights.astype("<f4"),
        "values": np.asarray(projection.eigenvalues, dtype="<f8"),
    }
    header: dict[str, Any] = {"__metadata__": {"format": "vicinal", "terms": "\n".join(terms)}}
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
    return len(terms)


def _ids(snapshot: Snapshot) -> list[str]:
    numbers = snapshot.rows.numbers.tolist()
    return [each.document.id for i in range(0, len(numbers), CHUNK) for each in snapshot.documents.at(numbers[i : i + CHUNK])]


def _require_fitted(snapshot: Snapshot, what: str) -> None:
    if not snapshot.fitted:
        raise BadParameter(f"{what} cannot be written: the index is not fitted. Fit it first.")


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtra(
            "Parquet needs pyarrow, which is not installed. Run pip install vicinal[read], or write jsonl."
        ) from None
    return pa, parquet


#: What can be written, and in which formats: a new format is a row here.
WRITERS: dict[str, dict[str, Callable[[Snapshot, Path], int]]] = {
    "documents": {"csv": _delimited(","), "tsv": _delimited("\t"), "jsonl": _json_lines, "parquet": _documents_as_parquet},
    "embeddings": {"parquet": _embeddings_as_parquet, "npz": _embeddings_as_npz},
    "projection": {"npz": _projection_as_npz, "safetensors": _projection_as_safetensors},
}
RAW_DOCUMENTS = {"csv": _delimited(",", lambda value: value), "tsv": _delimited("\t", lambda value: value)}
