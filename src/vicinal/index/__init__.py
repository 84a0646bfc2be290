"""Index: documents, their model and their embeddings in one file, for search, clusters, duplicates and classes.

The names below are loaded when they are first used: `Info` and `check` need neither SciPy nor scikit-learn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal._store import Damage, Label, Lost, Salvaged
    from vicinal.index._clusters.cluster_results import Constraint, Uncertain
    from vicinal.index._damage.integrity import Repaired, check, repair, salvage
    from vicinal.index._documents.arrival_results import Added, Synced
    from vicinal.index._documents.matching import Matched
    from vicinal.index._drift.drift import Drift
    from vicinal.index._index import Index, open
    from vicinal.index._layout.layout_results import IndexLayout
    from vicinal.index._recipe import Recipe, info
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
    "_documents.matching": ("Matched",),
    "_search.hits": ("Hit", "Hits", "Passage"),
    "_results": ("Cluster", "Duplicate", "DuplicateGroup", "Fitted", "Info", "Labelled", "Prediction", "Shown"),
    "_index": ("Index", "open"),
    "_layout.layout_results": ("IndexLayout",),
    "_recipe": ("Recipe", "info"),
    "_labels.label_reader": ("Label",),
    "_drift.drift": ("Drift",),
    "_damage.integrity": ("Damage", "Lost", "Repaired", "Salvaged", "check", "repair", "salvage"),
    "_snapshot": ("Snapshot",),
    "_clusters.cluster_results": ("Constraint", "Uncertain"),
}

__all__ = [
    "Added",
    "Cluster",
    "Constraint",
    "Damage",
    "Drift",
    "Duplicate",
    "DuplicateGroup",
    "Fitted",
    "Hit",
    "Hits",
    "Index",
    "IndexLayout",
    "Info",
    "Label",
    "Labelled",
    "Lost",
    "Matched",
    "Passage",
    "Prediction",
    "Recipe",
    "Repaired",
    "Salvaged",
    "Shown",
    "Snapshot",
    "Synced",
    "Uncertain",
    "check",
    "info",
    "open",
    "repair",
    "salvage",
]

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
