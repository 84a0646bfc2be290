"""`plot_heatmap`: clusters by the values of a column, darker where a value has more of its documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vicinal._typing import ArrayLike, FloatArray
from vicinal._validate import check_count
from vicinal.plot._plots.canvas import ACCENT, GROUND, INK, Source, new_axes, plain_texts, short, tally_of, themed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_heatmap(
    source: Source, classes: str | ArrayLike, ax: Axes | None = None, *, n_clusters: int = 30, theme: str = "light"
) -> Axes:
    """Draw clusters x classes: of the documents of each class, the share that each cluster has.

    Parameters
    ----------
    source : Index, Snapshot or Topics
        A fitted one.
    classes : str, or array-like of shape (n_documents,)
        Of an index, a column of the metadata, or "label"; of topics, one value per document, as `Topics.by` takes them.
    ax : matplotlib Axes, optional
        What to draw on; by default a new figure.
    n_clusters : int, default=30
        How many of the largest clusters.
    theme : {"light", "dark"}, default="light"
        Colours of background, names and cells.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    Raises
    ------
    BadParameter
        No document has such a column.
    BadData
        There is not one class per document.
    MissingExtra
        matplotlib is not installed: ``pip install vicinal[plot]``.

    Examples
    --------
    >>> from vicinal import Topics
    >>> from vicinal.plot import plot_heatmap
    >>> texts = ["red rose garden", "white rose garden", "garden rose red",
    ...          "stock market price", "market price falls", "stock price"]
    >>> ax = plot_heatmap(Topics(n_clusters=2).fit(texts), ["home", "home", "home", "work", "work", "home"])
    >>> [text.get_text() for text in ax.texts]
    ['25%', '100%', '75%', '']
    """
    check_count("n_clusters", n_clusters)
    counted = tally_of(source, classes, dated=False)
    shown = np.argsort(-counted.sizes.sum(axis=0), kind="stable")[:n_clusters]
    shares, labels = counted.shares.T[shown], [short(label, 24) for label in counted.labels]
    width, height = 4.0 + 0.72 * max(len(labels), 1), 1.2 + 0.36 * max(len(shown), 1)
    ax = themed(new_axes(width, height) if ax is None else ax, theme)
    from matplotlib.colors import LinearSegmentedColormap

    ax.imshow(shares, cmap=LinearSegmentedColormap.from_list("shares", [GROUND[theme], ACCENT[theme]]), vmin=0.0, aspect="auto")
    _write_shares(ax, shares, theme)
    plain_texts(ax, [counted.names[place] for place in shown])
    plain_texts(ax, labels, of_y=False)
    ax.xaxis.tick_top()
    ax.tick_params(axis="both", labelcolor=INK[theme], length=0)
    if sum(map(len, labels)) > 12 * len(labels):
        for text in ax.get_xticklabels():
            text.set(rotation=40, ha="left")
    return ax


def _write_shares(ax: Axes, shares: FloatArray, theme: str) -> None:
    """The number of each cell, in a colour that is read on its own."""
    largest = float(shares.max(initial=0.0)) or 1.0
    for (row, column), share in np.ndenumerate(shares):
        color = GROUND[theme] if share > 0.55 * largest else INK[theme]
        ax.text(column, row, f"{share:.0%}" if share >= 0.005 else "", ha="center", va="center", fontsize=9, color=color)
