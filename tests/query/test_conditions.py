"""Conditions as people type them: comparisons, lists, AND, OR and NOT in capitals, and errors with a position."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vicinal._query import And, Comparison, Negated, Or, parse_condition, parse_period
from vicinal.errors import BadQuery

YEAR = Comparison("year", ">=", 1998)
ARTS = Comparison("section", "=", "arts")


@pytest.mark.parametrize(
    ("text", "column", "operation", "value"),
    [
        ("year>=1998", "year", ">=", 1998),
        ("year<=-3", "year", "<=", -3),
        ("score > 1.5e3", "score", ">", 1500.0),
        ("the year = 1998", "the year", "=", 1998),
        ("year == 1998", "year", "=", 1998),
        ('year="1998"', "year", "=", "1998"),
        ("zip=02139", "zip", "=", "02139"),
        ("zip=02139.5", "zip", "=", "02139.5"),
        ("rule!=a=b", "rule", "!=", "a=b"),
        ("title~1998", "title", "contains", "1998"),
        ("title contains tax", "title", "contains", "tax"),
        ("title~war and peace", "title", "contains", "war and peace"),
        ("title=f(x) or (y)", "title", "=", "f(x) or (y)"),
        ('title="this AND that"', "title", "=", "this AND that"),
        ('title="a" b', "title", "=", '"a" b'),
        ("name=O'Hara's", "name", "=", "O'Hara's"),
        ('"a=b" = c', "a=b", "=", "c"),
        ("name=", "name", "=", ""),
        ("name=nan", "name", "=", "nan"),
        ("year in (1998, 1999)", "year", "in", [1998, 1999]),
        ('section in (arts and crafts, "a, b", 3)', "section", "in", ["arts and crafts", "a, b", 3]),
        ("dc:title=x", "dc:title", "=", "x"),
    ],
)
def test_a_comparison_is_a_column_an_operation_and_a_value(text, column, operation, value):
    found = parse_condition(text)
    assert found == Comparison(column, operation, value)
    assert type(found.value) is type(value)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("year>=1998 AND section=arts", And((YEAR, ARTS))),
        ("year>=1998 OR section=arts AND year>=1998", Or((YEAR, And((ARTS, YEAR))))),
        ("(year>=1998 OR section=arts) AND year>=1998", And((Or((YEAR, ARTS)), YEAR))),
        ("NOT section=arts", Negated(ARTS)),
        ("NOT (year>=1998 AND NOT section=arts)", Negated(And((YEAR, Negated(ARTS))))),
        ("year NOT IN (1998)", Negated(Comparison("year", "in", [1998]))),
    ],
)
def test_conditions_are_joined_by_capitals_and_grouped(text, tree):
    assert parse_condition(text) == tree


@pytest.mark.parametrize(
    ("text", "position", "said"),
    [
        ("", 0, "there is no column"),
        ("year", 0, "there is no column"),
        (">=1998", 0, "there is no column"),
        ("year>=1998 AND", 11, "AND has nothing behind it"),
        ("year>=1998 AND arts", 15, "there is no column"),
        ("(year>=1998", 0, "never closed"),
        ("year>=1998)", 10, "not expected"),
        ("year in (1998", 8, "the list is never closed"),
    ],
)
def test_an_error_says_where_it_is(text, position, said):
    with pytest.raises(BadQuery, match=said) as caught:
        parse_condition(text)
    assert caught.value.position == position


PIECES = st.sampled_from(["year", "=", ">=", "~", " ", "AND", "OR", "NOT", "in", "(", ")", ",", '"', "'", "1998", "x", "contains"])


def error_of(text):
    try:
        parse_condition(text)
    except BadQuery as error:
        return error
    return None


@settings(max_examples=1000, deadline=None)
@given(st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=15).map("".join), st.lists(PIECES, max_size=15).map(" ".join)))
def test_nothing_but_its_own_error_is_raised(text):
    error = error_of(text)
    assert error is None or 0 <= error.position <= len(text)


@pytest.mark.parametrize(
    ("value", "first", "after"),
    [
        (2015, "2015", "2016"),
        ("2015-3", "2015-03", "2015-04"),
        ("2015-12", "2015-12", "2015-13"),
        ("2015-03-09", "2015-03-09", "2015-03-10"),
    ],
)
def test_a_year_month_or_day_is_a_period(value, first, after):
    period = parse_period(value)
    assert (period.first, period.after) == (first, after)


@pytest.mark.parametrize("value", [True, 15, 20150, "2015-13", "2015-00", "2015-01-32", "arts", 2015.5, None])
def test_other_values_are_no_dates(value):
    assert parse_period(value) is None
