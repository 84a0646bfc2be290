"""The number of clusters, chosen automatically: the largest modularity of the neighbour graph along a path of merges.

Modularity has a resolution, below which it takes several clusters for one. The graph has a resolution of its own, at which it tells
apart what people would call parts of one subject; halfway between the two are the subjects.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vicinal._choice import Choice
from vicinal._consensus.embeddings import NeighborGraphs, embed_graph, unit_with_constant
from vicinal._consensus.merge import TINY, add_edges, average, edges_between, merge_path, without_gaps
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
    return choice_along_merges(*along_merges(*tables))


def choice_along_merges(inside: FloatArray, expected: FloatArray) -> Choice:
    """Choose by modularity halfway between resolution 1 and that of the graph; the range reaches down to the number at 1.

    Parameters
    ----------
    inside, expected : float array (numbers,)
        Of the edges inside clusters, as many as have been found and as many as volumes lead to expect: with all clusters, with one
        fewer, and so on down to two.
    """
    numbers = np.arange(len(inside) + 1, 1, -1)
    coarse = last_of_largest(inside - expected)
    resolution = np.sqrt(resolution_of(float(inside[coarse]), float(expected[coarse])))
    scores = inside - resolution * expected
    by_score = Choice.of("n_clusters", numbers, scores, score="modularity", higher_is_better=True, margin=MARGIN)
    at_one = int(numbers[coarse])
    if at_one >= by_score.low:
        return by_score
    why = f"{by_score.why[:-1]}. That is at resolution {resolution:.2f}; at resolution 1 it would be {at_one}."
    return replace(by_score, low=at_one, why=why)


def last_of_largest(scores: FloatArray) -> int:
    """Where the largest score is, the last of equals: the fewest clusters."""
    return len(scores) - 1 - int(np.argmax(scores[::-1]))


def resolution_of(inside: float, expected: float) -> float:
    """The resolution at which modularity is the likelihood of a graph with such clusters, and 1 at least (V11).

    It is the logarithmic mean of two densities relative to chance, that of edges inside clusters and that of edges between them.
    """
    within, across = inside / max(expected, TINY), (1.0 - inside) / max(1.0 - expected, TINY)
    if across <= 0.0 or within <= across:
        return 1.0
    return max(1.0, float((within - across) / np.log(within / across)))


def _fine_clusters(data: ConsensusInput, graphs: NeighborGraphs) -> IntArray:
    """More clusters than wanted, to be merged; classes may be in several."""
    many = n_to_merge(data.X.shape[0])
    Z = embed_graph(graphs.by_terms, data.X, min(MAX_COMPONENTS, many), data.known, data.random_state, data.n_jobs)
    free = replace(data, known=None, links=None)
    return free.refined(kmeans_labels(unit_with_constant(Z), many, free), many)


def n_to_merge(n_documents: int) -> int:
    """How many clusters merging starts from: 0.6 √n, between 10 and 100, and at most a third of the documents."""
    return min(int(np.clip(PER_ROOT * np.sqrt(n_documents), FEWEST, MOST)), max(2, n_documents // 3))


def along_merges(merged_by: FloatArray, judged_by: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The share of edges inside clusters, and the share that volumes lead to expect, with all clusters, one fewer, down to two.

    Parameters
    ----------
    merged_by : float array (clusters, clusters)
        The edges between clusters by which these are merged.
    judged_by : float array (clusters, clusters)
        Those by which the clusters that are left are judged.
    """
    B = judged_by.copy()
    shares = [inside_and_expected(B)]
    for _, (kept, gone) in zip(range(len(B) - 2), merge_path(merged_by, average), strict=False):
        add_edges(B, kept, gone)
        shares.append(inside_and_expected(B))
    inside, expected = np.array(shares).T
    return inside, expected


def inside_and_expected(between: FloatArray) -> tuple[float, float]:
    """The share of edges inside clusters, and the share that the volumes of the clusters lead to expect there."""
    return float(np.trace(between)), float(np.sum(between.sum(axis=1) ** 2))
