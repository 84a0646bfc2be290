"""``vicinal fit``: learn from the documents of an index."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from vicinal.cli._terminal.options import AsJson, ClusterCount, IndexFile

LAST = "as in the last fit, at first"


def fit(
    path: IndexFile,
    topics: ClusterCount = None,
    dimensions: Annotated[
        int | None, typer.Option(min=1, help="Of the space that meaning is measured in.", show_default=f"{LAST} 100")
    ] = None,
    neighbors: Annotated[
        int | None, typer.Option(min=1, help="Documents that each is joined to.", show_default=f"{LAST} 15")
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(min=0.0, help="Ridge: more holds rare directions for chance.", show_default=f"{LAST} 15"),
    ] = None,
    stem: Annotated[
        str | None,
        typer.Option(metavar="LANGUAGE", help="Of the stems, or none, or auto.", show_default=f"{LAST} auto"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Where chance starts. The same seed gives the same answer.", show_default=f"{LAST} 0")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Learn words, meaning and topics from all documents that are in an index now.

    Choices are kept in the index, so that the next fit makes them again. Until it is done, and if it is interrupted, the
    index answers as before. A cluster that is still there keeps its number.

    **Examples**

    - `vicinal fit news.vic`: as before

    - `vicinal fit news.vic --topics 20 --stem english`: with choices of your own

    Exit codes: 0 done, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    choices = {
        "n_clusters": topics,
        "n_components": dimensions,
        "n_neighbors": neighbors,
        "alpha": alpha,
        "stem": stem,
        "random_state": seed,
    }
    chosen = {name: value for name, value in choices.items() if value is not None}
    _fit(path, chosen, as_json)


def _fit(path: str, chosen: dict[str, Any], as_json: bool) -> None:
    from vicinal.cli._terminal.exit_codes import plainly
    from vicinal.cli._terminal.ingest import learn
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json
    from vicinal.cli._terminal.progress_display import Stages
    from vicinal.cli._terminal.results import fitted_facts, fitted_lines
    from vicinal.cli._terminal.text import visible

    with plainly("fit"), opened(path) as index, Stages() as stages:
        fitted = learn(index, stages, chosen)
    if as_json:
        say_json({"index": path, **fitted_facts(fitted)})
        return
    for each in fitted_lines(fitted):
        typer.echo(visible(each))
