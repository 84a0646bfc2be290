"""``vicinal export``: write documents, embeddings or the projection to a file."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, Yes
from vicinal.errors import BadParameter


class What(StrEnum):
    """What is exported."""

    documents = "documents"
    embeddings = "embeddings"
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
    """Write documents, embeddings or the projection to a file.

    Documents, with cluster, label and metadata: csv, tsv, jsonl or parquet. Embeddings, one vector per document: parquet
    (lists of one size) or npz. The projection, the matrix that maps terms to components: npz or safetensors. A cell of csv
    or tsv that a spreadsheet would take for a formula begins with an apostrophe, unless --raw is given. Before an
    existing file is replaced you are asked; without a terminal it is left alone, unless --yes is given. It is replaced only
    when the new one is complete.

    **Examples**

    - `vicinal export news.vic -o news.csv`: a table for a spreadsheet

    - `vicinal export news.vic -o embeddings.parquet --what embeddings`: a vector for each document

    - `vicinal export news.vic -o projection.safetensors --what projection`: the weight of each term in each component

    Exit codes: 0 success, 2 usage error, 3 input data error or the file cannot be written, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.cli._terminal.text import counted, visible

    with reporting_errors("export"), open_index(path) as index:
        if not yes:
            _ask(output)
        with ProgressDisplay() as display, display.step("export") as step:
            rows = index.export(output, what.value, raw=raw)
            step.outcome = counted(rows, "row")
    if as_json:
        print_json({"index": path, "what": what.value, "output": output, "rows": rows})
    else:
        typer.echo(f"{counted(rows, 'row')} written to {visible(output)}.")


def _ask(output: str) -> None:
    """Ask before a file is replaced; where nobody can be asked it stays."""
    from vicinal._sqlite_files import belongs_to_sqlite
    from vicinal.cli._terminal import syncing

    if not os.path.lexists(output) or belongs_to_sqlite(Path(output)):  # the second is refused in any case
        return
    if syncing.on_terminal():
        typer.confirm(f"{output} is there already. Replace it?", abort=True, err=True)
        return
    raise BadParameter(f"{output} is there already, and would be replaced. Use another name, or --yes.")
