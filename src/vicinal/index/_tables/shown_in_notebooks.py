"""What notebooks show of an index and of its answers; every text of a document is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vicinal._notebook_html import bars, card, listed, rows_of
from vicinal._page_elements import Markup, element, joined

if TYPE_CHECKING:
    from vicinal.index._reader import IndexReader
    from vicinal.index._results import Cluster
    from vicinal.index._search.hits import Hit, Hits

SHOWN = 30  # clusters
N_TERMS = 8
N_EXEMPLARS = 5


def cluster_html(cluster: Cluster) -> str:
    """One cluster: its name, its size, its terms and its most typical documents."""
    about = f"cluster {cluster.path}, {cluster.size:,} documents ({cluster.share:.1%}), uncertainty {cluster.uncertainty:.2f}"
    about += "" if cluster.stability is None else f", stability {cluster.stability:.2f}"
    typical = [element("li", title or id, title=id) for id, title in cluster.exemplars[:N_EXEMPLARS]]
    documents = element("ul", *typical, style="margin:2px 0 0 0;padding-left:18px") if typical else None
    return card(cluster.name, about, bars(cluster.terms[:N_TERMS]), documents)


def clusters_table(clusters: Sequence[Cluster]) -> Markup:
    """Clusters in rows."""
    rows = [
        (
            each.path,
            f"{each.size:,}",
            f"{each.share:.1%}",
            element("b", each.name) if each.named else each.name,
            listed(term for term, _ in each.terms[:N_TERMS]),
            each.exemplars[0][1] or each.exemplars[0][0] if each.exemplars else "",
        )
        for each in clusters[:SHOWN]
    ]
    return rows_of(("no.", "documents", "share", "name", "terms", "for example"), rows, numbers=(0, 1, 2))


def hit_html(hit: Hit) -> str:
    """One document that was found: its passage with the words of the query marked, and what each term adds."""
    about = f"{hit.id} · relevance {hit.relevance:.0%} · score {hit.score:.2f}" + (
        "" if hit.cluster < 0 else f" · cluster {hit.cluster}"
    )
    return card(hit.title or hit.id, about, element("div", _marked(hit)), bars(hit.why.top(N_TERMS), decimals=2))


def hits_html(hits: Hits) -> str:
    """What a search found, a row each."""
    rows = [
        (f"{each.relevance:.0%}", element("div", element("b", each.title or each.id), element("div", _marked(each))), each.id)
        for each in hits
    ]
    said = [*hits.notes, *(f"no document has {word}" for word in hits.suggestions)]
    about = "; ".join([f"{len(hits):,} of {hits.total:,}", *said])
    return card("Found", about, rows_of(("relevance", "document", "id"), rows, numbers=(0,)))


def _marked(hit: Hit) -> Markup:
    """The passage with the words of the query marked, by their positions; without positions, the passage as it is."""
    passage = hit.passage
    if not passage.matches:
        return joined([hit.snippet])
    parts: list[object] = ["…" if passage.before else None]
    at = 0
    for start, end in ((start - passage.start, end - passage.start) for start, end in passage.matches):
        parts += [passage.text[at:start], element("mark", passage.text[start:end])]
        at = end
    return joined([*parts, passage.text[at:], "…" if passage.after else None])


def index_html(index: IndexReader) -> str:
    """What an index holds, and its clusters."""
    info = index.info()
    about = f"{info.documents:,} documents, {info.n_terms:,} terms, {info.n_clusters:,} clusters"
    if not info.generation:
        return card(info.path, f"{info.documents:,} documents, not fitted yet: index.fit()")
    clusters = index.clusters()
    more = f"… and {len(clusters) - SHOWN:,} more clusters: index.clusters()" if len(clusters) > SHOWN else None
    new = f"; {info.embedded:,} of them came since the fit" if info.embedded else ""
    return card(info.path, about + new, clusters_table(clusters), more)
