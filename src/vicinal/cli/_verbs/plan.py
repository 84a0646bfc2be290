"""``vicinal plan``: what an index will cost in time, memory and disk, before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, MakeLayout, TextColumn, TitleColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vicinal.planning import Plan

#: Seconds from which the search for neighbours is worth a sentence.
LONG = 120.0


def plan(
    path: Annotated[str, typer.Argument(metavar="PATH", help="File, folder or index that would be fitted.", show_default=False)],
    text: TextColumn = None,
    title: TitleColumn = None,
    components: Annotated[int, typer.Option(min=1, metavar="N", help="Number of components of the embedding.")] = 100,
    neighbors: Annotated[int, typer.Option(min=1, metavar="N", help="Neighbours of each document.")] = 15,
    layout: MakeLayout = None,
    as_json: AsJson = False,
) -> None:
    """Predict time, memory and disk of an index, stage by stage, before it is made.

    Up to 1,000 documents are looked at, and the speed of this machine is measured by jobs of half a second. Nothing is written.
    Times are those of a machine with nothing else to do, exact neighbours, and kernels that were compiled before; expect them to
    be right within a factor of two.

    **Examples**

    - `vicinal plan articles/`: before `vicinal index articles/ -o news.vic`

    - `vicinal plan news.csv --text body --title headline`: a table

    - `vicinal plan news.vic`: before `vicinal fit news.vic`

    Exit codes: 0 success, 2 usage error, 3 input data error, 4 damaged index.
    """
    from dataclasses import asdict

    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.output import print_json
    from vicinal.planning import plan_of

    with reporting_errors("plan"):
        planned = plan_of(path, n_components=components, n_neighbors=neighbors, layout=layout is not False, text=text, title=title)
    if as_json:
        totals = {name: getattr(planned, name) for name in ("cpu_seconds", "seconds", "memory", "disk")}
        print_json({"path": path, **asdict(planned), **totals})
        return
    for line in _lines(planned):
        typer.echo(line)


def _lines(planned: Plan) -> Iterator[str]:
    """A table of the stages, their sum, and advice."""
    from vicinal._plural import counted
    from vicinal.cli._terminal.text import duration, human_bytes

    about = "about " if planned.estimated else ""
    size = planned.size
    threads = counted(planned.machine.n_threads, "thread")
    yield f"{about}{counted(size.n_documents, 'document')}, {size.nnz:,} entries of documents x terms, {threads}"
    yield f"{'stage':<12}{'time':>10}{'memory':>10}{'disk':>10}  grows with"
    rows = [(each.name, each.seconds, each.memory, each.disk, each.grows_with) for each in planned.stages]
    for name, seconds, memory, disk, grows_with in [*rows, ("all", planned.seconds, planned.memory, planned.disk, "")]:
        written = human_bytes(disk) if disk else "-"
        yield f"{name:<12}{duration(seconds):>10}{human_bytes(memory):>10}{written:>10}  {grows_with}".rstrip()
    yield from _advice(planned)


def _advice(planned: Plan) -> Iterator[str]:
    if planned.longest.name == "neighbours" and planned.longest.seconds > LONG:
        yield "Most of it is the exact search for neighbours: vicinal fit --recall 0.95 lets a pruned one take its place."
