"""An index: documents and what was learnt of them, in one file that lasts."""

from __future__ import annotations

from vicinal.index.index import Index, check, open

__all__ = ["Index", "check", "open"]
