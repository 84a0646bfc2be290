"""Large corpora: views are taken of a random sample of the documents, and the terms of its clusters assign the rest (V14).

Neighbours among latent components cost the square of the number of documents, and the clusters of a corpus show in a part of it.
What is learnt is a rule about terms, so it holds for every document; terms outside the sample are learnt when all are assigned.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from vicinal._consensus.consensus import ConsensusClustering
from vicinal._consensus.mixture import fit_mixture, likeliest, refine
from vicinal._consensus.pairwise import links_of
from vicinal._consensus.rule import rule_of_centroids
from vicinal._consensus.views import ConsensusInput, input_of_log_counts
from vicinal._matrix import nonzero_rows
from vicinal._typing import IntArray
from vicinal.projection._projection import embed

SHARED = 2  # documents of the sample that a term must be in to be counted
OF_EACH_CLASS = 20  # labelled documents of a class that are in the sample, where there are as many


def draw_sample(data: ConsensusInput, size: int) -> IntArray | None:
    """Documents to take views of, in their order, drawn at random among those with terms; None for all of them.

    Some of every known class come first, so that no class is missing.
    """
    n_documents = data.X.shape[0]
    if n_documents <= size:
        return None
    drawn = np.random.RandomState(data.random_state).permutation(np.flatnonzero(nonzero_rows(data.X)))
    if data.known is not None:
        drawn = np.concatenate([_some_of_each(drawn, data.known[drawn]), drawn])
        drawn = drawn[np.sort(np.unique(drawn, return_index=True)[1])]
    return np.sort(drawn[:size])


def _some_of_each(drawn: IntArray, known: IntArray) -> IntArray:
    order = np.argsort(known, kind="stable")
    rank = np.arange(len(order)) - np.searchsorted(known[order], known[order])
    return drawn[order[(rank < OF_EACH_CLASS) & (known[order] >= 0)]]


def restrict(data: ConsensusInput, documents: IntArray) -> ConsensusInput:
    """The same input with these documents only, and the counts of the terms that at least two of them have.

    A term that none of them has would be one more to learn for every cluster, and favour few clusters where there are many (V4).
    """
    known = None if data.known is None else data.known[documents]
    suggested = None if data.suggested is None else data.suggested[documents]
    links = links_of(data.links, documents)
    if data.log_counts is None:
        return replace(data, X=data.X[documents], known=known, suggested=suggested, links=links)
    rows = sp.csr_array(data.log_counts.X[documents])
    shared = np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]) >= SHARED)
    part = input_of_log_counts(data.X[documents], sp.csr_array(rows[:, shared]), known, data.random_state, data.n_jobs)
    return replace(part, suggested=suggested, links=links)


def extend(found: ConsensusClustering, documents: IntArray, data: ConsensusInput, n_clusters: int) -> ConsensusClustering:
    """The clustering of a sample, extended to all documents by the terms of its clusters, which then learn from all of them."""
    if data.log_counts is None:
        rule = rule_of_centroids(found.projection, data.X[documents], found.labels, n_clusters)
        labels = np.argmax(embed(rule.scores, data.X), axis=1).astype(np.int64)
    else:
        sampled = np.full(data.X.shape[0], -1, dtype=np.int64)
        sampled[documents] = found.labels
        labels = likeliest(data.log_counts, fit_mixture(data.log_counts, sampled, n_clusters))
    labels = np.where(nonzero_rows(data.X), labels, -1)
    fixed = data.fixed
    labels = labels if fixed is None else np.where(fixed >= 0, fixed, labels)
    if data.log_counts is not None:
        labels = refine(data.log_counts, labels, n_clusters, fixed=fixed, links=data.links)
    return replace(found, labels=data.with_every_class(labels))
