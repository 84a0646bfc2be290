"""Parquet: a table of typed columns, read a few hundred rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.tables import Record, documents_of
from vicinal.corpus._read_report import Unreadable

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

_ROWS_AT_ONCE = 256


def parquet(file: Input) -> Iterator[Document]:
    """Read one document per row."""
    try:
        library = import_module("pyarrow.parquet")
    except ImportError:
        raise Unreadable("parquet files need pyarrow, which is not installed: pip install vicinal[read]") from None
    try:
        table = library.ParquetFile(file.stream, pre_buffer=False)
    except (OSError, ValueError) as error:
        raise Unreadable(f"not a parquet file: {error}") from None
    if len(table.schema_arrow) > file.limits.columns:
        raise Unreadable(f"{len(table.schema_arrow):,} columns where {file.limits.columns:,} are allowed")
    n_rows = max(1, table.metadata.num_rows)
    for number, document in enumerate(documents_of(_records(table), file)):
        file.share = number / n_rows
        yield document


def _records(table: ParquetFile) -> Iterator[Record]:
    names = [name for name in table.schema_arrow.names if not name.startswith("__index_level_")]
    number = 0
    for batch in table.iter_batches(batch_size=_ROWS_AT_ONCE, columns=names, use_threads=False):
        for values in batch.to_pylist():
            number += 1
            yield number, values
