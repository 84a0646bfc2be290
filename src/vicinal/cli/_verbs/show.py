"""``vicinal show``: one document of an index."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile


def show(
    path: IndexFile,
    id: Annotated[
        str,
        typer.Argument(metavar="ID", help="Id of a document, the end of one, or the path of its file.", show_default=False),
    ],
    query: Annotated[str, typer.Option("--query", metavar="WORDS", help="Put these words in brackets.", show_default=False)] = "",
    as_json: AsJson = False,
) -> None:
    """Show a document: its text, metadata, label and cluster.

    The end of an id is enough where no other document has it: `wheat.txt` for `articles/grain/wheat.txt`. The path of a file
    on the disk stands for the document that was read from it.

    **Examples**

    - `vicinal show news.vic articles/grain/wheat.txt`: by its id

    - `vicinal show news.vic wheat.txt --query "grain exports"`: by the end of it, with words marked

    Exit codes: 0 success, 2 usage error or no such document, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_facts, print_json
    from vicinal.cli._terminal.rendering import shown_rows
    from vicinal.cli._terminal.text import visible

    with reporting_errors("show"), open_index(path) as index:
        found = index.show(id, query)
    if as_json:
        print_json({"index": path, **vars(found)})
        return
    print_facts(shown_rows(found))
    typer.echo("")
    for line in found.marked.splitlines():
        typer.echo(visible(line))
