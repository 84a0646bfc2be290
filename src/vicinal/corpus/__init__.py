"""Corpus: documents are read from files, folders, tables, mail and streams.

The names below are loaded when they are first used, so that what needs few of them stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal.corpus._document import Document
    from vicinal.corpus._read import Reading, read
    from vicinal.corpus._read_options import Limits
    from vicinal.corpus._report import Skipped

_HOMES = {
    "_document": ("Document",),
    "_read": (
        "Reading",
        "read",
    ),
    "_read_options": ("Limits",),
    "_report": ("Skipped",),
}
_HOME_OF = {name: f"vicinal.corpus.{module}" for module, names in _HOMES.items() for name in names}

__all__ = ["Document", "Limits", "Reading", "Skipped", "read"]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'vicinal.corpus' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
