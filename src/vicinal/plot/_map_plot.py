"""`plot_map`: the map of an index by matplotlib, with names of clusters that do not overlap."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vicinal._typing import FloatArray
from vicinal._validate import check_choice, check_count
from vicinal._whole_file import written_whole
from vicinal.index import Index, Snapshot
from vicinal.plot._colors import colors_of
from vicinal.plot._map_data import MapData, map_data
from vicinal.plot._map_page import refuse_index
from vicinal.plot._plots.canvas import GROUND, INK, SOFT, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST_LINE = 22  # characters of a line of a name
#: Where a name may go, in shares of its own size, beside the middle of its cluster; the first that is free is taken.
TRIES = ((0, 0), (0, -0.8), (0, 0.8), (-0.5, 0), (0.5, 0), (0, -1.6), (0, 1.6), (-0.6, -0.9), (0.6, 0.9), (-0.6, 0.9), (0.6, -0.9))


def plot_map(index: Index | Snapshot, ax: Axes | None = None, *, n_names: int = 40, theme: str = "light") -> Axes:
    """Draw the map of an index: a point for each document, coloured by cluster, and the names of the clusters.

    Parameters
    ----------
    index : Index or Snapshot
        A fitted index.
    ax : matplotlib Axes, optional
        What to draw on; by default a new figure.
    n_names : int, default=40
        How many names at most, of the largest clusters; one that would cover another is left out.
    theme : {"light", "dark"}, default="light"
        Colours of background, names and points.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    Raises
    ------
    MissingExtra
        matplotlib is not installed: ``pip install vicinal[plot]``.
    TooFewDocuments
        The index is not fitted.

    See Also
    --------
    write_map : The map as a page to walk through.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.plot import plot_map
    >>> index = vicinal.open("plot.vic", create=True)
    >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
    >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
    >>> fitted = index.fit(n_clusters=2)
    >>> ax = plot_map(index)
    >>> len(ax.texts)
    2
    """
    check_choice("theme", theme, tuple(GROUND))
    check_count("n_names", n_names, 0)
    data, ax = map_data(index, with_terms=False), new_axes(12, 9) if ax is None else ax
    ax.set_facecolor(GROUND[theme])
    ax.figure.set_facecolor(GROUND[theme])
    colors = np.array([*colors_of(data.middles, theme), SOFT[theme]])
    size = float(np.clip(30_000 / max(len(data.ids), 1), 0.6, 40))
    ax.scatter(data.points[:, 0], data.points[:, 1], s=size, c=colors[data.cluster], alpha=0.75, linewidths=0, rasterized=True)
    ax.set_aspect("equal")
    ax.set_axis_off()
    _draw_names(ax, data, n_names, theme)
    return ax


def save_map(index: Index | Snapshot, path: str, kind: str, theme: str) -> int:
    """Save the map as a picture, complete or not at all, and return how many documents are on it.

    Parameters
    ----------
    index : Index or Snapshot
    path : str
    kind : {"png", "svg"}
    theme : {"light", "dark"}
    """
    file = refuse_index(Path(path))
    ax: Any = plot_map(index, theme=theme)
    with written_whole(file) as unfinished:
        ax.figure.savefig(unfinished, format=kind, dpi=200, metadata={"Date": None} if kind == "svg" else None)
    return len(ax.collections[0].get_offsets())


def _draw_names(ax: Any, data: MapData, n_names: int, theme: str) -> None:
    """The names of the clusters, largest first, each where no other is yet."""
    from matplotlib.patheffects import withStroke

    names = sorted(data.levels[min(1, len(data.levels) - 1)], key=lambda each: -each.size)[:n_names]
    taken: list[FloatArray] = []
    halo = [withStroke(linewidth=3, foreground=GROUND[theme])]
    ax.figure.draw_without_rendering()
    for name in names:
        text = ax.text(
            name.x, name.y, _in_lines(name.name), color=INK[theme], fontsize=10, weight="bold", ha="center", va="center",
            path_effects=halo, parse_math=False,
        )  # fmt: skip
        if not _find_room(ax, text, taken):
            text.remove()


def _in_lines(name: str) -> str:
    """A name in up to three lines."""
    lines = [""]
    for word in name.split():
        if lines[-1] and len(lines[-1]) + len(word) >= LONGEST_LINE:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(line if len(line) <= 2 * LONGEST_LINE else f"{line[: 2 * LONGEST_LINE - 1]}…" for line in lines[:3])


def _find_room(ax: Axes, text: Any, taken: list[FloatArray]) -> bool:
    """Move a text to the first free spot near its own, and note the spot; False where there is none."""
    frame = text.get_window_extent()
    x, y = ax.transData.transform(text.get_position())
    for across, along in TRIES:
        moved = np.array([frame.x0, frame.y0, frame.x1, frame.y1]) + np.tile([across * frame.width, along * frame.height], 2)
        if not any(_overlap(moved, other) for other in taken):
            text.set_position(ax.transData.inverted().transform((x + across * frame.width, y + along * frame.height)))
            taken.append(moved)
            return True
    return False


def _overlap(one: FloatArray, other: FloatArray) -> bool:
    return bool(one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3])
