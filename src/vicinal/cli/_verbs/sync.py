"""``vicinal sync``: keep an index in step with files and folders."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import (
    AsJson,
    Encoding,
    IdColumn,
    IndexFile,
    LabelColumn,
    MaxMemory,
    MaxSeconds,
    MaxSize,
    MetadataColumns,
    Query,
    SplitBy,
    TextColumn,
    TitleColumn,
    Yes,
)


def sync(
    path: IndexFile,
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files and folders to be in step with.", show_default=False)],
    text: TextColumn = None,
    title: TitleColumn = None,
    id: IdColumn = None,
    label: LabelColumn = None,
    metadata: MetadataColumns = None,
    encoding: Encoding = None,
    split: SplitBy = None,
    query: Query = None,
    max_size: MaxSize = None,
    max_memory: MaxMemory = None,
    max_seconds: MaxSeconds = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Bring an index in step with files and folders.

    New documents are added and changed ones replaced, by their content. A file that was moved or renamed keeps its labels,
    its cluster and its embedding, and so do those of a folder that was moved, or copied to another computer together with
    the index. Documents that are gone are listed, and removed with --yes or when you say so; without a
    terminal to ask they stay. Documents whose file is there and cannot be read stay too.

    Columns, encoding and parts are those with which the files were added, unless others are given.

    **Examples**

    - `vicinal sync news.vic articles/`: a folder, asking before documents are removed

    - `vicinal sync news.vic articles/ --yes --json`: without asking, for a program

    Exit codes: 0 success, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import KEPT, reporting_errors
    from vicinal.cli._terminal.ingest import Columns, chosen_limits
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.rendering import synced_line
    from vicinal.cli._terminal.syncing import ask_to_remove, bring_in_step, synced_facts
    from vicinal.cli._terminal.text import visible

    columns = Columns(
        text=text, title=title, id=id, label=label, metadata=metadata or None, encoding=encoding, split=split, query=query
    )
    with reporting_errors("sync", KEPT), open_index(path) as index:
        done, facts = bring_in_step(index, paths, columns, remove=yes, limits=chosen_limits(max_size, max_memory, max_seconds))
        done = ask_to_remove(index, done, ask=not as_json)
    if as_json:
        print_json({"index": path, **synced_facts(done), **facts})
    else:
        typer.echo(f"{visible(path)}: {synced_line(done)}")
