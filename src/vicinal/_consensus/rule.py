"""The rule that assigns a document to a cluster: a linear score per cluster, and calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vicinal._centroids import class_means, half_squared_norms
from vicinal._consensus.mixture import EMPTY_SIZE, fit_mixture
from vicinal._matrix import nonzero_rows
from vicinal._probabilities import log_softmax
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.projection import LinearMap
from vicinal.projection._products import Products
from vicinal.projection._projection import embed

TEMPERATURES = np.geomspace(1e-3, 100.0, 101)  # of scores per counted term
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
    per_term : bool
        Whether scores are divided by the counted terms of the document first, so that a long one is not the more certain for it.

    See Also
    --------
    vicinal.Topics : Its attribute ``rule_`` is one.

    Examples
    --------
    >>> from vicinal import Topics
    >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
    >>> rule = Topics(n_clusters=2, random_state=0).fit(texts).rule_
    >>> rule.scores.n_components, len(rule.top_terms(0, 2))
    (2, 2)
    """

    scores: LinearMap
    temperature: float
    log_shares: FloatArray
    relevance: FloatArray
    per_term: bool = False

    def log_probabilities(self, rows: Terms) -> FloatArray:
        """Return ln p(cluster | document) for each row.

        Parameters
        ----------
        rows : documents x terms
            Logarithms of counts, or weights, as ``scores`` takes them.

        Returns
        -------
        ndarray of shape (n_documents, n_clusters)
            Rows without terms get the shares of the clusters.
        """
        scaled = self.comparable(rows) / self.temperature
        scaled[~nonzero_rows(rows)] = self.log_shares
        return log_softmax(scaled)

    def comparable(self, rows: Terms) -> FloatArray:
        """Return the score of each cluster for each row, per counted term where the rule is.

        Parameters
        ----------
        rows : documents x terms
            Logarithms of counts, or weights, as ``scores`` takes them.

        Returns
        -------
        ndarray of shape (n_documents, n_clusters)
            Scores of one row can be compared, and with ``per_term`` those of rows of any length.
        """
        scores = embed(self.scores, rows)
        return scores / _counted(rows)[:, None] if self.per_term else scores

    def calibrated(self, rows: Terms, belongs: FloatArray) -> ClusterRule:
        """Return the rule with scores per counted term, at the temperature at which probabilities are closest to memberships (V12).

        A mixture of multinomials takes terms to be independent, which they are not, and so is the more certain the longer a
        document is. The same clusters come first as before.

        Parameters
        ----------
        rows : documents x terms
            Logarithms of counts.
        belongs : float array (documents, clusters)
            Memberships by the views. Rows of zeros are ignored; if all are zero, the rule is returned unchanged.

        Returns
        -------
        ClusterRule
            With another temperature.
        """
        of_views = np.flatnonzero(belongs.any(axis=1) & nonzero_rows(rows))
        if len(of_views) == 0:
            return self
        some = of_views[:: max(1, len(of_views) // SAMPLE)]
        rule = replace(self, per_term=True)
        with single_threaded_libraries():
            scores = rule.comparable(rows[some])
        return replace(rule, temperature=_likeliest_temperature(scores, belongs[some]))

    def top_terms(self, cluster: int, limit: int) -> list[tuple[int, float]]:
        """Return the terms that distinguish a cluster most.

        Parameters
        ----------
        cluster : int
            Its number.
        limit : int
            The number of terms at most.

        Returns
        -------
        list of (int, float)
            Number and relevance of each term, largest first; terms without relevance are left out.
        """
        column = self.relevance[:, cluster]
        return [(int(term), float(column[term])) for term in np.argsort(-column, kind="stable")[:limit] if column[term] > 0]


def _likeliest_temperature(scores: FloatArray, belongs: FloatArray) -> float:
    """The temperature at which the loss is lowest, found by bisection: the loss is convex in the inverse of the temperature."""

    def loss(position: int) -> float:
        """The negative logarithm of the likelihood at one of the temperatures."""
        return -float(np.sum(belongs * log_softmax(scores / TEMPERATURES[position])))

    low, high = 0, len(TEMPERATURES) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if loss(middle) <= loss(middle + 1) else (middle + 1, high)
    return float(TEMPERATURES[low])


def rule_of_terms(counts: Products, labels: IntArray, n_clusters: int) -> ClusterRule:
    """The rule under which each document's terms are likeliest (V2), with the probabilities of the mixture, far too certain."""
    mixture = fit_mixture(counts, labels, n_clusters)
    scores = mixture.projection
    relevance = np.exp(mixture.log_terms) * scores.weights
    return ClusterRule(scores, 1.0, mixture.log_shares, relevance)


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


def _counted(rows: Terms) -> FloatArray:
    """The sum of each row; 1 for a row of zeros."""
    sums = np.asarray(rows.sum(axis=1), dtype=np.float64).ravel()
    return np.where(sums > 0, sums, 1.0)
