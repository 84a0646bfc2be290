"""A multinomial mixture over terms: the term probabilities of each cluster, reassignment by them, and their marginal likelihood.

A clustering by neighbours knows which documents are close and not the terms that make them so. Given such a clustering, the
probabilities of terms in each cluster are counted, every document is assigned to clusters in proportion to how likely they make its
terms (V2), each shares its assignment with its neighbours, and all is repeated (V3). What a short text leaves open is so decided by
the texts beside it; the assignment of the last round is by the terms of the document alone, and linear in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import scipy.sparse as sp
from scipy.special import gammaln

from vicinal._consensus.pairwise import Links
from vicinal._matrix import csr, nonzero_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, SparseMatrix, Terms
from vicinal.projection import LinearMap
from vicinal.projection._products import Products

SMOOTHING = 0.1  # Dirichlet prior: how often each term counts as seen in each cluster beforehand
EMPTY_SIZE = 0.5  # documents that an empty cluster counts for, so that its share has a logarithm
MAX_ROUNDS = 30
SHARING = 0.5  # how much of the assignment that a document is counted by is that of its neighbours
SETTLED = 5e-4  # share of documents that may still change cluster
NEARLY = 5e-3  # the same for clusterings that are combined or merged afterwards


def log_counts_of(X: Terms) -> Terms | None:
    """What the mixture counts: ln(1 + count) for whole numbers (V1), else presence of a term; None where X has negative entries.

    A tenth occurrence in one document is weak evidence beside a first, since terms come in bursts.
    """
    rows = sp.csr_array(X)
    if rows.nnz == 0 or rows.data.min() < 0:
        return None
    return log_counts(rows, whole=bool(np.all(rows.data == np.floor(rows.data))))


def log_counts(rows: SparseMatrix, whole: bool) -> SparseMatrix:
    """ln(1 + count) of whole numbers, or 1 where a term is present (V1), in the sparsity pattern of the rows given."""
    data = np.log1p(rows.data) if whole else (rows.data > 0).astype(np.float64)
    return csr((data, rows.indices, rows.indptr), shape=rows.shape)


def with_equal_sums(counts: SparseMatrix) -> SparseMatrix:
    """Counts with every row scaled to the mean row sum, so that a few very long documents do not decide a comparison."""
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    mean = lengths.sum() / max(1, np.count_nonzero(lengths))
    scale = np.divide(mean, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    data = counts.data * np.repeat(scale, np.diff(counts.indptr))
    return csr((data, counts.indices, counts.indptr), shape=counts.shape)


@final
@dataclass(frozen=True, eq=False)
class TermMixture:
    """How likely each term is under each cluster, and how common each cluster is.

    Attributes
    ----------
    log_terms : float array (terms, clusters)
        ln p(term | cluster).
    log_shares : float array (clusters,)
        ln of the share of documents.
    log_background : float array (terms,)
        ln p(term) over all clusters: a term speaks for a cluster where it exceeds this.
    """

    log_terms: FloatArray
    log_shares: FloatArray
    log_background: FloatArray

    @property
    def projection(self) -> LinearMap:
        """The scores as a linear map: what a term adds to each cluster beyond its background, and the cluster's share (V2)."""
        weights = self.log_terms - self.log_background[:, None]
        return LinearMap(weights, -self.log_shares)


def certain(labels: IntArray, n_clusters: int) -> FloatArray:
    """Assignments to one cluster, documents x clusters: 1 at the label; a document labelled -1 is assigned to no cluster."""
    A = np.zeros((len(labels), n_clusters))
    known = np.flatnonzero(labels >= 0)
    A[known, labels[known]] = 1.0
    return A


def count_terms(counts: Products, labels: IntArray, n_clusters: int) -> FloatArray:
    """Sum of each term's counts in each cluster: terms x clusters. A document labelled -1 counts nowhere."""
    return counts.backward(certain(labels, n_clusters))


def fit_mixture(counts: Products, labels: IntArray, n_clusters: int) -> TermMixture:
    """The mixture that a labelling implies (V1)."""
    return mixture_of(counts, certain(labels, n_clusters))


def mixture_of(counts: Products, assignments: FloatArray) -> TermMixture:
    """The mixture that assignments of documents to clusters imply (V1): a document counts in each cluster by its share."""
    smooth = counts.backward(assignments) + SMOOTHING
    everywhere = smooth.sum(axis=1)
    return TermMixture(*_logarithms(smooth, assignments.sum(axis=0)), np.log(everywhere / everywhere.sum()))


def _logarithms(smooth: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """ln p(term | cluster), written over the smoothed sums, and ln of the shares of clusters."""
    smooth /= smooth.sum(axis=0)
    return np.log(smooth, out=smooth), np.log(np.maximum(sizes, EMPTY_SIZE) / max(1.0, float(sizes.sum())))


def likeliest(counts: Products, mixture: TermMixture) -> IntArray:
    """The cluster under which a document's terms are likeliest; the first of equals."""
    return np.asarray(np.argmax(_log_joint(counts, mixture.log_terms, mixture.log_shares), axis=1), dtype=np.int64)


def posterior(scores: FloatArray) -> FloatArray:
    """Probabilities in proportion to the exponentials of scores, row by row."""
    probabilities = scores - scores.max(axis=1, keepdims=True)
    np.exp(probabilities, out=probabilities)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return np.asarray(probabilities)


def _log_joint(counts: Products, log_terms: FloatArray, log_shares: FloatArray) -> FloatArray:
    scores = counts.forward(log_terms)
    scores += log_shares
    return scores


def refine(
    counts: Products,
    labels: IntArray,
    n_clusters: int,
    fixed: IntArray | None = None,
    settled: float = SETTLED,
    rounds: int = MAX_ROUNDS,
    neighbors: Products | None = None,
    links: Links | None = None,
) -> IntArray:
    """Correct a labelling by its terms: share with neighbours, count, assign, until hardly a document moves (V3).

    A cluster that would lose all of its documents in a round keeps them for the next, and is empty only if it would in the last.

    Parameters
    ----------
    counts : Products of documents x terms
    labels : int array
        A document without terms keeps its label, usually -1.
    n_clusters : int
    fixed : int array, optional
        Clusters that are known and stay, -1 elsewhere.
    settled : float
        Stop when no more than this share of documents moves.
    rounds : int
        Stop after so many at the latest.
    neighbors : Products of documents x documents, optional
        Weights of the neighbours of each document, of sum one; without, nothing is shared.
    links : Links, optional
        What every assignment obeys (V22).
    """
    stay = ~nonzero_rows(counts.X) if fixed is None else ~nonzero_rows(counts.X) | (fixed >= 0)
    labels = labels if fixed is None else np.where(fixed >= 0, fixed, labels)
    A, found = certain(labels, n_clusters), labels
    with single_threaded_libraries():
        for _ in range(rounds):
            among = shared(A, neighbors)
            smooth = counts.backward(among)
            smooth += SMOOTHING
            scores = _log_joint(counts, *_logarithms(smooth, among.sum(axis=0)))
            A = posterior(scores)
            best = np.where(stay, labels, np.argmax(A, axis=1))
            found = best if links is None else links.obey(scores, best, fixed)
            moved = keep_occupied(labels, found, n_clusters)
            held = stay | (moved != best)
            A[held] = certain(moved[held], n_clusters)
            changed, labels = np.mean(moved != labels), moved
            if changed <= settled:
                break
    return found


def refine_one_each(counts: Products, labels: IntArray, n_clusters: int) -> IntArray:
    """The same with every document in one cluster and nothing shared: its own terms then hold a small cluster together."""
    stay = ~nonzero_rows(counts.X)
    with single_threaded_libraries():
        for _ in range(MAX_ROUNDS):
            moved = np.where(stay, labels, likeliest(counts, fit_mixture(counts, labels, n_clusters)))
            changed, labels = np.mean(moved != labels), moved
            if changed <= SETTLED:
                break
    return labels


def keep_occupied(before: IntArray, after: IntArray, n_clusters: int) -> IntArray:
    """Undo the moves out of clusters that would lose all of their documents."""
    while True:
        lost = np.bincount(before[before >= 0], minlength=n_clusters) * (np.bincount(after[after >= 0], minlength=n_clusters) == 0)
        if not lost.any():
            return after
        after = np.where((before >= 0) & (lost[before] > 0), before, after)


def shared(assignments: FloatArray, neighbors: Products | None) -> FloatArray:
    """Assignments after every document took over a part of those of its neighbours (V3)."""
    if neighbors is None:
        return assignments
    others = neighbors.forward(assignments)
    others *= SHARING
    others += (1.0 - SHARING) * assignments
    return others


def log_likelihood_per_term(counts: Products, labels: IntArray, n_clusters: int) -> float:
    """Logarithm of the marginal likelihood of all terms, their probabilities integrated out, per counted term (V4).

    More clusters are not better by themselves, since every cluster's term probabilities have to be learnt anew. Higher is better.
    """
    table = count_terms(counts, labels, n_clusters)
    return float(sum(log_marginal(column) for column in table.T) / max(counts.X.sum(), 1.0))


def log_marginal(counts: FloatArray) -> float:
    """ln p of the terms of one cluster, their probabilities integrated out over a symmetric Dirichlet prior (V4)."""
    seen = counts[counts > 0]
    prior = SMOOTHING * len(counts)
    terms = np.sum(gammaln(seen + SMOOTHING)) - len(seen) * gammaln(SMOOTHING)
    return float(terms + gammaln(prior) - gammaln(prior + seen.sum()))
