"""Damage: in the file, and where that is sound, in what was learnt."""

from __future__ import annotations

import os

from vicinal._store import Damage, Store
from vicinal._store import check as check_store
from vicinal.errors import DamagedIndex
from vicinal.index.recipe import load_recipe
from vicinal.index.sorting import load_classes
from vicinal.index.state import Loaded


def check(path: str | os.PathLike[str], level: int = 2) -> list[Damage]:
    """Look for damage in an index: what is found, or an empty list.

    Parameters
    ----------
    path : str or path
    level : {1, 2}, default=2
        1 looks at tables and sizes, 2 at every byte.
    """
    found = check_store(path, level)
    if found:
        return found
    with Store.open(path) as store, store.reading():
        try:
            state = Loaded(store).state()
            load_recipe(store)
            if state is not None:
                load_classes(store, state.model)
        except DamagedIndex as error:
            return [Damage("arrays", "what was learnt", str(error), "Learn again with fit.")]
    return []
