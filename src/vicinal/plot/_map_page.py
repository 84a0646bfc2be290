"""`write_map`: the map of an index as one page that needs nothing else: no server, no network, no other file."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

import numpy as np

from vicinal._sqlite_files import belongs_to_sqlite
from vicinal._typing import FloatArray
from vicinal._whole_file import written_whole
from vicinal.errors import BadParameter
from vicinal.index import Index, Snapshot
from vicinal.plot._colors import colors_of
from vicinal.plot._map_data import MapData, map_data

SCALE = 20_000  # the longer side of the map, in steps
NOTE = "What is near is similar. How far apart clusters are, and how large one is drawn, says little."
#: The script of the map, each part built on those before it.
SCRIPTS = ("map_frame.js", "map_view.js", "map_panel.js", "map.js")
#: The data stands in the page as JSON; these characters could end it, or begin something else.
ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def write_map(index: Index | Snapshot, path: str | os.PathLike[str], *, title: str | None = None, terms: bool = True) -> int:
    """Write the map of an index as one HTML file that can be sent on: it holds its data, and fetches nothing.

    The page has the names of clusters at several levels, search over titles and terms, a legend that filters, the tree, and a
    light and a dark look. Texts of documents are data in it and never part of it, whatever they contain.

    Parameters
    ----------
    index : Index or Snapshot
        A fitted index.
    path : str or path
        The file to write; one that is there is replaced when the new one is complete.
    title : str, optional
        What stands above it; by default the name of the index.
    terms : bool, default=True
        Whether the weightiest terms of each document are in it; without them the file is smaller, and titles alone are searched.

    Returns
    -------
    int
        How many documents are on the map.

    Raises
    ------
    TooFewDocuments
        The index is not fitted.
    BadParameter
        The file is an index.

    See Also
    --------
    plot_map : The same by matplotlib.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.plot import write_map
    >>> index = vicinal.open("page.vic", create=True)
    >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
    >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
    >>> fitted = index.fit(n_clusters=2)
    >>> write_map(index, "map.html")
    6
    """
    file = refuse_index(Path(path))
    data = map_data(index, terms)
    page = page_of(facts_of(data, Path(index.path).name if title is None else title))
    with written_whole(file) as unfinished:
        unfinished.write_text(page, encoding="utf-8")
    return len(data.ids)


def refuse_index(file: Path, what: str = "map") -> Path:
    """A file that a map or report may be written to; BadParameter for an index."""
    if belongs_to_sqlite(file):
        raise BadParameter(f"{file} is an index or part of one, and the {what} would replace it. Name another file.")
    return file


def page_of(facts: dict[str, object]) -> str:
    """The page of what is to be shown; its policy allows its own script and style, by their hashes, and nothing else."""
    page, style, script = part("map.html"), part("map.css"), script_of("map_page.js")
    policy = (
        f"default-src 'none'; script-src '{hash_of(script)}'; style-src '{hash_of(style)}'; "
        "img-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
    return page.format(policy=policy, style=style, script=script, data=as_data(facts))


def part(name: str) -> str:
    """A file of the front end."""
    return files("vicinal.plot").joinpath("_page", name).read_text(encoding="utf-8")


def script_of(entry: str) -> str:
    """The script of a map, and behind it what begins it: in a page or in a notebook."""
    return "".join(part(name) for name in (*SCRIPTS, entry))


def as_data(facts: object) -> str:
    """JSON that can stand inside a script element of a page."""
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return "".join(ESCAPES.get(each, each) for each in text) if any(each in text for each in ESCAPES) else text


def hash_of(text: str) -> str:
    """How a policy names a script or style that may be in the page."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def facts_of(data: MapData, title: str) -> dict[str, object]:
    """What the page is given: points in whole steps, and everything else as it is."""
    steps = _to_steps(data.points)
    light, dark = (colors_of(data.middles, theme) for theme in ("light", "dark"))
    clusters = [
        {"name": each.name, "size": each.size, "terms": [term for term, _ in each.terms[:8]], "light": light[i], "dark": dark[i]}
        for i, each in enumerate(data.clusters)
    ]
    points = steps(data.points).astype(int)
    without = f", {data.n_without:,} without a point" if data.n_without else ""
    return {
        "title": title,
        "about": f"{len(data.ids):,} documents in {len(clusters):,} clusters{without}",
        "note": NOTE,
        "scale": SCALE,
        "x": points[:, 0].tolist(),
        "y": points[:, 1].tolist(),
        "cluster": data.cluster.tolist(),
        "ids": data.ids,
        "titles": data.titles,
        "clusters": clusters,
        "levels": [[_with_steps(asdict(each), steps) for each in level] for level in data.levels],
        "tree": None if data.tree is None else asdict(data.tree),
        "vocabulary": data.vocabulary,
        "terms": data.terms,
    }


def _to_steps(points: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """The map from points to whole steps of a square that holds them all."""
    low = points.min(axis=0) if len(points) else np.zeros(2)
    width = max(float(np.ptp(points, axis=0).max()), 1e-9) if len(points) else 1.0
    middle = (points.max(axis=0) + low) / 2 if len(points) else low
    return lambda some: np.asarray(np.round((some - middle) * (SCALE / width) + SCALE / 2))


def _with_steps(name: dict[str, object], steps: Callable[[FloatArray], FloatArray]) -> dict[str, object]:
    x, y = steps(np.array([name["x"], name["y"]])).tolist()
    return {**name, "x": int(x), "y": int(y)}
