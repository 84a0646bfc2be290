"""`write_report`: what is in an index, as one page that is read, printed and sent on; it has no script and fetches nothing."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

from vicinal import __version__
from vicinal._page_elements import Markup, element, joined
from vicinal._progress import Progress, silent
from vicinal._whole_file import written_whole
from vicinal.index import Index, Snapshot
from vicinal.plot._colors import colors_of
from vicinal.plot._map_page import hash_of, refuse_index
from vicinal.plot._report.report_data import ReportData, report_data
from vicinal.plot._report.sections import sections


def write_report(
    index: Index | Snapshot,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    dates: str | None = None,
    columns: list[str] | None = None,
    progress: Progress = silent,
) -> int:
    """Write a report on the documents of an index as one HTML file: it can be read, printed and sent on, and fetches nothing.

    It tells sizes, and shows the map, the tree, each cluster with its terms and typical documents, clusters over time and by
    column, duplicates, documents between clusters, and how it was made. The page has no script at all. Texts of documents are
    escaped, whatever they contain.

    Parameters
    ----------
    index : Index or Snapshot
        A fitted index.
    path : str or path
        The file to write; one that is there is replaced when the new one is complete.
    title : str, optional
        What stands above it; by default the name of the index.
    dates : str, optional
        The column of the metadata that says when documents are from; by default one that is called so and holds dates.
    columns : list of str, optional
        Columns of the metadata, or "label", to compare clusters with; by default up to two with few values.
    progress : function, optional
        Called as ``progress(step, done, total)``.

    Returns
    -------
    int
        How many documents it is about.

    Raises
    ------
    TooFewDocuments
        The index is not fitted.
    BadParameter
        The file is an index, or no document has such a column.
    BadData
        The column of dates holds something else.

    See Also
    --------
    write_map : The map as a page to walk through.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.plot import write_report
    >>> index = vicinal.open("report.vic", create=True)
    >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
    >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
    >>> fitted = index.fit(n_clusters=2)
    >>> write_report(index, "report.html")
    6
    """
    file = refuse_index(Path(path), "report")
    data = report_data(index, dates, columns, progress)
    page = report_page(data, Path(index.path).name if title is None else title)
    with written_whole(file) as unfinished:
        unfinished.write_text(page, encoding="utf-8")
    return data.info.documents


def report_page(data: ReportData, title: str) -> str:
    """The page; its policy allows its own style, by its hash, and nothing else."""
    style = files("vicinal.plot").joinpath("_page/report.css").read_text(encoding="utf-8") + _colors(data)
    policy = f"default-src 'none'; style-src '{hash_of(style)}'; base-uri 'none'; form-action 'none'"
    head = joined(
        [
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=policy),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="referrer", content="no-referrer"),
            element("title", title),
            element("style", Markup(style)),
        ]
    )
    parts = list(sections(data))
    top = element("header", element("h1", title), element("p", _summary(data), class_="lead"))
    foot = element("footer", f"Made by vicinal {__version__} from {Path(data.info.path).name}.")
    body = element("body", top, element("main", *parts), foot)
    return "<!doctype html>\n" + element("html", element("head", head), body, lang="en") + "\n"


def _summary(data: ReportData) -> str:
    """What is in the pile, in one sentence."""
    clusters = data.map.clusters
    largest = "; ".join(f"{each.name} ({each.share:.0%})" for each in clusters[:3])
    return f"{data.info.documents:,} documents in {len(clusters):,} clusters. The largest: {largest}."


def _colors(data: ReportData) -> str:
    """A class for the colour of each cluster, on light and on dark pages; printed pages are light."""
    rules = {theme: colors_of(data.map.middles, theme) for theme in ("light", "dark")}
    written = {theme: "".join(f".c{i}{{color:{color}}}" for i, color in enumerate(colors)) for theme, colors in rules.items()}
    return f"\n{written['light']}\n@media screen and (prefers-color-scheme: dark){{{written['dark']}}}\n"
