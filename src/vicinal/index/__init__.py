"""An index: documents and what was learnt of them, in one file that lasts.

The names below are loaded when they are first used: what an index holds can be said without all that learning needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal.index.damage import check
    from vicinal.index.index import Index, open

__all__ = ["Index", "check", "open"]
_HOMES = {"Index": "vicinal.index.index", "check": "vicinal.index.damage", "open": "vicinal.index.index"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'vicinal.index' has no attribute {name!r}")
