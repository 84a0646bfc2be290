"""``vicinal classify``: predict the class of documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, MaxMemory, MaxSeconds, MaxSize, Why

if TYPE_CHECKING:
    from vicinal.corpus import Limits, Reading
    from vicinal.index import Index, Prediction


def classify(
    path: IndexFile,
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Files and folders to classify; - is standard input.", show_default=False),
    ] = None,
    id: Annotated[list[str] | None, typer.Option("--id", metavar="ID", help="Document of the index; repeat for more.")] = None,
    max_size: MaxSize = None,
    max_memory: MaxMemory = None,
    max_seconds: MaxSeconds = None,
    why: Why = False,
    as_json: AsJson = False,
) -> None:
    """Predict the class of documents.

    Each document is shown with its most probable class and, with --why, the terms that decided. The classes are the labels
    given with `vicinal label`. Files are classified and not added to the index. Files that cannot be read are named, and
    counted with those that can.

    **Examples**

    - `vicinal classify news.vic inbox/`: every file of a folder

    - `vicinal classify news.vic --id articles/wheat.txt --why`: a document of the index, with the terms that decided

    - `echo "grain exports fell" | vicinal classify news.vic -`: a line of standard input

    Exit codes: 0 success, 1 no documents to classify, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.ingest import chosen_limits, reading_facts
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.rendering import prediction_facts, prediction_lines

    if not sources and not id:
        raise typer.BadParameter("give files to classify, or --id of documents in the index.")
    with reporting_errors("classify"), open_index(path) as index:
        of_files, reading = _of_files(index, sources or (), chosen_limits(max_size, max_memory, max_seconds))
        found = [*of_files, *index.classify(ids=id or ())]
    if as_json:
        print_json({"index": path, "documents": [prediction_facts(each) for each in found], **reading_facts(reading)})
    else:
        print_lines(line for each in found for line in prediction_lines(each, why))
    if not found:
        raise nothing_found("There are no documents to classify.")


def _of_files(index: Index, sources: Sequence[str], limits: Limits) -> tuple[list[Prediction], Reading | None]:
    """The classes of files, and their reading; what was skipped is printed."""
    from dataclasses import replace

    from vicinal.cli._terminal.ingest import print_reading
    from vicinal.corpus import read

    if not sources:
        return [], None
    reading = read(*sources, limits=limits)
    try:
        documents = list(reading)
    finally:
        print_reading(reading)
    found = index.classify(each.full_text for each in documents)
    return [replace(prediction, id=document.id) for prediction, document in zip(found, documents, strict=True)], reading
