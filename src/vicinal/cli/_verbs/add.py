"""``vicinal add``: add documents to an index."""

from __future__ import annotations

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
    Sources,
    SplitBy,
    TextColumn,
    TitleColumn,
    Update,
)


def add(
    path: IndexFile,
    paths: Sources,
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
    update: Update = False,
    as_json: AsJson = False,
) -> None:
    """Add documents to an index; they can be found at once.

    A document that is in the index already is left alone, and new content of the same file replaces the old one. A document
    from another source never does: where both have one id, the id of the new one begins with its folder, with a note
    that says so, unless --update is given. Files and folders that were read before are read with the same columns, encoding and
    parts again, unless others are given.

    If the index is fitted, new documents are embedded with its model; `vicinal info` says how they differ from those of the
    fit, and `vicinal fit` fits the model again.

    **Examples**

    - `vicinal add news.vic articles/today/`: the files of a folder

    - `vicinal add news.vic more.csv --text body --id number`: the rows of a table

    - `vicinal add sales.vic feb/export.csv`: beside the rows of jan/export.csv, which are kept

    Exit codes: 0 success, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import KEPT, reporting_errors
    from vicinal.cli._terminal.ingest import Columns, Ingest, chosen_limits
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.cli._terminal.rendering import added_line
    from vicinal.cli._terminal.text import visible

    columns = Columns(
        text=text, title=title, id=id, label=label, metadata=metadata or None, encoding=encoding, split=split, query=query
    )
    limits = chosen_limits(max_size, max_memory, max_seconds)
    with reporting_errors("add", KEPT), open_index(path) as index:
        with ProgressDisplay() as display:
            ingest = Ingest(paths, columns, display, recorded=index._recorded(), limits=limits)
            added = ingest.into(index, update or None)
        if as_json:
            print_json({"index": path, **vars(added), **ingest.facts()})
        else:
            typer.echo(f"{visible(path)}: {added_line(added)}")
