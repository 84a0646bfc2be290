"""Open an index that must exist already."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vicinal.errors import BadIndex, DamagedIndex

if TYPE_CHECKING:
    from vicinal.index import Index, Info
    from vicinal.index._search.search_only import SearchOnly


def require_index(path: str) -> None:
    """Refuse a path that does not exist, with the command that makes an index."""
    if not os.path.lexists(path):
        raise BadIndex(f"there is no index at {path}. Check the path, or make one: vicinal index FOLDER -o {path or 'news.vic'}")


def open_index(path: str) -> Index:
    """Open the index at a path, to be used in a ``with`` block."""
    require_index(path)
    from vicinal.index import open

    return open(path)


def open_for_search(path: str) -> SearchOnly:
    """Open the index at a path for queries, to be used in a ``with`` block; nothing else is loaded."""
    require_index(path)
    from vicinal.index._search.search_only import SearchOnly

    return SearchOnly(path)


def is_fitted(index: Index) -> bool:
    """Whether an index has a model, be it damaged."""
    try:
        with index.snapshot() as snapshot:
            return snapshot.fitted
    except DamagedIndex:
        return True


def read_info(path: str) -> Info:
    """The contents of an index in numbers; the model is not loaded."""
    require_index(path)
    from vicinal.index import info

    return info(path)
