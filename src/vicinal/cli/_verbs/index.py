"""``vicinal index``: from files to an index, in one command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from vicinal.cli._terminal.options import (
    AsJson,
    ClusterCount,
    Encoding,
    IdColumn,
    LabelColumn,
    MetadataColumns,
    Sources,
    TextColumn,
    TitleColumn,
)

if TYPE_CHECKING:
    from vicinal.cli._terminal.ingest import Intake
    from vicinal.index import Added, Fitted


def index(
    paths: Sources,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="INDEX", help="The file to make or to add to.", show_default=False)
    ],
    text: TextColumn = None,
    title: TitleColumn = None,
    id: IdColumn = None,
    label: LabelColumn = None,
    metadata: MetadataColumns = None,
    encoding: Encoding = None,
    topics: ClusterCount = None,
    fit: Annotated[bool, typer.Option("--fit/--no-fit", help="Whether to learn from the documents when all are there.")] = True,
    as_json: AsJson = False,
) -> None:
    """Put documents into an index and learn from them.

    Folders are read with all that is in them: text, HTML, mail, tables (CSV, TSV, JSONL, Parquet), PDF and Word where their
    packages are installed. What cannot be read is skipped with a line that says why. A document that is there already is
    left alone, so after an interrupt the same command goes on where it stopped.

    **Examples**

    - `vicinal index articles/ -o news.vic`: a folder

    - `vicinal index news.csv -o news.vic --text body --title headline --metadata year`: a table

    - `zcat news.jsonl.gz | vicinal index - -o news.vic --topics 20`: a stream, one document a line

    Exit codes: 0 done, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli._terminal.exit_codes import KEPT, plainly
    from vicinal.cli._terminal.ingest import Intake

    columns = {"text": text, "title": title, "id": id, "label": label, "metadata": metadata or None, "encoding": encoding}
    with plainly("index", KEPT):
        intake = Intake(paths, **columns)
        added, fitted = _build(intake, output, topics, fit)
        _show(output, intake, added, fitted, as_json)


def _build(intake: Intake, output: str, topics: Any, fit: bool) -> tuple[Added, Fitted | None]:
    from vicinal.cli._terminal.ingest import learn
    from vicinal.cli._terminal.progress_display import Stages
    from vicinal.index import open

    with Stages() as stages, open(output, create=True) as index:
        added = intake.into(index, stages)
        wanted = fit and (topics is not None or index.needs_fit())
        return added, learn(index, stages, {"n_clusters": topics}) if wanted else None


def _show(output: str, intake: Intake, added: Added, fitted: Fitted | None, as_json: bool) -> None:
    from vicinal.cli._terminal.output import say_json
    from vicinal.cli._terminal.results import added_sentence, fitted_facts, fitted_lines
    from vicinal.cli._terminal.text import visible

    if as_json:
        say_json({"index": output, **vars(added), **intake.facts(), "fit": fitted_facts(fitted) if fitted else None})
        return
    typer.echo(f"{visible(output)}: {added_sentence(added)}")
    for each in fitted_lines(fitted) if fitted else ():
        typer.echo(visible(each))
