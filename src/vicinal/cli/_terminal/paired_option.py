"""An option of two values that may be given several times: ``--name 3 "Mobile phones" --name 4 Trade``.

Typer has options of two values, and options that are repeated, and none that are both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import typer
from typer.core import TyperCommand

_BETWEEN = "\x1f"  # the separator of units, which no cluster and no name has
_NAME = "--name"


class NamesCommand(TyperCommand):
    """A command whose option ``--name`` takes a cluster and a text, as often as it is given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse arguments in which the two values of each ``--name`` are one."""
        return super().parse_args(ctx, joined_pairs(args))


def joined_pairs(arguments: Sequence[str]) -> list[str]:
    """The same arguments with the two values of each ``--name`` as one."""
    waiting, found = list(arguments), list[str]()
    while waiting:
        first = waiting.pop(0)
        if first == "--":
            return [*found, first, *waiting]
        if first.startswith(f"{_NAME}="):
            waiting.insert(0, first.removeprefix(f"{_NAME}="))
            first = _NAME
        found.append(first)
        if first == _NAME:
            found += [_BETWEEN.join(waiting[:2])] if waiting else []
            del waiting[:2]
    return found


def pairs(values: Iterable[str] | None) -> list[tuple[str, str]]:
    """The two values of each ``--name``."""
    found = [tuple(each.split(_BETWEEN, 1)) for each in values or ()]
    if any(len(each) < 2 for each in found):
        raise typer.BadParameter('it takes a cluster and a text. Write --name 3 "Mobile phones".', param_hint=_NAME)
    return [(cluster, text) for cluster, text in found]
