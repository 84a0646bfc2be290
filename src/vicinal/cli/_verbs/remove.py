"""``vicinal remove``: remove documents from an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, Where

if TYPE_CHECKING:
    from vicinal.index import Matched


def remove(
    path: IndexFile,
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID", help="Ids of documents, as search shows them, or patterns; - is standard input.", show_default=False
        ),
    ] = None,
    where: Where = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List the ids, and remove nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove documents from an index.

    They are removed in one transaction. The model is unchanged until the next `vicinal fit`. The end of an id that one document
    alone has, or the path of its file, stands for the id. Ids that are not in the index are ignored. In a pattern, `*` stands
    for anything, `?` for one character and `[ab]` for one of these; where no whole id has a pattern, the part of an id behind a
    slash may. An id that the index has exactly as written is that document. With --where, documents must also meet the
    conditions. With - ids are read from standard input, one per line.

    **Examples**

    - `vicinal remove news.vic articles/old.txt`: one document

    - `vicinal remove news.vic "news.csv#7" "articles/2019/*"`: a row of a table, and all of a folder

    - `vicinal remove news.vic "sport/*" --dry-run`: which documents a pattern means

    - `vicinal remove news.vic --where "year<1998" --dry-run`: which documents are that old

    - `vicinal duplicates news.vic --ids | vicinal remove news.vic -`: all duplicates but the first

    Exit codes: 0 success, 1 nothing found, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.arguments import parse_where
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.open_index import open_index

    if not ids and not where:
        raise typer.BadParameter("give ids or patterns of documents, or conditions with --where.")
    conditions = parse_where(where) if where else ()
    with reporting_errors("remove"):
        asked = list(dict.fromkeys(each for id in ids or () for each in (_ids_of_standard_input() if id == "-" else [id])))
        with open_index(path) as index:
            matched = index.matching(asked, where=conditions if asked or not ids else ())
            _print_meant(matched)
            removed = 0 if dry_run else index.remove(matched.ids)
    _print(path, asked, matched.ids, removed, dry_run, as_json)
    if not matched.ids:
        if ids and not asked:
            raise nothing_found("Standard input has no ids, so nothing was removed.")
        if conditions:
            raise nothing_found("No document meets the conditions, so nothing was removed.")
        raise nothing_found(f"{_none_of(asked)} in the index. {_advice(matched)}")


def _print_meant(matched: Matched) -> None:
    """Print on standard error which ids the ends of ids, and paths of files, stand for."""
    from vicinal.cli._terminal.exit_codes import print_to_stderr
    from vicinal.cli._terminal.text import visible

    for name, id in matched.stands_for.items():
        print_to_stderr(f"note: {visible(name)} is {visible(id)}")


def _print(path: str, asked: Sequence[str], found: Sequence[str], removed: int, dry_run: bool, as_json: bool) -> None:
    from vicinal._plural import counted
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.text import visible

    if as_json:
        print_json({"index": path, "asked": len(asked), "found": list(found), "removed": removed})
    elif dry_run:
        for id in found:
            typer.echo(visible(id))
    elif removed:
        exact = set(found) <= set(asked)
        of = f" of {counted(len(asked), 'document')}" if exact else f" {'document' if removed == 1 else 'documents'}"
        typer.echo(f"{removed:,}{of} removed.")


def _advice(matched: Matched) -> str:
    from vicinal.cli._terminal.text import visible

    near = " or ".join(map(visible, matched.suggestions))
    return f"Did you mean {near}?" if near else "vicinal search shows the ids of documents."


def _none_of(asked: Sequence[str]) -> str:
    from vicinal.cli._terminal.text import visible

    return f"{visible(repr(asked[0]))} names no document that is" if len(asked) == 1 else f"None of {len(asked):,} ids is"


def _ids_of_standard_input() -> list[str]:
    """The lines that are not empty: all of them are read before the index is opened for writing."""
    lines = typer.get_text_stream("stdin", errors="surrogateescape").read().split("\n")  # bytes that are no text are no id
    return [each for each in lines if each]
