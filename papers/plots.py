"""Pictures of the figures: panels of curves, bars and level lines, as small files that are the same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 100
PANEL = (3.3, 2.5)  # inches
SHRUNK, MANY_PANELS = 0.68, 6  # what these shrink to where there are more panels than this
GROWN = 1.3  # and what a single panel grows to
HEAD, LINE = 0.3, 0.17  # inches for the title, and for a line of the legend
BLACK = "#000000"

#: Colours that the colour-blind can tell apart (Okabe and Ito), each with a marker of its own, since eight colours are many.
STYLES = (
    ("#0072B2", "o"),
    ("#D55E00", "s"),
    ("#009E73", "^"),
    ("#CC79A7", "D"),
    ("#E69F00", "v"),
    ("#56B4E9", "P"),
    ("#7F7F7F", "X"),
    (BLACK, "*"),
)

TINTS = (1.0, 0.7, 0.4, 0.15, 0.06, 0.0)  # of a colour, the rest being white

#: A method looks the same in every figure.
KNOWN = {
    "RLPI": 0,
    "SPG": 0,
    "LPFL": 0,
    "OLPI": 0,
    "LPP": 1,
    "LPI": 1,
    "LSI": 2,
    "PCA": 2,
    "PLSI": 3,
    "SLPI": 3,
    "SPCA": 3,
    "NMF-NCW": 4,
    "FSSL": 4,
    "LS+LPI": 5,
    "OLPI (no constant)": 5,
    "LPI (no constant)": 4,
    "LPP (complete graph)": 4,
    "LS": 6,
    "Baseline": 7,
    "classes - 1": 7,
}


@final
@dataclass(frozen=True)
class Curve:
    """What is drawn of one method.

    Attributes
    ----------
    name : str
        For the legend.
    x, y : sequences of float
    spread : sequence of float, optional
        Half the length of an error bar at each point.
    kind : {"line", "bar", "level"}
        A level is drawn at the mean of y from end to end, dashed.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    spread: Sequence[float] | None = None
    kind: str = "line"


@final
@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Attributes
    ----------
    title, x_label, y_label : str
    curves : sequence of Curve
    log_x, log_y : bool
    ticks : sequence of float, optional
        Where the x axis is marked.
    """

    title: str
    x_label: str
    y_label: str
    curves: Sequence[Curve]
    log_x: bool = False
    log_y: bool = False
    ticks: Sequence[float] | None = None


def draw(file: Path, title: str, panels: Sequence[Panel], columns: int) -> None:
    """Write the panels, row by row, with one legend for all, as a PNG.

    Parameters
    ----------
    file : Path
    title : str
        Above all panels; says how many tests there are.
    panels : sequence of Panel
    columns : int
        Panels beside each other.
    """
    from matplotlib.figure import Figure

    rows = -(-len(panels) // columns)
    scale = SHRUNK if len(panels) > MANY_PANELS else GROWN if len(panels) == 1 else 1.0
    width = columns * PANEL[0] * scale
    names = list(dict.fromkeys(curve.name for panel in panels for curve in panel.curves))
    beside = max(1, int(width / (0.5 + 0.07 * max(map(len, names)))))
    foot = LINE * (1 - (-len(names) // beside)) if len(names) > 1 else 0.0
    height = rows * PANEL[1] * scale + HEAD + foot
    figure = Figure(figsize=(width, height), dpi=DPI)
    axes: list[Axes] = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for ax, panel in zip(axes, panels, strict=False):
        _fill(ax, panel)
    for ax in axes[len(panels) :]:
        ax.set_visible(False)
    figure.suptitle(title, fontsize=9, y=1.0 - 0.25 * HEAD / height, va="top").set_in_layout(False)
    if len(names) > 1:
        _legend(figure, axes[: len(panels)], beside)
    figure.tight_layout(rect=(0.0, foot / height, 1.0, 1.0 - 0.8 * HEAD / height))
    _save(figure, file)


def _fill(ax: Axes, panel: Panel) -> None:
    for place, curve in enumerate(panel.curves):
        colour, marker = STYLES[KNOWN.get(curve.name, place) % len(STYLES)]
        if curve.kind == "level":
            ax.axhline(float(np.mean(curve.y)), color=colour, linestyle="--", linewidth=1.2, label=curve.name)
        elif curve.kind == "bar":
            ax.bar(curve.x, curve.y, yerr=curve.spread, color=colour, capsize=2, width=0.7, label=curve.name)
        else:
            ax.errorbar(
                curve.x, curve.y, yerr=curve.spread, color=colour, marker=marker, markersize=3, linewidth=1.1, label=curve.name
            )
    ax.set_title(panel.title, fontsize=8)
    ax.set_xlabel(panel.x_label, fontsize=7)
    ax.set_ylabel(panel.y_label, fontsize=7)
    _scale(ax, panel)


def _scale(ax: Axes, panel: Panel) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    for axis, logarithmic in ((ax.xaxis, panel.log_x), (ax.yaxis, panel.log_y)):
        if logarithmic:
            ax.set(**{f"{axis.axis_name}scale": "log"})
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))
            axis.set_minor_locator(NullLocator())
    if panel.ticks is not None:
        ax.set_xticks(panel.ticks, [f"{each:g}" for each in panel.ticks])
    ax.tick_params(labelsize=7)
    ax.grid(color="#D9D9D9", linewidth=0.4)
    ax.set_axisbelow(True)


def _legend(figure: Figure, axes: Sequence[Axes], beside: int) -> None:
    """One entry per name, whichever panel it is in."""
    entries: dict[str, Any] = {}
    for ax in axes:
        for handle, name in zip(*ax.get_legend_handles_labels(), strict=True):
            entries.setdefault(name, handle)
    figure.legend(entries.values(), entries.keys(), loc="lower center", ncols=beside, fontsize=7, frameon=False, borderaxespad=0.2)


def _save(figure: Figure, file: Path) -> None:
    """Draw and write without a date or a version: the same picture is the same file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[:, :, :3])
    palette = Image.new("P", (1, 1))
    palette.putpalette(_palette())
    file.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE).save(file, format="PNG", optimize=True)


def _palette() -> list[int]:
    """Each colour in a few steps to white, for the edges: with so few colours a file is small."""
    colours = [tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5)) for colour, _ in STYLES]
    return [round(255 - share * (255 - part)) for colour in colours for share in TINTS for part in colour]
