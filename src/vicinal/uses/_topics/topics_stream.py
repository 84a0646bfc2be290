"""Clusters that go on with more documents: these are assigned, terms are counted again, new terms get weights (V24).

No view is taken and no cluster is found: numbers of clusters stay, and what is new and fits none of them shows in how little the
clusters explain of it.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vicinal._centroids import class_means
from vicinal._consensus import ClusterRule
from vicinal._consensus.mixture import refine
from vicinal._consensus.rule import rule_of_centroids, rule_of_terms
from vicinal._matrix import csr, nonzero_rows
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.methods._stream import stacked
from vicinal.projection import LinearMap, Projection, Ridge
from vicinal.projection._products import Products
from vicinal.projection._projection import embed
from vicinal.projection._regress import regress_of_checked
from vicinal.terms._growing import grown_weights
from vicinal.uses._document_input import DocumentReader

FIFTHS = 5
ALPHA = 0.1  # ridge penalty on the weights of new terms, as in a fit


@final
@dataclass(frozen=True, eq=False)
class TopicStream:
    """What `Topics` keep of the documents so far.

    Attributes
    ----------
    rows : documents x terms
        As the reader reads them.
    fixed : int array (documents,)
        The cluster of each labelled document, -1 for others.
    lead : float
        By how much clusters stood out for the documents of the first call, per counted term, where others of them were counted.
    later : float
        The same, summed over the documents of later calls, each by the rule that was there when it came.
    n_later : int
        How many these are.
    """

    rows: Terms
    fixed: IntArray
    lead: float
    later: float = 0.0
    n_later: int = 0

    def joined(self, batch: Terms, fixed: IntArray, leads: FloatArray) -> TopicStream:
        """The same with a batch."""
        return TopicStream(
            stacked(self.rows, batch),
            np.concatenate([self.fixed, fixed]),
            self.lead,
            self.later + float(leads.sum()),
            self.n_later + len(leads),
        )

    @property
    def outgrown(self) -> float:
        """How much less clusters stand out for documents of later calls, as a share."""
        return 1.0 - self.later / self.n_later / self.lead if self.n_later and self.lead > 0 else 0.0


def leads(rule: ClusterRule, rows: Terms) -> FloatArray:
    """By how much the best cluster of each document with terms stands out from the mean of all, per counted term."""
    rows = rows[nonzero_rows(rows)]
    scores = replace(rule, per_term=True).comparable(rows)
    return np.asarray(scores.max(axis=1) - scores.mean(axis=1))


def lead_of_others(rows: Terms, labels: IntArray, rule: ClusterRule, countable: bool, projection: LinearMap) -> float:
    """The mean lead of documents that were not counted themselves: of each fifth by the terms of the others."""
    fifth, found = np.arange(rows.shape[0]) % FIFTHS, []
    for held_out in range(FIFTHS):
        known = np.where(fifth == held_out, -1, labels)
        found.append(leads(_rule_of(rows, known, len(rule.log_shares), countable, projection), rows[fifth == held_out]))
    together = np.concatenate(found)
    return float(together.mean()) if len(together) else 0.0


def grown_reader(reader: DocumentReader, texts: list[str]) -> tuple[DocumentReader, Terms]:
    """The reader with the terms of new texts, and their counts; the vectorizer of before is left as it is."""
    vectorizer = copy.copy(reader.vectorizer)
    assert vectorizer is not None  # who has texts has asked
    counts = vectorizer._grow(texts)
    return with_new_columns(replace(reader, vectorizer=vectorizer), counts), counts


def with_new_columns(reader: DocumentReader, rows: Terms) -> DocumentReader:
    """The reader whose statistics go on being counted."""
    if reader.weighting is None:
        return reader
    n_new = rows.shape[1] - len(reader.weighting.document_frequencies_)
    counts = csr(rows).astype(np.float64, copy=False)
    return replace(reader, weighting=grown_weights(reader.weighting, counts, np.zeros(n_new, dtype=np.int64)))


def wider(linear: LinearMap, n_terms: int) -> FloatArray:
    """The weights of a map, with zeros for new terms."""
    return np.vstack([linear.weights, np.zeros((n_terms - linear.n_terms, linear.n_components))])


def wider_rule(rule: ClusterRule, n_terms: int) -> ClusterRule:
    """The rule for rows with new terms, which count for nothing."""
    return replace(rule, scores=LinearMap(wider(rule.scores, n_terms), rule.scores.offset))


def assigned(rule: ClusterRule, rows: Terms, fixed: IntArray) -> IntArray:
    """The cluster of each document by the rule, its own where it is labelled, -1 without terms."""
    best = np.argmax(embed(rule.scores, rows), axis=1).astype(np.int64)
    return np.where(nonzero_rows(rows), np.where(fixed >= 0, fixed, best), -1)


def counted_again(
    rule: ClusterRule, rows: Terms, labels: IntArray, fixed: IntArray, countable: bool, projection: LinearMap, n_jobs: int | None
) -> ClusterRule:
    """The rule of all documents, from the clusters that they have by the rule of before; as certain as that."""
    n_clusters = len(rule.log_shares)
    if countable:
        labels = refine(Products(csr(rows), n_jobs=n_jobs), labels, n_clusters, fixed=fixed)
    counted = _rule_of(rows, labels, n_clusters, countable, projection)
    return replace(counted, temperature=rule.temperature, per_term=rule.per_term)


def _rule_of(rows: Terms, labels: IntArray, n_clusters: int, countable: bool, projection: LinearMap) -> ClusterRule:
    """The rule of clusters by their terms, or by their centroids where terms cannot be counted."""
    if countable:
        return rule_of_terms(Products(csr(rows)), labels, n_clusters)
    return rule_of_centroids(projection, rows, labels, n_clusters)


def with_weights_of_new_terms(projection: Projection, X: Terms, labels: IntArray, n_jobs: int | None) -> Projection:
    """The map with weights for new terms: a regression of what is missing from documents to the means of their clusters.

    min ‖X_new A_new - (M - X_old A_old)‖² + α‖A_new‖², over the documents that have a new term and a cluster.
    """
    n_before, n_terms = projection.n_terms, X.shape[1]
    map_before = LinearMap(wider(projection, n_terms), projection.offset)
    weights = map_before.weights.copy()
    has_new = nonzero_rows(csr(X[:, n_before:])) & (labels >= 0) if n_terms > n_before else np.zeros(X.shape[0], dtype=bool)
    if has_new.any():
        Z = embed(map_before, X)
        missing = class_means(Z, labels, int(labels.max()) + 1)[labels[has_new]] - Z[has_new]
        added = regress_of_checked(csr(X[:, n_before:])[has_new], missing, Ridge(ALPHA), n_jobs=n_jobs, single=False)
        weights[n_before:] = added.weights
    return replace(projection, weights=weights, vocabulary=None)
