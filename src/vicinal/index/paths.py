"""Names of clusters inside clusters: ``3`` is a cluster, ``3.1`` a part of it, ``3:5.1`` a part of it when opened in five."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from vicinal._choice import is_auto
from vicinal._validate import check_count
from vicinal.errors import BadParameter

_PATH = re.compile(r"[0-9]{1,9}(?:(?::[0-9]{1,9})?\.[0-9]{1,9})*")

Of = int | str | Sequence[int]


@final
@dataclass(frozen=True)
class Path:
    """Where a cluster is: a cluster of the index, a part of that, and so on.

    A number of parts that was asked for is in it, so that the same name means the same documents in every call.

    Attributes
    ----------
    numbers : tuple of int
        The cluster of the index, the part of it, the part of that, ...
    topics : tuple of int or "auto"
        In how many parts each but the last of them is opened.
    """

    numbers: tuple[int, ...]
    topics: tuple[int | str, ...] = ()

    @property
    def parent(self) -> Path:
        """The cluster that this is a part of."""
        return Path(self.numbers[:-1], self.topics[:-1])

    def part(self, topics: int | str, number: int) -> Path:
        """One of the parts, where there are so many of them."""
        return Path((*self.numbers, number), (*self.topics, topics))

    def __str__(self) -> str:
        first, *others = self.numbers
        steps = zip(self.topics, others, strict=True)
        return f"{first}" + "".join(f".{number}" if is_auto(topics) else f":{topics}.{number}" for topics, number in steps)


def parse(of: Of) -> Path:
    """The path that a number, a text such as "3.1", or a sequence of numbers stands for; BadParameter where it is none."""
    if isinstance(of, str):
        if not _PATH.fullmatch(of):
            raise _bad(of)
        numbers, topics = zip(*(_step(step) for step in of.split(".")), strict=True)
        return Path(numbers, topics[:-1])
    given: Sequence[Any] = tuple(of) if hasattr(of, "__iter__") and not isinstance(of, bytes) else (of,)
    try:
        numbers = tuple(check_count("a number of a cluster", each, 0) for each in given)
    except BadParameter:
        raise _bad(of) from None
    if not numbers:
        raise _bad(of)
    return Path(numbers, ("auto",) * (len(numbers) - 1))


def _step(step: str) -> tuple[int, int | str]:
    number, _, topics = step.partition(":")
    return int(number), int(topics) if topics else "auto"


def _bad(of: object) -> BadParameter:
    return BadParameter(f'a cluster is a number, or a path such as "3.1" as clusters() gives it, got {of!r}. Use 3 or "3.1".')
