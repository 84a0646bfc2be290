"""Arguments and options that several verbs share, each written once."""

from __future__ import annotations

from typing import Annotated

import typer

from vicinal.cli.where import parse_topics

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
