"""Parquet: a table of typed columns, read a few hundred rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from vicinal.corpus._columns import Row
from vicinal.corpus._formats.base import Desk, Draft
from vicinal.corpus._formats.records import drafts
from vicinal.corpus._report import Unreadable

_ROWS_AT_ONCE = 256


def parquet(desk: Desk) -> Iterator[Draft]:
    """Read one document per row."""
    try:
        library = import_module("pyarrow.parquet")
    except ImportError:
        raise Unreadable("parquet needs pyarrow, which is not installed: pip install pyarrow") from None
    try:
        file = library.ParquetFile(desk.stream, pre_buffer=False)
    except (OSError, ValueError) as error:
        raise Unreadable(f"no parquet file: {error}") from None
    if len(file.schema_arrow) > desk.limits.columns:
        raise Unreadable(f"{len(file.schema_arrow):,} columns where {desk.limits.columns:,} are allowed")
    yield from drafts(_rows(file), desk)


def _rows(file: Any) -> Iterator[Row]:
    names = [name for name in file.schema_arrow.names if not name.startswith("__index_level_")]
    number = 0
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=names, use_threads=False):
        for values in batch.to_pylist():
            number += 1
            yield Row(number, values)
