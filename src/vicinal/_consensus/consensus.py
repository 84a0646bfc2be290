"""The consensus of several views: one graph of what they agree on, regressed onto terms, and the best clustering of that embedding.

Documents that views put together are joined (G10), and that graph is regressed onto terms like any other. Its embedding is
clustered directly, and finely with clusters merged afterwards, from several starts each; the best by terms and edges is kept.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from vicinal._consensus.embeddings import ALPHA, NeighborGraphs, n_consensus_components, neighbor_graphs, unit_with_constant
from vicinal._consensus.merge import conductances, edges_between, merged
from vicinal._consensus.mixture import NEARLY, fit_mixture, likeliest, refine_one_each
from vicinal._consensus.n_clusters import choose_n_clusters
from vicinal._consensus.views import ConsensusInput, View, consensus_input, kmeans_labels, take_views
from vicinal._kmeans import fewer_clusters_allowed
from vicinal._probabilities import entropy_of_shares
from vicinal._threads import over_tasks
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.errors import VicinalWarning
from vicinal.graph import AgreementGraph, SparseGraph
from vicinal.graph._agreement import agreement_of_checked
from vicinal.graph._graph import number_by_size
from vicinal.projection import Projection, Ridge
from vicinal.projection._projection import embed
from vicinal.projection._regress import regress_of_checked
from vicinal.spectrum._solve import smoothest

DIRECT_STARTS, MERGED_STARTS = 8, 3  # of the last k-means, each a candidate
FINER = 3  # clusters before merging, for each one wanted
EVENNESS = 0.4  # share of the gain in nats that evenly sized clusters may cost against one cluster
LOOSENESS = 0.2  # share of the gain that clusters e times as loosely connected to the others are worth
LARGE, LUMP = 0.3, 1.0  # share of the documents from which a cluster is a lump, and what each share beyond it costs
SMALLEST = 1e-4  # a smaller gain or conductance than this counts as this


@final
@dataclass(frozen=True, eq=False)
class ConsensusClustering:
    """One clustering of the documents, and what it was chosen from.

    Attributes
    ----------
    labels : int array (documents,)
        Clusters, -1 for a document without terms.
    projection : Projection
        From weighted terms to the embedding in which the views agree.
    views : tuple of View
    qualities : dict from candidate or answer to quality (V10)
    others : dict from candidate or answer to labels
        Those that were not kept, or that voted.
    """

    labels: IntArray
    projection: Projection
    views: tuple[View, ...]
    qualities: dict[str, float]
    others: dict[str, IntArray] = field(default_factory=dict)


Candidate = Callable[[ConsensusInput, NeighborGraphs, FloatArray, int, int], IntArray]


def agreement_graph(views: Sequence[View]) -> AgreementGraph:
    """The graph of what views agree on."""
    return agreement_of_checked([view.labels for view in views], shares=[view.share for view in views])


def consensus(
    X: Terms,
    n_clusters: int | str = "auto",
    *,
    labels: IntArray | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> AgreementGraph:
    """Build the graph of what several views of documents x terms agree on (G10).

    Parameters
    ----------
    X : documents x terms
        Weighted. Where no weight is negative, views are corrected and weighed by the presence of terms.
    n_clusters : int or "auto"
        Clusters of each view; by default as many as have the largest modularity (V11), and never fewer than classes.
    labels : int array, optional
        Classes that are known, -1 elsewhere: every view uses them, and they count as much as all views together.
    random_state : int
    n_jobs : int, optional
    """
    known = None if labels is None or not np.any(labels >= 0) else labels
    data = consensus_input(X, None, known, random_state, n_jobs)
    graphs = neighbor_graphs(X, random_state, n_jobs)
    data = data.sharing(graphs)
    wanted = int(choose_n_clusters(data, graphs).chosen) if isinstance(n_clusters, str) else n_clusters
    n_classes = 0 if known is None else int(known.max()) + 1
    views = take_views(data, graphs, max(2, wanted, n_classes))
    if known is not None:
        views.append(View("labels", known, 0.0, sum(view.share for view in views)))
    return agreement_graph(views)


def cluster_by_consensus(
    data: ConsensusInput,
    graphs: NeighborGraphs,
    n_clusters: int,
    *,
    views: Sequence[View] | None = None,
    candidates: Mapping[Candidate, int] | None = None,
) -> ConsensusClustering:
    """Take views, combine what they agree on, regress it onto terms, and cluster that embedding (V7).

    Parameters
    ----------
    data, graphs
        The documents and their neighbour graphs.
    n_clusters : int
    views, candidates : optional
        What is combined, and how it is clustered, from how many starts: :func:`take_views`, and :func:`direct` and
        :func:`merged_from_many` by default.
    """
    views = take_views(data, graphs, n_clusters) if views is None else views
    candidates = _candidates(data) if candidates is None else candidates
    projection = _consensus_projection(data, graphs, views, n_clusters)
    Z = embed(projection, data.X)
    found = _from_all_starts(candidates, data, graphs, Z, n_clusters)
    if max(each.n_lasting for each in found.values()) < n_clusters and data.known is None:
        found |= _from_all_starts({one_cluster_each: MERGED_STARTS}, data, graphs, Z, n_clusters)
    qualities = {name: each.quality for name, each in found.items()}
    kept = found.pop(max(found, key=lambda name: (found[name].n_lasting, qualities[name])))
    others = {name: each.labels for name, each in found.items()}
    return ConsensusClustering(kept.labels, projection, tuple(views), qualities, others)


@final
@dataclass(frozen=True, eq=False)
class Judged:
    """A candidate: its labels, how many clusters last, and its quality (V10)."""

    labels: IntArray
    n_lasting: int
    quality: float


def _from_all_starts(
    candidates: Mapping[Candidate, int], data: ConsensusInput, graphs: NeighborGraphs, Z: FloatArray, n_clusters: int
) -> dict[str, Judged]:
    """Each candidate from each of its starts, several at a time."""

    def judged(each: tuple[Candidate, int]) -> Judged:
        """One candidate from one start."""
        candidate, start = each
        labels = candidate(data, graphs, Z, n_clusters, start)
        return Judged(labels, n_lasting(data, labels, n_clusters), quality(data, graphs.combined, labels, n_clusters))

    starts = [(candidate, start) for candidate, n_starts in candidates.items() for start in range(n_starts)]
    with fewer_clusters_allowed():
        found = over_tasks(judged, starts, data.n_jobs)
    return {f"{each.__name__.replace('_', ' ')}, start {start + 1}": one for (each, start), one in zip(starts, found, strict=True)}


def n_lasting(data: ConsensusInput, labels: IntArray, n_clusters: int) -> int:
    """How many clusters still have documents when each document goes where its terms are likeliest."""
    last = labels if data.log_counts is None else likeliest(data.log_counts, fit_mixture(data.log_counts, labels, n_clusters))
    return len(np.unique(last[labels >= 0]))


def _candidates(data: ConsensusInput) -> dict[Candidate, int]:
    """Both ways and their starts; with labels only the one that keeps each class in one cluster throughout."""
    at_once: dict[Candidate, int] = {direct: DIRECT_STARTS}
    return at_once if data.known is not None else {**at_once, merged_from_many: MERGED_STARTS}


def _consensus_projection(data: ConsensusInput, graphs: NeighborGraphs, views: Sequence[View], n_clusters: int) -> Projection:
    """The smoothest functions on the agreement graph, regressed onto terms."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        spectrum = smoothest(agreement_graph(views), n_consensus_components(n_clusters), random_state=data.random_state)
        if len(spectrum) == 0:  # all views have one cluster, and the neighbour graph must embed the documents within it
            spectrum = smoothest(graphs.combined, 2, random_state=data.random_state)
        return regress_of_checked(data.X, spectrum, Ridge(ALPHA), n_jobs=data.n_jobs, single=False)


def quality(data: ConsensusInput, graph: SparseGraph, labels: IntArray, n_clusters: int) -> float:
    """How much a clustering explains, for how even and loosely connected its clusters are, and for a lump (V10): higher is better.

    Either alone misleads. Terms alone would split a large cluster into halves that differ a little rather than separate two small
    ones; edges alone would cut off a handful of outliers and leave the rest in one. Every part is relative, so that neither the
    length of documents nor the density of the graph decides.
    """
    between = edges_between(graph, labels, n_clusters)
    gain = _information(between) if data.equal_counts is None else data.gain(labels, n_clusters)
    even = entropy_of_shares(_shares(labels, n_clusters))
    loose = float(np.mean(conductances(between)))
    lump = max(0.0, largest_share(labels, n_clusters) - LARGE)
    return float(np.log(max(gain, SMALLEST)) - EVENNESS * even - LOOSENESS * np.log(max(loose, SMALLEST)) - LUMP * lump)


def _information(between: FloatArray) -> float:
    """Mutual information of the clusters at the two ends of an edge: what stands for terms where these cannot be counted."""
    volume = between.sum(axis=1)
    joint = between[between > 0]
    return float(np.sum(joint * np.log(joint / np.outer(volume, volume)[between > 0])))


def largest_share(labels: IntArray, n_clusters: int) -> float:
    """The share of the documents that the largest cluster has."""
    return float(_shares(labels, n_clusters).max(initial=0.0))


def _shares(labels: IntArray, n_clusters: int) -> FloatArray:
    sizes = np.bincount(labels[labels >= 0], minlength=n_clusters)
    return np.asarray(sizes / max(1, int(sizes.sum())))


def direct(data: ConsensusInput, graphs: NeighborGraphs, Z: FloatArray, n_clusters: int, start: int) -> IntArray:
    """All clusters at once; suggested classes are held where a cluster would otherwise leave the subject it is named after."""
    labels = kmeans_labels(unit_with_constant(Z[:, :n_clusters]), n_clusters, data, start)
    found = data.with_every_class(replace(data, known=data.fixed).refined(labels, n_clusters))
    return found if data.keeps_classes(found) else data.refined(labels, n_clusters)


def merged_from_many(data: ConsensusInput, graphs: NeighborGraphs, Z: FloatArray, n_clusters: int, start: int) -> IntArray:
    """Several times as many clusters, merged where they are strongly connected: for clusters of very different sizes.

    Their corrections share nothing: neighbours of a small cluster are often in a large one, and would take its documents.
    """
    many, data = FINER * n_clusters, replace(data, neighbors=None)
    fine = number_by_size(data.refined(kmeans_labels(unit_with_constant(Z), many, data, start), many, NEARLY))
    between = edges_between(graphs.combined, fine, int(fine.max(initial=0)) + 1)
    return data.refined(merged(fine, between, n_clusters), n_clusters)


def one_cluster_each(data: ConsensusInput, graphs: NeighborGraphs, Z: FloatArray, n_clusters: int, start: int) -> IntArray:
    """All clusters at once, corrected without sharing: for more clusters than the neighbours of documents tell apart."""
    labels = kmeans_labels(unit_with_constant(Z[:, :n_clusters]), n_clusters, data, start)
    return labels if data.log_counts is None else refine_one_each(data.log_counts, labels, n_clusters)
