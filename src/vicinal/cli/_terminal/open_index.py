"""Opening an index that must be there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vicinal.errors import BadIndex

if TYPE_CHECKING:
    from vicinal.index import Index, Info


def require(path: str) -> None:
    """Refuse a path where nothing is, and say how to make an index there."""
    if not os.path.lexists(path):
        raise BadIndex(f"there is no index at {path}. Check the path, or make one: vicinal index FOLDER -o {path or 'news.vic'}")


def opened(path: str) -> Index:
    """Open the index at a path, to be used in a ``with`` block."""
    require(path)
    from vicinal.index import open

    return open(path)


def told(path: str) -> Info:
    """What the index at a path holds; nothing that was learnt is loaded for it."""
    require(path)
    from vicinal._store import Store
    from vicinal.index.facts import facts

    with Store.open(path) as store:
        return facts(store)
