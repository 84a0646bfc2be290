"""Check an index: first the file (`_store/check.py`), then whether what was fitted can be loaded."""

from __future__ import annotations

import os

from vicinal._store import Damage, Store
from vicinal._store import check as check_store
from vicinal._store.check import REPAIR
from vicinal.errors import DamagedIndex


def check(path: str | os.PathLike[str], level: int = 2) -> list[Damage]:
    """Look for damage in an index.

    Parameters
    ----------
    path : str or path
        The file of the index.
    level : {1, 2}, default=2
        1 looks at tables and sizes, 2 at every byte.

    Returns
    -------
    list of Damage
        What is found, each with what to do about it; empty where the index is sound.

    Raises
    ------
    BadParameter
        ``level`` is no whole number above 0.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.index import check
    >>> vicinal.open("news.vic", create=True).close()
    >>> check("news.vic")
    []
    """
    found = check_store(path, level)
    if found:
        return found
    from vicinal.index._classes import load_classes
    from vicinal.index._recipe import load_recipe
    from vicinal.index._snapshot import SnapshotCache

    with Store.open(path) as store, store.reading():
        try:
            load_recipe(store)
            snapshot = SnapshotCache(store).snapshot()
            if snapshot.fitted:
                load_classes(store, snapshot.model)
        except DamagedIndex as error:
            return [Damage("arrays", "the fitted model", str(error), REPAIR)]
    return []
