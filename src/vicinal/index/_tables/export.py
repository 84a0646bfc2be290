"""Export: documents with their clusters and labels, embeddings, layout and projection, in files that other programs read.

The suffix of the file chooses the format: csv, tsv, jsonl and parquet for documents; parquet and npz for embeddings; csv, tsv,
parquet and npz for the layout; npz and safetensors for the projection. Nothing that is written is code, and no cell of a table for
spreadsheets can start a formula.
"""

from __future__ import annotations

import csv
import json
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, final

import numpy as np

from vicinal._sqlite_files import belongs_to_sqlite
from vicinal._store import Label, Lost, Stored, readable_documents, readable_labels
from vicinal._whole_file import written_whole
from vicinal.errors import BadParameter, DamagedIndex, MissingExtra
from vicinal.index._damage.partly_damaged import sentence_on_lost

if TYPE_CHECKING:
    from vicinal.corpus._document import Scalar
    from vicinal.index._index_state import IndexState

CHUNK = 1000
#: What a spreadsheet takes for a formula, also behind blanks, quotes or what cannot be seen (which some programs drop), and in the
#: wide letters of East Asian writing.
_FORMULA = re.compile(r"""^[\s"'\x00-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*[=+\-@\t\r\n＝＋－＠]""")
#: The same inside a cell, where a program that splits at semicolons or tabs, and heeds no quotes there, begins another cell or row;
#: but no list of Markdown.
_FORMULA_INSIDE = re.compile(r"""([;\t](?:[^\S\t]|["'])*|[\r\n]["']*)((?:[=+@＝＋＠]|[-－](?! )))""")


@final
@dataclass(frozen=True)
class Exported:
    """What an export wrote.

    Attributes
    ----------
    rows : int
    damage : str
        What is missing from it because the index is damaged, in sentences; empty where nothing is.
    """

    rows: int
    damage: str = ""


def export(state: IndexState, file: Path, what: str, raw: bool = False) -> Exported:
    """Write a file, under another name until it is complete.

    Parameters
    ----------
    state : IndexState
    file : Path
    what : {"documents", "embeddings", "layout", "projection"}
    raw : bool, default=False
        Whether cells of csv and tsv stay as they are, though a spreadsheet may take them for formulas.
    """
    writers = WRITERS[what] | (RAW_DOCUMENTS if raw and what == "documents" else {})
    kind = file.suffix.lower().removeprefix(".")
    if kind not in writers:
        raise BadParameter(f"{what} can be written as {' or '.join(writers)}, got {file.name!r}. Name the file accordingly.")
    _refuse_indexes(file)
    source = Records(state) if what == "documents" else state
    try:
        rows = _written(writers[kind], source, file)
    except DamagedIndex as error:
        if what != "documents":
            raise
        source = Records(state, careful=True)
        rows = _written(writers[kind], source, file)
        return Exported(rows, " ".join(filter(None, (source.damage or str(error), sentence_on_lost(source.lost.values())))))
    return Exported(rows)


Source = TypeVar("Source")


def _written(write: Callable[[Source, Path], int], source: Source, file: Path) -> int:
    with written_whole(file) as unfinished:
        return write(source, unfinished)


def _refuse_indexes(file: Path) -> None:
    if belongs_to_sqlite(file):
        raise BadParameter(f"{file} is an index or part of one, and an export would replace it. Name another file.")


@final
class Records:
    """One record per document: its content, its label and its cluster. It can be gone through several times.

    Parameters
    ----------
    state : IndexState
    careful : bool, default=False
        Whether what cannot be read is left out: documents are collected in ``lost``, and ``damage`` says what else.
    among : list of int, optional
        Numbers of the documents, in their order; by default all of them.
    """

    def __init__(self, state: IndexState, careful: bool = False, among: list[int] | None = None) -> None:
        self._snapshot, self._careful, self._among = state, careful, among
        self.lost: dict[int, Lost] = {}
        self.damage = ""

    def __iter__(self) -> Iterator[dict[str, Scalar]]:
        clusters, labels = self._clusters, self._labels
        for stored in self._documents():
            document, label = stored.document, labels.get(stored.number)
            own = {
                "id": document.id,
                "title": document.title,
                "text": document.text,
                "source": document.source,
                "label": "" if label is None else label.label,
                **clusters(stored.number),
            }
            yield own | {name if name not in own else f"{name} (metadata)": value for name, value in document.metadata.items()}

    def _documents(self) -> Iterator[Stored]:
        if self._careful:
            yield from readable_documents(self._snapshot.store, self.lost)
            return
        if self._among is not None:
            for start in range(0, len(self._among), CHUNK):
                yield from self._snapshot.documents.at(self._among[start : start + CHUNK])
            return
        for chunk in self._snapshot.documents.chunks(CHUNK):
            yield from chunk

    @cached_property
    def _labels(self) -> dict[int, Label]:
        return readable_labels(self._snapshot.store) if self._careful else self._snapshot.labels()

    @cached_property
    def _clusters(self) -> Callable[[int], dict[str, Scalar]]:
        """From the number of a document to its cluster, the name of that and the uncertainty."""
        try:
            return _clusters_of(self._snapshot)
        except DamagedIndex as error:
            if not self._careful:
                raise
            self.damage = f"{error} Documents are written without their clusters."
            return lambda number: {"cluster": None, "cluster_name": None, "uncertainty": None}


def _clusters_of(state: IndexState) -> Callable[[int], dict[str, Scalar]]:
    if not state.fitted:
        return lambda number: {"cluster": None, "cluster_name": None, "uncertainty": None}
    names, rows, numbers, uncertainty = state.cluster_names(), state.rows, state.cluster_numbers, state.rows.uncertainty

    def of(number: int) -> dict[str, Scalar]:
        """The cluster of a document as columns, None where it has none."""
        row = rows.row(number)
        cluster = None if row < 0 else int(numbers[row])
        name = None if cluster is None else names.get(cluster)
        return {"cluster": cluster, "cluster_name": name, "uncertainty": None if row < 0 else round(float(uncertainty[row]), 4)}

    return of


def harmless(value: object) -> object:
    """A cell that no spreadsheet takes for a formula: text that could be one gets an apostrophe; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    inside = _FORMULA_INSIDE.sub(r"\1'\2", value)
    return f"'{inside}" if _FORMULA.match(value) else inside


def _columns(records: Records) -> list[str]:
    return list(dict.fromkeys(name for record in records for name in record))


def _delimited(delimiter: str, cell: Callable[[object], object] = harmless) -> Callable[[Records, Path], int]:
    def write(records: Records, file: Path) -> int:
        """Write documents as a table of text; return how many."""
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, _columns(records), delimiter=delimiter, restval="")
            writer.writerow({name: cell(name) for name in writer.fieldnames})
            count = 0
            for record in records:
                writer.writerow({name: cell(value) for name, value in record.items()})
                count += 1
        return count

    return write


def _json_lines(records: Records, file: Path) -> int:
    count = 0
    with file.open("w", encoding="utf-8") as stream:
        for record in records:
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
            count += 1
    return count


def _documents_as_parquet(records: Records, file: Path) -> int:
    pa, parquet = _arrow()
    names, rows = _columns(records), list(records)
    columns = {name: [row.get(name) for row in rows] for name in names}
    parquet.write_table(pa.table({name: _column(pa, values) for name, values in columns.items()}), file)
    return len(rows)


def _column(pa: Any, values: list[Any]) -> Any:
    """A column of one type; one of several types becomes text."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1 and not kinds <= {int, float}:
        return pa.array([None if value is None else str(value) for value in values])
    return pa.array([None if value is None else float(value) for value in values] if kinds == {int, float} else values)


def _embeddings_as_parquet(state: IndexState, file: Path) -> int:
    pa, parquet = _arrow()
    _require_fitted(state, "embeddings")
    ids, embeddings = _ids(state), np.ascontiguousarray(state.rows.embeddings, dtype=np.float32)
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(embeddings.ravel()), embeddings.shape[1])
    parquet.write_table(pa.table({"id": pa.array(ids), "embedding": vectors}), file)
    return len(ids)


def _embeddings_as_npz(state: IndexState, file: Path) -> int:
    _require_fitted(state, "embeddings")
    ids = _ids(state)
    with file.open("wb") as stream:
        np.savez(stream, ids=np.array(ids, dtype=np.str_), embeddings=np.asarray(state.rows.embeddings, dtype=np.float32))
    return len(ids)


def _terms(state: IndexState) -> list[str]:
    """The terms of the embedding, as they are shown."""
    vocabulary = state.model.vocabulary
    return [str(form) for form in vocabulary.forms[vocabulary.columns]]


def _projection_as_npz(state: IndexState, file: Path) -> int:
    _require_fitted(state, "the projection")
    projection = state.model.projection
    terms = np.array(_terms(state), dtype=np.str_)
    with file.open("wb") as stream:
        values = np.asarray(projection.eigenvalues)
        np.savez(stream, terms=terms, weights=projection.weights.astype(np.float32), values=values)
    return len(terms)


def _projection_as_safetensors(state: IndexState, file: Path) -> int:
    """Eight bytes of length, a header in JSON, the numbers: terms are in the header, one to a line."""
    _require_fitted(state, "the projection")
    projection = state.model.projection
    terms = _terms(state)
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


def _ids(state: IndexState) -> list[str]:
    numbers = state.rows.numbers.tolist()
    return [each.document.id for i in range(0, len(numbers), CHUNK) for each in state.documents.at(numbers[i : i + CHUNK])]


def _layout_columns(state: IndexState) -> dict[str, Any]:
    """Columns of the layout: id, the two numbers of a point, and the cluster."""
    _require_fitted(state, "the layout")
    from vicinal.index._layout.stored_layout import layout_of

    found = layout_of(state)
    return {"id": list(found.ids), "x": found.points[:, 0], "y": found.points[:, 1], "cluster": found.clusters}


def _layout_as_table(delimiter: str) -> Callable[[IndexState, Path], int]:
    def write(state: IndexState, file: Path) -> int:
        """Write points as a table of text; return how many."""
        columns = _layout_columns(state)
        points = (
            ["" if np.isnan(x) else f"{x:.5g}" for x in columns["x"]],
            ["" if np.isnan(y) else f"{y:.5g}" for y in columns["y"]],
        )
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, delimiter=delimiter)
            writer.writerow(columns)
            writer.writerows(zip(map(harmless, columns["id"]), *points, columns["cluster"].tolist(), strict=True))
        return len(columns["id"])

    return write


def _layout_as_parquet(state: IndexState, file: Path) -> int:
    pa, parquet = _arrow()
    columns = _layout_columns(state)
    parquet.write_table(pa.table({name: pa.array(values) for name, values in columns.items()}), file)
    return len(columns["id"])


def _layout_as_npz(state: IndexState, file: Path) -> int:
    columns = _layout_columns(state)
    points = np.column_stack([columns["x"], columns["y"]])
    with file.open("wb") as stream:
        np.savez_compressed(stream, ids=np.array(columns["id"]), points=points, clusters=columns["cluster"])
    return len(points)


def _require_fitted(state: IndexState, what: str) -> None:
    if not state.fitted:
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
WRITERS: dict[str, dict[str, Callable[[Any, Path], int]]] = {
    "documents": {"csv": _delimited(","), "tsv": _delimited("\t"), "jsonl": _json_lines, "parquet": _documents_as_parquet},
    "embeddings": {"parquet": _embeddings_as_parquet, "npz": _embeddings_as_npz},
    "layout": {
        "csv": _layout_as_table(","),
        "tsv": _layout_as_table("\t"),
        "parquet": _layout_as_parquet,
        "npz": _layout_as_npz,
    },
    "projection": {"npz": _projection_as_npz, "safetensors": _projection_as_safetensors},
}
RAW_DOCUMENTS = {"csv": _delimited(",", lambda value: value), "tsv": _delimited("\t", lambda value: value)}
