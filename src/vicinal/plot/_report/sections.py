"""The sections of a report, one function each, from what was collected to elements of a page."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from vicinal._page_elements import Markup, element, joined, table
from vicinal._tallies import ClusterTally
from vicinal.index import Cluster, DuplicateGroup, Uncertain
from vicinal.plot._report.report_data import N_GROUPS, ReportData
from vicinal.plot._report.svg import MOST_POINTS, color_class, svg_bar, svg_columns, svg_map, svg_spark, svg_tree

N_TERMS, N_TYPICAL = 8, 4
HEAT = 5  # shades of a cell


def sections(data: ReportData) -> Iterator[Markup]:
    """All sections that have something to say, in their order."""
    yield _section("glance", "At a glance", _glance(data))
    yield _section("map", "Map", *_map(data))
    if data.tree is not None and data.tree.branches:
        yield _section("tree", "Tree of clusters", TREE_NOTE, element("div", svg_tree(data.tree, _ranks(data)), class_="wide"))
    yield _section("clusters", "Clusters", CLUSTER_NOTE, *(_cluster(data, i, each) for i, each in enumerate(data.map.clusters)))
    if data.timeline is not None:
        yield _section("time", "Over time", *_time(data, data.timeline))
    for name, tally in data.columns:
        yield _section("columns", f"Clusters by {name}", COLUMN_NOTE, _heat(tally))
    yield _section("duplicates", "Duplicates", *_duplicates(data.duplicates))
    yield _section("uncertain", "Documents between clusters", *_uncertain(data))
    yield _section("made", "How it was made", *_made(data))


def _note(text: str) -> Markup:
    return element("p", text, class_="note")


TREE_NOTE = _note("Clusters that are merged further to the left have more in common. Numbers are documents.")
CLUSTER_NOTE = _note(
    "Largest first. Terms are those that set a cluster apart from the others, with bars for how much. Uncertainty is 0 where the "
    "terms of documents leave none and up to 1; stability is how much of the cluster another random seed would find again."
)
COLUMN_NOTE = _note("Of the documents with each value, how many in a hundred are in which cluster.")


def _section(id: str, title: str, *content: object) -> Markup:
    return element("section", element("h2", title), *content, id=id)


def _ranks(data: ReportData) -> dict[int, int]:
    return {each.number: i for i, each in enumerate(data.map.clusters)}


def _glance(data: ReportData) -> Markup:
    info, clusters = data.info, data.map.clusters
    facts = [
        (f"{info.documents:,}", "documents"),
        (f"{len(clusters):,}", "clusters"),
        (f"{info.n_terms:,}", "terms"),
        (f"{sum(each.share for each in clusters[:3]):.0%}", "in the three largest clusters") if len(clusters) > 3 else None,
        (f"{sum(len(group.removable) for group in data.duplicates):,}", "duplicates and near-duplicates"),
        (f"{data.n_labelled:,}", "with a label") if data.n_labelled else None,
        (f"{data.timeline.labels[0]} – {data.timeline.labels[-1]}", f"by {data.dates}") if data.timeline else None,
        (f"{info.stability:.2f}", "stability of the clusters") if info.stability is not None else None,
    ]
    boxes = (element("div", element("dd", value), element("dt", name)) for value, name in filter(None, facts))
    return joined([element("dl", *boxes, class_="facts"), _sizes(clusters)])


def _sizes(clusters: list[Cluster]) -> Markup:
    """All clusters with their sizes, each leading to its description."""
    largest = max((each.size for each in clusters), default=1)
    rows = [
        (element("a", each.name, href=f"#cluster-{i}"), svg_bar(each.size / largest, i), f"{each.size:,}", f"{each.share:.1%}")
        for i, each in enumerate(clusters)
    ]
    return table(("cluster", "", "documents", "share"), rows, numbers=(2, 3), class_="sizes")


def _map(data: ReportData) -> Iterator[Markup]:
    n, without = len(data.map.ids), data.map.n_without
    drawn = f" {MOST_POINTS:,} of {n:,} documents are drawn." if n > MOST_POINTS else ""
    left = f" {without:,} documents without neighbours have no point." if without else ""
    yield _note(f"Each point is a document, and what is near is similar. How far apart clusters are says little.{drawn}{left}")
    yield svg_map(data.map)


def _cluster(data: ReportData, rank: int, cluster: Cluster) -> Markup:
    facts = [f"{cluster.size:,} documents", f"{cluster.share:.1%}", f"uncertainty {cluster.uncertainty:.2f}"]
    facts += [] if cluster.stability is None else [f"stability {cluster.stability:.2f}"]
    facts += ["pinned"] if cluster.pinned else []
    head = element("h3", element("span", "", class_=f"chip {color_class(rank)}"), cluster.name)
    return element(
        "article",
        head,
        element("p", " · ".join(facts), class_="facts-line"),
        element("div", _terms(cluster, rank), _typical(data, cluster), class_="two"),
        id=f"cluster-{rank}",
    )


def _terms(cluster: Cluster, rank: int) -> Markup:
    shown = cluster.terms[:N_TERMS]
    largest = max((weight for _, weight in shown), default=1.0) or 1.0
    return table(("terms", ""), [(term, svg_bar(weight / largest, rank)) for term, weight in shown], class_="terms")


def _typical(data: ReportData, cluster: Cluster) -> Markup:
    entries = [_document(id, title, data.beginnings.get(id, "")) for id, title in cluster.exemplars[:N_TYPICAL]]
    return element("div", element("h4", "typical documents"), element("ul", *entries, class_="documents"))


def _document(id: str, title: str, beginning: str, more: object = None) -> Markup:
    first = title or beginning or id
    text = element("div", beginning, class_="beginning") if title and beginning else None
    return element(
        "li", element("div", first, class_="title"), element("div", id, class_="id") if id != first else None, text, more
    )


def _time(data: ReportData, tally: ClusterTally) -> Iterator[Markup]:
    total, dated = tally.sizes.sum(axis=1), int((tally.of >= 0).sum())
    missing = f" {len(tally.of) - dated:,} documents have no date." if dated < len(tally.of) else ""
    yield _note(f"Documents by the column {data.dates}, {tally.labels[0]} to {tally.labels[-1]}.{missing}")
    yield svg_columns(total, tally.labels)
    yield table(("cluster", "documents", "most in", "share of early and of late documents"), _trends(tally), class_="time")


def _trends(tally: ClusterTally) -> Iterator[tuple[object, ...]]:
    """A row per cluster: its timeline, its peak, and its share of the first and of the second half of the documents."""
    total = tally.sizes.sum(axis=1)
    half = int(np.searchsorted(np.cumsum(total), total.sum() / 2)) + 1
    early, late = (
        tally.sizes[:half].sum(axis=0) / max(total[:half].sum(), 1),
        tally.sizes[half:].sum(axis=0) / max(total[half:].sum(), 1),
    )
    for rank, name in enumerate(tally.names):
        sizes = tally.sizes[:, rank]
        if not sizes.any():
            continue
        sign = "↗" if late[rank] > 1.25 * early[rank] else "↘" if late[rank] < 0.8 * early[rank] else "→"
        change = f"{early[rank]:.1%} {sign} {late[rank]:.1%}"
        spark = svg_spark(sizes, rank, f"documents of {name} over time")
        yield element("a", name, href=f"#cluster-{rank}"), spark, tally.labels[int(np.argmax(sizes))], change


def _heat(tally: ClusterTally) -> Markup:
    """Clusters x values, in per cent of each value, darker where more."""
    shares = tally.shares.T
    largest = float(shares.max(initial=0.0)) or 1.0
    rows = []
    for rank, name in enumerate(tally.names):
        cells = [
            element("td", f"{share:.0%}" if share >= 0.005 else "·", class_=f"n h{round(HEAT * share / largest)}")
            for share in shares[rank]
        ]
        rows.append(element("tr", element("th", name, scope="row"), *cells))
    head = element("tr", element("th", ""), *(element("th", label, class_="n", scope="col") for label in tally.labels))
    totals = element(
        "tr", element("th", "documents"), *(element("td", f"{size:,}", class_="n") for size in tally.sizes.sum(axis=1))
    )
    return element("div", element("table", element("thead", head), element("tbody", *rows, totals), class_="heat"), class_="wide")


def _duplicates(groups: list[DuplicateGroup]) -> Iterator[Markup]:
    if not groups:
        yield _note("None: no two documents have the same text, or terms with a cosine of 0.9 or more.")
        return
    n = sum(len(group.removable) for group in groups)
    more = f" The first {N_GROUPS} of {len(groups):,} groups:" if len(groups) > N_GROUPS else ""
    yield _note(
        f"{n:,} documents repeat another one in {len(groups):,} groups: the same text, or terms with a cosine of 0.9 or more.{more}"
    )
    for group in groups[:N_GROUPS]:
        others = [
            element("li", f"{each.similarity:.0%} ", each.title or each.id, " ", element("span", each.id, class_="id"))
            for each in group.documents[1:5]
        ]
        left = element("li", f"… and {len(group.documents) - 5:,} more") if len(group.documents) > 5 else None
        kept = element("div", group.kept.title or group.kept.id, " ", element("span", group.kept.id, class_="id"), class_="title")
        yield element("div", kept, element("ul", *others, left), class_="group")


def _uncertain(data: ReportData) -> Iterator[Markup]:
    if not data.uncertain:
        yield _note("None: there are fewer than two clusters.")
        return
    yield _note(
        "The documents whose cluster is least certain, each with the two clusters that it lies between and the terms for both."
    )
    yield element(
        "ul",
        *(_document(each.id, each.title, data.beginnings.get(each.id, ""), _between(each)) for each in data.uncertain),
        class_="documents columns",
    )


def _between(found: Uncertain) -> Markup:
    lines = []
    for (_, name, probability), terms in zip(found.clusters, found.terms, strict=True):
        said = ", ".join(term for term, _ in terms[:4])
        lines.append(
            element(
                "div", element("b", f"{probability:.0%}"), f" {name}", element("span", f" ({said})" if said else "", class_="id")
            )
        )
    return element("div", *lines, class_="between")


def _made(data: ReportData) -> Iterator[Markup]:
    info = data.info
    yield element(
        "p",
        "Documents that share words are neighbours. From the graph of neighbours, embeddings were learnt that are sums over terms "
        "(Locality Preserving Indexing), and clusters that several views of the documents agree on. No language model and no label "
        "was used unless the options below say so, and every number can be explained term by term: vicinal explain.",
    )
    rows: list[tuple[object, object]] = [
        ("documents the model was fitted to", f"{info.fitted:,}"),
        ("documents that came since", f"{info.embedded:,}"),
        ("documents without a known term", f"{info.without_terms:,}"),
        ("terms", f"{info.n_terms:,}"),
        ("components of the embedding", f"{info.n_components:,}"),
        ("number of the fit", f"{info.generation:,}"),
        ("constraints on clusters by people", f"{info.n_constraints:,}"),
        *((f"option {name}", _option(value)) for name, value in sorted(info.options.items()) if value not in (None, (), [], {})),
    ]
    if info.drift is not None:
        rows.append(("drift since the fit", str(info.drift)))
    yield table(("", ""), rows, class_="made")


def _option(value: object) -> str:
    return "yes" if value is True else "no" if value is False else str(value)
