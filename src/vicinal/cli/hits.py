"""Documents that were found, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from vicinal.cli.numbers import apportion
from vicinal.cli.terminal import clipped, console, visible
from vicinal.index.answers import Hit

#: Words that are shown one by one; the others are added up.
MOST_WORDS = 6
SCORE = 7
INDENT = " " * (SCORE + 2)


def hit_facts(hit: Hit) -> dict[str, Any]:
    """A hit as plain values; the parts of ``why`` add up to its score."""
    return {
        "id": hit.id,
        "title": hit.title,
        "source": hit.source,
        "score": hit.score,
        "cluster": hit.cluster,
        "snippet": hit.snippet,
        "why": [[word, part] for word, part in hit.why.top(len(hit.why.terms))],
        "metadata": dict(hit.metadata),
    }


def hit_lines(hits: Sequence[Hit], why: bool) -> Iterator[Text]:
    """A few lines for each hit: score and title, its name, where the words stand, and what each of them added."""
    room = console().width - len(INDENT)
    for hit in hits:
        yield Text(f"{hit.score:{SCORE}.2f}  ", style="bold green").append_text(clipped(hit.title or hit.id, room, "bold"))
        yield Text(f"{INDENT}{visible(hit.id)}", style="cyan").append(_cluster(hit), "dim")
        yield Text(INDENT).append_text(clipped(hit.snippet, room, "dim"))
        if why:
            yield Text(INDENT).append_text(_why(hit))


def _cluster(hit: Hit) -> str:
    return f"  cluster {hit.cluster}" if hit.cluster >= 0 else ""


def _why(hit: Hit) -> Text:
    """The score as the sum it is."""
    parts = hit.why.top(len(hit.why.terms))
    shown, rest = parts[:MOST_WORDS], parts[MOST_WORDS:]
    if rest:
        shown = [*shown, (f"{len(rest)} more", sum(part for _, part in rest))]
    text = Text("= ")
    for place, ((word, _), part) in enumerate(zip(shown, apportion([part for _, part in shown], hit.score), strict=True)):
        sign = "− " if part < 0 else "+ " if place else ""
        text.append(f"{' ' if place else ''}{sign}").append(visible(word), "yellow").append(f" {abs(part):.2f}")
    return text
