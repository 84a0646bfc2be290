"""``vicinal index``: make an index from files and fit it, in one command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vicinal.cli._terminal.arguments import (
    AsJson,
    ClusterCount,
    DocumentLanguage,
    Encoding,
    IdColumn,
    LabelColumn,
    MakeLayout,
    MaxMemory,
    MaxSeconds,
    MaxSize,
    MetadataColumns,
    Query,
    Sources,
    SplitBy,
    TextColumn,
    TitleColumn,
    Update,
    WordSegmenter,
    chosen_clusters,
)

if TYPE_CHECKING:
    from vicinal._progress import Progress
    from vicinal.cli._terminal.ingest import Ingest
    from vicinal.corpus._options_by_file import Recorded
    from vicinal.index import Added, Fitted


def index(
    paths: Sources,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="INDEX", help="Index file to make or to add to.", show_default=False)
    ],
    text: TextColumn = None,
    title: TitleColumn = None,
    id: IdColumn = None,
    label: LabelColumn = None,
    metadata: MetadataColumns = None,
    encoding: Encoding = None,
    split: SplitBy = None,
    query: Query = None,
    max_size: MaxSize = None,
    max_memory: MaxMemory = None,
    max_seconds: MaxSeconds = None,
    update: Update = False,
    clusters: ClusterCount = None,
    language: DocumentLanguage = None,
    segmenter: WordSegmenter = None,
    layout: MakeLayout = None,
    fit: Annotated[bool, typer.Option("--fit/--no-fit", help="Fit the index when all documents are added.")] = True,
    as_json: AsJson = False,
) -> None:
    """Add documents to an index and fit it.

    The index is made if it does not exist. Folders are read with all folders in them: text, Markdown, HTML, XML, LaTeX, mail,
    tables (CSV, TSV, JSONL, Excel, Parquet), office documents, PDF; compressed files and zip and tar archives, too. A file that
    cannot be read is skipped, with a line that says why. A document that is in the index already is left alone, so after an
    interrupt the same command continues where it stopped.

    **Examples**

    - `vicinal index articles/ -o news.vic`: a folder

    - `vicinal index news.csv -o news.vic --text body --title headline --metadata year`: a table

    - `vicinal index papers/ -o papers.vic --split page`: each page of a PDF is a document, and a hit names its page

    - `vicinal index briefe/ -o briefe.vic --language de`: documents in German, where it is not recognised by itself

    - `vicinal index shop.sqlite -o shop.vic --query "SELECT id, review AS text FROM reviews"`: rows of a database

    - `curl … | vicinal index - -o news.vic --clusters 20`: a stream, one document a line

    Exit codes: 0 success, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import KEPT, reporting_errors
    from vicinal.cli._terminal.ingest import Columns, Ingest, chosen_limits
    from vicinal.cli._terminal.progress_display import ProgressDisplay

    columns = Columns(
        text=text, title=title, id=id, label=label, metadata=metadata or None, encoding=encoding, split=split, query=query
    )
    with reporting_errors("index", KEPT):
        with ProgressDisplay() as display:
            limits = chosen_limits(max_size, max_memory, max_seconds)
            ingest = Ingest(paths, columns, display, recorded=_recorded_in(output), limits=limits)
            given = {"n_clusters": chosen_clusters(clusters), "language": language, "segmenter": segmenter, "layout": layout}
            added, fitted = _build(ingest, output, update, given, fit, display)
        _print(output, ingest, added, fitted, as_json)


def _recorded_in(output: str) -> Recorded:
    """What an index that is there already has read files and folders with."""
    from vicinal.index import open

    if not os.path.exists(output):
        return {}
    with open(output) as index:
        return index._recorded()


def _build(
    ingest: Ingest, output: str, update: bool, given: dict[str, Any], fit: bool, progress: Progress
) -> tuple[Added, Fitted | None]:
    from vicinal.cli._terminal.ingest import print_notes
    from vicinal.index import open

    with open(output, create=True) as index:
        added = ingest.into(index, update or None)
        if not fit or not index.needs_fit(given):
            return added, None
        return added, print_notes(index.fit(**given, progress=progress))


def _print(output: str, ingest: Ingest, added: Added, fitted: Fitted | None, as_json: bool) -> None:
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.rendering import added_line, fitted_facts, fitted_lines
    from vicinal.cli._terminal.text import visible

    if as_json:
        print_json({"index": output, **vars(added), **ingest.facts(), "fit": fitted_facts(fitted) if fitted else None})
        return
    typer.echo(f"{visible(output)}: {added_line(added)}")
    for each in fitted_lines(fitted) if fitted else ():
        typer.echo(visible(each))
