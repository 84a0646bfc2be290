"""``vicinal search``: search an index."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, Limit, Where, Why


class By(StrEnum):
    """What documents are compared by."""

    both = "both"
    terms = "terms"
    embedding = "embedding"


def search(
    path: IndexFile,
    words: Annotated[list[str], typer.Argument(metavar="QUERY", help="Query in plain words.", show_default=False)],
    limit: Limit = 10,
    by: Annotated[By, typer.Option(help="Compare the terms of the query, its embedding, or both.")] = By.both,
    where: Where = None,
    why: Why = False,
    as_json: AsJson = False,
) -> None:
    """Find documents for a query in plain words.

    Each is shown with its score, its id, its cluster and a passage that has the terms of the query. With --why you see the
    contribution of each term: the contributions add up to the score.

    A condition of --where compares a number with numbers and text with text; put quotes around digits that are text:
    'zip="10115"'.

    **Examples**

    - `vicinal search news.vic "grain exports"`: the ten best

    - `vicinal search news.vic "grain exports" --where "year>=1998" --why`: recent ones, with contributions

    - `vicinal search news.vic "grain exports" --by terms --json`: by terms alone, for a program

    Exit codes: 0 success, 1 nothing found, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.arguments import parse_where
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.rendering import hit_facts, hit_lines

    query, conditions = " ".join(words), parse_where(where)
    with reporting_errors("search"), open_index(path) as index:
        hits = index.search(query, limit, by=by.value, where=conditions)
    if as_json:
        print_json({"query": query, "by": by.value, "hits": [hit_facts(hit) for hit in hits]})
    else:
        print_lines(hit_lines(hits, why))
    if not hits:
        raise nothing_found("Nothing found. Try other words" + (", or fewer conditions." if conditions else "."))
