"""Serve: the index as a local web app and an API, for one person or a few (extra ``app``).

The names below are loaded when they are first used: they need FastAPI and uvicorn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal.serve._app import App, create_app
    from vicinal.serve._limits import Limits

_HOMES = {"_app": ("App", "create_app"), "_limits": ("Limits",)}

__all__ = ["App", "Limits", "create_app"]

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
