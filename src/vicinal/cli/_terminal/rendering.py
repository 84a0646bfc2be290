"""Results of an index as lines for people and as plain values for JSON, which has the names of the result classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from vicinal._plural import counted
from vicinal.cli._terminal.exit_codes import with_options
from vicinal.cli._terminal.output import console
from vicinal.cli._terminal.passage_line import passage_line
from vicinal.cli._terminal.text import aligned, apportion, clipped, documents_were, fitting, visible

if TYPE_CHECKING:
    from vicinal.corpus import Document
    from vicinal.index import (
        Added,
        Cluster,
        DuplicateGroup,
        Fitted,
        Hit,
        Hits,
        Labelled,
        Prediction,
        Shown,
        Synced,
        Uncertain,
    )
    from vicinal.projection import Explanation

#: Terms whose contribution is shown; the others are added up.
MOST_TERMS = 6
SCORE = 7
INDENT = " " * (SCORE + 2)
#: Indent of the terms below a predicted class.
PREDICTION = " " * 8
#: Classes with a lower probability are not shown.
LEAST_PROBABILITY = 0.005
#: Width of an example on a screen that is wide, the width of that, and the same for the narrowest screen with room for one.
EXAMPLE, WIDE = 24, 90
SHORT_EXAMPLE, NARROWEST = 18, 80
CLUSTER_HEADS = ("no.", "docs", "share", "uncertainty")
#: A window this wide has room for the stability of clusters.
STABILITY_HEAD, WIDEST = "stability", 110
CLUSTER_TEXT_HEADS = ("terms that distinguish it", "for example")
GROUP_HEADS = ("group", "similarity")
TO_KEEP = "keep"
#: Characters of a text that show what it is about.
BEGINNING = 200
#: Share of the rest of a line that ids get.
IDS = 0.45


def contributions(why: Explanation) -> list[list[object]]:
    """All terms with their contributions, heaviest first."""
    return [[term, part] for term, part in why.top(len(why.terms))]


def hit_facts(hit: Hit) -> dict[str, object]:
    """A hit as plain values; the contributions in ``why`` add up to its score."""
    return {
        "id": hit.id,
        "title": hit.title,
        "source": hit.source,
        "score": hit.score,
        "relevance": hit.relevance,
        **({} if hit.reranked is None else {"reranked": hit.reranked}),
        "cluster": hit.cluster,
        "snippet": hit.snippet,
        "start": hit.passage.start,
        "matches": [list(match) for match in hit.passage.matches],
        "why": contributions(hit.why),
        "metadata": dict(hit.metadata),
    }


def hit_lines(hits: Sequence[Hit], why: bool) -> Iterator[Text]:
    """A few lines for each hit: relevance and title, id and cluster, a passage of the text, and the score as a sum over terms."""
    room = console().width - len(INDENT)
    for hit in hits:
        share = f"{hit.relevance:.0%}" if hit.why.terms else ""  # a document that is only listed is not ranked
        yield Text(f"{share:>{SCORE}}  ", style="bold green").append_text(clipped(hit.title or hit.id, room, "bold"))
        yield Text(f"{INDENT}{visible(hit.id)}", style="cyan").append(_cluster(hit), "dim")
        yield Text(INDENT).append_text(passage_line(hit.passage, room))
        if why and hit.why.terms:
            yield Text(INDENT).append_text(_sum(hit, room))


def search_facts(query: str, hits: Hits) -> dict[str, object]:
    """The answer to a query as plain values."""
    return {
        "query": query,
        "total": hits.total,
        "near": hits.near,
        "offset": hits.offset,
        "suggestions": hits.suggestions,
        "corrected": hits.corrected,
        "notes": list(hits.notes),
        "facets": hits.facets,
        "hits": [hit_facts(hit) for hit in hits],
    }


def search_notes(hits: Hits) -> Iterator[str]:
    """What people should know of how a query was answered, in sentences."""
    for word, meant in hits.suggestions.items():
        yield f'No document has "{word}"' + (f'; did you mean "{meant}"?' if meant else ".")
    if hits.corrected:
        yield f"These are hits for: {hits.corrected}"
    for note in hits.notes:
        yield f"{note[:1].upper()}{note[1:]}."


def counted_line(hits: Hits) -> str:
    """How many documents were found, apart from those that are only near: facets count the first, if there are any."""
    matching = hits.total - hits.near
    found = f"{matching:,} found" if matching or not hits.near else "none has a word of the query"
    return f"{found}, {hits.near:,} more near" if hits.near else found


def facet_lines(facets: Mapping[str, Mapping[str, int]]) -> Iterator[Text]:
    """A line for each column: its values with the number of documents, most frequent first, as many as fit."""
    for column, counts in facets.items():
        head = Text(f"{visible(column)}  ", style="bold")
        values = [f"{visible(value)} {count:,}" for value, count in counts.items()]
        yield head.append(", ".join(_fitting(values, console().width - head.cell_len)), "")


def _fitting(values: Sequence[str], width: int) -> list[str]:
    """As many values as fit on a line, and how many more there are."""
    for shown in range(len(values), 0, -1):
        line = [*values[:shown], *([f"{len(values) - shown:,} more"] if shown < len(values) else [])]
        if cell_len(", ".join(line)) <= width:
            return line
    return list(values[:1])


def _cluster(hit: Hit) -> str:
    return f"  cluster {hit.cluster}" if hit.cluster >= 0 else ""


def _sum(hit: Hit, room: int) -> Text:
    """The score as the sum of its contributions, of as many terms as fit on a line."""
    for n_terms in range(min(MOST_TERMS, len(hit.why.terms)), 1, -1):
        text = _sum_of(hit, n_terms)
        if text.cell_len <= room:
            return text
    return _sum_of(hit, 1)


def _sum_of(hit: Hit, n_terms: int) -> Text:
    parts = hit.why.top(len(hit.why.terms))
    shown, rest = parts[:n_terms], parts[n_terms:]
    if rest:
        shown = [*shown, (f"{len(rest)} more", sum(part for _, part in rest))]
    text = Text(f"{hit.score:.2f} = ")
    for place, ((term, _), part) in enumerate(zip(shown, apportion([part for _, part in shown], hit.score), strict=True)):
        sign = "− " if part < 0 else "+ " if place else ""
        text.append(f"{' ' if place else ''}{sign}").append(visible(term), "yellow").append(f" {abs(part):.2f}")
    return text


def cluster_facts(cluster: Cluster, limit: int) -> dict[str, object]:
    """A cluster as plain values, with at most so many terms."""
    return {
        **vars(cluster),
        "terms": [list(each) for each in cluster.terms[:limit]],
        "exemplars": [{"id": id, "title": title} for id, title in cluster.exemplars],
    }


def cluster_lines(found: Sequence[Cluster], limit: int) -> Iterator[Text]:
    """A head, and each cluster on a line, as wide as the screen."""
    width = console().width
    rows: list[tuple[str, ...]] = [(each.path, f"{each.size:,}", f"{each.share:.0%}", f"{each.uncertainty:.2f}") for each in found]
    heads: tuple[str, ...] = CLUSTER_HEADS
    if width >= WIDEST and any(each.stability is not None for each in found):
        heads = (*heads, STABILITY_HEAD)
        rows = [(*row, "" if each.stability is None else f"{each.stability:.2f}") for row, each in zip(rows, found, strict=True)]
    numbers = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    examples = [next((visible(title or id) for id, title in each.exemplars), "") for each in found]
    longest = EXAMPLE if width >= WIDE else SHORT_EXAMPLE if width >= NARROWEST else 0
    example = min(max(map(cell_len, (*examples, CLUSTER_TEXT_HEADS[1]))), longest)
    room = max(width - sum(numbers) - 2 * len(numbers) - (example + 2 if example else 0), 10)
    widths = (*numbers, room, example)
    yield _row(heads, CLUSTER_TEXT_HEADS, widths, "dim")
    for each, row, title in zip(found, rows, examples, strict=True):
        yield _row(row, (fitting(_named_terms(each, limit), room), title), widths)


def _named_terms(cluster: Cluster, limit: int) -> list[str]:
    """The terms of a cluster, with the name that it was given before the first."""
    terms = [term for term, _ in cluster.terms[:limit]]
    given = [cluster.name] * cluster.named + ["(pinned)"] * cluster.pinned
    return terms if not given else [f"{' '.join(given)}: {''.join(terms[:1])}", *terms[1:]]


def uncertain_lines(found: Sequence[Uncertain]) -> Iterator[Text]:
    """A few lines for each document: uncertainty and title, its id, and each of two clusters with the terms that speak for it."""
    room = console().width - len(INDENT)
    for each in found:
        yield Text(f"{each.uncertainty:{SCORE}.2f}  ", style="bold green").append_text(clipped(each.title or each.id, room, "bold"))
        if each.title:
            yield Text(f"{INDENT}{visible(each.id)}", style="cyan")
        for (number, name, probability), terms in zip(each.clusters, each.terms, strict=True):
            speak = ", ".join(f"{term} {part:.2f}" for term, part in terms) or "no term"
            yield Text(INDENT).append_text(clipped(f"{probability:4.0%} cluster {number} ({name}) for {speak}", room))


def _row(numbers: Sequence[str], texts: Sequence[str], widths: Sequence[int], style: str = "") -> Text:
    """Numbers to the right and texts to the left of their columns."""
    cells = [Text(f"{number:>{width}}", style) for number, width in zip(numbers, widths, strict=False)]
    return aligned(zip([*cells, *(Text(text, style) for text in texts)], widths, strict=True))


def prediction_facts(found: Prediction) -> dict[str, object]:
    """The predicted class of a document as plain values."""
    return {
        "id": found.id,
        "label": found.label,
        "probability": found.probability,
        "others": dict(found.others),
        "why": contributions(found.why),
    }


def prediction_lines(found: Prediction, why: bool) -> Iterator[Text]:
    """The predicted class of a document on a line, and on a second one the terms that decided."""
    label = visible(found.label) if found.label else "(no known terms)"
    others = ", ".join(f"{visible(name)} {p:.0%}" for name, p in found.others if p >= LEAST_PROBABILITY)
    yield (
        Text(f"{found.probability:6.1%}  ", "bold green")
        .append(label, "bold")
        .append(f"  {visible(found.id)}" if found.id else "", "cyan")
        .append(f"  ({others})" if others else "", "dim")
    )
    if why and found.label:
        terms = [f"{visible(term)} {part:+.3f}" for term, part in found.why.top(MOST_TERMS)]
        while len(terms) > 1 and cell_len(", ".join(terms)) > console().width - len(PREDICTION):
            terms.pop()
        yield Text(f"{PREDICTION}{', '.join(terms)}", "yellow")


def beginning_facts(document: Document) -> dict[str, object]:
    """Title and beginning of the text of a document, as plain values."""
    return {"title": document.title, "snippet": visible(document.text[: 2 * BEGINNING])[:BEGINNING]}


def asked_lines(found: Prediction, document: Document) -> Iterator[Text]:
    """A document that is worth a label: its class by the present labels where there are any, its id, and how it begins."""
    if found.label:
        yield from prediction_lines(found, why=False)
    else:
        yield Text(visible(found.id), "cyan")
    title = f"{document.title}: " if document.title and document.title != document.id else ""
    room = console().width - len(PREDICTION)
    yield Text(PREDICTION).append_text(clipped(f"{title}{document.text[: 2 * BEGINNING]}", room, "dim"))


def duplicate_facts(group: DuplicateGroup) -> dict[str, object]:
    """A group of duplicates as plain values."""
    return {"kept": group.kept.id, "removable": list(group.removable), "documents": [vars(each) for each in group.documents]}


def duplicate_lines(found: Sequence[DuplicateGroup]) -> Iterator[Text]:
    """A head, each document of each group on a line, and the number of removable documents."""
    numbers = tuple(map(len, GROUP_HEADS))
    room = max(console().width - sum(each + 2 for each in numbers) - 2, 20)
    widths = (*numbers, round(IDS * room), room - round(IDS * room))
    yield _row(GROUP_HEADS, ("id", "title"), widths, "dim")
    for number, group in enumerate(found, start=1):
        for place, each in enumerate(group.documents):
            first = ("", _rounded_down(each.similarity)) if place else (f"{number}", TO_KEEP)
            cells = [Text(f"{text:>{size}}", "green") for text, size in zip(first, numbers, strict=True)]
            cells += [clipped(each.id, widths[2], "cyan"), clipped(each.title, widths[3])]
            yield aligned(zip(cells, widths, strict=True))
    removable = sum(len(group.removable) for group in found)
    yield Text(f"{counted(len(found), 'group')}; {counted(removable, 'removable document')}, listed by --ids.", style="dim")


def _rounded_down(similarity: float) -> str:
    """Two digits, rounded down: only 1 is shown as 1.00."""
    return f"{math.floor(100 * similarity + 1e-6) / 100:.2f}"


def label_facts(done: Labelled) -> dict[str, object]:
    """What labelling did, as plain values."""
    return {"n_labelled": done.n_labelled, "classes": dict(done.classes), "accuracy": done.accuracy}


def label_lines(done: Labelled) -> Iterator[str]:
    """The classes with their sizes, and the accuracy."""
    for name, size in done.classes:
        yield f"{size:>8,}  {visible(name)}"
    labelled = counted(done.n_labelled, "labelled document")
    if len(done.classes) == 1:
        yield f"{labelled} in 1 class. Label documents of another class before classifying."
        return
    measured = "not measured, too few labels" if done.accuracy is None else f"{done.accuracy:.1%} by cross-validation"
    yield f"{labelled} in {len(done.classes)} classes; accuracy {measured}."


def added_line(added: Added) -> str:
    """What adding did, for people."""
    embedded = f" {counted(added.embedded, 'document')} embedded with the fitted model." if added.embedded else ""
    absent = f" {documents_were(len(added.absent))} left out, not being in the index." if added.absent else ""
    return f"{added.added:,} added, {added.changed:,} changed, {added.unchanged:,} unchanged.{absent}{embedded}"


def synced_line(done: Synced) -> str:
    """What a sync did, for people."""
    kept = len(done.gone) - done.removed
    parts = [f"{done.added:,} added", f"{done.changed:,} changed", f"{len(done.moved):,} moved", f"{done.removed:,} removed"]
    parts += [f"{kept:,} gone and kept"] if kept else []
    embedded = f" {counted(done.embedded, 'document')} embedded with the fitted model." if done.embedded else ""
    return f"{', '.join(parts)}, {done.unchanged:,} unchanged.{embedded}"


def shown_rows(found: Shown) -> dict[str, str]:
    """What the index knows of a document besides its text, in two columns."""
    rows = {"id": found.id, "title": found.marked_title, "source": found.source}
    if found.label:
        rows["label"] = found.label if found.label_origin == "document" else f"{found.label} (from {found.label_origin})"
    if found.cluster >= 0:
        rows["cluster"] = f"{found.cluster} ({found.cluster_name})"
    if found.uncertainty is not None:
        rows["uncertainty"] = f"{found.uncertainty:.2f}"
    rows |= {name if name not in rows else f"{name} (metadata)": str(value) for name, value in found.metadata.items()}
    return {name: value for name, value in rows.items() if value}


def fitted_facts(fitted: Fitted) -> dict[str, object]:
    """What fitting did, as plain values."""
    return {**vars(fitted), "chosen": dict(fitted.chosen), "notes": list(fitted.notes), "cuts": list(fitted.cuts)}


def fitted_lines(fitted: Fitted) -> Iterator[str]:
    """What fitting did, for people."""
    sizes = (counted(fitted.n_clusters, "cluster"), counted(fitted.n_terms, "term"), counted(fitted.n_components, "component"))
    yield f"Fitted to {counted(fitted.n_documents, 'document')}: {', '.join(sizes)}."
    if fitted.change:
        yield fitted.change
    yield from map(with_options, fitted.chosen.values())
    yield from map(visible, fitted.cuts)
