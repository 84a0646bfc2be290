"""``vicinal map``: the map of an index as one page to walk through, or as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, Yes
from vicinal.errors import BadParameter

if TYPE_CHECKING:
    from vicinal.index import Index


def map(
    path: IndexFile,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Page to write: one HTML file.", show_default=False)
    ] = None,
    png: Annotated[str | None, typer.Option("--png", metavar="FILE", help="Picture to write, as PNG.", show_default=False)] = None,
    svg: Annotated[str | None, typer.Option("--svg", metavar="FILE", help="Picture to write, as SVG.", show_default=False)] = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="What stands above the page.", show_default="name of the index")
    ] = None,
    titles_only: Annotated[
        bool, typer.Option("--titles-only", help="Leave out the terms of documents: a smaller page, which searches titles alone.")
    ] = False,
    dark: Annotated[bool, typer.Option("--dark", help="Dark background of a picture; the page has both.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Write the map of an index: a page that can be sent on, or a picture for a paper.

    Each document is a point near those of its neighbours. The page is one file that fetches nothing: it has the names of
    clusters from coarse to fine as you come nearer, search over titles and terms, a legend that filters, the tree, and a light
    and a dark look. Pictures need matplotlib (`pip install vicinal[plot]`). Before an existing file is replaced you are asked;
    without a terminal it is left alone, unless --yes is given.

    **Examples**

    - `vicinal map news.vic -o map.html`: a page to walk through; open it in a browser

    - `vicinal map news.vic -o map.html --titles-only`: a smaller one, for very many documents

    - `vicinal map news.vic --png map.png --dark`: a picture

    Exit codes: 0 success, 2 usage error, 3 input data error or the file cannot be written, 4 damaged index.
    """
    from vicinal._plural import counted
    from vicinal.cli._terminal.confirm import ask_before_replacing
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.text import visible

    written: dict[str, str | None] = {"html": output, "png": png, "svg": svg}
    files = [file for file in written.values() if file is not None]
    with reporting_errors("map"), open_index(path) as index:
        if not files:
            raise BadParameter("nothing to write. Name a page, -o map.html, or a picture, --png map.png or --svg map.svg.")
        if not yes:
            for file in files:
                ask_before_replacing(file)
        n_documents = _write(index, written, title, titles_only, dark)
    if as_json:
        print_json({"index": path, "documents": n_documents, **{kind: file for kind, file in written.items() if file}})
        return
    for file in files:
        typer.echo(f"{counted(n_documents, 'document')} on the map: {visible(file)}")


def _write(index: Index, written: Mapping[str, str | None], title: str | None, titles_only: bool, dark: bool) -> int:
    """Write the page and the pictures; return how many documents are on them."""
    from vicinal.plot import write_map
    from vicinal.plot._map_plot import save_map

    n_documents = 0
    with index.snapshot() as snapshot:
        for kind, file in written.items():
            if file is not None and kind == "html":
                n_documents = write_map(snapshot, file, title=title, terms=not titles_only)
            elif file is not None:
                n_documents = save_map(snapshot, file, kind, "dark" if dark else "light")
    return n_documents
