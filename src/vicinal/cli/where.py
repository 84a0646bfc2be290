"""Small languages of the command line: ``year>=1998`` and ``12`` or ``auto``."""

from __future__ import annotations

import re
from collections.abc import Iterable

import typer

_TEST = re.compile(r"\s*(?P<column>[^=!<>~]*[^=!<>~\s])\s*(?P<operation>!=|<=|>=|=|<|>|~)(?P<value>.*)", re.DOTALL)
_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]*)")  # 02139 is a name, as it is when a table is read
_DECIMAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.?[0-9]+)([eE][+-]?[0-9]+)?")

Test = tuple[str, str, str | int | float]


def parse_where(tests: Iterable[str] | None) -> list[Test]:
    """Turn tests such as ``year>=1998`` into (column, operation, value)."""
    return [_parsed(test) for test in tests or ()]


def _parsed(test: str) -> Test:
    found = _TEST.fullmatch(test)
    if found is None:
        raise typer.BadParameter(
            f"a test is a column, one of = != < <= > >= ~ and a value, got {test!r}. Write 'year>=1998'.", param_hint="--where"
        )
    operation, value = found["operation"], found["value"].strip()
    if operation == "~":
        return found["column"], "contains", _unquoted(value)
    return found["column"], operation, _value(value)


def _value(text: str) -> str | int | float:
    """A number where it looks like one; in quotes it is text all the same."""
    if _WHOLE.fullmatch(text):
        return int(text) if len(text) < 20 else float(text)
    if _DECIMAL.fullmatch(text) and not re.match(r"[+-]?0[0-9]", text):
        return float(text)
    return _unquoted(text)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def parse_topics(text: str) -> int | str:
    """A number of topics, or "auto"."""
    if text == "auto":
        return text
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 2:
        raise typer.BadParameter(f'topics are a whole number from 2 on, or "auto", got {text!r}.')
    return int(text)
