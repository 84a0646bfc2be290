"""``vicinal clusters``: what the documents of an index are about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vicinal.cli.options import AsJson, IndexFile

if TYPE_CHECKING:
    from rich.text import Text

    from vicinal.index.answers import Cluster

#: Width of an example, and of the screens that have room for one.
EXAMPLE, WIDE = 30, 90
HEADS, WIDTHS = ("no.", "docs", "share", "doubt"), (4, 7, 5, 5)


def clusters(
    path: IndexFile,
    limit: Annotated[int, typer.Option(min=1, max=10, help="How many words to show of each.")] = 6,
    as_json: AsJson = False,
) -> None:
    """Say what the documents are about: the clusters, largest first, each with the words that set it apart.

    Doubt is 0 where the words of its documents leave none about where they belong, and 1 where they say nothing. A cluster
    keeps its number when the index is fitted again and the cluster is still there.

    **Examples**

    - `vicinal clusters news.vic`: all of them

    - `vicinal clusters news.vic --limit 10 --json`: with more words and examples, for a program

    Exit codes: 0 done, 1 nothing is learnt yet, 2 the command was not understood, 3 the data would not do, 4 the index is damaged.
    """
    from vicinal.cli.errors import nothing, plainly
    from vicinal.cli.opening import opened
    from vicinal.cli.output import say_json, say_lines

    with plainly("clusters"), opened(path) as index:
        found = index.clusters()
    if as_json:
        say_json({"clusters": [_facts(each, limit) for each in found]})
    elif found:
        say_lines(_lines(found, limit))
    if not found:
        raise nothing(f"Nothing is learnt yet, so there are no clusters. First: vicinal fit {path}")


def _facts(cluster: Cluster, limit: int) -> dict[str, Any]:
    return {
        **vars(cluster),
        "words": [list(each) for each in cluster.words[:limit]],
        "exemplars": [{"id": id, "title": title} for id, title in cluster.exemplars],
    }


def _lines(found: Sequence[Cluster], limit: int) -> Iterator[Text]:
    from rich.text import Text

    from vicinal.cli.demonstration.report import fitting
    from vicinal.cli.terminal import aligned, console, visible

    width = console().width
    example = EXAMPLE if width >= WIDE else 0
    widths = [*WIDTHS, 0, example]
    widths[4] = max(width - sum(each + 2 for each in widths if each), 10)
    heads = (*(f"{head:>{size}}" for head, size in zip(HEADS, WIDTHS, strict=True)), "words that set it apart", "for example")
    yield aligned(zip((Text(head, style="dim") for head in heads), widths, strict=True))
    for each in found:
        numbers = (f"{each.number}", f"{each.size:,}", f"{each.share:.0%}", f"{each.doubt:.2f}")
        title = next((title or id for id, title in each.exemplars), "")
        cells = [Text(f"{number:>{size}}") for number, size in zip(numbers, WIDTHS, strict=True)]
        cells += [Text(fitting((word for word, _ in each.words[:limit]), widths[4])), Text(visible(title), style="dim")]
        yield aligned(zip(cells, widths, strict=True))
