"""``vicinal update``: replace documents of an index by what their files hold now."""

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
)


def update(
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
    as_json: AsJson = False,
) -> None:
    """Replace documents of an index by what their files hold now; none is added.

    A document is the one that came from the same file and row, or that has the same id. Files that the index does not have
    are counted and left out: `vicinal add` adds them, and `vicinal sync` keeps an index in step with a folder.

    **Examples**

    - `vicinal update news.vic articles/wheat.txt`: one file, after it was corrected

    - `vicinal update news.vic corrections.csv --text body --id number`: the rows whose ids are in the index

    Exit codes: 0 success, 1 none of the documents is in the index, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import KEPT, nothing_found, reporting_errors
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
    with reporting_errors("update", KEPT), open_index(path) as index:
        with ProgressDisplay() as display:
            ingest = Ingest(paths, columns, display, recorded=index._recorded(), limits=limits)
            done = ingest.update(index)
        if as_json:
            print_json({"index": path, **vars(done), **ingest.facts()})
        else:
            typer.echo(f"{visible(path)}: {added_line(done)}")
    if not done.changed and not done.unchanged:
        raise nothing_found("None of these documents is in the index. vicinal add adds them.")
