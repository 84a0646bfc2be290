"""The facts on a terminal, or in a file: the same text, with colours where there are any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from vicinal.cli.demonstration.facts import Agreement, Answer, Facts, Found, Topic, WordPart
from vicinal.cli.demonstration.numbers import apportion
from vicinal.cli.stages import Stage
from vicinal.cli.terminal import aligned, clipped, visible

BAR = 16
#: Words of a question, and of a document, that are shown one by one.
MOST_ASKED = 6
MOST_MET = 4
#: Widths of the columns that say where a topic comes from, and of the screens that have no room, and much room, for such.
ORIGIN, EXAMPLE = 27, 36
NARROW, WIDE = 64, 110


def report(facts: Facts, screen: Console) -> None:
    """Print everything that was found."""
    screen.print(_title(facts))
    screen.print(_section("How long it took"), _stages(facts.stages, screen.width), sep="\n")
    screen.print(_section(f"What they are about: {len(facts.topics)} topics"), _topics(facts.topics, screen.width), sep="\n")
    screen.print(_section("Does it agree with the modules?"), _agreement(facts.agreement, screen.width), sep="\n")
    if facts.answers:
        screen.print(_section("Ask it something"), *_answers(facts.answers, screen.width), sep="\n")
    screen.print(_ending(facts.notes))


def _title(facts: Facts) -> Panel:
    text = Text.assemble(
        ("What are these ", ""),
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


def _topics(topics: Sequence[Topic], width: int) -> Group:
    """One line for each topic: its size, as many of its words as fit, and where there is room its module and an example."""
    widths = [5, 0, ORIGIN if width >= NARROW else 0, EXAMPLE if width >= WIDE else 0]
    widths[1] = width - sum(each + 2 for each in widths if each)
    heads = (" docs", "words that set them apart", "mostly from", "for example")
    lines = [aligned(zip((Text(head, style="dim") for head in heads), widths, strict=True))]
    for topic in topics:
        words = Text(fitting((part.word for part in topic.words), widths[1]))
        cells = (Text(f"{topic.documents:5,}"), words, _origin(topic), Text(visible(topic.examples[0]), style="dim"))
        lines.append(aligned(zip(cells, widths, strict=True)))
    return Group(*lines)


def _origin(topic: Topic) -> Text:
    """The module that most documents come from, and their share, which is never cut off."""
    first = topic.labels[0]
    share = f" {first.documents / topic.documents:.0%}"
    return clipped(first.label, ORIGIN - len(share), "green").append(share)


def fitting(words: Iterable[str], width: int) -> str:
    """As many whole words as fit into a line."""
    line = ""
    for word in words:
        longer = f"{line} {visible(word)}".strip()
        if len(longer) > width:
            break
        line = longer
    return line


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
        f"{agreement.clusters} clusters, a number that was given, against the {agreement.labels} modules that have "
        f"{agreement.at_least} documents or more: {agreement.documents:,} documents. It was never told which "
        f"document is from which module. But the settings of this demonstration were "
        f"chosen with these two numbers in view, so expect less elsewhere; another seed moves them by a few points."
    )
    return Group(*lines, Text(said, style="dim"))


def _answers(answers: Sequence[Answer], width: int) -> Iterable[RenderableType]:
    for answer in answers:
        yield Padding(Text.assemble(("? ", "bold yellow"), (visible(answer.question), "bold")), (1, 0, 0, 0))
        if answer.unknown:
            words = ", ".join(visible(word) for word in answer.unknown)
            yield Padding(Text(f"In no or too few documents: {words}", style="dim"), (0, 0, 0, 2))
        if not answer.found:
            yield Padding(Text("Nothing found: no word of the question leads anywhere. Say it in other words."), (0, 0, 0, 2))
        for found in answer.found:
            yield Padding(_found(found, width - 2), (0, 0, 0, 2))
    legend = "(in brackets): a word of the question that the document does not have."
    yield Padding(Text(f"{legend} Our own questions are ones it answers well; it does not always.", style="dim"), (1, 0, 0, 2))


def _found(found: Found, width: int) -> RenderableType:
    head = Table.grid(expand=True, padding=(0, 1))
    head.add_column(no_wrap=True)
    head.add_column(no_wrap=True, ratio=1)
    head.add_column(no_wrap=True, justify="right", style="dim")
    rank = "shares no word" if found.rank_by_words is None else f"no. {found.rank_by_words:,} by words alone"
    head.add_row(Text(f"{found.score:.2f}", style="bold green"), clipped(found.title, width - 6 - len(rank), "bold"), rank)
    lines = (clipped(found.text, width - 5, "dim"), _why(found), _through(found))
    return Group(head, *(Padding(line, (0, 0, 0, 5)) for line in lines))


def _why(found: Found) -> Text:
    """The score as the sum it is: one part for each word of the question."""
    shown, rest = found.why[:MOST_ASKED], found.why[MOST_ASKED:]
    parts = [*shown, WordPart(f"{len(rest)} more", sum(part.part for part in rest))] if rest else list(shown)
    text = Text("= ")
    for i, (part, rounded) in enumerate(zip(parts, apportion([part.part for part in parts], found.score), strict=True)):
        sign = "− " if rounded < 0 else "+ " if i else ""
        name = visible(part.word) if part.in_document else f"({visible(part.word)})"
        text.append(f"{' ' if i else ''}{sign}")
        text.append(name, "yellow" if part.in_document else "magenta").append(f" {abs(rounded):.2f}")
    return text


def _through(found: Found) -> Text:
    met = [visible(part.word) for part in found.through if part.part > 0][:MOST_MET]
    return Text.assemble(("through its words ", "dim"), (", ".join(met), ""))


def _ending(notes: Sequence[str]) -> RenderableType:
    said = [Text(f"Note: {visible(note)}", style="dim") for note in notes]
    hint = Text.assemble(("Your turn: ", "dim"), 'vicinal demo --ask "smooth a noisy curve"')
    return Padding(Group(*said, hint), (1, 0, 0, 0))
