"""``vicinal copy``: copy an index while it is in use."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile


def copy(
    path: IndexFile,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The copy; nothing may be there yet.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Copy an index to a new file, also while it is being read or written.

    The copy is one state of the index, with every change that was acknowledged. A copy by the operating system is not, while
    another program writes: the last changes are in the journal beside the file (INDEX-wal) until they are copied into it.

    **Examples**

    - `vicinal copy news.vic backup/news.vic`: a copy of the whole index

    Exit codes: 0 success, 2 usage error, 3 the copy cannot be written, 4 damaged index.
    """
    from vicinal._plural import counted
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.cli._terminal.text import visible

    with reporting_errors("copy"), open_index(path) as index, ProgressDisplay() as display, display.step("copy") as step:
        documents = index.copy(new)
        step.outcome = counted(documents, "document")
    if as_json:
        print_json({"index": path, "copy": new, "documents": documents})
    else:
        typer.echo(f"{counted(documents, 'document')} copied to {visible(new)}.")
