"""``vicinal remove``: remove documents from an index."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile


def remove(
    path: IndexFile,
    ids: Annotated[
        list[str],
        typer.Argument(metavar="ID", help="Ids of documents, as search shows them; - is standard input.", show_default=False),
    ],
    as_json: AsJson = False,
) -> None:
    """Remove documents from an index.

    They are removed in one transaction. The model is unchanged until the next `vicinal fit`. Ids that are not in the index are
    ignored. With - ids are read from standard input, one per line.

    **Examples**

    - `vicinal remove news.vic articles/old.txt`: one document

    - `vicinal remove news.vic "news.csv#7" "news.csv#9"`: two rows of a table

    - `vicinal duplicates news.vic --ids | vicinal remove news.vic -`: all duplicates but the first

    Exit codes: 0 success, 1 nothing found, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.text import counted

    with reporting_errors("remove"):
        asked = list(dict.fromkeys(each for id in ids for each in (_ids_of_standard_input() if id == "-" else [id])))
        with open_index(path) as index:
            removed = index.remove(asked)
    if as_json:
        print_json({"index": path, "asked": len(asked), "removed": removed})
    elif removed:
        typer.echo(f"{removed:,} of {counted(len(asked), 'document')} removed.")
    if not removed:
        if not asked:
            raise nothing_found("Standard input has no ids, so nothing was removed.")
        raise nothing_found(f"None of {counted(len(asked), 'id')} is in the index. vicinal search shows the ids of documents.")


def _ids_of_standard_input() -> list[str]:
    """The lines that are not empty: all of them are read before the index is opened for writing."""
    lines = typer.get_text_stream("stdin", errors="surrogateescape").read().split("\n")  # bytes that are no text are no id
    return [each for each in lines if each]
