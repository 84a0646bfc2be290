"""Pictures of an index: its map as one offline page, and as a plot of matplotlib (extra ``plot``).

The names below are loaded when they are first used; matplotlib is imported when something is plotted.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal.plot._map_page import write_map
    from vicinal.plot._map_plot import plot_map

_HOME_OF = {"plot_map": "vicinal.plot._map_plot", "write_map": "vicinal.plot._map_page"}

__all__ = ["plot_map", "write_map"]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'vicinal.plot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
