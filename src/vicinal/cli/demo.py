"""``vicinal demo``: the library at work on documents that every installation has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from vicinal.cli.demonstration.facts import Facts, Settings
    from vicinal.cli.stages import Stages

QUESTIONS = (
    "How do I send a mail with an attachment?",
    "Integrate a function numerically",
    "Let many trees vote",
)
NO_DATA = 3


def demo(
    clusters: Annotated[int, typer.Option(min=2, help="How many topics to look for.")] = 36,
    ask: Annotated[
        list[str] | None, typer.Option(metavar="QUESTION", help="A question of your own, in place of ours; repeat for more.")
    ] = None,
    documents: Annotated[
        int | None, typer.Option(min=100, help="Read so many documents only, for a quick look.", show_default="all")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Where chance starts. The same seed gives the same answer.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="The same facts as JSON on standard output, for programs.")] = False,
) -> None:
    """See what 7,500 documents are about, in a quarter of a minute.

    The documents are ones you already have: what the Python standard library, NumPy, SciPy and scikit-learn say of each of
    their functions, methods and classes. Nothing is downloaded and nothing is run.

    You will see how long each step takes; the topics, each with the words that set it apart; how far the topics agree with
    the modules, of which it is told nothing; and, for a few questions in plain English, the documents that answer them,
    with the words that brought each of them there: they add up to its score.

    **Examples**

    - `vicinal demo`: the whole of it

    - `vicinal demo --ask "smooth a noisy curve" --ask "run a shell command"`: questions of your own

    - `vicinal demo --clusters 12 --documents 2000`: a quick look, fewer topics

    - `vicinal demo --json > demo.json`: the same facts for a program

    Exit codes: 0 done, 2 the command was not understood, 3 the documents would not do.
    """
    from vicinal.cli.demonstration.facts import Settings

    if documents is not None and clusters > documents:
        raise typer.BadParameter(f"{clusters} topics need as many documents at least, got {documents}.", param_hint="--clusters")
    facts = _run(Settings(clusters=clusters, seed=seed, documents=documents), tuple(ask or QUESTIONS))
    _show(facts, as_json)


def _run(settings: Settings, questions: tuple[str, ...]) -> Facts:
    from vicinal.cli.stages import Stages
    from vicinal.errors import VicinalError

    try:
        with Stages() as stages:
            return _demonstrate(settings, questions, stages)
    except VicinalError as error:
        from vicinal.cli.terminal import console, visible

        console(stderr=True).print(f"vicinal demo: {visible(str(error))}", soft_wrap=True)
        raise typer.Exit(NO_DATA) from None


def _demonstrate(settings: Settings, questions: tuple[str, ...], stages: Stages) -> Facts:
    from dataclasses import replace

    from vicinal.cli.demonstration.notes import noting
    from vicinal.cli.demonstration.read import read

    notes: list[str] = []
    with noting(notes):
        # Reading comes before loading: the garbage collector goes through all that is loaded, and made it take half as long again.
        documents = read(settings.documents, stages)
    with stages.measure("load") as stage:
        from vicinal.cli.demonstration.run import demonstrate

        stage.outcome = "NumPy, SciPy, scikit-learn"
    facts = demonstrate(documents, questions, settings, stages)
    return replace(facts, notes=(*notes, *facts.notes))


def _show(facts: Facts, as_json: bool) -> None:
    if as_json:
        import json
        from dataclasses import asdict

        typer.echo(json.dumps(asdict(facts), indent=2))
        return
    from vicinal.cli.demonstration.report import report
    from vicinal.cli.terminal import console, without_trailing_spaces

    screen = console()
    with without_trailing_spaces(screen):
        report(facts, screen)
