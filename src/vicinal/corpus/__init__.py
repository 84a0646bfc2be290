"""Corpus: documents are read from files, folders, tables, mail and streams.

The names below are loaded when they are first used, so that what needs few of them stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal.corpus._document import Document
    from vicinal.corpus._read import Reading, read
    from vicinal.corpus._read_options import Limits
    from vicinal.corpus._read_report import Skipped

_HOMES = {
    "_document": ("Document",),
    "_read": (
        "Reading",
        "read",
    ),
    "_read_options": ("Limits",),
    "_read_report": ("Skipped",),
}

__all__ = ["Document", "Limits", "Reading", "Skipped", "read"]

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
