"""``vicinal near``: the nearest neighbours of a document."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, Limit, Where, Why


def near(
    path: IndexFile,
    id: Annotated[str, typer.Argument(metavar="ID", help="Id of a document, as search shows it.", show_default=False)],
    limit: Limit = 10,
    where: Where = None,
    why: Why = False,
    as_json: AsJson = False,
) -> None:
    """Find the nearest neighbours of a document.

    The score is the mean of the similarity of the terms and the similarity of the embeddings; 100% is a duplicate. With --why
    you see the contributions of the terms that both have; "(embedding)" is the contribution of the embeddings.

    **Examples**

    - `vicinal near news.vic articles/wheat.txt`: the ten nearest

    - `vicinal near news.vic "news.csv#7" --limit 3 --why`: the three nearest to a row of a table, with contributions

    Exit codes: 0 success, 1 nothing found, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.arguments import parse_where
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.rendering import hit_facts, hit_lines

    with reporting_errors("near"), open_index(path) as index:
        hits = index.near(id, limit, where=parse_where(where))
        fitted = bool(hits) or index.info().generation > 0
    if as_json:
        print_json({"id": id, "hits": [hit_facts(hit) for hit in hits]})
    else:
        print_lines(hit_lines(hits, why))
    if not hits:
        none = "No neighbour meets the conditions." if where else "The document has no neighbours."
        raise nothing_found(none if fitted else f"The index is not fitted yet, so it has no neighbours. First: vicinal fit {path}")
