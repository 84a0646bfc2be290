"""`plot_tree`: the tree of clusters by matplotlib, clusters in rows and merged to the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal.plot._plots.canvas import ACCENT, INK, TEXT, Source, named_clusters, new_axes, plain_texts, themed, tree_of
from vicinal.plot._tree_drawing import tree_drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_tree(source: Source, ax: Axes | None = None, *, theme: str = "light") -> Axes:
    """Draw the tree of clusters: a row for each cluster, and a line where clusters are merged.

    Parameters
    ----------
    source : Index, Snapshot or Topics
        A fitted one.
    ax : matplotlib Axes, optional
        What to draw on; by default a new figure.
    theme : {"light", "dark"}, default="light"
        Colours of background, names and lines.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    Raises
    ------
    MissingExtra
        matplotlib is not installed: ``pip install vicinal[plot]``.
    NoTree
        The index keeps no tree.
    TooFewDocuments
        The index is not fitted.

    See Also
    --------
    vicinal.uses.Tree.linkage : For SciPy's own dendrogram.

    Examples
    --------
    >>> from vicinal import Topics
    >>> from vicinal.plot import plot_tree
    >>> texts = ["red rose garden", "white rose garden", "garden rose red",
    ...          "stock market price", "market price falls", "stock price"]
    >>> ax = plot_tree(Topics(n_clusters=2).fit(texts))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['price, market, stock', 'garden, rose, red']
    """
    names = named_clusters(source)
    drawing = tree_drawing(tree_of(source), dict(zip(names.numbers, names.names, strict=True)))
    ax = themed(new_axes(9, max(2.0, 0.34 * len(drawing.names) + 0.8)) if ax is None else ax, theme)
    for branch in drawing.branches:
        (top, from_top), (bottom, from_bottom) = branch.ends
        corners = [from_top, branch.height, branch.height, from_bottom], [top, top, bottom, bottom]
        ax.plot(*corners, color=TEXT[theme], linewidth=1.1, zorder=1)
    largest = max(drawing.sizes, default=1)
    sizes = [12 + 150 * size / largest for size in drawing.sizes]
    ax.scatter([0.0] * len(sizes), range(len(sizes)), s=sizes, color=ACCENT[theme], zorder=2, clip_on=False)
    for row, size in enumerate(drawing.sizes):
        ax.annotate(f"{size:,}", (0.0, row), (10, 5), textcoords="offset points", fontsize=8, color=TEXT[theme])
    plain_texts(ax, drawing.names)
    ax.tick_params(axis="y", labelcolor=INK[theme], pad=8)
    ax.set_xticks([])
    ax.set_xlim(-0.015, 1.02)
    ax.set_ylim(len(sizes) - 0.4, -0.6)
    return ax
