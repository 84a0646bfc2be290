"""``vicinal export``: write documents, embeddings, the layout or the projection to a file."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, Yes

if TYPE_CHECKING:
    from vicinal.index import Index


class What(StrEnum):
    """What is exported."""

    documents = "documents"
    embeddings = "embeddings"
    layout = "layout"
    projection = "projection"


def export(
    path: IndexFile,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="File to write; its suffix chooses the format.", show_default=False),
    ],
    what: Annotated[What, typer.Option("--what", help="What to export.")] = What.documents,
    raw: Annotated[bool, typer.Option("--raw", help="Leave cells of csv and tsv unchanged, formulas too.")] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Write documents, embeddings, the layout or the projection to a file.

    Documents, with cluster, label and metadata: csv, tsv, jsonl or parquet. Embeddings, one vector per document: parquet
    (lists of one size) or npz. The layout, a point of the map per document: csv, tsv, parquet or npz. The projection, the
    matrix that maps terms to components: npz or safetensors. A cell of csv or tsv that a spreadsheet would take for a formula
    begins with an apostrophe, unless --raw is given. Before an existing file is replaced you are asked; without a terminal it
    is left alone, unless --yes is given. It is replaced only when the new one is complete.

    **Examples**

    - `vicinal export news.vic -o news.csv`: a table for a spreadsheet

    - `vicinal export news.vic -o embeddings.parquet --what embeddings`: a vector for each document

    - `vicinal export news.vic -o layout.csv --what layout`: where each document is on the map

    - `vicinal export news.vic -o projection.safetensors --what projection`: the weight of each term in each component

    Exit codes: 0 success, 2 usage error, 3 input data error or the file cannot be written, 4 damaged index.
    """
    from vicinal._plural import counted
    from vicinal.cli._terminal.confirm import ask_before_replacing
    from vicinal.cli._terminal.exit_codes import print_to_stderr, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.cli._terminal.text import visible

    with reporting_errors("export"), open_index(path) as index:
        if not yes:
            ask_before_replacing(output)
        with ProgressDisplay() as display, display.step("export") as step:
            rows = index.export(output, what.value, raw=raw)
            step.outcome = counted(rows, "row")
        notes = _notes(index, what.value, rows)
    for note in notes:
        print_to_stderr(f"note: {note}")
    if as_json:
        print_json({"index": path, "what": what.value, "output": output, "rows": rows, "notes": notes})
    else:
        typer.echo(f"{counted(rows, 'row')} written to {visible(output)}.")


def _notes(index: Index, what: str, rows: int) -> list[str]:
    """Why a projection has fewer terms than `vicinal info` counts, where it has."""
    terms = index.info().n_terms if what == "projection" else rows
    if terms == rows:
        return []
    return [
        f"{rows:,} of the {terms:,} terms of the index have weights; terms of one document, and those of more than half of the "
        "documents, are searched for and do not count in the embedding"
    ]
