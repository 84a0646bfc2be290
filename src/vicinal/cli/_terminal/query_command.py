"""Excluded words without quotes: in ``vicinal search news.vic grain -wheat``, -wheat is a part of the query and no option."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from vicinal.cli._terminal.plain_help import VerbCommand

_SHORT = 2  # letters of a short option, the dash among them


class QueryCommand(VerbCommand):
    """A command whose arguments may begin with one dash, as excluded words do."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse arguments with excluded words behind all options."""
        names = (name for each in self.params if not getattr(each, "is_flag", False) for name in each.opts)
        with_value = {name for name in names if name.startswith("-")}  # arguments have names too
        return super().parse_args(ctx, excluded_words_last(args, with_value))


def excluded_words_last(arguments: Sequence[str], with_value: Collection[str]) -> list[str]:
    """The same arguments with words such as -wheat at the end, behind ``--``, where nothing is an option.

    Parameters
    ----------
    arguments : sequence of str
    with_value : collection of str
        Options that the next argument is the value of, whatever it begins with.
    """
    kept, words, waiting = list[str](), list[str](), list(arguments)
    while waiting and waiting[0] != "--":
        first = waiting.pop(0)
        if first in with_value:
            kept += [first, *waiting[:1]]
            del waiting[:1]
        elif first.startswith("-") and not first.startswith("--") and len(first) > _SHORT:
            words.append(first)
        else:
            kept.append(first)
    return [*kept, "--", *words, *waiting[1:]] if words else [*kept, *waiting]
