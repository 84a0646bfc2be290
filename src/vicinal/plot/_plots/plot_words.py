"""`plot_words`: the terms that set a cluster apart, as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._validate import check_count
from vicinal.errors import BadParameter
from vicinal.plot._plots.canvas import ACCENT, INK, Source, named_clusters, new_axes, plain_texts, short, themed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_words(source: Source, cluster: int, ax: Axes | None = None, *, n_terms: int = 10, theme: str = "light") -> Axes:
    """Draw the terms that distinguish a cluster from the others, with bars for how much.

    Parameters
    ----------
    source : Index, Snapshot or Topics
        A fitted one.
    cluster : int
        The number of the cluster.
    ax : matplotlib Axes, optional
        What to draw on; by default a new figure. For several clusters, give an Axes of ``plt.subplots`` for each.
    n_terms : int, default=10
        How many terms at most.
    theme : {"light", "dark"}, default="light"
        Colours of background, names and bars.

    Returns
    -------
    matplotlib Axes
        What was drawn on.

    Raises
    ------
    BadParameter
        There is no such cluster.
    MissingExtra
        matplotlib is not installed: ``pip install vicinal[plot]``.
    TooFewDocuments
        The index is not fitted.

    Examples
    --------
    >>> from vicinal import Topics
    >>> from vicinal.plot import plot_words
    >>> texts = ["red rose garden", "white rose garden", "garden rose red",
    ...          "stock market price", "market price falls", "stock price"]
    >>> ax = plot_words(Topics(n_clusters=2).fit(texts), 0)
    >>> len(ax.patches)
    3
    """
    check_count("n_terms", n_terms)
    found = named_clusters(source)
    if cluster not in found.numbers:
        raise BadParameter(f"there is no cluster {cluster!r:.40}. Clusters are {', '.join(map(str, sorted(found.numbers)[:20]))}.")
    place = found.numbers.index(cluster)
    terms = found.terms[place][:n_terms]
    ax = themed(new_axes(5, 0.6 + 0.3 * max(len(terms), 1)) if ax is None else ax, theme)
    ax.barh(range(len(terms)), [weight for _, weight in terms], height=0.68, color=ACCENT[theme])
    plain_texts(ax, [term for term, _ in terms])
    ax.tick_params(axis="y", labelcolor=INK[theme])
    ax.set_xticks([])
    ax.invert_yaxis()
    title = f"{short(found.names[place], 40)}  ·  {found.sizes[place]:,}"
    ax.set_title(title, loc="left", fontsize=11, color=INK[theme], parse_math=False)
    return ax
