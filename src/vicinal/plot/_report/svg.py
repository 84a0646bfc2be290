"""Drawings of a report as SVG inside the page: the map, the tree, bars and small timelines. Colours are classes of its style."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np

from vicinal._page_elements import Markup, element, joined
from vicinal._typing import FloatArray, IntArray
from vicinal.plot._map_data import MapData, MapName
from vicinal.plot._map_plot import TRIES
from vicinal.plot._tree_drawing import TreeDrawing

WIDTH, HEIGHT = 1000, 680
MOST_POINTS = 20_000
FONT = 15
N_NARROW = 9  # names on a narrow screen, where they are twice as large
LINE = 26  # height of a row of the tree
SPARK = (150, 26)


def svg_map(data: MapData) -> Markup:
    """The map: points of one cluster as one path, and names that do not overlap; of many documents a sample is drawn."""
    points, radius = _drawn_at(data.points), float(np.clip(220 / np.sqrt(max(len(data.points), 1)), 1.1, 7))
    drawn = np.arange(len(points))
    if len(points) > MOST_POINTS:
        drawn = np.sort(np.random.default_rng(0).choice(len(points), MOST_POINTS, replace=False))
    ranks = np.unique(data.cluster[drawn]).tolist()
    dots = joined(_dots(points[drawn[data.cluster[drawn] == rank]], rank, radius) for rank in ranks)
    level = data.levels[min(1, len(data.levels) - 1)]
    names = [
        _names(level, data.points, points, FONT, "on-wide"),
        _names(level[:N_NARROW], data.points, points, 2 * FONT, "on-narrow"),
    ]
    return element(
        "svg", dots, *names, viewBox=f"0 0 {WIDTH} {HEIGHT}", class_="map", role="img", aria_label="Map of the documents"
    )


def _drawn_at(points: FloatArray) -> FloatArray:
    """Points in the drawing, with a margin; up is up."""
    if not len(points):
        return np.zeros((0, 2))
    low, high = points.min(axis=0), points.max(axis=0)
    scale = min((WIDTH - 80) / max(high[0] - low[0], 1e-9), (HEIGHT - 80) / max(high[1] - low[1], 1e-9))
    middle = (low + high) / 2
    return np.column_stack([WIDTH / 2 + (points[:, 0] - middle[0]) * scale, HEIGHT / 2 - (points[:, 1] - middle[1]) * scale])


def _dots(points: FloatArray, rank: int, radius: float) -> Markup:
    path = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in points.tolist())
    return element("path", d=path, class_=f"dots {color_class(rank)}", stroke_width=f"{2 * radius:.1f}")


def color_class(rank: int) -> str:
    """The class of the colour of a cluster by its rank by size; of documents in none."""
    return f"c{rank}" if rank >= 0 else "none"


def width_of(text: str, size: float) -> float:
    """About how wide a text is: wide letters of East Asian writing are as wide as high, others half as wide."""
    return size * sum(1.0 if unicodedata.east_asian_width(each) in "WF" else 0.56 for each in text)


def _names(names: Sequence[MapName], points: FloatArray, drawn_at: FloatArray, size: int, class_: str) -> Markup:
    """Names from the largest cluster to the smallest, each where no other is yet, for screens of one width."""
    taken: list[tuple[float, float, float, float]] = []
    found = []
    for name in sorted(names, key=lambda each: -each.size):
        x, y = _spot_of(name, points, drawn_at)
        text = name.name if len(name.name) <= 34 else f"{name.name[:33]}…"
        wide, high = width_of(text, size) + 8, 1.33 * size
        for across, along in TRIES:
            left = min(max(x + across * wide - wide / 2, 4), WIDTH - wide - 4)
            frame = (left, y + (along - 0.5) * high, left + wide, y + (along + 0.5) * high)
            if not any(_overlap(frame, other) for other in taken):
                taken.append(frame)
                found.append(element("text", text, x=f"{left + wide / 2:.0f}", y=f"{frame[1] + 0.75 * high:.0f}", class_="name"))
                break
    return element("g", *found, class_=class_)


def _spot_of(name: MapName, points: FloatArray, drawn_at: FloatArray) -> tuple[float, float]:
    """Where the middle of a cluster is in the drawing: where the document nearest to it is."""
    nearest = int(np.argmin(((points - [name.x, name.y]) ** 2).sum(axis=1)))
    x, y = drawn_at[nearest].tolist()
    return x, y


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def svg_tree(drawing: TreeDrawing, ranks: dict[int, int]) -> Markup:
    """The tree: clusters in rows at the left, merged towards the right."""
    height, left, right = LINE * len(drawing.names) + 12, 420, WIDTH - 20
    largest = max(drawing.sizes, default=1)

    def x(at: float) -> float:
        """From a height of the tree to a point on the page."""
        return left + (right - left) * at

    def y(row: float) -> float:
        """From a row to a point on the page."""
        return 6 + LINE * (row + 0.5)

    lines = []
    for branch in drawing.branches:
        (top, from_top), (bottom, from_bottom) = sorted(branch.ends)
        path = f"M{x(from_top):.1f} {y(top):.1f}H{x(branch.height):.1f}V{y(bottom):.1f}H{x(from_bottom):.1f}"
        lines.append(element("path", element("title", f"{branch.name}: {branch.size:,} documents"), d=path, class_="branch"))
    rows = []
    for row, (number, name, size) in enumerate(zip(drawing.numbers, drawing.names, drawing.sizes, strict=True)):
        radius = 3 + 7 * (size / largest) ** 0.5
        rows.append(
            element("circle", cx=left, cy=f"{y(row):.1f}", r=f"{radius:.1f}", class_=f"fill {color_class(ranks.get(number, -1))}")
        )
        text = name if width_of(name, 14) < left - 90 else f"{name[: int((left - 100) / 8)]}…"
        rows.append(element("text", text, x=left - 16, y=f"{y(row) + 5:.1f}", class_="leaf"))
        rows.append(element("text", f"{size:,}", x=0, y=f"{y(row) + 5:.1f}", class_="count"))
    return element(
        "svg", *lines, *rows, viewBox=f"0 0 {WIDTH} {height}", class_="tree", role="img", aria_label="Tree of the clusters"
    )


def svg_bar(share: float, rank: int = -1) -> Markup:
    """A bar as long as a share of its room."""
    rect = element("rect", width=f"{100 * min(max(share, 0.0), 1.0):.1f}", height=10, rx=2, class_=f"fill {color_class(rank)}")
    return element("svg", rect, viewBox="0 0 100 10", preserveAspectRatio="none", class_="bar", aria_hidden="true")


def svg_spark(sizes: IntArray, rank: int, label: str) -> Markup:
    """A small timeline: a bar for each period, as high as its documents."""
    width, height = SPARK
    step, largest = width / max(len(sizes), 1), max(int(sizes.max(initial=0)), 1)
    bars = []
    for i, size in enumerate(sizes.tolist()):
        if size:
            tall = max(1.0, (height - 2) * size / largest)
            box = {
                "x": f"{i * step:.1f}",
                "y": f"{height - 1 - tall:.1f}",
                "width": f"{max(step - 0.8, 0.6):.1f}",
                "height": f"{tall:.1f}",
            }
            bars.append(element("rect", **box, class_=f"fill {color_class(rank)}"))
    floor = element("line", x1=0, x2=width, y1=height - 0.5, y2=height - 0.5, class_="floor")
    return element("svg", *bars, floor, viewBox=f"0 0 {width} {height}", class_="spark", role="img", aria_label=label)


def svg_columns(sizes: IntArray, labels: Sequence[str]) -> Markup:
    """Documents per period as a chart with its labels."""
    width, height, floor = 1000, 150, 122
    step, largest = width / max(len(sizes), 1), max(int(sizes.max(initial=0)), 1)
    parts = []
    every = max(1, -(-len(labels) // 10))
    for i, (size, label) in enumerate(zip(sizes.tolist(), labels, strict=True)):
        tall = (floor - 18) * size / largest
        box = {"x": f"{i * step + 1:.1f}", "y": f"{floor - tall:.1f}", "width": f"{max(step - 2, 1):.1f}", "height": f"{tall:.1f}"}
        parts.append(element("g", element("title", f"{label}: {size:,} documents"), element("rect", **box, class_="fill total")))
        if i % every == 0:
            parts.append(element("text", label, x=f"{i * step + 2:.1f}", y=floor + 18, class_="tick"))
    most = int(np.argmax(sizes)) if len(sizes) else 0
    side = "end" if most > len(sizes) / 2 else "start"
    parts.append(element("text", f"{largest:,}", x=f"{(most + (side == 'end')) * step:.1f}", y=12, class_=f"tick {side}"))
    axis = element("line", x1=0, x2=width, y1=floor, y2=floor, class_="floor")
    return element(
        "svg", *parts, axis, viewBox=f"0 0 {width} {height}", class_="columns", role="img", aria_label="Documents per period"
    )
