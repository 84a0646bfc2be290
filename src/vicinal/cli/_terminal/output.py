"""Standard output: JSON for programs, lines for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import typer
from rich.console import Console, RenderableType

from vicinal.cli._terminal.text import visible

#: Longer lines are hard to read, however wide the window.
WIDEST = 120


def console(*, stderr: bool = False) -> Console:
    """Return a console that interprets nothing: no markup, no emoji names, no colouring of what looks like a number."""
    made = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if made.width > WIDEST:
        made.width = WIDEST
    return made


@contextmanager
def without_trailing_spaces(screen: Console) -> Iterator[None]:
    """Leave out the blanks that fill a screen's lines when what is printed goes to a file."""
    if screen.is_terminal:
        yield
        return
    with screen.capture() as captured:
        yield
    screen.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def print_json(facts: object) -> None:
    """Print facts as JSON, in ASCII, so that no character in them can move the cursor."""
    typer.echo(json.dumps(facts, indent=2, allow_nan=False, default=dict))


def print_ids(ids: Iterable[str]) -> None:
    """Print ids, unchanged for a program and escaped on a terminal; an id of several lines would be read as several ids."""
    from vicinal.cli._terminal.exit_codes import print_to_stderr

    on_terminal = sys.stdout.isatty()
    for id in ids:
        if "\n" in id or "\r" in id:
            print_to_stderr(f"skipped: the id {id!r} has a line break, and ids are one per line here. Use --json for it.")
        else:
            sys.stdout.write(f"{visible(id) if on_terminal else id}\n")  # typer's echo would take escapes out of an id


def print_lines(lines: Iterable[RenderableType]) -> None:
    """Print lines, with colours on a terminal and without trailing blanks elsewhere."""
    screen = console()
    with without_trailing_spaces(screen):
        for each in lines:
            screen.print(each, soft_wrap=True)


def print_facts(facts: Mapping[str, str]) -> None:
    """Print names and values in two columns."""
    width = max(map(len, facts))
    for name, fact in facts.items():
        typer.echo(f"{name:<{width}}  {visible(fact)}")
