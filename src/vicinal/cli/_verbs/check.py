"""``vicinal check``: look for damage in an index."""

from __future__ import annotations

from dataclasses import replace
from shlex import quote
from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile


def check(
    path: IndexFile,
    quick: Annotated[bool, typer.Option("--quick", help="Check tables and sizes only, not every byte.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look for damage in an index.

    Each damage is one line, with what to do about it. Nothing is changed, and others may go on reading.

    **Examples**

    - `vicinal check news.vic`: every byte

    - `vicinal check news.vic --quick`: tables and sizes

    Exit codes: 0 no damage, 2 usage error, 3 the index cannot be read, 4 damaged index.
    """
    from vicinal._plural import counted
    from vicinal.cli._terminal.exit_codes import DAMAGED, reporting_errors
    from vicinal.cli._terminal.open_index import require_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.cli._terminal.text import visible

    with reporting_errors("check"), ProgressDisplay() as display, display.step("check") as step:
        require_index(path)
        from vicinal.index import check as damages

        found = [replace(each, do=each.do.replace("INDEX", quote(path))) for each in damages(path, 1 if quick else 2)]
        step.outcome = f"{counted(len(found), 'damage')} found" if found else "no damage"
    if as_json:
        print_json({"index": path, "level": 1 if quick else 2, "damages": [vars(each) for each in found]})
    else:
        for each in found:
            typer.echo(visible(str(each)))
        if not found:
            typer.echo(f"{visible(path)}: no damage found.")
    if found:
        raise typer.Exit(DAMAGED)
