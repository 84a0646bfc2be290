"""``vicinal demo``: the library at work on documents that every installation has."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson

if TYPE_CHECKING:
    from vicinal.cli._demo.findings import DemoOptions, Findings
    from vicinal.cli._terminal.progress_display import ProgressDisplay

QUERIES = (
    "How do I send a mail with an attachment?",
    "Smooth a noisy curve",
    "Let many trees vote",
)


def demo(
    clusters: Annotated[int, typer.Option(min=2, metavar="N", help="Number of clusters.")] = 36,
    ask: Annotated[
        list[str] | None, typer.Option(metavar="QUERY", help="Query of your own, in place of ours; repeat for more.")
    ] = None,
    documents: Annotated[
        int | None, typer.Option(min=100, metavar="N", help="Read so many documents only, for a quick look.", show_default="all")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Random seed; the same seed gives the same result.")] = 0,
    keep: Annotated[
        str | None,
        typer.Option(
            "--keep", "-o", metavar="INDEX", help="Keep the index in this file, and its map beside it.", show_default=False
        ),
    ] = None,
    map_page: Annotated[
        str | None,
        typer.Option(
            "--map", metavar="FILE", help="Write the map as this page; one that is there is replaced.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Cluster, search and classify 7,500 documents you already have.

    It takes half a minute. The documents are the docstrings of the Python standard library, NumPy, SciPy and scikit-learn:
    one per function, method and class. Nothing is downloaded, and no code of these packages is run.

    They are added to an index, as `vicinal index` does with your files. You see how long each step takes; the clusters,
    with the terms that distinguish them; how far the clusters agree with the modules, which are not part of the text;
    documents for a few queries, with the contribution of each term; and, once some documents are labelled with their
    module, the predicted class of a new text with the terms that decided. Last comes the map, where a file for it is named.

    **Examples**

    - `vicinal demo`: all of it

    - `vicinal demo --ask "run a shell command" --ask "how similar are two strings"`: queries of your own

    - `vicinal demo --clusters 12 --documents 2000`: a quick look, fewer clusters

    - `vicinal demo --map demo.html`: and the map of them, to open in a browser

    - `vicinal demo -o demo.vic`: keep the index, and its map in demo.html; then `vicinal search demo.vic "run a shell command"`

    - `vicinal demo --json > demo.json`: the same findings for a program

    Exit codes: 0 success, 2 usage error, 3 input data error.
    """
    from vicinal.cli._demo.findings import DemoOptions
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.progress_display import ProgressDisplay

    if documents is not None and clusters > documents:
        raise typer.BadParameter(f"{clusters} clusters need at least as many documents, got {documents}.", param_hint="--clusters")
    if keep is not None:
        _refuse_existing(keep)
    options = DemoOptions(clusters, seed, documents, keep, _where_the_map_is(map_page, keep))
    interrupted = "interrupted." if keep is None else f"interrupted; {keep} is incomplete. Remove it before the next run."
    with reporting_errors("demo", interrupted), ProgressDisplay() as display:
        findings = _demonstrate(options, tuple(ask or QUERIES), display)
    _print(findings, as_json)


def _refuse_existing(path: str) -> None:
    """The index of the demo is a new file: it is not mixed with other documents, and nothing is overwritten."""
    if not path or os.path.lexists(path):
        what = f"{path} exists already. Name another file, or remove it first." if path else "the name of the file is empty."
        raise typer.BadParameter(what, param_hint="--keep")


def _where_the_map_is(asked: str | None, keep: str | None) -> str | None:
    """The file that was asked for, or one beside the index that is kept, unless something is there."""
    if asked is not None or keep is None:
        return asked
    beside = os.path.splitext(keep)[0] + ".html"
    return None if os.path.lexists(beside) else beside


def _demonstrate(options: DemoOptions, queries: tuple[str, ...], display: ProgressDisplay) -> Findings:
    from vicinal.cli._demo.demo_documents import read_documents

    # Reading comes before loading: the garbage collector goes through all that is loaded, and made it take half as long again.
    documents = read_documents(options.documents, display)
    with display.step("load") as step:
        from vicinal.cli._demo.run import demonstrate

        step.outcome = "NumPy, SciPy, scikit-learn"
    return demonstrate(documents, queries, options, display)


def _print(findings: Findings, as_json: bool) -> None:
    if as_json:
        from vicinal.cli._demo.findings import plain
        from vicinal.cli._terminal.output import print_json

        print_json(plain(findings))
        return
    from vicinal.cli._demo.demo_report import report
    from vicinal.cli._terminal.output import console, without_trailing_spaces

    screen = console()
    with without_trailing_spaces(screen):
        report(findings, screen)
