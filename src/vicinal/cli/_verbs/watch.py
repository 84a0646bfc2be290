"""``vicinal watch``: keep an index in step with files and folders while they change."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, MaxMemory, MaxSeconds, MaxSize, Yes


def watch(
    path: IndexFile,
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files and folders to watch.", show_default=False)],
    every: Annotated[float, typer.Option("--every", min=0.01, metavar="SECONDS", help="Look for changes so often.")] = 2.0,
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, metavar="N", help="Stop after so many rounds.", show_default="until Ctrl-C"),
    ] = None,
    max_size: MaxSize = None,
    max_memory: MaxMemory = None,
    max_seconds: MaxSeconds = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Keep an index in step with files and folders while they change.

    It looks every two seconds and does what `vicinal sync` does when a file has come, changed or gone. Documents that are
    gone are listed and stay, unless --yes is given. Ctrl-C ends it. The model is not fitted again: `vicinal info` says when
    it is time for that.

    **Examples**

    - `vicinal watch news.vic articles/`: until Ctrl-C

    - `vicinal watch news.vic articles/ --every 60 --yes`: once a minute; what is gone is removed

    Exit codes: 0 success, 2 usage error, 3 input data error, 4 damaged index, 130 interrupted.
    """
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.ingest import chosen_limits
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.watching import Watch

    with (
        reporting_errors("watch", "interrupted; all changes that were reported are kept."),
        open_index(path) as index,
    ):
        limits = chosen_limits(max_size, max_memory, max_seconds)
        Watch(index, path, paths, remove=yes, as_json=as_json, limits=limits).run(every, rounds)
