"""Store: what lasts. One SQLite file that holds documents, arrays, settings and labels, and is always whole."""

from vicinal._store.arrays import Arrays
from vicinal._store.check import Damage, check
from vicinal._store.document_row import Stored
from vicinal._store.documents import Counts, Documents
from vicinal._store.filters import columns
from vicinal._store.fulltext import match, rebuild, snippets
from vicinal._store.labels import Label, Labels
from vicinal._store.settings import Settings
from vicinal._store.store import Store

__all__ = [
    "Arrays",
    "Counts",
    "Damage",
    "Documents",
    "Label",
    "Labels",
    "Settings",
    "Store",
    "Stored",
    "check",
    "columns",
    "match",
    "rebuild",
    "snippets",
]
