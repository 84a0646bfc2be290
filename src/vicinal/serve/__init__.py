"""Serve: the index as a local web app and an API, for one person or a few (extra ``app``).

The names below are loaded when they are first used: they need FastAPI and uvicorn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader
from vicinal.errors import MissingExtra

if TYPE_CHECKING:
    from vicinal.serve._asgi_app import App, create_app
    from vicinal.serve._limits import RequestLimits

_HOMES = {"_asgi_app": ("App", "create_app"), "_limits": ("RequestLimits",)}
_PACKAGES = ("fastapi", "uvicorn", "starlette", "pydantic", "python_multipart")

__all__ = ["App", "RequestLimits", "create_app"]

_load = loader(__name__, _HOMES)


def __getattr__(name: str) -> object:
    try:
        return _load(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise MissingExtra(f"the app needs {error.name}, which is not installed. Run pip install vicinal[app].") from None


def __dir__() -> list[str]:
    return sorted(__all__)
