"""The rule that assigns a document to a cluster: a linear score per cluster, and calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._centroids import class_means, half_squared_norms
from vicinal._consensus.mixture import EMPTY_SIZE, fit_mixture
from vicinal._matrix import nonzero_rows
from vicinal._probabilities import best_scaled, log_softmax
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.projection import LinearMap
from vicinal.projection._products import Products
from vicinal.projection._projection import embed

TEMPERATURES = np.geomspace(0.25, 256.0, 41)
SAMPLE = 4000  # documents that the temperature is chosen by
SMALLEST_SPREAD = 1e-12  # temperature of a rule of centroids where every document is at its centroid


@final
@dataclass(frozen=True, eq=False)
class ClusterRule:
    """One score per cluster that is a sum over terms, x A + b, so that every decision can be explained term by term.

    Attributes
    ----------
    scores : LinearMap
        From the logarithms of counts, or from weights where terms cannot be counted, to one score per cluster.
    temperature : float
        What scores are divided by before they become probabilities (V12).
    log_shares : float array (clusters,)
        ln of the share of each cluster: the probabilities of a document without terms.
    relevance : float array (terms, clusters)
        How much each term distinguishes a cluster: its score, times its probability there where terms are counted (V13).
    """

    scores: LinearMap
    temperature: float
    log_shares: FloatArray
    relevance: FloatArray

    def log_probabilities(self, rows: Terms) -> FloatArray:
        """ln p(cluster | document) for each row; rows without terms get the shares of the clusters."""
        scaled = embed(self.scores, rows) / self.temperature
        scaled[~nonzero_rows(rows)] = self.log_shares
        return log_softmax(scaled)

    def top_terms(self, cluster: int, limit: int) -> list[tuple[int, float]]:
        """The numbers of the terms that distinguish a cluster most, with their relevance, largest first."""
        column = self.relevance[:, cluster]
        return [(int(term), float(column[term])) for term in np.argsort(-column, kind="stable")[:limit] if column[term] > 0]


def rule_of_terms(counts: Products, labels: IntArray, n_clusters: int) -> ClusterRule:
    """The rule under which each document's terms are likeliest (V2)."""
    mixture = fit_mixture(counts, labels, n_clusters)
    scores = mixture.projection
    relevance = np.exp(mixture.log_terms) * scores.weights
    return ClusterRule(scores, _temperature(counts, labels, n_clusters), mixture.log_shares, relevance)


def rule_of_centroids(projection: LinearMap, X: Terms, labels: IntArray, n_clusters: int) -> ClusterRule:
    """The nearest centroid in the embedding, for rows without countable terms: linear in the terms as well."""
    Z = embed(projection, X)
    centroids = class_means(Z, labels, n_clusters)
    shift = np.zeros(n_clusters) if projection.offset is None else projection.offset @ centroids.T
    offset = half_squared_norms(centroids) + shift
    known = labels >= 0
    spread = float(np.mean(np.sum((Z[known] - centroids[labels[known]]) ** 2, axis=1))) / max(1, Z.shape[1])
    sizes = np.maximum(np.bincount(labels[known], minlength=n_clusters), EMPTY_SIZE)
    scores = LinearMap(projection.weights @ centroids.T, offset)
    return ClusterRule(scores, max(spread, SMALLEST_SPREAD), np.log(sizes / sizes.sum()), scores.weights)


def _temperature(counts: Products, labels: IntArray, n_clusters: int) -> float:
    """The temperature at which one half of a document's terms best predicts the cluster by the other half (V12).

    A mixture of multinomials takes terms to be independent, which they are not, and so is far too certain. Every other term of the
    vocabulary goes into one half. The mixture is fitted to other documents than those that are predicted, since a rare term would
    identify its own document.
    """
    fold = _folds(labels, n_clusters)
    found: list[IntArray] = []
    predicted: list[FloatArray] = []
    with single_threaded_libraries():
        for training, validation in ((0, 1), (1, 0)):
            scores = fit_mixture(counts, np.where(fold == training, labels, -1), n_clusters).projection
            documents = np.flatnonzero(fold == validation)
            halves = _by_halves(counts.X[documents[:: max(1, 2 * len(documents) // SAMPLE)]], scores)
            found += [np.argmax(half, axis=1) for half in halves]
            predicted += halves[::-1]
    clusters, guesses = np.concatenate(found), np.concatenate(predicted)
    return float(TEMPERATURES[best_scaled((guesses / temperature for temperature in TEMPERATURES), clusters)])


def _folds(labels: IntArray, n_clusters: int) -> IntArray:
    """Split the documents of every cluster at random into two folds, 0 and 1, the same way each time.

    -1 for documents without a cluster, and for a document that is alone in its cluster.
    """
    mixed = np.random.RandomState(0).permutation(len(labels))
    order = mixed[np.argsort(labels[mixed], kind="stable")]  # cluster after cluster, mixed inside
    sizes = np.bincount(labels[labels >= 0], minlength=n_clusters)
    counted = order[labels[order] >= 0]
    counted = counted[sizes[labels[counted]] > 1]
    fold = np.full(len(labels), -1)
    fold[counted] = np.arange(len(counted)) % 2
    return fold


def _by_halves(rows: Terms, scores: LinearMap) -> list[FloatArray]:
    """The scores of documents by every other term, and by the rest."""
    found = []
    for half in (0, 1):
        weights = scores.weights.copy()
        weights[half::2] = 0.0
        found.append(np.asarray(rows @ weights) - (0.0 if scores.offset is None else scores.offset))
    return found
