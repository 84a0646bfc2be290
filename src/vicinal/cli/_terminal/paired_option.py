"""Options of two values that may be given several times: ``--name 3 "Mobile phones" --name 4 Trade``.

Typer has options of two values, and options that are repeated, and none that are both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import typer

from vicinal.cli._terminal.plain_help import VerbCommand

_BETWEEN = "\x1f"  # the separator of units, which no cluster, no name and no id has
NAME, MUST_LINK, CANNOT_LINK = "--name", "--must-link", "--cannot-link"
#: What such an option takes, and how it is written.
_TAKES = {
    NAME: 'it takes a cluster and a text. Write --name 3 "Mobile phones".',
    MUST_LINK: "it takes the ids of two documents. Write --must-link a17 b4.",
    CANNOT_LINK: "it takes the ids of two documents. Write --cannot-link a17 b4.",
}


class PairsCommand(VerbCommand):
    """A command in which every option of two values can be given several times."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse arguments in which the two values of each such option are one."""
        return super().parse_args(ctx, joined_pairs(args))


def joined_pairs(arguments: Sequence[str]) -> list[str]:
    """The same arguments with the two values of each such option as one."""
    waiting, found = list(arguments), list[str]()
    while waiting:
        first = waiting.pop(0)
        if first == "--":
            return [*found, first, *waiting]
        option, equals, value = first.partition("=")
        if equals and option in _TAKES:
            waiting.insert(0, value)
            first = option
        found.append(first)
        if first in _TAKES:
            found += [_BETWEEN.join(waiting[:2])] if waiting else []
            del waiting[:2]
    return found


def pairs(option: str, values: Iterable[str] | None) -> list[tuple[str, str]]:
    """The two values of an option, each time that it is given."""
    found = [tuple(each.split(_BETWEEN, 1)) for each in values or ()]
    if any(len(each) < 2 or (option != NAME and each[1].startswith("--")) for each in found):
        raise typer.BadParameter(_TAKES[option], param_hint=option)
    return [(first, second) for first, second in found]
