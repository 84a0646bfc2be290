"""``vicinal compact``: give back the room of what was removed from an index."""

from __future__ import annotations

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile


def compact(path: IndexFile, as_json: AsJson = False) -> None:
    """Make the file of an index as small as its contents.

    Removed documents and earlier fits leave room in the file, which later changes use, and in which their text can still be found
    by other programs. This writes the index anew without it, in one change: after a power cut it is as before or as after. Until
    then the disk needs room for a second copy, and nobody else can write.

    **Examples**

    - `vicinal compact news.vic`: after many documents were removed

    Exit codes: 0 success, 2 usage error, 3 the index cannot be written, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.cli._terminal.text import visible

    with reporting_errors("compact"), open_index(path) as index, ProgressDisplay() as display, display.step("compact") as step:
        before, after = index.compact()
        step.outcome = f"{after:,} bytes"
    if as_json:
        print_json({"index": path, "bytes_before": before, "bytes": after})
    else:
        typer.echo(f"{visible(path)} has {after:,} bytes, {max(0, before - after):,} fewer than before.")
