"""``vicinal label``: teach an index categories."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile
from vicinal.errors import EmptyCorpus


def label(
    path: IndexFile,
    column: Annotated[str | None, typer.Option("--column", metavar="COLUMN", help="Metadata column that holds the labels.")] = None,
    file: Annotated[
        str | None, typer.Option("--file", metavar="FILE", help="Table with the columns id and label, such as labels.csv.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Give documents labels and learn from them, so that others can be sorted with `vicinal classify`.

    Labels come from a metadata column or from a file. A few of each class are enough to begin with: documents without a label
    teach too, by who is near whom. How often the rule is right is measured on labelled documents that are held back.

    **Examples**

    - `vicinal label news.vic --column section`: every value of a column is a class

    - `vicinal label news.vic --column folder`: the folders that the files lie in are classes

    - `vicinal label news.vic --file labels.csv`: a table with the columns id and label; an empty label takes one away

    - `vicinal label news.vic`: the labels that are there, such as those of `vicinal index --label section`

    Exit codes: 0 done, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.exit_codes import plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json
    from vicinal.cli._terminal.progress_display import Stages
    from vicinal.cli._terminal.text import counted, visible

    if column is not None and file is not None:
        raise typer.BadParameter("give either --column or --file.")
    with plainly("label"), opened(path) as index, Stages() as stages, stages.measure("label") as stage:
        done = index.label(column=column) if file is None else index.label(_labels(file))
        stage.outcome = f"{counted(done.n_labelled, 'document')} labelled"
    if as_json:
        say_json({"index": path, "n_labelled": done.n_labelled, "classes": dict(done.classes), "accuracy": done.accuracy})
        return
    for name, size in done.classes:
        typer.echo(f"{size:>8,}  {visible(name)}")
    if len(done.classes) == 1:
        typer.echo(f"{counted(done.n_labelled, 'document')} in one class. Label documents of another class too.")
        return
    right = "too few to hold any back" if done.accuracy is None else f"{done.accuracy:.1%} right on those held back"
    typer.echo(f"{counted(done.n_labelled, 'document')} in {len(done.classes)} classes, {right}.")


def _labels(file: str) -> dict[str, str]:
    """Labels by id, from any table that can be read; rows that cannot be are told."""
    from vicinal.cli._terminal.ingest import say_skipped
    from vicinal.corpus import read

    reading = read(file, id="id", label="label", text="id")  # a row without a label says that none is known
    try:
        labels = {document.id: document.label for document in reading}
    finally:
        say_skipped(reading)
    if not labels:
        raise EmptyCorpus(f"there is no label in {file}. Name a table with the columns id and label.")
    return labels
