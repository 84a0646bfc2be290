"""The store: one SQLite file that holds documents, arrays, settings and labels, changed by transactions."""

from vicinal._store.appended_rows import block_at, entries_from, rows_from
from vicinal._store.array_rules import RULES, Rule
from vicinal._store.arrays import Arrays
from vicinal._store.batches import Counts
from vicinal._store.compacting import compact_index
from vicinal._store.copying import copy_index
from vicinal._store.document_changes import Changes
from vicinal._store.document_row import Lost, Stored
from vicinal._store.documents import Documents
from vicinal._store.file_check import Damage, check
from vicinal._store.filters import columns
from vicinal._store.fulltext import containing, containing_prefix, match
from vicinal._store.identities import Identities
from vicinal._store.labels import Label, Labels
from vicinal._store.origins import Origins
from vicinal._store.partial_arrays import PartialArray
from vicinal._store.passages import Passage, passages
from vicinal._store.recovery import Salvaged, drop_arrays, readable_documents, readable_labels, rebuild_derived, salvage
from vicinal._store.settings import Settings
from vicinal._store.stem_spelling import suggested_words
from vicinal._store.store import Store

__all__ = [
    "RULES",
    "Arrays",
    "Changes",
    "Counts",
    "Damage",
    "Documents",
    "Identities",
    "Label",
    "Labels",
    "Lost",
    "Origins",
    "PartialArray",
    "Passage",
    "Rule",
    "Salvaged",
    "Settings",
    "Store",
    "Stored",
    "block_at",
    "check",
    "columns",
    "compact_index",
    "containing",
    "containing_prefix",
    "copy_index",
    "drop_arrays",
    "entries_from",
    "match",
    "passages",
    "readable_documents",
    "readable_labels",
    "rebuild_derived",
    "rows_from",
    "salvage",
    "suggested_words",
]
