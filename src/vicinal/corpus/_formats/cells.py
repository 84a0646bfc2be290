"""Cells of Excel as plain values: numbers, truth values, texts, and dates and times as ISO 8601 writes them."""

from __future__ import annotations

import datetime
import re

_DAY_ZERO = datetime.datetime(1899, 12, 30)
#: Days between the two first days that files count from, the day behind the last date, and the day that 1900 did not have.
_DAYS_TO_1904, _LAST, _NO_DAY = 1462, 2_958_466, 60
#: What a cell shows whose formula failed.
_ERRORS = {"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#GETTING_DATA"}


def moment_of(code: str) -> str:
    """Whether a format of numbers shows a "date" or time, or hours that "elapsed"; empty for any other."""
    written = re.sub(r'"[^"]*"|\\.', "", code.lower())
    if re.search(r"\[[hms]+\]", written):
        return "elapsed"
    return "date" if re.search(r"[ymdhs]", re.sub(r"\[[^]]*\]|general", "", written)) else ""


def cell_value(text: str, kind: str, moment: str, is_1904: bool) -> object:
    """The value of a cell that is no shared text.

    Parameters
    ----------
    text : str
        As it is written.
    kind : str
        Type of the cell: "n" for a number, "b" for a truth value, "e" for an error, and others for texts.
    moment : str
        What numbers in cells of this style are: "date", "elapsed" or "".
    is_1904 : bool
        Whether days are counted from 1904 on.
    """
    if kind == "b":
        return text == "1"
    if kind != "n" or not text:
        return None if kind == "e" or not text or text in _ERRORS else text
    number = float(text)
    if moment == "elapsed":
        return _elapsed(datetime.timedelta(days=number))
    if moment and number + _DAYS_TO_1904 * is_1904 < _LAST:
        return _date(number, is_1904)
    return _plain_number(number)


def plain_cell(value: object) -> object:
    """The same of a value that python-calamine returns."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _plain_number(float(value))
    if isinstance(value, datetime.datetime):
        return _to_seconds(value).isoformat()
    if isinstance(value, datetime.timedelta):
        return _elapsed(value)
    if isinstance(value, datetime.time):
        return _to_seconds(datetime.datetime.combine(_DAY_ZERO, value)).time().isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    return None if value in {"", *_ERRORS} else value


def _date(number: float, is_1904: bool) -> str:
    if number < 1:
        return _to_seconds(_DAY_ZERO + datetime.timedelta(days=max(number, 0.0))).time().isoformat()
    days = number + _DAYS_TO_1904 if is_1904 else number + (number < _NO_DAY)
    moment = _DAY_ZERO + datetime.timedelta(days=days)
    return moment.date().isoformat() if number.is_integer() else _to_seconds(moment).isoformat()


def _elapsed(passed: datetime.timedelta) -> str:
    seconds = round(passed.total_seconds())
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _to_seconds(moment: datetime.datetime) -> datetime.datetime:
    """Rounded: a number of days has no exact seconds."""
    return (moment + datetime.timedelta(microseconds=500_000)).replace(microsecond=0)


def _plain_number(number: float) -> int | float:
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
