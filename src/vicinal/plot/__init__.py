"""Pictures of an index: its map and a report as offline pages, plots by matplotlib (extra ``plot``), and a map for notebooks.

The names below are loaded when they are first used; matplotlib is imported when something is plotted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal.plot._map_page import write_map
    from vicinal.plot._map_plot import plot_map
    from vicinal.plot._map_widget import map_widget
    from vicinal.plot._plots.plot_heatmap import plot_heatmap
    from vicinal.plot._plots.plot_over_time import plot_over_time
    from vicinal.plot._plots.plot_tree import plot_tree
    from vicinal.plot._plots.plot_words import plot_words
    from vicinal.plot._report.report_page import write_report

_HOMES = {
    "_map_page": ("write_map",),
    "_map_plot": ("plot_map",),
    "_map_widget": ("map_widget",),
    "_plots.plot_heatmap": ("plot_heatmap",),
    "_plots.plot_over_time": ("plot_over_time",),
    "_plots.plot_tree": ("plot_tree",),
    "_plots.plot_words": ("plot_words",),
    "_report.report_page": ("write_report",),
}

__all__ = [
    "map_widget",
    "plot_heatmap",
    "plot_map",
    "plot_over_time",
    "plot_tree",
    "plot_words",
    "write_map",
    "write_report",
]

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
