"""Documents from what Python programs hold: data frames, tables and datasets of other libraries, dicts, and texts with ids."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.tables import Record, documents_of
from vicinal.corpus._options_by_file import Recorded
from vicinal.corpus._read import Reading, read
from vicinal.corpus._read_options import ReadOptions
from vicinal.corpus._read_report import Report, Unreadable
from vicinal.corpus._unique_ids import UniqueIds
from vicinal.errors import BadData, BadParameter

NAME = "table"
_ADVICE = "Give documents, a data frame, dicts, pairs of id and text, a mapping of ids to texts, or what vicinal.read returns."


@dataclass(frozen=True)
class TableColumns:
    """Columns of a table by role, as `vicinal.read` takes them; None to have them guessed."""

    text: str | None = None
    title: str | None = None
    id: str | None = None
    label: str | None = None
    metadata: str | Iterable[str] | None = None

    def options(self) -> ReadOptions:
        """The same for the reader of tables."""
        columns = (self.metadata,) if isinstance(self.metadata, str) else None if self.metadata is None else tuple(self.metadata)
        return ReadOptions(self.text, self.title, self.id, self.label, columns)


def arriving(source: Any, given: TableColumns, recorded: Callable[[], Recorded]) -> Iterable[Document]:
    """Documents from a path, which is read, or from anything that holds texts with ids.

    Columns of a path that are not given, and its encoding and parts, are those that it is ``recorded`` to have been read with.
    """
    if not isinstance(source, str | os.PathLike):
        return as_documents(source, given)
    return read(source, **vars(given))._as_recorded(recorded())


def as_documents(source: Any, given: TableColumns) -> Iterable[Document]:
    """Documents from anything that holds texts with ids; documents themselves are left as they are."""
    if isinstance(source, Reading):
        return source
    if isinstance(source, Document):
        return [source]
    if isinstance(source, str | bytes | os.PathLike):
        raise BadParameter(
            f"documents must be Document objects, dicts or a table, got {source!r:.80}. Read files by vicinal.read(path)."
        )
    rows = _rows(source)
    if rows is not None:
        return _of_records(rows, given)
    if isinstance(source, Mapping):
        return _of_mapping(source, given)
    if _is_named_series(source):
        return _of_records(({"id": id, "text": text} for id, text in source.items()), replace(given, id="id", text="text"))
    if not isinstance(source, Iterable):
        raise BadParameter(f"documents must be an iterable of Document or a table, got {type(source).__name__}. {_ADVICE}")
    return _of_items(iter(source), given)


def _of_items(items: Iterator[Any], given: TableColumns) -> Iterable[Document]:
    first = next(items, None)
    if first is None:
        return []
    items = chain([first], items)
    if isinstance(first, Mapping):
        return _of_records(items, given)
    if _as_mapping(first) is not None:
        return _of_records((_as_mapping(row) or {} for row in items), given)
    if isinstance(first, tuple | list) and len(first) == 2 and all(isinstance(part, str) for part in first):
        return (Document(id, text) for id, text in items)
    if isinstance(first, str):
        raise BadData(f"documents must have ids, got texts alone, the first {first!r:.40}. Use a mapping of ids to texts.")
    return map(_with_plain_metadata, items)


def _as_mapping(row: Any) -> Mapping[str, Any] | None:
    """A row of SQLAlchemy or sqlite3, or a tuple with names, as a mapping; None for anything else."""
    if hasattr(row, "_mapping"):
        return {str(name): value for name, value in row._mapping.items()}
    if isinstance(row, tuple) and hasattr(row, "_asdict"):
        return dict(row._asdict())
    return dict(row) if type(row).__module__ == "sqlite3" and hasattr(row, "keys") else None


def _with_plain_metadata(item: Any) -> Any:
    """A document whose metadata are NumPy's scalars or timestamps with plain ones; anything else as it is."""
    if not isinstance(item, Document) or all(isinstance(each, str | int | float | None) for each in item.metadata.values()):
        return item
    return replace(item, metadata={name: plain(value) for name, value in item.metadata.items()})


def _of_mapping(source: Mapping[Any, Any], given: TableColumns) -> Iterable[Document]:
    """A mapping of ids to texts, or one of columns to lists of values."""
    if "text" in source and not {"id", "title"}.isdisjoint(source) and isinstance(source["text"], str):
        keys = ", ".join(repr(key) for key in source)
        raise BadData(f"a dict with the keys {keys:.80} is one document, and several are expected. Put it into a list.")
    if source and all(_rows(value) is not None for value in source.values()):
        first = next(iter(source))
        raise BadData(
            f"a mapping of {len(source)} tables was given, and one table is expected. Add one of them: data[{first!r:.40}]."
        )
    if all(isinstance(value, str) for value in source.values()):
        return (Document(str(id), text) for id, text in source.items())
    lists = {name: values for name, values in source.items() if isinstance(values, Iterable) and not isinstance(values, str)}
    columns = {str(name): list(values) for name, values in lists.items()}
    if len(columns) < len(source) or len({len(values) for values in columns.values()}) != 1:
        raise BadData(f"a mapping must hold a text for each id, or a list of equal length for each column. {_ADVICE}")
    return _of_records((dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)), given)


def _rows(source: Any) -> Iterator[Mapping[str, Any]] | None:
    """The rows of a data frame of polars, pandas or pyarrow, or of a dataset, as mappings; None for anything else."""
    if hasattr(source, "iter_rows") and hasattr(source, "get_column_index"):  # polars
        return (row for row in source.iter_rows(named=True))
    if hasattr(source, "itertuples") and hasattr(source, "columns"):  # pandas
        frame = _with_index(source)
        names = [str(name) for name in frame.columns]
        return (dict(zip(names, row, strict=True)) for row in frame.itertuples(index=False, name=None))
    if hasattr(source, "to_batches") and hasattr(source, "schema"):  # pyarrow
        return (row for batch in source.to_batches() for row in batch.to_pylist())
    if hasattr(source, "column_names") and hasattr(source, "features"):  # datasets of Hugging Face
        return _of_dataset(source)
    if hasattr(source, "collect") and hasattr(source, "collect_schema"):  # lazy frames of polars
        return _rows(source.collect())
    if hasattr(source, "to_pylist") and hasattr(source, "schema"):  # a batch of pyarrow
        return (row for row in source.to_pylist())
    streams = hasattr(source, "__arrow_c_stream__") and (hasattr(source, "columns") or hasattr(source, "schema"))
    return _of_arrow_stream(source) if streams else None


def _is_named_series(source: Any) -> bool:
    """Whether it is a series of pandas with an index that somebody has made: its ids."""
    index = getattr(source, "index", None)
    return hasattr(source, "items") and hasattr(source, "dtype") and index is not None and type(index).__name__ != "RangeIndex"


def _with_index(frame: Any) -> Any:
    """A data frame of pandas whose index is among its columns where it has a name: somebody has made it of a column."""
    names = [name for name in getattr(getattr(frame, "index", None), "names", ()) if name is not None]
    return frame.reset_index() if names and not set(names) & set(frame.columns) else frame


def _of_dataset(source: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of a dataset, with the names of classes in place of their numbers; a number below 0 is no class."""
    names = {column: kind.names for column, kind in (source.features or {}).items() if hasattr(kind, "int2str")}
    for row in source:
        classes = {column: _class_of(row[column], names[column]) for column in names}
        yield {**row, **classes} if classes else row


def _class_of(number: Any, names: Sequence[str]) -> str | None:
    return names[number] if isinstance(number, int) and 0 <= number < len(names) else None


def _of_arrow_stream(source: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of anything else that gives Arrow's streams, such as a relation of DuckDB."""
    from pyarrow import RecordBatchReader

    return (row for batch in RecordBatchReader.from_stream(source) for row in batch.to_pylist())


def _of_records(rows: Iterable[Mapping[str, Any]], given: TableColumns) -> Iterator[Document]:
    """Rows as documents; one without text, or a table without a column of texts, is refused and not left out.

    A row without an id of its own is known by its table: it has a source, so that it never takes the place of a row of another.
    """
    report = Report()
    ids = UniqueIds(report)
    table = Input(stream=_NOTHING, source=NAME, name=NAME, options=given.options(), report=report)
    values = ({str(name): plain(value) for name, value in row.items()} for row in rows)
    records: Iterator[Record] = iter(enumerate(values, start=1))
    try:
        for number, document in enumerate(documents_of(records, table), start=1):
            yield ids.unique(document if document.id == f"{NAME}#{number}" else replace(document, source=""))
            _refuse_skipped(report)
    except Unreadable as error:
        raise BadData(f"the table cannot be read: {error}. Name the column with text=.") from None
    _refuse_skipped(report)


def _refuse_skipped(report: Report) -> None:
    if report.skipped:
        raise BadData(f"each row must have a text or a title, got {report.skipped[0].reason}. Leave such rows out.")


_NOTHING: Any = None


def plain(value: Any) -> Any:
    """A value of another library as a plain one: NumPy's scalars, timestamps; None for what stands for a missing value."""
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if value is None or isinstance(value, str | int | bytes | list | dict):
        return value
    if type(value).__name__ in {"NaTType", "NAType"}:
        return None
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if type(value).__module__.split(".")[0] == "numpy":
        return _plain_numpy(value)
    return value


def _plain_numpy(value: Any) -> Any:
    if getattr(value, "ndim", 0):
        return [plain(each) for each in value.tolist()]
    if type(value).__name__ == "datetime64":
        return None if str(value) == "NaT" else str(value)
    return plain(value.item())
