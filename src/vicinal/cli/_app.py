"""The application: which verbs there are. Nothing heavy is imported here, so that help comes at once."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal import __version__
from vicinal.cli._terminal.exit_codes import begin, end
from vicinal.cli._terminal.paired_option import PairsCommand
from vicinal.cli._terminal.plain_help import VerbCommand, VerbGroup
from vicinal.cli._terminal.query_command import QueryCommand
from vicinal.cli._verbs.add import add
from vicinal.cli._verbs.check import check
from vicinal.cli._verbs.classify import classify
from vicinal.cli._verbs.clusters import clusters
from vicinal.cli._verbs.compact import compact
from vicinal.cli._verbs.copy import copy
from vicinal.cli._verbs.demo import demo
from vicinal.cli._verbs.duplicates import duplicates
from vicinal.cli._verbs.explain import explain
from vicinal.cli._verbs.export import export
from vicinal.cli._verbs.fit import fit
from vicinal.cli._verbs.index import index
from vicinal.cli._verbs.info import info
from vicinal.cli._verbs.label import label
from vicinal.cli._verbs.map import map
from vicinal.cli._verbs.near import near
from vicinal.cli._verbs.plan import plan
from vicinal.cli._verbs.remove import remove
from vicinal.cli._verbs.repair import repair
from vicinal.cli._verbs.report import report
from vicinal.cli._verbs.search import search
from vicinal.cli._verbs.serve import serve
from vicinal.cli._verbs.show import show
from vicinal.cli._verbs.sync import sync
from vicinal.cli._verbs.update import update
from vicinal.cli._verbs.watch import watch

app = typer.Typer(
    name="vicinal",
    cls=VerbGroup,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_show_locals=False,
    result_callback=end,
)
for verb in (
    plan,
    index,
    add,
    update,
    remove,
    sync,
    watch,
    fit,
    search,
    show,
    near,
    duplicates,
    clusters,
    map,
    serve,
    report,
    label,
    classify,
    explain,
    export,
    copy,
    compact,
    check,
    repair,
    info,
    demo,
):
    app.command(cls=PairsCommand if verb in (clusters, fit) else QueryCommand if verb is search else VerbCommand)(verb)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"vicinal {__version__}")
        raise typer.Exit


@app.callback()
def vicinal(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Search, cluster and classify documents with an index in one file.

    New here? See it at work on documents you already have:

    `vicinal demo`

    Then with documents of your own, in two commands:

    `vicinal index articles/ -o news.vic`

    `vicinal search news.vic "grain exports"`

    Exit codes: 0 success, 1 nothing found, 2 usage error, 3 input data error, 4 damaged index, 130 interrupted, 141 closed pipe,
    143 terminated.
    """
    begin()
