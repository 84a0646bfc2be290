"""Engines: where the work on blocks of documents runs: in threads, in threads with the blocks on disk, or on a Dask cluster.

They schedule functions and hold no mathematics. The names below are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal.engines._dask_engine import DaskEngine
    from vicinal.engines._engine import Engine
    from vicinal.engines._engine_choice import engine
    from vicinal.engines._thread_engine import ThreadEngine

_HOMES = {
    "_dask_engine": ("DaskEngine",),
    "_engine": ("Engine",),
    "_engine_choice": ("engine",),
    "_thread_engine": ("ThreadEngine",),
}

__all__ = ["DaskEngine", "Engine", "ThreadEngine", "engine"]

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
