"""``vicinal duplicates``: documents that say the same, or nearly."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile

if TYPE_CHECKING:
    from vicinal.index import DuplicateGroup

HEADS, WIDTHS = ("group", "alike"), (6, 5)
KEPT = "keep"
#: Share of the rest of a line that names get.
NAMES = 0.45


def duplicates(
    path: IndexFile,
    least: Annotated[float, typer.Option(help="How alike documents must be: 1 is the same words, 0.7 about seven of ten.")] = 0.9,
    limit: Annotated[int | None, typer.Option(min=1, help="How many groups to show at most.", show_default="all")] = None,
    names: Annotated[bool, typer.Option("--names", help="Only the names of the others, one a line, for vicinal remove.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find documents that say the same, or nearly: groups of copies, largest first.

    Of each group the document that was added first is the one to keep. "Alike" is the cosine of the words of each with that one; 1
    is the same text or the same words. The copy of a copy belongs to the group too, even if it is less alike to the one to keep;
    --names leaves it out. Before the first fit only texts that are the same are found.

    Documents that are nearly the same may still be two, such as both parts of a report: look before you remove.

    **Examples**

    - `vicinal duplicates news.vic`: all groups

    - `vicinal duplicates news.vic --least 0.7 --limit 10`: looser, the ten largest groups

    - `vicinal duplicates news.vic --names | vicinal remove news.vic -`: keep the first of each group

    Exit codes: 0 found, 1 there are none, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.exit_codes import plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.progress_display import patiently

    if names and as_json:
        raise typer.BadParameter("it gives plain names and no JSON: leave out one of the two.", param_hint="--names")
    with plainly("duplicates"), opened(path) as index, patiently("compare: looking for documents that say the same ..."):
        found = index.duplicates(least, limit)
        learnt = index.info().generation > 0
    _say(found, least, names, as_json)
    _say_what_is_missing(path, bool(found), learnt, least)


def _say(found: Sequence[DuplicateGroup], least: float, names: bool, as_json: bool) -> None:
    from vicinal.cli._terminal.output import say_json, say_lines
    from vicinal.cli._terminal.results import duplicate_facts, duplicate_lines

    if as_json:
        say_json({"least": least, "groups": [duplicate_facts(each) for each in found]})
    elif names:
        _say_names([id for each in found for id in each.removable])
    elif found:
        say_lines(duplicate_lines(found))


def _say_what_is_missing(path: str, found: bool, learnt: bool, least: float) -> None:
    from vicinal.cli._terminal.exit_codes import line, nothing

    fit = f"Nothing is learnt yet, so words were not compared. For nearly the same text: vicinal fit {path}"
    if not found:
        raise nothing(f"No two documents are alike by {least:g} or more." if learnt else f"No two texts are the same. {fit}")
    if not learnt:
        line(f"note: only texts that are the same were found. {fit}")


def _say_names(ids: Sequence[str]) -> None:
    """As they are for a program, and on a terminal only what can be seen; a name of several lines would be taken for several."""
    from vicinal.cli._terminal.exit_codes import line
    from vicinal.cli._terminal.text import visible

    shown = sys.stdout.isatty()
    for id in ids:
        if "\n" in id or "\r" in id:
            line(f"skipped: the name {id!r} has a line break, and a name here is one line. Use --json for it.")
        else:
            sys.stdout.write(f"{visible(id) if shown else id}\n")  # typer's echo would take escapes out of a name
