"""Periods: dates of documents become days, weeks, months, quarters, years or decades, by default at most forty of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from vicinal._typing import ArrayLike, IntArray
from vicinal._validate import check_choice, is_missing
from vicinal.errors import BadData, BadParameter

Days = NDArray[np.datetime64]
MOST = 40  # periods that are still told apart in a picture
LIMIT = 12_000  # periods that are counted at all: days of 32 years
YEARS = range(1000, 3000)  # numbers that are taken for years where nobody said that they are dates


def _months(n: int) -> Callable[[IntArray], IntArray]:
    return lambda days: _as(days, "datetime64[M]") // n


def _as(days: IntArray, unit: str) -> IntArray:
    return days.astype("datetime64[D]").astype(unit).astype(np.int64)


def _first_day_of_months(n: int) -> Callable[[IntArray], Days]:
    return lambda numbers: (numbers * n).astype("datetime64[M]").astype("datetime64[D]")


#: Of each period: from days to its number, and from numbers to first days. Weeks begin on Monday; day 0 is a Thursday.
PERIODS: dict[str, tuple[Callable[[IntArray], IntArray], Callable[[IntArray], Days]]] = {
    "day": (lambda days: days, lambda numbers: numbers.astype("datetime64[D]")),
    "week": (lambda days: (days + 3) // 7, lambda numbers: (numbers * 7 - 3).astype("datetime64[D]")),
    "month": (_months(1), _first_day_of_months(1)),
    "quarter": (_months(3), _first_day_of_months(3)),
    "year": (_months(12), _first_day_of_months(12)),
    "decade": (_months(120), _first_day_of_months(120)),
}


@final
@dataclass(frozen=True, eq=False)
class Periods:
    """Dates in periods of one length.

    Attributes
    ----------
    unit : str
        One of the names of `PERIODS`.
    starts : (periods,)
        The first day of each period from the first that has a date to the last, also of those without.
    labels : list of str
        How each is written.
    of : int array (documents,)
        The period of each date, -1 for none.
    """

    unit: str
    starts: Days
    labels: list[str]
    of: IntArray


def days_of(dates: ArrayLike) -> Days:
    """The day of each date; NaT where there is none. BadData where a value is no date.

    Parameters
    ----------
    dates : array-like (documents,)
        Dates, times, text that begins with a date of ISO 8601, or years as whole numbers; None, NaN, NaT and "" are no date.
    """
    if isinstance(dates, np.ndarray) and dates.dtype.kind == "M":
        return dates.astype("datetime64[D]")
    values: Any = dates.tolist() if hasattr(dates, "tolist") else dates
    return np.array([_day(value) for value in values], dtype="datetime64[D]")


def guessed_days(values: list[Any]) -> Days | None:
    """The days of values that nobody said are dates; None where one is no date, or a number and no likely year.

    Parameters
    ----------
    values : list
        What documents have in a column.
    """
    for value in values:
        if isinstance(value, bool) or (isinstance(value, int | float) and value not in YEARS and not is_missing(value)):
            return None
    try:
        days = days_of(values)
    except BadData:
        return None
    return None if np.isnat(days).all() else days


def _day(value: Any) -> np.datetime64:
    if is_missing(value) or value == "":
        return np.datetime64("NaT")
    try:
        return np.datetime64(_date_part(_as_text(value)), "D")
    except (TypeError, ValueError):
        what = f"dates must be dates, years or text such as 1987-04-12, got {value!r:.60}. Use None where it is unknown."
        raise BadData(what) from None


def _as_text(value: Any) -> str:
    """A date as ISO 8601 writes it, or a year; text as it is."""
    if isinstance(value, str | np.datetime64):
        return str(value).strip()
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    return str(int(value)) if not isinstance(value, bytes) and float(value).is_integer() else str(value)


def _date_part(text: str) -> str:
    """The date at the beginning of a text of ISO 8601, with or without a time."""
    head = re.split(r"[T ]", text, maxsplit=1)[0].replace("/", "-")
    if not re.fullmatch(r"\d{4}(-\d{1,2}(-\d{1,2})?)?", head):
        raise ValueError(head)
    return "-".join(part.zfill(2) for part in head.split("-"))


def periods_of(dates: ArrayLike, period: str = "auto") -> Periods:
    """Put dates into periods.

    Parameters
    ----------
    dates : array-like (documents,)
        As :func:`days_of` takes them.
    period : {"auto", "day", "week", "month", "quarter", "year", "decade"}, default="auto"
        "auto" is the shortest of which there are at most forty from the first date to the last; years where all dates are years.

    Raises
    ------
    BadData
        A value is no date, or none is.
    BadParameter
        There is no such period, or there would be more than 12,000 of them.
    """
    check_choice("period", period, ("auto", *PERIODS))
    days = days_of(dates)
    known = ~np.isnat(days)
    if not known.any():
        raise BadData("dates must hold a date, got none at all. Give one per document, None where it is unknown.")
    whole = days[known].astype(np.int64)
    unit = period if period != "auto" else _shortest(whole)
    numbers, first_day = PERIODS[unit]
    found = numbers(whole)
    if (n_periods := int(found.max() - found.min()) + 1) > LIMIT:
        said = f"from {days[known].min()} to {days[known].max()} there are {n_periods:,} of them, and {LIMIT:,} are the limit"
        raise BadParameter(f'period="{unit}" is too short: {said}. Use a longer one.')
    of = np.full(len(days), -1, dtype=np.int64)
    of[known] = found - found.min()
    starts = first_day(np.arange(found.min(), found.max() + 1))
    return Periods(unit, starts, [_label(start, unit) for start in starts], of)


def _shortest(days: IntArray) -> str:
    units = list(PERIODS)
    said = next(unit for unit in ("year", "month", "day") if _all_begin(days, unit))
    for unit in units[units.index(said) :]:
        found = PERIODS[unit][0](days)
        if found.max() - found.min() < MOST:
            return unit
    return "decade"


def _all_begin(days: IntArray, unit: str) -> bool:
    """Whether all days are the first of a period, as those are that were given as periods."""
    numbers, first_day = PERIODS[unit]
    return bool((first_day(numbers(days)).astype(np.int64) == days).all())


def _label(start: np.datetime64, unit: str) -> str:
    day = str(start)
    if unit in ("day", "week"):
        return day
    if unit == "month":
        return day[:7]
    if unit == "quarter":
        return f"{day[:4]} Q{(int(day[5:7]) + 2) // 3}"
    return day[:4] if unit == "year" else f"{day[:4]}s"
