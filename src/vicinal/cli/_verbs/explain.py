"""``vicinal explain``: why, in words with numbers."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile


def explain(
    path: IndexFile,
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="A document: why it is in its cluster.", show_default=False)
    ] = None,
    other: Annotated[
        str | None, typer.Argument(metavar="OTHER", help="A second one: why the two are alike.", show_default=False)
    ] = None,
    cluster: Annotated[
        int | None, typer.Option("--cluster", help="What tells a cluster from the rest; with ID, how it stands to that one.")
    ] = None,
    dimension: Annotated[int | None, typer.Option("--dimension", min=0, help="What a dimension of the space is made of.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many words to show at most.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Say why, in words with numbers: a document's cluster, two documents' likeness, a cluster, a dimension.

    Of documents the parts of all words add up to the number that is explained; the heaviest are shown.

    **Examples**

    - `vicinal explain news.vic articles/wheat.txt`: why it is in its cluster

    - `vicinal explain news.vic articles/wheat.txt articles/corn.txt`: why the two are alike

    - `vicinal explain news.vic --cluster 3`: what cluster 3 is about

    - `vicinal classify news.vic --id articles/wheat.txt --why`: why it is in its class

    Exit codes: 0 done, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.exit_codes import plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json
    from vicinal.cli._terminal.text import visible

    with plainly("explain"), opened(path) as index:
        why = index.explain(id, other=other, cluster=cluster, component=dimension, limit=limit)
    parts = why.top(limit)
    if as_json:
        say_json({"index": path, "total": why.total, "why": [[word, part] for word, part in why.top(len(why.terms))]})
        return
    for word, part in parts:
        typer.echo(f"{part:+10.4f}  {visible(word)}")
    if id is not None:
        rest = len(why.terms) - len(parts)
        more = f", {rest:,} words not shown" if rest > 0 else ""
        typer.echo(f"{why.total:+10.4f}  in all{more}")
