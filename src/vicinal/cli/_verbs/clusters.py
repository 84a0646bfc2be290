"""``vicinal clusters``: what the documents of an index are about, and what each cluster is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vicinal.cli._terminal.options import AsJson, IndexFile, parse_topics

if TYPE_CHECKING:
    from vicinal.index import Cluster

#: Width of an example, and of the screens that have room for one.
EXAMPLE, WIDE = 30, 90
HEADS, WIDTHS = ("no.", "docs", "share", "uncertainty"), (4, 7, 5, 5)
UNLEARNT = "Nothing is learnt yet, so there are no clusters. First: vicinal fit"


def clusters(
    path: IndexFile,
    cluster: Annotated[
        str | None, typer.Option("--open", metavar="CLUSTER", help="Show the parts of this one, by the number shown.")
    ] = None,
    topics: Annotated[
        object | None,
        typer.Option(
            "--topics", metavar="N|auto", parser=parse_topics, help="With --open: in how many parts.", show_default="auto"
        ),
    ] = None,
    documents: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="With --open: list so many documents of it instead of its parts.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10, help="How many words to show of each.")] = 6,
    as_json: AsJson = False,
) -> None:
    """Say what the documents are about: the clusters, largest first, each with the words that set it apart.

    A cluster can be opened: what its documents are about is learnt from them alone, with the words that matter inside. Its parts
    can be opened in turn, by the numbers that are shown. Nothing is written.

    Doubt is 0 where the words of its documents leave none about where they belong, and 1 where they say nothing. A cluster
    keeps its number when the index is fitted again and the cluster is still there.

    **Examples**

    - `vicinal clusters news.vic`: all of them

    - `vicinal clusters news.vic --open 3`: the parts of cluster 3; `--open 3.1` the parts of its part 1

    - `vicinal clusters news.vic --open 3 --topics 5`: in five parts, which are numbered 3:5.0 to 3:5.4

    - `vicinal clusters news.vic --open 3.1 --documents 20`: twenty documents of that part, the most typical first

    - `vicinal clusters news.vic --limit 10 --json`: with more words and examples, for a program

    Exit codes: 0 done, 1 nothing is learnt yet, or the cluster cannot be opened further, 2 the command was not understood, 3 the
    data would not do, 4 the index is damaged.
    """
    _refuse_lone(cluster, topics, documents)
    if cluster is None:
        _say_all(path, limit, as_json)
    elif documents is None:
        _say_parts(path, cluster, "auto" if topics is None else topics, limit, as_json)
    else:
        _say_documents(path, cluster, documents, as_json)


def _refuse_lone(cluster: str | None, topics: object, documents: int | None) -> None:
    """Refuse options that say nothing without others, or contradict them."""
    if cluster is None and topics is not None:
        raise typer.BadParameter(
            "it says in how many parts a cluster is opened: give --open too. How many clusters there are, vicinal fit decides.",
            param_hint="--topics",
        )
    if cluster is None and documents is not None:
        raise typer.BadParameter("it lists the documents of one cluster: give --open too.", param_hint="--documents")
    if topics is not None and documents is not None:
        raise typer.BadParameter("it lists documents and no parts: leave out --topics.", param_hint="--documents")


def _say_all(path: str, limit: int, as_json: bool) -> None:
    from vicinal.cli._terminal.exit_codes import nothing, plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json, say_lines
    from vicinal.cli._terminal.results import cluster_facts, cluster_lines

    with plainly("clusters"), opened(path) as index:
        found = index.clusters()
    if as_json:
        say_json({"clusters": [cluster_facts(each, limit) for each in found]})
    elif found:
        say_lines(cluster_lines(found, limit))
    if not found:
        raise nothing(f"{UNLEARNT} {path}")


def _say_parts(path: str, cluster: str, topics: Any, limit: int, as_json: bool) -> None:
    from vicinal.cli._terminal.exit_codes import line, nothing, plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json, say_lines
    from vicinal.cli._terminal.progress_display import patiently
    from vicinal.cli._terminal.results import cluster_facts, cluster_lines
    from vicinal.cli._terminal.text import counted

    with plainly("clusters"), opened(path) as index, patiently(f"open: learning from the documents of cluster {cluster} ..."):
        found = index.clusters(of=cluster, n_clusters=topics)
        learnt = bool(found) or index.info().generation > 0
    outside = _outside(found)
    if as_json:
        say_json({"open": cluster, "clusters": [cluster_facts(each, limit) for each in found], "outside": outside})
    elif found:
        say_lines(cluster_lines(found, limit))
    if outside:
        line(f"note: {counted(outside, 'document')} of cluster {cluster} in no part, without a word that another has.")
    if not found:
        closed = f"Cluster {cluster} cannot be opened further: its documents are too few, or nothing tells them apart."
        raise nothing(closed if learnt else f"{UNLEARNT} {path}")


def _say_documents(path: str, cluster: str, limit: int, as_json: bool) -> None:
    from vicinal.cli._terminal.exit_codes import nothing, plainly
    from vicinal.cli._terminal.open_index import opened
    from vicinal.cli._terminal.output import say_json, say_lines
    from vicinal.cli._terminal.progress_display import patiently

    with plainly("clusters"), opened(path) as index, patiently(f"open: looking for cluster {cluster} ..."):
        hits = index.members(cluster, limit)
        learnt = bool(hits) or index.info().generation > 0
    from vicinal.cli._terminal.results import hit_facts, hit_lines

    if as_json:
        say_json({"open": cluster, "hits": [hit_facts(hit) for hit in hits]})
    else:
        say_lines(hit_lines(hits, why=False))
    if not hits:
        raise nothing(f"Cluster {cluster} has no documents any more." if learnt else f"{UNLEARNT} {path}")


def _outside(parts: Sequence[Cluster]) -> int:
    """How many documents of the cluster that was opened are in no part: shares are of all of them."""
    return round(parts[0].size / parts[0].share) - sum(each.size for each in parts) if parts else 0
