"""`load_arxiv`: abstracts from arXiv in a Parquet file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from vicinal._sqlite_files import refuse_sqlite
from vicinal._validate import check_count
from vicinal.corpus import Document
from vicinal.corpus._files import existing
from vicinal.datasets._dataset import Dataset
from vicinal.errors import BadData, BadParameter, MissingExtra

if TYPE_CHECKING:
    from pyarrow import RecordBatch

ARXIV_COLUMNS = ("id", "category", "created", "title", "abstract")
_ROWS_AT_ONCE = 10_000


def load_arxiv(path: str | os.PathLike[str], *, limit: int | None = None) -> Dataset:
    """Load abstracts from arXiv, labelled by their primary category.

    Parameters
    ----------
    path : path
        A Parquet file with the columns ``id``, ``category``, ``created``, ``title`` and ``abstract``, all of text.
    limit : int or None, default=None
        Stop after so many papers; None reads all.

    Returns
    -------
    Dataset
        Papers in the order of the file; the text is the abstract, and the metadata ``created`` the date as in the file.

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    MissingExtra
        pyarrow is not installed.
    BadData
        It is not a Parquet file, or has no such columns.
    BadParameter
        ``limit`` is not a count.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import pyarrow
    >>> import pyarrow.parquet
    >>> from vicinal.datasets import load_arxiv
    >>> paper = {"id": "1", "category": "cs.IR", "created": "2005-12-01", "title": "LPI", "abstract": "Documents near each other."}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pyarrow.parquet.write_table(pyarrow.Table.from_pylist([paper]), Path(folder, "papers.parquet"))
    ...     dataset = load_arxiv(Path(folder, "papers.parquet"))
    >>> dataset[0].title, dataset.label_names
    ('LPI', ('cs.IR',))
    """
    papers = read_columns(path, ARXIV_COLUMNS, limit)
    source = os.fspath(path)
    rows = zip(*(papers[name] for name in ARXIV_COLUMNS), strict=True)
    return Dataset.of(
        Document(id, abstract, title, category, source, {"created": created}) for id, category, created, title, abstract in rows
    )


def read_columns(path: str | os.PathLike[str], columns: Sequence[str], limit: int | None = None) -> dict[str, list[str]]:
    """Columns of the file by name, one entry per paper; only these columns are read."""
    if unknown := [name for name in columns if name not in ARXIV_COLUMNS]:
        raise BadParameter(
            f"columns must be among {', '.join(ARXIV_COLUMNS)}, got {', '.join(map(repr, unknown))}. Leave these out."
        )
    if limit is not None:
        check_count("limit", limit, minimum=0)
    place = existing(path)
    refuse_sqlite(place, "a Parquet file")
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtra("a Parquet file needs pyarrow, which is not installed. Run pip install vicinal[read].") from None
    found: dict[str, list[str]] = {name: [] for name in columns}
    try:
        with parquet.ParquetFile(place) as file:
            for batch in _batches(file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=list(columns)), limit):
                for name in columns:
                    found[name].extend(batch.column(name).to_pylist())
    except (OSError, ValueError, KeyError) as error:
        raise BadData(f"{place} is not a Parquet file with the columns {', '.join(columns)}: {error}. Check the path.") from None
    return found


def _batches(batches: Iterable[RecordBatch], limit: int | None) -> Iterator[RecordBatch]:
    """Batches of rows, cut where the limit is reached."""
    left = limit
    for batch in batches:
        if left is None:
            yield batch
        else:
            yield batch.slice(0, left)
            left -= min(left, batch.num_rows)
            if left == 0:
                return
