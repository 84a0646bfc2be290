"""``vicinal add``: more documents for an index."""

from __future__ import annotations

import typer

from vicinal.cli._terminal.options import (
    AsJson,
    Encoding,
    IdColumn,
    IndexFile,
    LabelColumn,
    MetadataColumns,
    Sources,
    TextColumn,
    TitleColumn,
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
    as_json: AsJson = False,
) -> None:
    """Add documents to an index; they can be found at once.

    Documents that are there already are left alone, and one whose content is another now is changed. Where something was
    learnt before, new documents get their place by it; `vicinal info` says how well they fit, and `vicinal fit` learns anew.

    **Examples**

    - `vicinal add news.vic articles/today/`: what came in today

    - `vicinal add news.vic more.csv --text body --id number`: the rows of a table

    Exit codes: 0 done, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.exit_codes import KEPT, plainly
    from vicinal.cli._terminal.ingest import Intake
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json
    from vicinal.cli._terminal.progress_display import Stages
    from vicinal.cli._terminal.results import added_sentence
    from vicinal.cli._terminal.text import visible

    columns = {"text": text, "title": title, "id": id, "label": label, "metadata": metadata or None, "encoding": encoding}
    with plainly("add", KEPT), opened(path) as index:
        intake = Intake(paths, **columns)
        with Stages() as stages:
            added = intake.into(index, stages)
        if as_json:
            say_json({"index": path, **vars(added), **intake.facts()})
        else:
            typer.echo(f"{visible(path)}: {added_sentence(added)}")
