"""What the plots share: axes, the colours of a theme, and what they are drawn from, an index or fitted topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np
from sklearn.utils.validation import check_is_fitted

from vicinal._tallies import ClusterTally
from vicinal._typing import ArrayLike
from vicinal._validate import check_choice
from vicinal.errors import BadParameter, MissingExtra
from vicinal.index import Index, Snapshot
from vicinal.index._clusters.cluster_table import describe_clusters
from vicinal.index._tables.columns import tally
from vicinal.uses import Topics, Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Source: TypeAlias = Index | Snapshot | Topics

GROUND = {"light": "#fbfaf7", "dark": "#12151c"}
INK = {"light": "#1d2430", "dark": "#e8ebf1"}
SOFT = {"light": "#9aa2ae", "dark": "#5b6472"}
TEXT = {"light": "#5b6472", "dark": "#a3adbd"}
ACCENT = {"light": "#1f5fbf", "dark": "#8ab4ff"}
LONGEST = 38  # characters of a name


@final
@dataclass(frozen=True)
class Named:
    """The clusters of a source: numbers, names and sizes, largest first, and terms of each."""

    numbers: tuple[int, ...]
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    terms: tuple[tuple[tuple[str, float], ...], ...]


def named_clusters(source: Source) -> Named:
    """The clusters of an index or of fitted topics; BadParameter for anything else."""
    if isinstance(source, Topics):
        names, order = source.names(), range(source.n_clusters_)
        terms = tuple(tuple(source.top_terms(i, 30)) for i in order)
        return Named(tuple(order), names, tuple(source.sizes_.tolist()), terms)
    refuse_others(source)
    with source._reading() as state:
        state.require_fitted("plot")
        found = describe_clusters(state)
    return Named(
        tuple(each.number for each in found),
        tuple(each.name for each in found),
        tuple(each.size for each in found),
        tuple(each.terms for each in found),
    )


def refuse_others(source: object) -> None:
    """BadParameter for what is neither an index nor topics."""
    if not isinstance(source, Index | Snapshot | Topics):
        raise BadParameter(f"a plot is of an Index or of fitted Topics, got {type(source).__name__}. Open one by vicinal.open.")


def tree_of(source: Source) -> Tree:
    """The tree of an index or of fitted topics."""
    refuse_others(source)
    if isinstance(source, Topics):
        check_is_fitted(source, "tree_")
        return source.tree_
    return source.tree()


def tally_of(source: Source, values: str | ArrayLike, *, dated: bool, period: str = "auto") -> ClusterTally:
    """Clusters by period or class: of an index by the name of a column, of topics by one value per document."""
    refuse_others(source)
    if isinstance(source, Topics):
        if isinstance(values, str):
            raise BadParameter(f"topics keep no columns, got {values!r:.60}. Give one value per document.")
        return source._tally(dates=values, period=period) if dated else source._tally(classes=values)
    if not isinstance(values, str):
        raise BadParameter(f"an index is counted by a column, got {type(values).__name__}. Give the name of a column.")
    with source._reading() as state:
        return tally(state, values, dated=dated, period=period)


def new_axes(width: float, height: float) -> Axes:
    """Axes of a new figure that no window shows."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("a plot needs matplotlib, which is not installed. Run pip install vicinal[plot].") from None
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    made: Axes = figure.add_subplot()
    return made


def themed(ax: Axes, theme: str) -> Axes:
    """Colours of background, text and lines; no frame but what a plot asks for."""
    check_choice("theme", theme, tuple(GROUND))
    ax.set_facecolor(GROUND[theme])
    ax.figure.set_facecolor(GROUND[theme])
    ax.tick_params(colors=TEXT[theme], length=0, labelsize=10)
    for side in ax.spines.values():
        side.set_visible(False)
    return ax


def plain_texts(ax: Axes, names: Sequence[str], *, of_y: bool = True) -> None:
    """Names at the ticks of one side, none of them read as a formula."""
    axis = ax.yaxis if of_y else ax.xaxis
    axis.set_ticks(np.arange(len(names)))
    axis.set_ticklabels([short(name) for name in names])
    for text in axis.get_ticklabels():
        text.set_parse_math(False)


def short(name: str, longest: int = LONGEST) -> str:
    """A name that is cut where it is too long."""
    line = " ".join(name.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
