"""``vicinal remove``: take documents out of an index."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile


def remove(
    path: IndexFile,
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID", help="Names of documents, as search shows them; - is standard input, one name a line.", show_default=False
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Take documents out of an index, all together.

    What was learnt from them stays until the next `vicinal fit`. Names that are not there are passed over.

    **Examples**

    - `vicinal remove news.vic articles/old.txt`: one document

    - `vicinal remove news.vic "news.csv#7" "news.csv#9"`: two rows of a table

    - `vicinal duplicates news.vic --names | vicinal remove news.vic -`: all copies but the first

    Exit codes: 0 done, 1 none of them was there, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.exit_codes import nothing, plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json
    from vicinal.cli._terminal.text import counted

    with plainly("remove"):
        asked = list(dict.fromkeys(name for id in ids for name in (_names() if id == "-" else [id])))
        with opened(path) as index:
            removed = index.remove(asked)
    if as_json:
        say_json({"index": path, "asked": len(asked), "removed": removed})
    elif removed:
        typer.echo(f"{removed:,} of {counted(len(asked), 'document')} removed.")
    if not removed:
        if not asked:
            raise nothing("No names came in on standard input, so nothing was removed.")
        raise nothing(f"None of {counted(len(asked), 'document')} was there. vicinal search shows how they are called.")


def _names() -> list[str]:
    """The lines of standard input that say something: all of them, before the index is held for writing."""
    lines = typer.get_text_stream("stdin", errors="surrogateescape").read().split("\n")  # what is no text is no name
    return [each for each in lines if each]
