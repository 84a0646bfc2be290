"""`map_widget`: the map of an index in Jupyter and VS Code (extra ``notebook``), whose selection Python reads."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from vicinal._validate import check_count
from vicinal.errors import MissingExtra
from vicinal.index import Index, Snapshot
from vicinal.plot._map_data import map_data
from vicinal.plot._map_page import facts_of, part, script_of


def map_widget(index: Index | Snapshot, *, title: str | None = None, terms: bool = True, height: int = 560) -> Any:
    """Show the map of an index in a notebook; what is singled out on it is the widget's ``selection``.

    Draw a line around documents (Select, or Shift and drag), search, or choose clusters in the legend: ``selection`` has the ids of
    the documents that are left, and is empty where none are singled out. ``widget.observe(function, "selection")`` calls a
    function whenever it changes.

    Parameters
    ----------
    index : Index or Snapshot
        A fitted index; it is read once and may be closed then.
    title : str, optional
        What stands above it; by default the name of the index.
    terms : bool, default=True
        Whether the weightiest terms of each document are there to be searched for.
    height : int, default=560
        In pixels.

    Returns
    -------
    anywidget.AnyWidget
        The map, with the attribute ``selection``, a list of ids.

    Raises
    ------
    MissingExtra
        anywidget is not installed: ``pip install vicinal[notebook]``.
    TooFewDocuments
        The index is not fitted.

    See Also
    --------
    write_map : The same as a page that can be sent on.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.plot import map_widget
    >>> index = vicinal.open("widget.vic", create=True)
    >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
    >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
    >>> fitted = index.fit(n_clusters=2)
    >>> widget = map_widget(index)
    >>> widget.selection
    []
    """
    check_count("height", height, 120)
    widget = _widget_class()
    facts = facts_of(map_data(index, terms), Path(index.path).name if title is None else title)
    data = json.dumps(facts, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return widget(_data=data, height=height)


@cache
def _widget_class() -> Any:
    """The class of the widget, made when it is first needed: anywidget is an extra."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise MissingExtra(
            "a map in a notebook needs anywidget, which is not installed. Run pip install vicinal[notebook]."
        ) from None

    class MapWidget(anywidget.AnyWidget):
        """A map of documents."""

        _esm = script_of("map_widget.js").replace('"use strict";\n', "")
        _style = traitlets.Unicode(part("map.css")).tag(sync=True)
        _data = traitlets.Unicode("").tag(sync=True)
        height = traitlets.Int(560).tag(sync=True)
        selection = traitlets.List(traitlets.Unicode()).tag(sync=True)

    return MapWidget
