"""Store: what lasts. One SQLite file that holds documents, arrays, settings and labels, and is always whole."""

from vicinal.store.arrays import Arrays
from vicinal.store.check import Damage, check
from vicinal.store.content import Stored
from vicinal.store.documents import Counts, Documents
from vicinal.store.file import Store
from vicinal.store.filters import columns
from vicinal.store.fulltext import match, rebuild, snippets
from vicinal.store.labels import Label, Labels
from vicinal.store.settings import Settings

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
