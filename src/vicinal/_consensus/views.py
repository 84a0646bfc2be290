"""Views: clusterings of the same documents in several embeddings, each corrected by its terms and weighed by how well it fits them.

No one embedding is best on every corpus, and labels to choose it by are missing; no one start of k-means is best either, so each
embedding is clustered from several. A few rounds of correction take off the gross errors of a view and leave the views different,
which a consensus needs. Where some documents are labelled, k-means starts from their means and they never leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from vicinal._consensus.embeddings import (
    NeighborGraphs,
    ViewEmbedding,
    embed_graph,
    n_consensus_components,
    random_walk,
    view_embeddings,
)
from vicinal._consensus.mixture import MAX_ROUNDS, NEARLY, SETTLED, log_counts_of, log_likelihood_per_term, refine, with_equal_sums
from vicinal._consensus.pairwise import Links, links_of
from vicinal._consensus.seeded import seeded_kmeans
from vicinal._kmeans import best_start, draw_seeds, fewer_clusters_allowed
from vicinal._matrix import count_different, csr, nonzero_rows
from vicinal._threads import over_tasks
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.projection._products import Products

ROUNDS = 5  # of correction by terms
STARTS = 3  # of k-means in each embedding, each a view
FINER, STARTS_OF_BOTH = 2, 2  # clusters of further views for each one wanted, and starts where there are such views
FEWEST = 75  # documents for each cluster of a finer view, on average: fewer do not tell its terms
TEMPERATURE = 0.1  # nats per term by which a view may fit the terms worse before it counts 1/e


@final
@dataclass(frozen=True, eq=False)
class View:
    """One clustering of the documents.

    Attributes
    ----------
    name : str
        The embedding it was made in, and which start of k-means.
    labels : int array (documents,)
        -1 for a document that is not embedded.
    log_likelihood : float
        ln p of the terms, per counted term (V4); 0 where terms could not be counted.
    share : float
        How much it counts in the consensus, the best view with as many clusters 1 (V6).
    """

    name: str
    labels: IntArray
    log_likelihood: float
    share: float = 1.0


@final
@dataclass(frozen=True, eq=False)
class ConsensusInput:
    """The documents that views are taken of.

    Attributes
    ----------
    X : documents x terms
        Weighted; what neighbours are found by and embeddings are regressed on.
    log_counts : Products or None
        What the mixture over terms counts (V1); None where terms cannot be counted.
    equal_counts : Products or None
        The same with equal row sums: what clusterings are compared by.
    known : int array (documents,) or None
        Classes of labelled documents, -1 elsewhere.
    random_state : int
    n_jobs : int or None
    suggested : bool array (documents,) or None
        Known classes that are only suggested, by seed words: they hold in views, and the last correction may change them (V21).
    links : Links or None
        Documents that must be in one cluster, and that cannot be (V22).
    neighbors : Products or None
        Weights of the neighbours of each document, with which it shares its assignment in corrections (V3).
    recall : float
        Share of the true neighbours by terms that is enough.
    """

    X: Terms
    log_counts: Products | None
    equal_counts: Products | None
    known: IntArray | None
    random_state: int
    n_jobs: int | None
    neighbors: Products | None = None
    suggested: NDArray[np.bool_] | None = None
    links: Links | None = None
    recall: float = 1.0

    @property
    def fixed(self) -> IntArray | None:
        """Known classes without those that are only suggested."""
        return self.known if self.known is None or self.suggested is None else np.where(self.suggested, -1, self.known)

    def with_every_class(self, labels: IntArray) -> IntArray:
        """Labels in which a class that has lost all of its documents has those again that were suggested for it."""
        if self.known is None or self.suggested is None:
            return labels
        lost = self.suggested & ~np.isin(self.known, labels)
        return np.where(lost, self.known, labels)

    def keeps_classes(self, labels: IntArray) -> bool:
        """Whether every class still has at least half of the documents that are known or suggested to be in it."""
        if self.known is None:
            return True
        of_class = self.known >= 0
        kept = np.bincount(self.known[of_class], weights=(labels == self.known)[of_class])
        return bool(np.all(2 * kept >= np.bincount(self.known[of_class])))

    def refined(self, labels: IntArray, n_clusters: int, settled: float = SETTLED, rounds: int = MAX_ROUNDS) -> IntArray:
        """Correct a labelling by its terms, if these can be counted; labelled documents stay."""
        if self.log_counts is None:
            return labels
        return refine(self.log_counts, labels, n_clusters, self.known, settled, rounds, self.neighbors, self.links)

    def sharing(self, graphs: NeighborGraphs) -> ConsensusInput:
        """The same documents, which share their assignments with their neighbours."""
        return replace(self, neighbors=Products(random_walk(graphs.for_sharing), n_jobs=self.n_jobs))

    def log_likelihood(self, labels: IntArray, n_clusters: int) -> float:
        """How well a clustering fits the terms (V4), every document counting the same; 0 where terms cannot be counted."""
        return 0.0 if self.equal_counts is None else log_likelihood_per_term(self.equal_counts, labels, n_clusters)

    def gain(self, labels: IntArray, n_clusters: int) -> float:
        """By how much a clustering fits the terms better than one cluster of all its documents."""
        return self.log_likelihood(labels, n_clusters) - self.log_likelihood(np.minimum(labels, 0), 1)


def consensus_input(
    X: Terms, counts: Terms | None, known: IntArray | None, random_state: int, n_jobs: int | None
) -> ConsensusInput:
    """Weighted documents, with the counts they were made from where these are known."""
    return input_of_log_counts(X, log_counts_of(X if counts is None else counts), known, random_state, n_jobs)


def input_of_log_counts(
    X: Terms, log_counts: Terms | None, known: IntArray | None, random_state: int, n_jobs: int | None
) -> ConsensusInput:
    """Weighted documents, and the logarithms of their counts; None where terms cannot be counted."""
    if log_counts is None:
        return ConsensusInput(X, None, None, known, random_state, n_jobs)
    counted = Products(log_counts, n_jobs=n_jobs)
    return ConsensusInput(X, counted, Products(with_equal_sums(csr(log_counts)), n_jobs=n_jobs), known, random_state, n_jobs)


def in_order(data: ConsensusInput, order: IntArray) -> ConsensusInput:
    """The same documents in another order."""
    counts = None if data.log_counts is None else csr(data.log_counts.X[order])
    known = None if data.known is None else data.known[order]
    suggested = None if data.suggested is None else data.suggested[order]
    ordered = input_of_log_counts(data.X[order], counts, known, data.random_state, data.n_jobs)
    return replace(ordered, suggested=suggested, links=links_of(data.links, order), recall=data.recall)


def kmeans_labels(rows: FloatArray, n_clusters: int, data: ConsensusInput, start: int = 0) -> IntArray:
    """k-means of the embedded documents from one of many starts; as many clusters as different rows, at most ``n_clusters``."""
    embedded = nonzero_rows(rows) & nonzero_rows(data.X)
    labels = np.full(len(rows), -1, dtype=np.int64)
    inside = np.ascontiguousarray(rows[embedded])
    n_clusters = count_different(inside, n_clusters)
    seed = draw_seeds(data.random_state, start + 1)[start]
    if data.known is not None and data.known.max(initial=-1) < n_clusters:
        labels[embedded] = seeded_kmeans(inside, data.known[embedded], n_clusters, seed)
    elif n_clusters > 0:
        labels[embedded] = np.unique(best_start(inside, n_clusters, [seed], data.n_jobs).labels_, return_inverse=True)[1]
    return labels


def take_views(
    data: ConsensusInput,
    graphs: NeighborGraphs,
    n_clusters: int,
    rounds: int = ROUNDS,
    *,
    n_starts: int | None = None,
    by_terms: FloatArray | None = None,
) -> list[View]:
    """Cluster every embedding, correct each clustering by its terms, and weigh it by how well it fits them (V6).

    Parameters
    ----------
    data, graphs
        The documents and their neighbour graphs.
    n_clusters : int
    rounds : int
        Of correction.
    n_starts : int, optional
        Starts of k-means in each embedding: three, or two where there are views with twice as many clusters.
    by_terms : float array (documents, components), optional
        The embedding by the neighbours by terms, where it exists already: see :func:`terms_embedding`.
    """
    numbers = numbers_of_clusters(data, n_clusters)
    embeddings = view_embeddings(data.X, graphs, numbers, data.known, data.random_state, data.n_jobs, by_terms)
    n_starts = n_starts or (STARTS if len(numbers) == 1 else STARTS_OF_BOTH)
    starts = [(embedding, start) for embedding in embeddings if embedding.labels is None for start in range(n_starts)]
    with fewer_clusters_allowed():
        views = over_tasks(lambda each: _view(each[0], data, rounds, each[1]), starts, data.n_jobs)
    given = [embedding for embedding in embeddings if embedding.labels is not None]
    views += [_given_view(embedding, data, rounds, n_starts) for embedding in given]
    return _weighed(views, [embedding.n_clusters for embedding, _ in starts] + [n_clusters] * len(given))


def terms_embedding(data: ConsensusInput, graphs: NeighborGraphs, n_clusters: int) -> FloatArray:
    """The embedding by the neighbours by terms that views of so many clusters take the first components of."""
    n_components = n_consensus_components(numbers_of_clusters(data, n_clusters)[-1])
    return embed_graph(graphs.by_terms, data.X, n_components, data.known, data.random_state, data.n_jobs)


def numbers_of_clusters(data: ConsensusInput, n_clusters: int) -> list[int]:
    """How many clusters views have: as many as are wanted and, where these would be large and no class is known, twice as many.

    What finer views separate and what coarser ones join is joined in part; each class is one cluster in every view.
    """
    finer = FINER * n_clusters
    enough = data.known is None and data.X.shape[0] >= FEWEST * finer
    return [n_clusters, finer] if enough else [n_clusters]


def _weighed(views: Sequence[View], numbers: Sequence[int]) -> list[View]:
    """Views with their shares, each beside the best one that has as many clusters: more clusters fit terms differently well."""
    best = dict.fromkeys(numbers, -np.inf)
    for view, number in zip(views, numbers, strict=True):
        best[number] = max(best[number], view.log_likelihood)
    return [
        replace(view, share=view.share * float(np.exp((view.log_likelihood - best[number]) / TEMPERATURE)))
        for view, number in zip(views, numbers, strict=True)
    ]


def _view(embedding: ViewEmbedding, data: ConsensusInput, rounds: int, start: int) -> View:
    n_clusters = embedding.n_clusters
    labels = data.refined(kmeans_labels(embedding.rows, n_clusters, data, start), n_clusters, NEARLY, rounds)
    share = embedding.share if data.log_counts is None else 1.0  # terms that can be counted weigh a view themselves
    name = f"{embedding.name}, {n_clusters} clusters, start {start + 1}"
    return View(name, labels, data.log_likelihood(labels, n_clusters), share)


def _given_view(embedding: ViewEmbedding, data: ConsensusInput, rounds: int, n_starts: int) -> View:
    """A clustering that was given, corrected by its terms; it counts as much as an embedding, which is clustered several times."""
    assert embedding.labels is not None
    labels, n_clusters = np.where(nonzero_rows(data.X), embedding.labels, -1), embedding.n_clusters
    if data.log_counts is None:
        return View(embedding.name, labels, 0.0, n_starts * embedding.share)
    labels = replace(data, known=None, links=None).refined(labels, n_clusters, NEARLY, rounds)
    return View(embedding.name, labels, data.log_likelihood(labels, n_clusters), n_starts)
