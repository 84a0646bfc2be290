"""Standard output: JSON for programs, lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType


def say_json(facts: Any) -> None:
    """Print facts as JSON, in ASCII, so that no character in them can move the cursor."""
    import json

    typer.echo(json.dumps(facts, indent=2, allow_nan=False, default=dict))


def say_lines(lines: Iterable[RenderableType]) -> None:
    """Print lines, with colours on a terminal and without trailing blanks elsewhere."""
    from vicinal.cli.terminal import console, without_trailing_spaces

    screen = console()
    with without_trailing_spaces(screen):
        for each in lines:
            screen.print(each, soft_wrap=True)


def say_facts(facts: Mapping[str, str]) -> None:
    """Print names and values in two columns."""
    from vicinal.cli.terminal import visible

    width = max(map(len, facts))
    for name, fact in facts.items():
        typer.echo(f"{name:<{width}}  {visible(fact)}")


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 document, 2 documents."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
