"""Arguments and options that several verbs share, and the parsers of their values: ``year>=1998``, ``12`` or ``auto``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated

import typer

_CONDITION = re.compile(r"\s*(?P<column>[^=!<>~]*[^=!<>~\s])\s*(?P<operation>!=|<=|>=|=|<|>|~)(?P<value>.*)", re.DOTALL)
_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]*)")  # 02139 is a text, as it is when a table is read
_DECIMAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.?[0-9]+)([eE][+-]?[0-9]+)?")

Condition = tuple[str, str, str | int | float]


def parse_where(conditions: Iterable[str] | None) -> list[Condition]:
    """Turn conditions such as ``year>=1998`` into (column, operation, value)."""
    return [_parsed(condition) for condition in conditions or ()]


def _parsed(condition: str) -> Condition:
    found = _CONDITION.fullmatch(condition)
    if found is None:
        raise typer.BadParameter(
            f"a condition is a column, one of = != < <= > >= ~ and a value, got {condition!r}. Write 'year>=1998'.",
            param_hint="--where",
        )
    operation, value = found["operation"], found["value"].strip()
    if operation == "~":
        return found["column"], "contains", _unquoted(value)
    return found["column"], operation, _value(value)


def _value(text: str) -> str | int | float:
    """A number where the text is one; in quotes it is a text all the same."""
    if _WHOLE.fullmatch(text):
        return int(text) if len(text) < 20 else float(text)
    if _DECIMAL.fullmatch(text) and not re.match(r"[+-]?0[0-9]", text):
        return float(text)
    return _unquoted(text)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def parse_clusters(text: str) -> int | str:
    """A number of clusters, or "auto"."""
    if text == "auto":
        return text
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 2:
        raise typer.BadParameter(f'the number of clusters is a whole number of at least 2, or "auto", got {text!r}.')
    return int(text)


#: Follows the default of an option that a fit takes over from the last one.
AT_FIRST = " at first"

IndexFile = Annotated[str, typer.Argument(metavar="INDEX", help="Index file, such as news.vic.", show_default=False)]
Sources = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Files and folders to read; - is standard input.", show_default=False),
]
TextColumn = Annotated[str | None, typer.Option("--text", metavar="COLUMN", help="Column of a table that holds the text.")]
TitleColumn = Annotated[str | None, typer.Option("--title", metavar="COLUMN", help="Column that holds the title.")]
IdColumn = Annotated[str | None, typer.Option("--id", metavar="COLUMN", help="Column that holds the id of each document.")]
LabelColumn = Annotated[str | None, typer.Option("--label", metavar="COLUMN", help="Column that holds the label.")]
MetadataColumns = Annotated[
    list[str] | None,
    typer.Option(
        "--metadata", metavar="COLUMN", help="Column to keep as metadata; repeat for more.", show_default="all plain values"
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option("--encoding", help="Encoding of all files, such as latin-1.", show_default="detected for each file"),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]
Update = Annotated[
    bool, typer.Option("--update", help="Replace documents of the same id that came from another source, instead of keeping both.")
]
ClusterCount = Annotated[
    object | None,
    typer.Option(
        "--clusters",
        metavar="N|auto",
        parser=parse_clusters,
        help="Number of clusters; auto chooses it.",
        show_default=f"auto{AT_FIRST}",
    ),
]
Limit = Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Show at most so many documents.")]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="CONDITION",
        help="Only documents with such metadata: 'year>=1998'; also = != < <= > and ~ for contains. Repeat: all must hold.",
    ),
]
Why = Annotated[bool, typer.Option("--why", help="Show the contribution of each term to the score.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def chosen_clusters(option: object | None) -> int | str | None:
    """The value of ``--clusters`` with its type, which typer does not know of a parsed option."""
    return option if isinstance(option, int | str) else None
