"""Index: documents, their model and their embeddings in one file, for search, clusters, duplicates and classes.

The names below are loaded when they are first used: `Info` and `check` need neither SciPy nor scikit-learn.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal.index._clusters.cluster_results import Constraint, Uncertain
    from vicinal.index._documents.arrival_results import Added, Synced
    from vicinal.index._drift import Drift
    from vicinal.index._index import Index, open
    from vicinal.index._integrity import Repaired, check, repair, salvage
    from vicinal.index._recipe import Recipe
    from vicinal.index._results import (
        Cluster,
        Duplicate,
        DuplicateGroup,
        Fitted,
        Info,
        Labelled,
        Prediction,
        Shown,
    )
    from vicinal.index._search.hits import Hit, Hits, Passage
    from vicinal.index._snapshot import Snapshot

_HOMES = {
    "_documents.arrival_results": ("Added", "Synced"),
    "_search.hits": ("Hit", "Hits", "Passage"),
    "_results": ("Cluster", "Duplicate", "DuplicateGroup", "Fitted", "Info", "Labelled", "Prediction", "Shown"),
    "_index": ("Index", "open"),
    "_recipe": ("Recipe",),
    "_drift": ("Drift",),
    "_integrity": ("Repaired", "check", "repair", "salvage"),
    "_snapshot": ("Snapshot",),
    "_clusters.cluster_results": ("Constraint", "Uncertain"),
}
_HOME_OF = {name: f"vicinal.index.{module}" for module, names in _HOMES.items() for name in names}

__all__ = [
    "Added",
    "Cluster",
    "Constraint",
    "Drift",
    "Duplicate",
    "DuplicateGroup",
    "Fitted",
    "Hit",
    "Hits",
    "Index",
    "Info",
    "Labelled",
    "Passage",
    "Prediction",
    "Recipe",
    "Repaired",
    "Shown",
    "Snapshot",
    "Synced",
    "Uncertain",
    "check",
    "open",
    "repair",
    "salvage",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'vicinal.index' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
