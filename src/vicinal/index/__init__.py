"""An index: documents and what was learnt of them, in one file that lasts."""

from __future__ import annotations

from vicinal.index.damage import check
from vicinal.index.index import Index, open

__all__ = ["Index", "check", "open"]
