"""``vicinal near``: the neighbours of a document."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile, Limit, Where, Why


def near(
    path: IndexFile,
    id: Annotated[str, typer.Argument(metavar="ID", help="The name of a document, as search shows it.", show_default=False)],
    limit: Limit = 10,
    where: Where = None,
    why: Why = False,
    as_json: AsJson = False,
) -> None:
    """Find the documents nearest to one, by their words and by their places in equal parts.

    A score of 1 is a copy. With --why you see the words that both have, and "(embedding)" for their places.

    **Examples**

    - `vicinal near news.vic articles/wheat.txt`: the ten nearest

    - `vicinal near news.vic "news.csv#7" --limit 3 --why`: the three nearest to a row of a table, with reasons

    Exit codes: 0 found, 1 nothing found, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.exit_codes import nothing, plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.options import parse_where
    from vicinal.cli._terminal.output import say_json, say_lines

    tests = parse_where(where)
    with plainly("near"), opened(path) as index:
        hits = index.near(id, limit, where=tests)
        learnt = bool(hits) or index.info().generation > 0
    from vicinal.cli._terminal.results import hit_facts, hit_lines

    if as_json:
        say_json({"id": id, "hits": [hit_facts(hit) for hit in hits]})
    else:
        say_lines(hit_lines(hits, why))
    if not hits:
        alone = "Nothing that passes the tests is near it." if tests else "Nothing is near it."
        raise nothing(alone if learnt else f"Nothing is learnt yet, so nothing is near. First: vicinal fit {path}")
