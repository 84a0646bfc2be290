"""``vicinal explain``: contributions of terms to a cluster, a similarity or a component."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile


def explain(
    path: IndexFile,
    id: Annotated[str | None, typer.Argument(metavar="ID", help="Document: why it is in its cluster.", show_default=False)] = None,
    other: Annotated[
        str | None, typer.Argument(metavar="OTHER", help="Second document: why the two are similar.", show_default=False)
    ] = None,
    cluster: Annotated[
        int | None,
        typer.Option("--cluster", metavar="N", help="Terms that distinguish it; with ID, the document's score for it."),
    ] = None,
    component: Annotated[
        int | None, typer.Option("--component", min=0, metavar="N", help="Terms with the largest weights.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Show at most so many terms.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Explain a cluster, a similarity or a component by its terms.

    It shows the contribution of each term to a document's score for its cluster or to the similarity of two documents, or
    the terms of a cluster or component. For documents, the contributions of all terms add up to the number that is
    explained; the largest are shown.

    **Examples**

    - `vicinal explain news.vic articles/wheat.txt`: why it is in its cluster

    - `vicinal explain news.vic articles/wheat.txt articles/corn.txt`: why the two are similar

    - `vicinal explain news.vic --cluster 3`: the terms that distinguish cluster 3

    - `vicinal explain news.vic --component 0`: the terms of the first component of the embedding

    - `vicinal classify news.vic --id articles/wheat.txt --why`: why it is in its class

    Exit codes: 0 success, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.rendering import contributions
    from vicinal.cli._terminal.text import visible

    with reporting_errors("explain"), open_index(path) as index:
        why = index.explain(id, other=other, cluster=cluster, component=component, limit=limit)
    if as_json:
        print_json({"index": path, "total": why.total, "why": contributions(why)})
        return
    parts = why.top(limit)
    for term, part in parts:
        typer.echo(f"{part:+10.4f}  {visible(term)}")
    if id is not None:
        rest = len(why.terms) - len(parts)
        more = f", with {rest:,} terms that are not shown" if rest > 0 else ""
        typer.echo(f"{why.total:+10.4f}  total{more}")
