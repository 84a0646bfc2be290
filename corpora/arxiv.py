"""200,000 abstracts from arXiv in 89 categories, shuffled: for scale, and for text as it is written."""

from __future__ import annotations

from collections.abc import Iterable

from corpora.place import locate
from vicinal.errors import BadParameter

COLUMNS = ("id", "category", "created", "title", "abstract")


def load(columns: Iterable[str] = ("title", "abstract", "category"), limit: int | None = None) -> dict[str, list[str]]:
    """Return columns by name, one entry per paper, in the order of the file.

    Parameters
    ----------
    columns : iterable of str
        Any of id, category, created, title, abstract. Only these are read.
    limit : int, optional
        Stop after so many papers; the file is shuffled, so the first ones are a sample.
    """
    import pyarrow.parquet as parquet  # a package of the test extra

    names = list(columns)
    if unknown := [name for name in names if name not in COLUMNS]:
        raise BadParameter(f"columns must be among {', '.join(COLUMNS)}, got {', '.join(map(repr, unknown))}.")
    if limit is not None and limit < 0:
        raise BadParameter(f"limit must be a whole number of at least 0 or None, got {limit!r}.")
    found: dict[str, list[str]] = {name: [] for name in names}
    read = 0
    with parquet.ParquetFile(locate("arxiv")) as file:
        for batch in file.iter_batches(batch_size=10_000, columns=names):
            batch = batch if limit is None else batch.slice(0, limit - read)
            for name in names:
                found[name].extend(batch.column(name).to_pylist())
            read += batch.num_rows
            if read == limit:
                break
    return found
