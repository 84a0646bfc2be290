"""``vicinal report``: what is in an index, as one page to read, print and send on."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, Yes


def report(
    path: IndexFile,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Page to write: one HTML file.", show_default=False)
    ],
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="What stands above the page.", show_default="name of the index")
    ] = None,
    dates: Annotated[
        str | None,
        typer.Option("--dates", metavar="COLUMN", help="Column with the date of a document.", show_default="looked for"),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="COLUMN",
            help="Column to compare clusters with, or label; repeat for more.",
            show_default="two with few values",
        ),
    ] = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Write a report: what is in this pile of documents, as one page to read, print and send on.

    It has the sizes of the clusters, the map, the tree, the terms and typical documents of each cluster, clusters over time and by
    column, duplicates, documents between clusters, and how it was made. The page is one file without a script, which fetches
    nothing and prints well, to PDF too. Before an existing file is replaced you are asked; without a terminal it is left alone,
    unless --yes is given.

    **Examples**

    - `vicinal report news.vic -o report.html`: open it in a browser, print it, or attach it to a mail

    - `vicinal report news.vic -o report.html --title "What readers wrote in May"`: with a title of your own

    - `vicinal report news.vic -o report.html --dates published --column country`: which columns to use

    Exit codes: 0 success, 2 usage error, 3 input data error or the file cannot be written, 4 damaged index.
    """
    from vicinal._plural import counted
    from vicinal.cli._terminal.confirm import ask_before_replacing
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.cli._terminal.text import visible

    with reporting_errors("report"), open_index(path) as index:
        if not yes:
            ask_before_replacing(output)
        from vicinal.plot import write_report

        with ProgressDisplay() as display:
            n_documents = write_report(index, output, title=title, dates=dates, columns=column, progress=display)
    if as_json:
        print_json({"index": path, "documents": n_documents, "html": output})
    else:
        typer.echo(f"Report on {counted(n_documents, 'document')}: {visible(output)}")
