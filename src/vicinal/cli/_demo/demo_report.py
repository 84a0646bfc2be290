"""The facts on a terminal, or in a file: the same text, with colours where there are any."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from vicinal.cli._demo.findings import Agreement, Answer, Facts, Lesson
from vicinal.cli._terminal.progress_display import Stage
from vicinal.cli._terminal.results import category_lines, cluster_lines, hit_lines
from vicinal.cli._terminal.text import aligned, human_bytes, visible

BAR = 16
#: Screens that are narrower have no room for bars.
NARROW = 64
#: Words of a cluster.
WORDS = 8


def report(facts: Facts, screen: Console) -> None:
    """Print everything that was found."""
    for each in _parts(facts, screen.width):
        screen.print(each)


def _parts(facts: Facts, width: int) -> Iterator[RenderableType]:
    yield _title(facts)
    yield _section("How long it took")
    yield _stages(facts.stages, width)
    yield _section(f"What they are about: {len(facts.clusters)} clusters")
    yield Group(*cluster_lines(facts.clusters, WORDS))
    yield _section("Do the clusters agree with the modules?")
    yield _agreement(facts.agreement, width)
    if facts.answers:
        yield _section("Ask it something")
        yield from _answers(facts.answers)
    yield _section("Teach it")
    yield from _lesson(facts.lesson)
    yield _section("Your turn")
    yield from _ending(facts)


def _title(facts: Facts) -> Panel:
    text = Text.assemble(
        "What are these ",
        (f"{facts.documents:,} documents", "bold"),
        " about? They are the documentation of Python, NumPy, SciPy and scikit-learn, as installed here. Nobody tells: "
        "no labels, no language model, no download. All there is to learn from is ",
        ("who is near whom", "bold"),
        ".",
    )
    return Panel(text, title=f"vicinal {facts.version}", title_align="left", border_style="cyan", padding=(0, 1))


def _section(title: str) -> RenderableType:
    return Padding(Rule(Text(title, style="bold cyan"), align="left", style="cyan"), (1, 0, 0, 0))


def _stages(stages: Sequence[Stage], width: int) -> Group:
    longest = max((stage.seconds for stage in stages), default=0.0) or 1.0
    total = Stage("in all", sum(stage.seconds for stage in stages), "")
    return Group(*(_stage(stage, longest, width) for stage in stages), _stage(total, 0.0, width))


def _stage(stage: Stage, longest: float, width: int) -> Text:
    """A name, a time, a bar where there is room for one, and what came out; no bar for the sum of all."""
    style = "" if longest else "bold"
    bar = BAR if width >= NARROW else 0
    length = round(BAR * stage.seconds / longest) if longest else 0
    cells = [(Text(stage.name, style=style), 10), (Text(f"{stage.seconds:5.1f} s", style=style), 7)]
    return aligned([*cells, (Text("━" * length, style="cyan"), bar), (Text(stage.outcome, style="dim"), width - bar - 24)])


def _agreement(agreement: Agreement | None, width: int) -> RenderableType:
    if agreement is None:
        return Text("Too few documents to say: no two modules have enough of them. Leave --documents out.")
    rows = (
        ("", "found", "by chance"),
        ("normalised mutual information", f"{agreement.nmi:.2f}", f"{agreement.chance_nmi:.2f}"),
        ("accuracy, each cluster named once", f"{agreement.accuracy:.0%}", f"{agreement.chance_accuracy:.0%}"),
    )
    lines = [
        aligned([(Text(name), min(33, width - 18)), (Text(f"{found:>5}", style="bold"), 5), (Text(f"{chance:>9}", style="dim"), 9)])
        for name, found, chance in rows
    ]
    said = (
        f"{agreement.clusters} clusters, a number that was given, against the {agreement.modules} modules that have "
        f"{agreement.at_least} documents or more: {agreement.documents:,} documents. It saw what each document says and its name "
        f"inside its module, and not the module. {agreement.pure} of the clusters are of one module for four fifths or more. "
        f"The usual number, 36, was chosen with such figures in view, so expect a little less elsewhere."
    )
    return Group(*lines, Text(said, style="dim"))


def _answers(answers: Sequence[Answer]) -> Iterator[RenderableType]:
    for place, answer in enumerate(answers):
        question = Text.assemble(("? ", "bold yellow"), (visible(answer.question), "bold"))
        yield Padding(question, (1 if place else 0, 0, 0, 0))
        if not answer.hits:
            yield Text("  Nothing found: no word of the question leads anywhere. Say it in other words.")
        yield from hit_lines(answer.hits, why=True)
    legend = (
        "The parts of a score add up to it; below 0, a word speaks against. Our own questions were picked as ones that it answers "
        "well; others it does not."
    )
    yield Padding(Text(legend, style="dim"), (1, 0, 0, 0))


def _lesson(lesson: Lesson | None) -> Iterable[RenderableType]:
    if lesson is None:
        yield Text("Too few documents to learn classes from: no two modules have enough of them. Leave --documents out.")
        return
    done = lesson.labelled
    right = "" if done.accuracy is None else f" Held back a fifth at a time, {done.accuracy:.0%} of them got their own again."
    yield Text(
        f"{done.n_labelled:,} documents of {len(done.classes)} modules, one in {lesson.every}, were given their module as a label."
        f"{right} Now a text that is in no module:"
    )
    yield Padding(Text.assemble(("> ", "bold yellow"), (visible(lesson.text), "bold")), (1, 0, 0, 0))
    yield from category_lines(lesson.category, why=True)
    yield Text(
        "The text was picked among several for its clear answer with all documents; some others got a wrong one.", style="dim"
    )


def _ending(facts: Facts) -> Iterator[RenderableType]:
    path = facts.settings.keep
    if path is None:
        yield Text('vicinal demo --ask "run a shell command"        ask something else')
        yield Text("vicinal demo -o demo.vic                        keep the index, and go on with it")
        yield Text("vicinal index FOLDER -o mine.vic                the same with documents of your own")
        return
    name = shlex.quote(visible(path))
    found = next((hit.id for answer in facts.answers for hit in answer.hits), None)
    yield Text(f"All of it is in {visible(path)}, {human_bytes(facts.bytes)}. Go on with")
    yield Text(f'vicinal search {name} "run a shell command" --why')
    if found is not None:
        yield Text(f"vicinal near {name} {shlex.quote(visible(found))}")
    yield Text(f"vicinal explain {name} --cluster {facts.clusters[0].number}")
    yield Text(f'echo "a matrix with few entries" | vicinal classify {name} - --why')
