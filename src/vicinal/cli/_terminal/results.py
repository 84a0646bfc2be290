"""Results of an index as lines for people and as plain values for JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from vicinal.cli._terminal.output import console
from vicinal.cli._terminal.text import aligned, apportion, clipped, counted, fitting, human_bytes, visible

if TYPE_CHECKING:
    from vicinal.index import Added, Cluster, DuplicateGroup, Fitted, Hit, Info, Prediction

#: Words that are shown one by one; the others are added up.
MOST_WORDS = 6
SCORE = 7
INDENT = " " * (SCORE + 2)
#: Other classes that are less likely are not shown.
LEAST = 0.005
#: Width of an example, and of the screens that have room for one.
EXAMPLE, WIDE = 30, 90
CLUSTER_HEADS, CLUSTER_WIDTHS = ("no.", "docs", "share", "uncertainty"), (4, 7, 5, 5)
MORE_HEADS = ("words that set it apart", "for example")
GROUP_HEADS, GROUP_WIDTHS = ("group", "alike"), (6, 5)
KEPT = "keep"
#: Share of the rest of a line that names get.
NAMES = 0.45
#: A new fit is advised where the new documents are in more uncertainty by this ratio, and by this difference.
RATIO, DIFFERENCE = 1.25, 0.02


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


def cluster_facts(cluster: Cluster, limit: int) -> dict[str, Any]:
    """A cluster as plain values, with so many words."""
    return {
        **vars(cluster),
        "terms": [list(each) for each in cluster.terms[:limit]],
        "exemplars": [{"id": id, "title": title} for id, title in cluster.exemplars],
    }


def cluster_lines(found: Sequence[Cluster], limit: int) -> Iterator[Text]:
    """A head, and each cluster on a line, as wide as the screen."""
    width = console().width
    numbers = (max(CLUSTER_WIDTHS[0], *(len(each.path) for each in found)), *CLUSTER_WIDTHS[1:])
    example = EXAMPLE if width >= WIDE else 0
    widths = [*numbers, 0, example]
    widths[4] = max(width - sum(each + 2 for each in widths if each), 10)
    heads = (
        *(f"{head:>{size}}" for head, size in zip(CLUSTER_HEADS, numbers, strict=True)),
        "words that set it apart",
        "for example",
    )
    yield aligned(zip((Text(head, style="dim") for head in heads), widths, strict=True))
    for each in found:
        shown = (each.path, f"{each.size:,}", f"{each.share:.0%}", f"{each.uncertainty:.2f}")
        title = next((title or id for id, title in each.exemplars), "")
        cells = [Text(f"{number:>{size}}") for number, size in zip(shown, numbers, strict=True)]
        cells += [Text(fitting((word for word, _ in each.terms[:limit]), widths[4])), Text(visible(title), style="dim")]
        yield aligned(zip(cells, widths, strict=True))


def category_facts(found: Prediction) -> dict[str, Any]:
    """The class of a document as plain values."""
    return {
        "id": found.id,
        "label": found.label,
        "probability": found.probability,
        "others": dict(found.others),
        "why": [[word, part] for word, part in found.why.top(len(found.why.terms))],
    }


def category_lines(found: Prediction, why: bool) -> Iterator[Text]:
    """The class of a document on a line, and on a second one the words that decided."""
    label = visible(found.label) if found.label else "(no known words)"
    others = ", ".join(f"{visible(name)} {p:.0%}" for name, p in found.others if p >= LEAST)
    yield (
        Text(f"{found.probability:6.1%}  ", "bold green")
        .append(label, "bold")
        .append(f"  {visible(found.id)}" if found.id else "", "cyan")
        .append(f"  ({others})" if others else "", "dim")
    )
    if why and found.label:
        words = ", ".join(f"{visible(word)} {part:+.3f}" for word, part in found.why.top(MOST_WORDS))
        yield Text(f"        {words}", "yellow")


def duplicate_facts(copies: DuplicateGroup) -> dict[str, Any]:
    return {"kept": copies.kept.id, "removable": list(copies.removable), "documents": [vars(each) for each in copies.documents]}


def duplicate_lines(found: Sequence[DuplicateGroup]) -> Iterator[Text]:
    room = max(console().width - sum(each + 2 for each in GROUP_WIDTHS) - 2, 20)
    widths = (*GROUP_WIDTHS, round(NAMES * room), room - round(NAMES * room))
    heads = (*(f"{head:>{size}}" for head, size in zip(GROUP_HEADS, GROUP_WIDTHS, strict=True)), "id", "title")
    yield aligned(zip((Text(head, style="dim") for head in heads), widths, strict=True))
    for number, group in enumerate(found, start=1):
        for place, each in enumerate(group.documents):
            first = (f"{number}", KEPT) if place == 0 else ("", _rounded_down(each.similarity))
            cells = [Text(f"{text:>{size}}", "green") for text, size in zip(first, GROUP_WIDTHS, strict=True)]
            cells += [clipped(each.id, widths[2], "cyan"), clipped(each.title, widths[3])]
            yield aligned(zip(cells, widths, strict=True))
    spare = sum(len(group.removable) for group in found)
    yield Text(f"{counted(len(found), 'group')}; {counted(spare, 'document')} besides those to keep (--names).", style="dim")


def _rounded_down(alike: float) -> str:
    """With two digits: 1.00 is said of no less."""
    return f"{math.floor(100 * alike + 1e-6) / 100:.2f}"


def added_sentence(added: Added) -> str:
    """What adding did, for people."""
    placed = f" {added.embedded:,} of them were embedded by the fitted model." if added.embedded else ""
    return f"{added.added:,} added, {added.changed:,} changed, {added.unchanged:,} there already.{placed}"


def fitted_facts(fitted: Fitted) -> dict[str, Any]:
    """What learning did, as plain values."""
    return {**vars(fitted), "chosen": dict(fitted.chosen), "notes": list(fitted.notes)}


def fitted_lines(fitted: Fitted) -> Iterator[str]:
    """What learning did, for people."""
    sizes = f"{fitted.n_clusters:,} topics, {fitted.n_terms:,} words, {fitted.n_components:,} dimensions"
    yield f"Learnt from {fitted.n_documents:,} documents: {sizes}."
    if fitted.change:
        yield fitted.change
    for name, why in fitted.chosen.items():
        yield f"{name}: {why}"


def contents(about: Info) -> dict[str, str]:
    """Names and values for two columns."""
    facts = {
        "index": about.path,
        "size": human_bytes(about.bytes),
        "documents": f"{about.documents:,}",
    }
    if about.generation:
        facts |= {
            "learnt from": f"{about.fitted:,}",
            "placed since": f"{about.embedded:,}",
            "words": f"{about.n_terms:,}",
            "dimensions": f"{about.n_components:,}",
            "topics": f"{about.n_clusters:,}",
            "fits": f"{about.generation:,}",
        }
    if about.without_terms:
        facts["without words"] = f"{about.without_terms:,}"
    return facts


def advice(about: Info) -> str:
    """A sentence on what was not learnt from yet; empty where there is nothing to say."""
    if not about.generation:
        return f"Nothing is learnt yet: vicinal fit {about.path}" if about.documents else "There are no documents yet."
    unplaced = f"{_documents(about.unembedded)} not placed yet. " if about.unembedded else ""
    if not about.embedded or about.uncertainty_of_new is None:
        return unplaced.strip()
    new = f"{unplaced}{_documents(about.embedded)} embedded since the last fit"
    said = f"{new}, with a mean uncertainty of {about.uncertainty_of_new:.2f}"
    if about.uncertainty is None:
        return f"{said}; none is left of those that were learnt from. Learn anew: vicinal fit {about.path}"
    said += f" against {about.uncertainty:.2f} for those learnt from"
    if about.uncertainty_of_new > max(RATIO * about.uncertainty, about.uncertainty + DIFFERENCE):
        return f"{said}: they fit less well. Learn anew: vicinal fit {about.path}"
    return f"{said}: they fit as well."


def _documents(number: int) -> str:
    return "1 document was" if number == 1 else f"{number:,} documents were"
