"""``vicinal clusters``: the clusters of an index, and the parts of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, final

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile, chosen_clusters, parse_clusters
from vicinal.cli._terminal.cluster_steering import (
    ClusterChanges,
    change_clusters,
    list_constraints,
    list_uncertain,
    merged_numbers,
    number_of,
    numbers_of,
    unstable_lines,
)
from vicinal.cli._terminal.paired_option import NAME, pairs

if TYPE_CHECKING:
    from vicinal.index import Cluster

NOT_FITTED = "The index is not fitted yet, so there are no clusters. First: vicinal fit"


def clusters(
    path: IndexFile,
    more: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DOC_ID",
            help="After --move: the ids of further documents. After --uncertain: a number instead, of documents to list.",
            show_default=False,
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--open", metavar="CLUSTER", help="Show the parts of this cluster, by its number, or of a node of the tree, by its id."
        ),
    ] = None,
    parts: Annotated[
        object | None,
        typer.Option(
            "--clusters",
            metavar="N|auto",
            parser=parse_clusters,
            help="Cut the tree into so many clusters; with --open: number of parts.",
            show_default="auto",
        ),
    ] = None,
    level: Annotated[
        str | None, typer.Option(metavar="fine|medium|coarse", help="Cut the tree at a level.", show_default="medium")
    ] = None,
    nodes: Annotated[
        str | None, typer.Option(metavar="ID,ID", help="Cut the tree by hand: ids of nodes with commas between them.")
    ] = None,
    tree: Annotated[bool, typer.Option("--tree", help="Show the tree of clusters, down to the cut.")] = False,
    documents: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="With --open: list so many of its documents instead of its parts.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10, metavar="N", help="Terms to show of each cluster.")] = 6,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLUSTER TEXT", help="Name a cluster; an empty text takes the name away. Repeat for more.", show_default=False
        ),
    ] = None,
    merge: Annotated[list[str] | None, typer.Option(metavar="A,B", help="Merge clusters; the first keeps its number.")] = None,
    split: Annotated[
        str | None, typer.Option(metavar="CLUSTER", help="Replace a cluster by its parts; --clusters says how many.")
    ] = None,
    move: Annotated[list[str] | None, typer.Option(metavar="DOC_ID", help="Move documents to the cluster of --to.")] = None,
    to: Annotated[str | None, typer.Option(metavar="CLUSTER", help="With --move: where the documents belong.")] = None,
    pin: Annotated[list[str] | None, typer.Option(metavar="CLUSTER", help="Keep its documents at every fit.")] = None,
    unpin: Annotated[list[str] | None, typer.Option(metavar="CLUSTER", help="Let a fit move its documents again.")] = None,
    undo: Annotated[list[str] | None, typer.Option(metavar="N", help="Undo the constraint with this number.")] = None,
    constraints: Annotated[bool, typer.Option("--constraints", help="List what every fit keeps.")] = False,
    uncertain: Annotated[
        bool, typer.Option("--uncertain", help="List the most uncertain documents: 20, or as many as a number after it says.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the clusters and the terms that distinguish them.

    The largest cluster comes first. A cluster can be opened: its documents alone are clustered again, with the terms that
    matter among them. Its parts can be opened in turn, by the numbers shown. Nothing is written.

    The clusters of the fit are one cut through a tree, from fine pieces to all documents. Other cuts need no new fit: `--clusters`
    and `--level` list them, and `--tree` draws the tree. Nodes of the tree are named by ids: `--open ID` shows what one is made of,
    `--open ID --documents 20` its documents, and `--nodes ID,ID,ID` cuts the tree by hand.

    The uncertainty of a cluster is the mean over its documents: 0 where their terms belong to this cluster alone, 1 where
    all clusters are equally likely. Its stability is how much of it another random seed would find again; a wide window shows
    it for all clusters, and a note names those below 0.5. A cluster that persists keeps its number when the index is fitted again.

    **Examples**

    - `vicinal clusters news.vic`: all clusters

    - `vicinal clusters news.vic --open 3`: the parts of cluster 3; `--open 3.1` the parts of its part 1

    - `vicinal clusters news.vic --open 3 --clusters 5`: cluster 3 in five parts, numbered 3:5.0 to 3:5.4

    - `vicinal clusters news.vic --open 3.1 --documents 20`: twenty documents of that part, the most typical first

    - `vicinal clusters news.vic --level fine`: three times as many clusters; `--clusters 12` for twelve

    - `vicinal clusters news.vic --nodes kxd,qbm,twp`: the cut that has these nodes; every document is in one of them

    - `vicinal clusters news.vic --tree`: which clusters are merged with which; `--tree --clusters 30` shows finer ones

    - `vicinal clusters news.vic --limit 10 --json`: with more terms and examples, for a program

    - `vicinal clusters news.vic --name 3 "Mobile phones" --merge 1,4`: a name, and a cluster of two; every fit keeps both

    - `vicinal clusters news.vic --name 1 Trade --name 2 Sports`: several names, all of them or none

    - `vicinal clusters news.vic --split 5 --clusters 2 --pin 3`: two clusters of one; cluster 3 keeps its documents

    - `vicinal clusters news.vic --move a17 b4 --to 3`: two documents are moved to cluster 3

    - `vicinal clusters news.vic --constraints`, then `--undo 2`: what every fit keeps, and one of it undone

    - `vicinal clusters news.vic --uncertain 20`: documents between two clusters, with the terms for each

    Exit codes: 0 success, 1 nothing to list, 2 usage error, 3 input data error, 4 damaged index.
    """
    n_clusters = chosen_clusters(parts)
    moved = tuple(move) + tuple(more or ()) if move else ()
    changes = ClusterChanges(
        tuple((number_of("--name", number), text) for number, text in pairs(NAME, name)),
        merged_numbers(merge),
        None if split is None else number_of("--split", split),
        n_clusters or "auto",
        moved,
        None if to is None else number_of("--to", to),
        numbers_of("--pin", pin),
        numbers_of("--unpin", unpin),
        numbers_of("--undo", undo, "constraint"),
    ).checked()
    given = {"--open": cluster, "--clusters": n_clusters, "--level": level, "--nodes": nodes, "--documents": documents}
    flags = {"--tree": tree, "--uncertain": uncertain, "--constraints": constraints}
    asked = {option for option, value in (given | flags).items() if value not in (None, False)}
    _refuse_together(asked, changes.any, split is not None)
    _refuse_more(more, bool(move) or uncertain)
    if changes.any:
        change_clusters(path, changes, limit, as_json)
    elif uncertain:
        list_uncertain(path, more or (), as_json)
    elif constraints:
        list_constraints(path, as_json)
    elif cluster is not None:
        _print_opened(path, cluster, documents, n_clusters or "auto", limit, as_json)
    else:
        (_print_tree if tree else _print_all)(path, Cutting(n_clusters, level, _node_ids(nodes)), limit, as_json)


@final
@dataclass(frozen=True)
class Cutting:
    """Where the tree is cut: at most one of a number of clusters, a level and nodes.

    Attributes
    ----------
    n_clusters : int, "auto" or None
    level : str, optional
    nodes : list of str, optional
    """

    n_clusters: int | str | None
    level: str | None
    nodes: list[str] | None


def _node_ids(nodes: str | None) -> list[str] | None:
    if nodes is None:
        return None
    found = [each.strip() for each in nodes.split(",")]
    if not all(found):
        raise typer.BadParameter(f"ids of nodes with commas between them, got {nodes!r}.", param_hint="--nodes")
    return found


_CUTS = ("--clusters", "--level", "--nodes")
#: Options that go together with one, and what it shows, so that others do not.
_TOGETHER = {
    "--uncertain": ((), "it lists documents of all clusters"),
    "--constraints": ((), "it lists what was decided about clusters"),
    "--open": (("--clusters", "--documents"), "it is of one cluster"),
    "--documents": (("--open",), "it lists documents and not parts"),
    "--tree": (_CUTS, "it is of all clusters"),
}


def _refuse_together(asked: set[str], changes: bool, splits: bool) -> None:
    """Refuse options that need others, and options of which one would be ignored."""
    if changes:
        _refuse_with_changes(asked - ({"--clusters"} if splits else set()))
    if "--documents" in asked and "--open" not in asked:
        raise typer.BadParameter("it lists the documents of one cluster: give --open too.", param_hint="--documents")
    for option, (others, why) in _TOGETHER.items():
        ignored = sorted(asked - {option, *others})
        if option in asked and ignored:
            raise typer.BadParameter(f"{why}: leave out {' and '.join(ignored)}, or it.", param_hint=option)
    both = [each for each in _CUTS if each in asked]
    if len(both) > 1:
        raise typer.BadParameter(f"a cut is given by one of {', '.join(_CUTS)}, got {' and '.join(both)}: leave out one.")


def _refuse_with_changes(others: set[str]) -> None:
    """Refuse to show something else in the same command: a change lists the clusters as they are afterwards."""
    if others == {"--clusters"}:
        raise typer.BadParameter("with a change it says into how many a cluster is split: give --split.", param_hint="--clusters")
    if others:
        asked = " and ".join(sorted(others))
        raise typer.BadParameter(f"a change lists the clusters that it leads to: give {asked} in a command after it.")


def _refuse_more(more: list[str] | None, taken: bool) -> None:
    if more and not taken:
        raise typer.BadParameter(f"what {' '.join(more)!r} stands for is not known: give --move or --uncertain before it.")


def _print_tree(path: str, cutting: Cutting, limit: int, as_json: bool) -> None:
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.tree_lines import tree_facts, tree_lines

    with reporting_errors("clusters"), open_index(path) as index:
        if index.info().generation == 0:
            raise nothing_found(f"{NOT_FITTED} {path}")
        tree = index.tree()
        n_clusters = cutting.n_clusters if isinstance(cutting.n_clusters, int) else None
        cut = tree.cut(n_clusters, level=cutting.level, nodes=cutting.nodes)
    if as_json:
        print_json({"n_clusters": cut.n_clusters, "nodes": tree_facts(tree, cut, limit)})
    else:
        print_lines(tree_lines(tree, cut, limit))


def _print_all(path: str, cutting: Cutting, limit: int, as_json: bool) -> None:
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.ingest import print_some
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.rendering import cluster_facts, cluster_lines

    with reporting_errors("clusters"), open_index(path) as index:
        found = index.clusters(n_clusters=cutting.n_clusters or "auto", level=cutting.level, nodes=cutting.nodes)
    if as_json:
        print_json({"clusters": [cluster_facts(each, limit) for each in found]})
    elif found:
        print_lines(cluster_lines(found, limit))
        print_some("note", unstable_lines(found))
    if not found:
        raise nothing_found(f"{NOT_FITTED} {path}")


def _print_parts(path: str, cluster: str, n_clusters: int | str, limit: int, as_json: bool) -> None:
    from vicinal._plural import counted
    from vicinal.cli._terminal.exit_codes import nothing_found, print_to_stderr, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.progress_display import notice_if_slow
    from vicinal.cli._terminal.rendering import cluster_facts, cluster_lines

    with reporting_errors("clusters"), open_index(path) as index, notice_if_slow(f"open: clustering cluster {cluster} ..."):
        found = index.clusters(of=cluster, n_clusters=n_clusters)
        fitted = bool(found) or index.info().generation > 0
    outside = _outside(found)
    if as_json:
        print_json({"open": cluster, "clusters": [cluster_facts(each, limit) for each in found], "outside": outside})
    elif found:
        print_lines(cluster_lines(found, limit))
    if outside:
        print_to_stderr(f"note: {counted(outside, 'document')} of cluster {cluster} in no part: no term in common with another.")
    if not found:
        closed = f"Cluster {cluster} has no further parts: too few documents, or no terms that distinguish them."
        raise nothing_found(closed if fitted else f"{NOT_FITTED} {path}")


def _print_opened(path: str, cluster: str, documents: int | None, n_parts: int | str, limit: int, as_json: bool) -> None:
    if documents is None:
        _print_parts(path, cluster, n_parts, limit, as_json)
    else:
        _print_documents(path, cluster, documents, as_json)


def _print_documents(path: str, cluster: str, limit: int, as_json: bool) -> None:
    from vicinal.cli._terminal.exit_codes import nothing_found, reporting_errors
    from vicinal.cli._terminal.open_index import open_index
    from vicinal.cli._terminal.output import print_json, print_lines
    from vicinal.cli._terminal.progress_display import notice_if_slow
    from vicinal.cli._terminal.rendering import hit_facts, hit_lines

    with reporting_errors("clusters"), open_index(path) as index, notice_if_slow(f"open: clustering cluster {cluster} ..."):
        hits = index.members(cluster, limit)
        fitted = bool(hits) or index.info().generation > 0
    if as_json:
        print_json({"open": cluster, "hits": [hit_facts(hit) for hit in hits]})
    else:
        print_lines(hit_lines(hits, why=False))
    if not hits:
        raise nothing_found(f"Cluster {cluster} has no documents any more." if fitted else f"{NOT_FITTED} {path}")


def _outside(parts: Sequence[Cluster]) -> int:
    """How many documents of the opened cluster are in no part: shares are of all of them."""
    return round(parts[0].size / parts[0].share) - sum(each.size for each in parts) if parts else 0
