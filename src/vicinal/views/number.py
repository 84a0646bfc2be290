"""How many topics a corpus has: as many as explain its words best, the cost of learning each topic's words included."""

from __future__ import annotations

import numpy as np

from vicinal.choice import Choice
from vicinal.projection.products import Products
from vicinal.typing import FloatArray
from vicinal.views.consensus import Corpus, groups
from vicinal.views.merge import average, edges_between, merge_path
from vicinal.views.spaces import Neighborhoods, placed_by, with_constant
from vicinal.views.words import count_words, worth

FEWEST, MOST = 10, 100  # groups to start from
DIMENSIONS = 60
MARGIN = 0.005  # nats per word that the evidence does not tell apart


def choose_number(corpus: Corpus, around: Neighborhoods) -> Choice:
    """Start from many groups, merge those that hang together most, and keep the number that explains the words best (V11).

    Splitting a topic makes its words likelier, but there are more shares of words to learn; merging topics saves those and costs
    the difference between their words. Along the way from many groups to two, the sum of both has a maximum.
    """
    n_documents = corpus.X.shape[0]
    start = min(int(np.clip(0.6 * np.sqrt(n_documents), FEWEST, MOST)), max(2, n_documents // 3))
    Z = placed_by(around.by_words, corpus.X, min(DIMENSIONS, start), corpus.known, corpus.random_state, corpus.n_jobs)
    labels = corpus.corrected(groups(with_constant(Z), start, corpus), start)
    labels = np.where(labels >= 0, np.unique(labels, return_inverse=True)[1] - int((labels < 0).any()), -1)
    n_groups = int(labels.max()) + 1
    if n_groups < 3:
        return Choice.of("n_clusters", [max(1, n_groups)], [0.0], score="nothing to judge by", higher_is_better=True)
    between = edges_between(around.by_words, labels, n_groups)
    numbers = np.arange(n_groups, 1, -1)
    if corpus.evidence is None:
        scores, score = _modularity_along(between), "modularity"
    else:
        scores, score = (
            _along(count_words(corpus.evidence, labels, n_groups), between, corpus.evidence),
            "ln p of the words, per word",
        )
    return Choice.of("n_clusters", numbers, scores, score=score, higher_is_better=True, margin=MARGIN)


def _along(counts: FloatArray, between: FloatArray, evidence: Products) -> FloatArray:
    """Nats per word with all groups, with one fewer, and so on down to two."""
    total = max(float(evidence.X.sum()), 1.0)
    counts = counts.copy()
    parts = np.array([worth(column) for column in counts.T])
    scores = [parts.sum()]
    for kept, gone in merge_path(between, average):
        if len(scores) == len(between) - 1:
            break
        counts[:, kept] += counts[:, gone]
        parts[kept], parts[gone] = worth(counts[:, kept]), 0.0
        scores.append(parts.sum())
    return np.array(scores) / total


def _modularity_along(between: FloatArray) -> FloatArray:
    """The same where no words can be counted: edges inside groups, beyond what the volumes of groups let expect."""
    M = between.copy()
    scores = [_modularity(M)]
    for kept, gone in merge_path(between, average):
        if len(scores) == len(between) - 1:
            break
        M[kept] += M[gone]
        M[:, kept] += M[:, gone]
        M[gone] = M[:, gone] = 0.0
        scores.append(_modularity(M))
    return np.array(scores)


def _modularity(M: FloatArray) -> float:
    return float(np.trace(M) - np.sum(M.sum(axis=1) ** 2))
