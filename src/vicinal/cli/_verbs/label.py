"""``vicinal label``: give documents labels and fit a classifier."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile
from vicinal.errors import BadLabels, BadParameter, EmptyCorpus


def label(
    path: IndexFile,
    column: Annotated[str | None, typer.Option("--column", metavar="COLUMN", help="Metadata column that holds the labels.")] = None,
    file: Annotated[
        str | None, typer.Option("--file", metavar="FILE", help="Table with the columns id and label, such as labels.csv.")
    ] = None,
    next: Annotated[
        int | None, typer.Option("--next", min=1, metavar="N", help="Label nothing; list the N documents to label next.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Give documents labels and fit a classifier to them.

    Then `vicinal classify` predicts the class of other documents. Labels come from a metadata column or from a file. A few
    labels per class are enough to begin with: documents without a label contribute through the embedding. The
    accuracy is measured by cross-validation over the labelled documents.

    **Examples**

    - `vicinal label news.vic --column section`: every value of a column is a class

    - `vicinal label news.vic --column folder`: the folders of the files are the classes

    - `vicinal label news.vic --file labels.csv`: a table with the columns id and label; an empty label removes one

    - `vicinal label news.vic`: the labels that are in the index, such as those of `vicinal index --label section`

    - `vicinal label news.vic --next 20`: the documents whose labels would teach most, with their text and the class they have now

    Exit codes: 0 success, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal._plural import counted
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.cli._terminal.rendering import label_facts, label_lines

    if sum(each is not None for each in (column, file, next)) > 1:
        raise typer.BadParameter("give one of --column, --file and --next.")
    if next is not None:
        _print_next(path, next, as_json)
        return
    with reporting_errors("label"), open_index(path) as index, ProgressDisplay() as display, display.step("label") as step:
        done = index.label(column=column) if file is None else index.label(_labels(file))
        step.outcome = counted(done.n_labelled, "labelled document")
    if as_json:
        print_json({"index": path, **label_facts(done)})
        return
    for each in label_lines(done):
        typer.echo(each)


def _print_next(path: str, n: int, as_json: bool) -> None:
    """List the documents that are worth a label, and change nothing."""
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.rendering import asked_lines, beginning_facts, prediction_facts

    with reporting_errors("label"), open_index(path) as index, index.snapshot() as snapshot:
        found = snapshot.ask(n)
        documents = [snapshot[each.id] for each in found]
    if as_json:
        facts = [prediction_facts(each) | beginning_facts(document) for each, document in zip(found, documents, strict=True)]
        print_json({"index": path, "documents": facts})
    else:
        print_lines(line for each in zip(found, documents, strict=True) for line in asked_lines(*each))
    if not found:
        raise nothing_found("Every document with known terms has a label.")


def _labels(file: str) -> dict[str, str]:
    """Labels by id, from any table that can be read; rows that cannot be are printed."""
    from vicinal.cli._terminal.ingest import print_skipped
    from vicinal.corpus import read

    reading = read(file, id="id", label="label", text="id")  # a row without a label removes that of its document
    labels = dict[str, str]()
    try:
        for document in reading:
            id = " ".join(document.text.split())  # as it is in the file: a repeated id of a document gets a number
            if labels.setdefault(id, document.label) != document.label:
                labelled = f"{labels[id]!r:.80} and {document.label!r:.80}"
                raise BadLabels(f"{file} gives {id!r:.80} two labels, {labelled}. Leave one row for each id.")
    except BadParameter as error:
        if isinstance(error, BadLabels):
            raise
        what = str(error).partition(": ")[2].partition(". Use one of")[0]
        raise BadParameter(f"{what}. A table of labels has the columns id and label: rename those of yours.") from None
    finally:
        print_skipped(reading)
    if not labels:
        raise EmptyCorpus(f"there is no label in {file}. Name a table with the columns id and label.")
    return labels
