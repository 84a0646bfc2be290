"""Dates as people type them in conditions: a year, a month or a day is a period, compared with dates in text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import final

_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")


@final
@dataclass(frozen=True)
class Period:
    """All dates from the first on and before another, as text that is sorted by time: ``2015-03`` is before ``2015-04``.

    Attributes
    ----------
    first : str
        The beginning, which belongs to it.
    after : str
        The beginning of the next period, which does not.
    """

    first: str
    after: str


def parse_period(value: object) -> Period | None:
    """The year, month or day that a value stands for; None where it is no date.

    Parameters
    ----------
    value : object
        2015, "2015", "2015-03" or "2015-03-09".
    """
    found = _DATE.fullmatch(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else None
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    if (found[2] and not 1 <= month <= 12) or (found[3] and not 1 <= day <= 31):
        return None
    if day:
        return Period(f"{year:04}-{month:02}-{day:02}", f"{year:04}-{month:02}-{day + 1:02}")
    if month:
        return Period(f"{year:04}-{month:02}", f"{year:04}-{month + 1:02}")
    return Period(f"{year:04}", f"{year + 1:04}")
