"""An index that is opened for one search: nothing is imported or read that the search does not need."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import final

from vicinal._store import Store
from vicinal.index._search.search_reader import SearchReader
from vicinal.index._search.search_state import SearchCache, SearchState


@final
class SearchOnly(SearchReader):
    """An index of which only `search` and `search_many` are asked; it is closed at the end of a ``with`` block.

    Parameters
    ----------
    path : str or path
        The file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._store = Store.open(path)
        self._searches = SearchCache(self._store)

    def __enter__(self) -> SearchOnly:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._store.close()

    @contextmanager
    def _searching(self) -> Iterator[SearchState]:
        with self._store.reading():
            yield self._searches.state()
