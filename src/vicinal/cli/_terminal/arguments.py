"""Arguments and options that several verbs share, and the parsers of their values: ``year>=1998``, ``12`` or ``auto``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from vicinal._query import And


def parse_where(conditions: Iterable[str] | None) -> And:
    """Turn conditions such as ``year>=1998 OR label=new`` into one that asks for all of them; BadQuery says where one is wrong."""
    from vicinal._query import And, parse_condition

    return And(tuple(parse_condition(condition) for condition in conditions or ()))


def parse_clusters(text: str) -> int | str:
    """A number of clusters, or "auto"."""
    if text == "auto":
        return text
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) < 2:
        raise typer.BadParameter(f'the number of clusters is a whole number of at least 2, or "auto", got {text!r}.')
    return int(text)


#: Follows the default of an option that a fit takes over from the last one.
AT_FIRST = " at the first fit"

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
    typer.Option(
        "--encoding", metavar="NAME", help="Encoding of all files, such as latin-1.", show_default="detected for each file"
    ),
]
SplitBy = Annotated[
    str | None,
    typer.Option(
        "--split",
        metavar="page|heading|words:N",
        help="Split long documents: by page, by heading, or so many words at a time.",
        show_default="whole documents",
    ),
]
Query = Annotated[
    str | None,
    typer.Option("--query", metavar="SQL", help="What to read of a database: a file of SQLite or DuckDB, or an address."),
]
MaxSize = Annotated[
    int | None,
    typer.Option(
        "--max-size", min=1, max=1_000_000_000, metavar="MB", help="Size up to which a file or row is read.", show_default="50"
    ),
]
MaxMemory = Annotated[
    int | None,
    typer.Option("--max-memory", min=100, max=1_000_000_000, metavar="MB", help="Memory to read one file.", show_default="512"),
]
MaxSeconds = Annotated[
    int | None,
    typer.Option(
        "--max-seconds",
        min=1,
        max=1_000_000,
        metavar="N",
        help="Processor time to read one file until its next document.",
        show_default="10",
    ),
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
DocumentLanguage = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        help="Language of the documents, such as de or German: its stop words and stemmer are used. auto recognises it.",
        show_default=f"auto{AT_FIRST}",
    ),
]
WordSegmenter = Annotated[
    str | None,
    typer.Option(
        "--segmenter",
        metavar="NAMES",
        help="Packages that tell words apart: jieba (Chinese), fugashi (Japanese), pythainlp (Thai); none: pairs of characters.",
        show_default=f"none{AT_FIRST}",
    ),
]
MakeLayout = Annotated[
    bool | None,
    typer.Option(
        "--layout/--no-layout",
        "--map/--no-map",
        help="Whether a layout is made, a point for each document on the map.",
        show_default=f"made{AT_FIRST}",
    ),
]
Offset = Annotated[int, typer.Option("--offset", min=0, metavar="N", help="Pass over so many documents: the next page.")]
Limit = Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Show at most so many documents.")]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="CONDITION",
        help="Only documents with such metadata: 'year>=1998'; also = != < <= > in, ~ for contains, AND, OR and NOT. "
        "Repeat: all must hold.",
    ),
]
Why = Annotated[bool, typer.Option("--why", help="Show the contribution of each term to the score.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def chosen_clusters(option: object | None) -> int | str | None:
    """The value of ``--clusters`` with its type, which typer does not know of a parsed option."""
    return option if isinstance(option, int | str) else None
