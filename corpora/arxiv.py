"""200,000 abstracts from arXiv in 89 categories, shuffled: for scale, and for text as it is written."""

from __future__ import annotations

from collections.abc import Iterable

from corpora.place import locate
from vicinal.datasets._arxiv import read_columns


def load(columns: Iterable[str] = ("title", "abstract", "category"), limit: int | None = None) -> dict[str, list[str]]:
    """Return columns by name, one entry per paper, in the order of the file.

    Parameters
    ----------
    columns : iterable of str
        Any of id, category, created, title, abstract. Only these are read.
    limit : int, optional
        Stop after so many papers; the file is shuffled, so the first ones are a sample.
    """
    return read_columns(locate("arxiv"), tuple(columns), limit)
