"""``vicinal demo``: the library at work on documents that every installation has."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.options import AsJson

if TYPE_CHECKING:
    from vicinal.cli._demo.findings import Facts, Settings
    from vicinal.cli._terminal.progress_display import Stages

QUESTIONS = (
    "How do I send a mail with an attachment?",
    "Smooth a noisy curve",
    "Let many trees vote",
)


def demo(
    clusters: Annotated[int, typer.Option(min=2, help="How many clusters to look for.")] = 36,
    ask: Annotated[
        list[str] | None, typer.Option(metavar="QUESTION", help="A question of your own, in place of ours; repeat for more.")
    ] = None,
    documents: Annotated[
        int | None, typer.Option(min=100, help="Read so many documents only, for a quick look.", show_default="all")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Where chance starts. The same seed gives the same answer.")] = 0,
    keep: Annotated[
        str | None, typer.Option("--keep", "-o", metavar="INDEX", help="Keep the index in this file, to go on with it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """See what 7,500 documents are about, in half a minute.

    The documents are ones you already have: what the Python standard library, NumPy, SciPy and scikit-learn say of each of
    their functions, methods and classes. Nothing is downloaded and nothing of it is run.

    They are put into an index, as `vicinal index` does with files of yours. You will see how long each step takes; the clusters,
    each with the words that set it apart; how far they agree with the modules, of which it is told nothing; for a few questions
    in plain English, the documents that answer them, with what each word added to their scores; and then, once it is told the
    modules of some documents, where it would put a new text, and which words decided.

    **Examples**

    - `vicinal demo`: the whole of it

    - `vicinal demo --ask "run a shell command" --ask "how similar are two strings"`: questions of your own

    - `vicinal demo --clusters 12 --documents 2000`: a quick look, fewer clusters

    - `vicinal demo -o demo.vic`: keep the index; then `vicinal search demo.vic "run a shell command"`

    - `vicinal demo --json > demo.json`: the same facts for a program

    Exit codes: 0 done, 2 the command was not understood, 3 the documents would not do.
    """
    from vicinal.cli._demo.findings import Settings
    from vicinal.cli._terminal.exit_codes import plainly
    from vicinal.cli._terminal.progress_display import Stages

    if documents is not None and clusters > documents:
        raise typer.BadParameter(f"{clusters} clusters need as many documents at least, got {documents}.", param_hint="--clusters")
    if keep is not None:
        _refuse_taken(keep)
    settings = Settings(clusters, seed, documents, keep)
    interrupted = "interrupted." if keep is None else f"interrupted; {keep} is not whole. Remove it before the next time."
    with plainly("demo", interrupted), Stages() as stages:
        facts = _demonstrate(settings, tuple(ask or QUESTIONS), stages)
    _show(facts, as_json)


def _refuse_taken(path: str) -> None:
    """The index of the demo is a new file: nobody's documents are mixed with it, and nothing is written over."""
    if not path or os.path.lexists(path):
        what = (
            f"{path} is there already. Name another file, or remove it first." if path else "a file needs a name, such as demo.vic."
        )
        raise typer.BadParameter(what, param_hint="--keep")


def _demonstrate(settings: Settings, questions: tuple[str, ...], stages: Stages) -> Facts:
    from vicinal.cli._demo.demo_documents import read

    # Reading comes before loading: the garbage collector goes through all that is loaded, and made it take half as long again.
    documents = read(settings.documents, stages)
    with stages.measure("load") as stage:
        from vicinal.cli._demo.run import demonstrate

        stage.outcome = "NumPy, SciPy, scikit-learn"
    return demonstrate(documents, questions, settings, stages)


def _show(facts: Facts, as_json: bool) -> None:
    if as_json:
        from vicinal.cli._demo.findings import plain
        from vicinal.cli._terminal.output import say_json

        say_json(plain(facts))
        return
    from vicinal.cli._demo.demo_report import report
    from vicinal.cli._terminal.output import console, without_trailing_spaces

    screen = console()
    with without_trailing_spaces(screen):
        report(facts, screen)
