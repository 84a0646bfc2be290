"""``vicinal export``: out again, for other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile


def export(
    path: IndexFile,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Its suffix chooses the format.", show_default=False)
    ],
    what: Annotated[str, typer.Option("--what", metavar="WHAT", help="documents, embeddings or projection.")] = "documents",
    raw: Annotated[bool, typer.Option("--raw", help="Leave cells of csv and tsv as they are, formulas too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write documents, embeddings or the projection to a file for other programs.

    Documents, with their clusters, labels and metadata: csv, tsv, jsonl or parquet. Vectors: parquet (lists of one size) or npz.
    The map, from words to dimensions: npz or safetensors. A cell of csv or tsv that a spreadsheet would take for a formula begins
    with an apostrophe, unless --raw is given. A file that is there is replaced when the new one is whole.

    **Examples**

    - `vicinal export news.vic -o news.csv`: a table for a spreadsheet

    - `vicinal export news.vic -o embeddings.parquet --what embeddings`: a vector for each document

    - `vicinal export news.vic -o projection.safetensors --what projection`: what each word adds to each dimension

    Exit codes: 0 done, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.exit_codes import plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json
    from vicinal.cli._terminal.progress_display import Stages
    from vicinal.cli._terminal.text import counted, visible

    with plainly("export"), opened(path) as index, Stages() as stages, stages.measure("export") as stage:
        rows = index.export(output, what, raw=raw)
        stage.outcome = counted(rows, "row")
    if as_json:
        say_json({"index": path, "what": what, "output": output, "rows": rows})
    else:
        typer.echo(f"{counted(rows, 'row')} written to {visible(output)}.")
