"""How many topics a corpus has: as many as explain its words best, the cost of learning each topic's words included."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from vicinal._choice import Choice
from vicinal._consensus.consensus import Corpus, groups
from vicinal._consensus.merge import average, edges_between, join, merge_path, without_gaps
from vicinal._consensus.spaces import Neighborhoods, placed_by, with_constant
from vicinal._consensus.word_model import count_words, worth
from vicinal._typing import FloatArray

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
    labels = without_gaps(labels)
    n_groups = int(labels.max()) + 1
    if n_groups < 3:
        return Choice.of("n_clusters", [max(1, n_groups)], [0.0], score="score", higher_is_better=True)
    between = edges_between(around.by_words, labels, n_groups)
    if corpus.evidence is None:
        judge: _Judge = _Edges(between.copy())
    else:
        judge = _Words(count_words(corpus.evidence, labels, n_groups), max(float(corpus.evidence.X.sum()), 1.0))
    numbers = np.arange(n_groups, 1, -1)
    return Choice.of("n_clusters", numbers, _along(between, judge), score=judge.name, higher_is_better=True, margin=MARGIN)


def _along(between: FloatArray, judge: _Judge) -> FloatArray:
    """The score with all groups, with one fewer, and so on down to two."""
    scores = [judge.score()]
    for _, (kept, gone) in zip(range(len(between) - 2), merge_path(between, average), strict=False):
        judge.merge(kept, gone)
        scores.append(judge.score())
    return np.array(scores)


class _Judge(Protocol):
    """What groups are worth, while they are merged one by one."""

    name: str

    def score(self) -> float: ...

    def merge(self, kept: int, gone: int) -> None: ...


class _Words:
    """Nats per word of all groups (V4): only the words of a merged pair are judged again."""

    name = "log-likelihood per term"

    def __init__(self, counts: FloatArray, total: float) -> None:
        self.counts, self.total = counts, total
        self.parts = np.array([worth(column) for column in counts.T])

    def score(self) -> float:
        return float(self.parts.sum() / self.total)

    def merge(self, kept: int, gone: int) -> None:
        self.counts[:, kept] += self.counts[:, gone]
        self.parts[kept], self.parts[gone] = worth(self.counts[:, kept]), 0.0


class _Edges:
    """Where no words can be counted: edges inside groups, beyond what the volumes of groups let expect."""

    name = "modularity"

    def __init__(self, between: FloatArray) -> None:
        self.between = between

    def score(self) -> float:
        return float(np.trace(self.between) - np.sum(self.between.sum(axis=1) ** 2))

    def merge(self, kept: int, gone: int) -> None:
        join(self.between, kept, gone)
