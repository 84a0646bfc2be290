"""`plot_over_time`: how many documents clusters have in each period, as lines that are named where they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vicinal._tallies import ClusterTally
from vicinal._typing import ArrayLike, FloatArray
from vicinal._validate import check_count
from vicinal.plot._colors import colors_of
from vicinal.plot._plots.canvas import INK, SOFT, Source, new_axes, short, tally_of, themed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_TICKS = 9


def plot_over_time(
    source: Source,
    dates: str | ArrayLike,
    ax: Axes | None = None,
    *,
    n_clusters: int = 8,
    share: bool = False,
    period: str = "auto",
    theme: str = "light",
) -> Axes:
    """Draw how many documents the largest clusters have in each period.

    Parameters
    ----------
    source : Index, Snapshot or Topics
        A fitted one.
    dates : str, or array-like of shape (n_documents,)
        Of an index, the column of the metadata that holds dates; of topics, one date per document, as `Topics.over` takes them.
    ax : matplotlib Axes, optional
        What to draw on; by default a new figure.
    n_clusters : int, default=8
        How many of the largest clusters; all documents are drawn faintly behind them where ``share`` is False.
    share : bool, default=False
        Whether to draw shares of the documents of each period in place of numbers.
    period : {"auto", "day", "week", "month", "quarter", "year", "decade"}, default="auto"
        "auto" is the shortest of which there are at most forty.
    theme : {"light", "dark"}, default="light"
        Colours of background, names and lines.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    Raises
    ------
    BadParameter
        No document has such a column.
    BadData
        A value is no date, or there is not one per document.
    MissingExtra
        matplotlib is not installed: ``pip install vicinal[plot]``.

    Examples
    --------
    >>> from vicinal import Topics
    >>> from vicinal.plot import plot_over_time
    >>> texts = ["red rose garden", "white rose garden", "garden rose red",
    ...          "stock market price", "market price falls", "stock price"]
    >>> ax = plot_over_time(Topics(n_clusters=2).fit(texts), [1999, 1999, 2000, 2000, 2001, 2001])
    >>> len(ax.lines)
    2
    """
    check_count("n_clusters", n_clusters)
    counted = tally_of(source, dates, dated=True, period=period)
    ax = themed(new_axes(11, 5.2) if ax is None else ax, theme)
    values = counted.shares if share else counted.sizes.astype(np.float64)
    shown = np.argsort(-counted.sizes.sum(axis=0), kind="stable")[:n_clusters]
    angles = 2 * np.pi * np.arange(len(shown)) / max(len(shown), 1)
    colors = colors_of(np.column_stack([np.cos(angles), np.sin(angles)]), theme)
    for color, place in zip(colors, shown, strict=True):
        ax.plot(np.arange(len(values)), values[:, place], color=color, linewidth=2, marker="o", markersize=3)
    ax.set_ylim(0, float(values[:, shown].max(initial=0.0)) * 1.06 or 1.0)
    _name_lines(ax, counted, values, shown.tolist(), colors)
    _periods(ax, counted.labels, theme)
    _sides(ax, share, theme)
    return ax


def _name_lines(ax: Axes, counted: ClusterTally, values: FloatArray, shown: list[int], colors: list[str]) -> None:
    """The name of each line at its end, moved apart where lines end near each other."""
    top = ax.get_ylim()[1]
    ends = values[-1, shown]
    step, at = 0.052 * top, -np.inf
    for rank in np.argsort(ends, kind="stable").tolist():
        at = max(float(ends[rank]), at + step)
        name = short(counted.names[shown[rank]], 30)
        where = (len(values) - 1, at)
        ax.annotate(
            name,
            where,
            (8, 0),
            textcoords="offset points",
            va="center",
            fontsize=10,
            color=colors[rank],
            parse_math=False,
            annotation_clip=False,
        )
    if at > top:
        ax.set_ylim(0, at + step)


def _periods(ax: Axes, labels: list[str], theme: str) -> None:
    every = max(1, -(-len(labels) // N_TICKS))
    ax.set_xticks(range(0, len(labels), every))
    ax.set_xticklabels(labels[::every])
    ax.set_xlim(-0.3, max(len(labels) - 1, 1) + 0.02 * len(labels))
    ax.spines["bottom"].set_visible(True)
    ax.spines["bottom"].set_color(SOFT[theme])


def _sides(ax: Axes, share: bool, theme: str) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

    ax.yaxis.set_major_locator(MaxNLocator(5, integer=not share))
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0) if share else StrMethodFormatter("{x:,.0f}"))
    ax.grid(axis="y", color=SOFT[theme], alpha=0.25, linewidth=0.8)
    ax.set_axisbelow(True)
    what = "share of the documents of a period" if share else "documents"
    ax.set_title(what, loc="left", fontsize=10, color=INK[theme])
