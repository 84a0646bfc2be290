"""The number of clusters, chosen automatically: the largest modularity of the neighbour graph along a path of merges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vicinal._choice import Choice
from vicinal._consensus.embeddings import NeighborGraphs, embed_graph, unit_with_constant
from vicinal._consensus.merge import add_edges, average, edges_between, merge_path, without_gaps
from vicinal._consensus.views import ConsensusInput, kmeans_labels
from vicinal._typing import FloatArray, IntArray

FEWEST, MOST = 10, 100  # clusters to start from
PER_ROOT = 0.6  # the same, per square root of the number of documents
MAX_COMPONENTS = 60
MARGIN = 0.005  # of modularity within which numbers are equally good


def choose_n_clusters(data: ConsensusInput, graphs: NeighborGraphs) -> Choice:
    """Start from many clusters, merge those that are most strongly connected, and keep the number of largest modularity (V11).

    Merging two parts of one cluster brings the edges between them inside; merging two clusters brings hardly any inside, and what
    their volumes lead to expect grows. From many clusters to two, the difference has a maximum.
    """
    labels = without_gaps(_fine_clusters(data, graphs))
    n_clusters = int(labels.max()) + 1
    if n_clusters < 3:
        why = f"n_clusters={max(1, n_clusters)}: the documents form no more different clusters."
        return Choice.of("n_clusters", [max(1, n_clusters)], [0.0], score="score", higher_is_better=True, why=why)
    tables = (edges_between(graph, labels, n_clusters) for graph in (graphs.by_terms, graphs.combined))
    numbers = np.arange(n_clusters, 1, -1)
    return Choice.of("n_clusters", numbers, along_merges(*tables), score="modularity", higher_is_better=True, margin=MARGIN)


def _fine_clusters(data: ConsensusInput, graphs: NeighborGraphs) -> IntArray:
    """More clusters than wanted, to be merged; classes may be in several."""
    many = n_to_merge(data.X.shape[0])
    Z = embed_graph(graphs.by_terms, data.X, min(MAX_COMPONENTS, many), data.known, data.random_state, data.n_jobs)
    free = replace(data, known=None, links=None)
    return free.refined(kmeans_labels(unit_with_constant(Z), many, free), many)


def n_to_merge(n_documents: int) -> int:
    """How many clusters merging starts from: 0.6 √n, between 10 and 100, and at most a third of the documents."""
    return min(int(np.clip(PER_ROOT * np.sqrt(n_documents), FEWEST, MOST)), max(2, n_documents // 3))


def along_merges(merged_by: FloatArray, judged_by: FloatArray) -> FloatArray:
    """The modularity with all clusters, with one fewer, and so on down to two.

    Parameters
    ----------
    merged_by : float array (clusters, clusters)
        The edges between clusters by which these are merged.
    judged_by : float array (clusters, clusters)
        Those by which the clusters that are left are judged.
    """
    B = judged_by.copy()
    scores = [modularity(B)]
    for _, (kept, gone) in zip(range(len(B) - 2), merge_path(merged_by, average), strict=False):
        add_edges(B, kept, gone)
        scores.append(modularity(B))
    return np.array(scores)


def modularity(between: FloatArray) -> float:
    """The share of edges inside clusters, less the share that the volumes of the clusters lead to expect there."""
    return float(np.trace(between) - np.sum(between.sum(axis=1) ** 2))
