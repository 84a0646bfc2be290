"""The number of clusters, chosen automatically: the largest marginal likelihood of the terms along a path of merges."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from vicinal._choice import Choice
from vicinal._consensus.embeddings import NeighborGraphs, embed_graph, unit_with_constant
from vicinal._consensus.merge import add_edges, average, edges_between, merge_path, without_gaps
from vicinal._consensus.mixture import count_terms, log_marginal
from vicinal._consensus.views import ConsensusInput, kmeans_labels
from vicinal._typing import FloatArray, IntArray

FEWEST, MOST = 10, 100  # clusters to start from
PER_ROOT = 0.6  # the same, per square root of the number of documents
MAX_COMPONENTS = 60
MARGIN = 0.005  # nats per term within which numbers fit equally well


def choose_n_clusters(data: ConsensusInput, graphs: NeighborGraphs) -> Choice:
    """Start from many clusters, merge those that are most strongly connected, and keep the number that fits the terms best (V11).

    Splitting a cluster makes its terms likelier, but there are more term probabilities to learn; merging clusters saves those and
    costs the difference between their terms. From many clusters to two, the sum of both has a maximum.
    """
    labels = without_gaps(_fine_clusters(data, graphs))
    n_clusters = int(labels.max()) + 1
    if n_clusters < 3:
        why = f"n_clusters={max(1, n_clusters)}: the documents form no more different clusters."
        return Choice.of("n_clusters", [max(1, n_clusters)], [0.0], score="score", higher_is_better=True, why=why)
    between = edges_between(graphs.by_terms, labels, n_clusters)
    if data.log_counts is None:
        criterion: _Criterion = _Modularity(between.copy())
    else:
        criterion = _Likelihood(count_terms(data.log_counts, labels, n_clusters), max(float(data.log_counts.X.sum()), 1.0))
    numbers = np.arange(n_clusters, 1, -1)
    scores = _along(between, criterion)
    return Choice.of("n_clusters", numbers, scores, score=criterion.name, higher_is_better=True, margin=MARGIN)


def _fine_clusters(data: ConsensusInput, graphs: NeighborGraphs) -> IntArray:
    """More clusters than wanted, to be merged; classes may be in several."""
    many = n_to_merge(data.X.shape[0])
    Z = embed_graph(graphs.by_terms, data.X, min(MAX_COMPONENTS, many), data.known, data.random_state, data.n_jobs)
    free = replace(data, known=None)
    return free.refined(kmeans_labels(unit_with_constant(Z), many, free), many)


def n_to_merge(n_documents: int) -> int:
    """How many clusters merging starts from: 0.6 √n, between 10 and 100, and at most a third of the documents."""
    return min(int(np.clip(PER_ROOT * np.sqrt(n_documents), FEWEST, MOST)), max(2, n_documents // 3))


def _along(between: FloatArray, criterion: _Criterion) -> FloatArray:
    """The score with all clusters, with one fewer, and so on down to two."""
    scores = [criterion.score()]
    for _, (kept, gone) in zip(range(len(between) - 2), merge_path(between, average), strict=False):
        criterion.merge(kept, gone)
        scores.append(criterion.score())
    return np.array(scores)


class _Criterion(Protocol):
    """The score of a clustering, while its clusters are merged one by one."""

    name: str

    def score(self) -> float: ...

    def merge(self, kept: int, gone: int) -> None: ...


class _Likelihood:
    """Marginal log likelihood per counted term (V4): only the terms of a merged pair are evaluated again."""

    name = "log-likelihood per term"

    def __init__(self, counts: FloatArray, total: float) -> None:
        self.counts, self.total = counts, total
        self.parts = np.array([log_marginal(column) for column in counts.T])

    def score(self) -> float:
        return float(self.parts.sum() / self.total)

    def merge(self, kept: int, gone: int) -> None:
        self.counts[:, kept] += self.counts[:, gone]
        self.parts[kept], self.parts[gone] = log_marginal(self.counts[:, kept]), 0.0


class _Modularity:
    """Where terms cannot be counted: edges inside clusters, beyond what the volumes of clusters lead to expect."""

    name = "modularity"

    def __init__(self, between: FloatArray) -> None:
        self.between = between

    def score(self) -> float:
        return float(np.trace(self.between) - np.sum(self.between.sum(axis=1) ** 2))

    def merge(self, kept: int, gone: int) -> None:
        add_edges(self.between, kept, gone)
