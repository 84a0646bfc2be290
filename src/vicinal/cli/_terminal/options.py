"""Arguments and options that several verbs share, and how their values are parsed: ``year>=1998``, ``12`` or ``auto``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

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


IndexFile = Annotated[str, typer.Argument(metavar="INDEX", help="The file of the index, such as news.vic.", show_default=False)]
Sources = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Files and folders to read; - is standard input.", show_default=False),
]
TextColumn = Annotated[str | None, typer.Option("--text", metavar="COLUMN", help="Column of a table that holds the text.")]
TitleColumn = Annotated[str | None, typer.Option("--title", metavar="COLUMN", help="Column that holds the title.")]
IdColumn = Annotated[str | None, typer.Option("--id", metavar="COLUMN", help="Column that names each document.")]
LabelColumn = Annotated[str | None, typer.Option("--label", metavar="COLUMN", help="Column that holds the class.")]
MetadataColumns = Annotated[
    list[str] | None,
    typer.Option("--metadata", metavar="COLUMN", help="Column to keep; repeat for more.", show_default="all that are plain"),
]
Encoding = Annotated[
    str | None, typer.Option("--encoding", help="Of all files, such as latin-1.", show_default="found out for each")
]
ClusterCount = Annotated[
    object | None,
    typer.Option(
        "--topics",
        metavar="N|auto",
        parser=parse_topics,
        help="How many clusters.",
        show_default="as in the last fit, at first auto",
    ),
]
Limit = Annotated[int, typer.Option("--limit", min=1, help="How many documents to show at most.")]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="TEST",
        help="Only documents that pass, such as 'year>=1998'; also = != < <= > and ~ for contains. Repeat: all must pass.",
    ),
]
Why = Annotated[bool, typer.Option("--why", help="Show what each word added to the score.")]
AsJson = Annotated[bool, typer.Option("--json", help="The same as JSON on standard output, for programs.")]
