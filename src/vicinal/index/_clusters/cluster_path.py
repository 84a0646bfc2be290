"""The path of a cluster: ``3`` is a cluster of the index, ``3.1`` a part of it, and ``3:5.1`` a part of it in five."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from vicinal._choice import is_auto
from vicinal._validate import check_count
from vicinal.errors import BadParameter

_PATH = re.compile(r"[0-9]{1,9}(?:(?::[0-9]{1,9})?\.[0-9]{1,9})*")

ClusterName = int | str | Sequence[int]


@final
@dataclass(frozen=True)
class ClusterPath:
    """The path of a cluster: a cluster of the index, a part of that, and so on.

    A number of parts that was asked for is in it, so that the same path means the same documents in every call.

    Attributes
    ----------
    numbers : tuple of int
        The cluster of the index, the part of it, the part of that, ...
    n_parts : tuple of int or "auto"
        The number of parts of each but the last of them.
    """

    numbers: tuple[int, ...]
    n_parts: tuple[int | str, ...] = ()

    @property
    def parent(self) -> ClusterPath:
        """The cluster that this is a part of."""
        return ClusterPath(self.numbers[:-1], self.n_parts[:-1])

    def part(self, n_parts: int | str, number: int) -> ClusterPath:
        """One of its parts, where there are so many of them."""
        return ClusterPath((*self.numbers, number), (*self.n_parts, n_parts))

    def __str__(self) -> str:
        first, *others = self.numbers
        steps = zip(self.n_parts, others, strict=True)
        return f"{first}" + "".join(f".{number}" if is_auto(n_parts) else f":{n_parts}.{number}" for n_parts, number in steps)


def parse_path(name: ClusterName) -> ClusterPath:
    """The path that a number, a text such as "3.1", or a sequence of numbers stands for; BadParameter where it is none."""
    if isinstance(name, str):
        if not _PATH.fullmatch(name):
            raise bad_path(name)
        numbers, n_parts = zip(*(_step(step) for step in name.split(".")), strict=True)
        return ClusterPath(numbers, n_parts[:-1])
    given: Sequence[object] = tuple(name) if hasattr(name, "__iter__") and not isinstance(name, bytes) else (name,)
    try:
        numbers = tuple(check_count("the number of a cluster", each, 0) for each in given)
    except BadParameter:
        raise bad_path(name) from None
    if not numbers:
        raise bad_path(name)
    return ClusterPath(numbers, ("auto",) * (len(numbers) - 1))


def _step(step: str) -> tuple[int, int | str]:
    number, _, n_parts = step.partition(":")
    return int(number), int(n_parts) if n_parts else "auto"


def bad_path(name: object) -> BadParameter:
    """The error of a name that is no path."""
    return BadParameter(f'a cluster is a number, or a path such as "3.1" as clusters() gives it, got {name!r}. Use 3 or "3.1".')
