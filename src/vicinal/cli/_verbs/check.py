"""``vicinal check``: is the index what was written?"""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile


def check(
    path: IndexFile,
    quick: Annotated[bool, typer.Option("--quick", help="Look at tables and sizes only, not at every byte.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look for damage in an index: one line for each, with what to do about it.

    Nothing is changed, and others may go on reading.

    **Examples**

    - `vicinal check news.vic`: every byte

    - `vicinal check news.vic --quick`: a look at the outline

    Exit codes: 0 the index is sound, 2 the command was not understood, 3 it could not be checked, 4 there is damage.
    """
    from vicinal.cli._terminal.exit_codes import DAMAGED, plainly
    from vicinal.cli._terminal.open_index import require
    from vicinal.cli._terminal.output import say_json
    from vicinal.cli._terminal.progress_display import Stages
    from vicinal.cli._terminal.text import counted, visible

    with plainly("check"), Stages() as stages, stages.measure("check") as stage:
        require(path)
        from vicinal.index import check as damages

        found = damages(path, 1 if quick else 2)
        stage.outcome = f"{counted(len(found), 'damage')} found" if found else "sound"
    if as_json:
        say_json({"index": path, "level": 1 if quick else 2, "damages": [vars(each) for each in found]})
    else:
        for each in found:
            typer.echo(visible(str(each)))
        if not found:
            typer.echo(f"{visible(path)} is sound.")
    if found:
        raise typer.Exit(DAMAGED)
