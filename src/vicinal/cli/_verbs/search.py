"""``vicinal search``: ask an index."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile, Limit, Where, Why


class By(StrEnum):
    """What a search goes by."""

    both = "both"
    terms = "terms"
    embedding = "embedding"


def search(
    path: IndexFile,
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="A question in plain words.", show_default=False)],
    limit: Limit = 10,
    by: Annotated[By, typer.Option(help="The words themselves, what they point at, or both.")] = By.both,
    where: Where = None,
    why: Why = False,
    as_json: AsJson = False,
) -> None:
    """Find documents by a question in plain words.

    Each is shown with its score, its name, and where the words stand in it. With --why you see what each word added: the
    parts add up to the score.

    A test of --where compares a number with numbers and text with text; put quotes around digits that are text: 'zip="10115"'.

    **Examples**

    - `vicinal search news.vic "grain exports"`: the ten best

    - `vicinal search news.vic "grain exports" --where "year>=1998" --why`: late ones, with reasons

    - `vicinal search news.vic "grain exports" --by terms --json`: by the words alone, for a program

    Exit codes: 0 found, 1 nothing found, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.exit_codes import nothing, plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.options import parse_where
    from vicinal.cli._terminal.output import say_json, say_lines

    question, tests = " ".join(words), parse_where(where)
    with plainly("search"), opened(path) as index:
        hits = index.search(question, limit, by=by.value, where=tests)
    from vicinal.cli._terminal.results import hit_facts, hit_lines

    if as_json:
        say_json({"question": question, "by": by.value, "hits": [hit_facts(hit) for hit in hits]})
    else:
        say_lines(hit_lines(hits, why))
    if not hits:
        raise nothing("Nothing found. Say it in other words" + (", or with fewer tests." if tests else "."))
