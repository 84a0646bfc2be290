"""``vicinal classify``: sort documents into the categories that labels have taught."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile, Why

if TYPE_CHECKING:
    from vicinal.index import Prediction

MOST_WORDS = 6
#: Other classes that are less likely are not worth a word.
LEAST = 0.005


def classify(
    path: IndexFile,
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Files and folders to sort; - is standard input.", show_default=False),
    ] = None,
    id: Annotated[list[str] | None, typer.Option("--id", metavar="ID", help="A document of the index; repeat for more.")] = None,
    why: Why = False,
    as_json: AsJson = False,
) -> None:
    """Say which class documents belong to, how likely that is, and which words decided.

    The classes are those of `vicinal label`. What is read from files is sorted and not added to the index.

    **Examples**

    - `vicinal classify news.vic inbox/`: every file of a folder

    - `vicinal classify news.vic --id articles/wheat.txt --why`: a document of the index, with reasons

    - `echo "grain exports fell" | vicinal classify news.vic -`: a line of standard input

    Exit codes: 0 done, 1 there was nothing to sort, 2 the command was not understood, 3 the data would not do, 4 the index is
    damaged.
    """
    from vicinal.cli._terminal.exit_codes import nothing, plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json, say_lines
    from vicinal.cli._terminal.results import category_facts, category_lines

    if not sources and not id:
        raise typer.BadParameter("give files to sort, or --id of documents in the index.")
    with plainly("classify"), opened(path) as index:
        found = [*_of_files(index, sources or ()), *index.classify(ids=id or ())]
    if as_json:
        say_json({"index": path, "documents": [category_facts(each) for each in found]})
    else:
        say_lines(line for each in found for line in category_lines(each, why))
    if not found:
        raise nothing("There was nothing to sort.")


def _of_files(index: Any, sources: Any) -> list[Prediction]:
    from dataclasses import replace

    from vicinal.corpus import read

    if not sources:
        return []
    documents = list(read(*sources))
    found = index.classify(each.full_text for each in documents)
    return [replace(category, id=document.id) for category, document in zip(found, documents, strict=True)]
