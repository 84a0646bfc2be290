"""The report of the demonstration, on a terminal or in a file: the same text, with colours where there are any."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from vicinal.cli._demo.findings import Agreement, Answer, Findings, Lesson
from vicinal.cli._terminal.progress_display import FinishedStep
from vicinal.cli._terminal.rendering import cluster_lines, hit_lines, prediction_lines
from vicinal.cli._terminal.text import aligned, human_bytes, visible

BAR = 16
#: Screens that are narrower have no room for bars.
NARROW = 64
#: Terms of a cluster.
TERMS = 8
TOO_FEW = "Too few documents: no two modules have enough of them. Leave out --documents."


def report(findings: Findings, screen: Console) -> None:
    """Print all findings."""
    for each in _parts(findings, screen.width):
        screen.print(each)


def _parts(findings: Findings, width: int) -> Iterator[RenderableType]:
    yield _title(findings)
    yield _section("Time of each step")
    yield _steps(findings.steps, width)
    yield _section(f"Clusters: {len(findings.clusters)}")
    yield Group(*cluster_lines(findings.clusters, TERMS))
    yield _section("Agreement of the clusters with the modules")
    yield _agreement(findings.agreement, width)
    if findings.answers:
        yield _section("Search")
        yield from _answers(findings.answers)
    yield _section("Classify")
    yield from _lesson(findings.lesson)
    yield _section("Your turn")
    yield from _ending(findings)


def _title(findings: Findings) -> Panel:
    text = Text.assemble(
        "What are these ",
        (f"{findings.documents:,} documents", "bold"),
        " about? They are the docstrings of Python, NumPy, SciPy and scikit-learn, as installed here. No labels, no language "
        "model, no download: clusters and search are learnt from the documents alone, by their ",
        ("neighbour graph", "bold"),
        ".",
    )
    return Panel(text, title=f"vicinal {findings.version}", title_align="left", border_style="cyan", padding=(0, 1))


def _section(title: str) -> RenderableType:
    return Padding(Rule(Text(title, style="bold cyan"), align="left", style="cyan"), (1, 0, 0, 0))


def _steps(steps: Sequence[FinishedStep], width: int) -> Group:
    longest = max((step.seconds for step in steps), default=0.0) or 1.0
    total = FinishedStep("total", sum(step.seconds for step in steps), "")
    return Group(*(_step(step, longest, width) for step in steps), _step(total, 0.0, width))


def _step(step: FinishedStep, longest: float, width: int) -> Text:
    """A name, a time, a bar where there is room for one, and the outcome; no bar for the total."""
    style = "" if longest else "bold"
    bar = BAR if width >= NARROW else 0
    length = round(BAR * step.seconds / longest) if longest else 0
    cells = [(Text(step.name, style=style), 10), (Text(f"{step.seconds:5.1f} s", style=style), 7)]
    return aligned([*cells, (Text("━" * length, style="cyan"), bar), (Text(step.outcome, style="dim"), width - bar - 24)])


def _agreement(agreement: Agreement | None, width: int) -> RenderableType:
    if agreement is None:
        return Text(TOO_FEW)
    rows = (
        ("", "found", "at random"),
        ("normalised mutual information", f"{agreement.nmi:.2f}", f"{agreement.random_nmi:.2f}"),
        ("clustering accuracy", f"{agreement.accuracy:.0%}", f"{agreement.random_accuracy:.0%}"),
    )
    lines = [
        aligned([(Text(name), min(33, width - 18)), (Text(f"{found:>5}", style="bold"), 5), (Text(f"{random:>9}", style="dim"), 9)])
        for name, found, random in rows
    ]
    legend = (
        f"{agreement.clusters} clusters are compared with the {agreement.modules} modules that have {agreement.at_least} documents "
        f"or more: {agreement.documents:,} documents. The text of a document has its name inside its module, and not the module. "
        f"{agreement.pure} clusters have at least four fifths of their documents from one module. The default of 36 clusters was "
        f"chosen with such figures in view, so expect a little less elsewhere."
    )
    return Group(*lines, Text(legend, style="dim"))


def _answers(answers: Sequence[Answer]) -> Iterator[RenderableType]:
    for place, answer in enumerate(answers):
        query = Text.assemble(("? ", "bold yellow"), (visible(answer.query), "bold"))
        yield Padding(query, (1 if place else 0, 0, 0, 0))
        if not answer.hits:
            yield Text("  Nothing found: no term of the query leads to a document. Try other words.")
        yield from hit_lines(answer.hits, why=True)
    legend = (
        "The contributions of the terms add up to the score; a negative one counts against the document. The queries of the demo "
        "were selected as ones with good answers; others have worse ones."
    )
    yield Padding(Text(legend, style="dim"), (1, 0, 0, 0))


def _lesson(lesson: Lesson | None) -> Iterator[RenderableType]:
    if lesson is None:
        yield Text(TOO_FEW)
        return
    done = lesson.labelled
    measured = "" if done.accuracy is None else f" Accuracy by cross-validation over them: {done.accuracy:.0%}."
    yield Text(
        f"{done.n_labelled:,} documents of {len(done.classes)} modules, one in {lesson.every}, are labelled with their module."
        f"{measured} The class of a new text:"
    )
    yield Padding(Text.assemble(("> ", "bold yellow"), (visible(lesson.text), "bold")), (1, 0, 0, 0))
    yield from prediction_lines(lesson.prediction, why=True)
    yield Text("The text was selected among several for its clear answer; some others got a wrong one.", style="dim")


def _map_lines(file: str) -> Iterator[RenderableType]:
    """Where the map is, and how it is opened: as the address that a browser takes, and by the command of the system."""
    from vicinal.cli._terminal.text import opening_command

    yield Text.assemble("The map of these documents is in ", (visible(file), "bold"), ". Open it in a browser:")
    yield Text(opening_command(file))
    yield Text(Path(file).resolve().as_uri(), style="dim")


def _ending(findings: Findings) -> Iterator[RenderableType]:
    path = findings.options.keep
    if findings.options.map is not None:
        yield from _map_lines(findings.options.map)
        yield Text("")
    if path is None:
        yield Text('vicinal demo --ask "run a shell command"        a query of your own')
        yield Text("vicinal demo -o demo.vic                        keep the index and its map, to go on with them")
        yield Text("vicinal index FOLDER -o mine.vic                the same with your documents")
        return
    name = shlex.quote(visible(path))
    found = next((hit.id for answer in findings.answers for hit in answer.hits), None)
    yield Text(f"The index is in {visible(path)}, {human_bytes(findings.bytes)}. Go on with")
    yield Text(f'vicinal search {name} "run a shell command" --why')
    if found is not None:
        yield Text(f"vicinal near {name} {shlex.quote(visible(found))}")
    yield Text(f"vicinal explain {name} --cluster {findings.clusters[0].number}")
    yield Text(f'echo "a matrix with few entries" | vicinal classify {name} - --why')
