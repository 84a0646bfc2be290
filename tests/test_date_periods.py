"""Dates become periods: whatever they are written as, in periods of a length that leaves few of them."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pytest

from vicinal._date_periods import days_of, guessed_days, periods_of
from vicinal.errors import BadData, BadParameter


@pytest.mark.parametrize(
    "dates",
    [
        ["1987-04-12", None],
        ["1987-04-12T10:30:00Z", ""],
        ["1987/4/12", float("nan")],
        [datetime.date(1987, 4, 12), None],
        [datetime.datetime(1987, 4, 12, 10), None],
        np.array(["1987-04-12T10", "NaT"], dtype="datetime64[h]"),
        pd.to_datetime(pd.Series(["1987-04-12", None])),
        ["1987-04-12", pd.NA],
        pd.Series(["1987-04-12", None], dtype="string"),
        pl.Series([datetime.date(1987, 4, 12), None]),
        (np.datetime64("1987-04-12"), None),
    ],
)
def test_a_date_is_read_however_it_is_written(dates):
    days = days_of(dates)
    assert str(days[0]) == "1987-04-12"
    assert np.isnat(days[1])


@pytest.mark.parametrize(
    ("dates", "unit", "labels"),
    [
        (["2024-01-30", "2024-02-02"], "day", ["2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02"]),
        (["2024-01-01", "2024-01-08", "2024-03-31"], "week", ["2024-01-01", "2024-01-08"]),
        (["2022-01-03", "2024-12-31"], "month", ["2022-01", "2022-02"]),
        (["2015-02-03", "2020-05-05"], "quarter", ["2015 Q1", "2015 Q2"]),
        ([1987, 1989], "year", ["1987", "1988", "1989"]),
        ([1987.0, float("nan"), 1989.0], "year", ["1987", "1988", "1989"]),
        (["1999-03", "1999-05"], "month", ["1999-03", "1999-04", "1999-05"]),
        ([1811, 2020], "decade", ["1810s", "1820s"]),
        (["0999-05-01", "1999-05-01"], "decade", ["0990s", "1000s"]),
    ],
)
def test_periods_are_as_short_as_leaves_forty_and_as_the_dates_say(dates, unit, labels):
    found = periods_of(dates)
    assert found.unit == unit
    assert found.labels[: len(labels)] == labels
    assert found.of[0] == 0
    assert found.of.max() == len(found.starts) - 1 == len(found.labels) - 1


def test_a_week_begins_on_monday():
    found = periods_of(["2024-01-07", "2024-01-08"], "week")
    assert found.labels == ["2024-01-01", "2024-01-08"]
    assert found.of.tolist() == [0, 1]


def test_periods_without_documents_are_there():
    assert periods_of([1987, 1990], "year").labels == ["1987", "1988", "1989", "1990"]


@pytest.mark.parametrize("value", ["yesterday", "12.04.1987", "1987-13-01", True, 1987.5, ["1987"], b"1987"])
def test_what_is_no_date_is_refused_with_the_value(value):
    with pytest.raises(BadData, match="dates must be dates"):
        days_of(["1987-04-12", value])


def test_no_date_at_all_and_an_unknown_period_are_refused():
    with pytest.raises(BadData, match="none at all"):
        periods_of([None, ""])
    with pytest.raises(BadParameter, match="fortnight"):
        periods_of(["1987-04-12"], "fortnight")


def test_more_periods_than_anybody_reads_are_refused_before_they_are_made():
    assert len(periods_of(["1999-01-01", "2024-01-01"], "day").labels) == 9132
    with pytest.raises(BadParameter, match=r'period="day" is too short: from 0999-01-01 to 1999-01-01 there are 365,2\d\d'):
        periods_of(["0999-01-01", "1999-01-01"], "day")


@pytest.mark.parametrize("values", [[1998, 1999], [1998.0, float("nan")], ["1998", "1999-05"], ["", 1998, None]])
def test_years_and_dates_are_guessed_from_values_alone(values):
    days = guessed_days(values)
    assert str(days[~np.isnat(days)].min()) == "1998-01-01"


@pytest.mark.parametrize("values", [[1998, 42], [1998.5], [True], ["soon"], [5210], [None, ""], []])
def test_what_may_be_no_date_is_not_guessed_to_be_one(values):
    assert guessed_days(values) is None
