"""Consensus: what several views of the same documents agree on, weighed by how well each explains the words.

No one view is best on every corpus, and labels to pick it by are missing. So each view clusters the documents, documents that
clusterings put together are joined (G10), and that graph is regressed onto words like any other. Words correct each view a little
beforehand: two rounds take off its gross errors and leave the views different from one another, which a consensus lives by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vicinal._consensus.spaces import Neighborhoods, Space, look_around, spaces
from vicinal._consensus.word_model import MAX_ROUNDS, NEARLY, SETTLED, each_alike, evidence_of, nats_per_word, refine
from vicinal._kmeans import best_start, draw_seeds
from vicinal._matrix import count_different, nonzero_rows
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.graph import AgreementGraph, agreement
from vicinal.projection._products import Products

ROUNDS = 2  # in which words correct a view
TEMPERATURE = 0.1  # nats per word by which a view may explain the words worse before it counts 1/e


@final
@dataclass(frozen=True, eq=False)
class View:
    """One clustering of the documents.

    Attributes
    ----------
    name : str
        The space it was made in.
    labels : int array (documents,)
        -1 for a document without a place.
    nats : float
        ln p of the words, per word (V4); 0 where words could not be judged.
    share : float
        How much it counts in the consensus, the best view 1 (V6).
    """

    name: str
    labels: IntArray
    nats: float
    share: float = 1.0


@final
@dataclass(frozen=True, eq=False)
class Corpus:
    """What the views look at.

    Attributes
    ----------
    X : documents x terms
        Weighted; what neighbours are found by and coordinates are regressed on.
    evidence : Products or None
        What the words of topics are counted from (V1).
    alike : Products or None
        The same with as much in every document: what clusterings are judged by.
    known : int array (documents,) or None
        Classes of labelled documents, -1 elsewhere.
    random_state : int
    n_jobs : int or None
    """

    X: Terms
    evidence: Products | None
    alike: Products | None
    known: IntArray | None
    random_state: int
    n_jobs: int | None

    def corrected(self, labels: IntArray, n_topics: int, settled: float = SETTLED, rounds: int = MAX_ROUNDS) -> IntArray:
        """Let the words have their say, if there are words to be counted."""
        return labels if self.evidence is None else refine(self.evidence, labels, n_topics, settled=settled, rounds=rounds)


def corpus_of(X: Terms, counts: Terms | None, known: IntArray | None, random_state: int, n_jobs: int | None) -> Corpus:
    """Weighted documents, with the counts they were made from where these are known."""
    return corpus_with(X, evidence_of(X if counts is None else counts), known, random_state, n_jobs)


def corpus_with(X: Terms, evidence: Any, known: IntArray | None, random_state: int, n_jobs: int | None) -> Corpus:
    """Weighted documents, and what their words are counted from; None where nothing can be counted."""
    if evidence is None:
        return Corpus(X, None, None, known, random_state, n_jobs)
    counted = Products(evidence, n_jobs=n_jobs)
    return Corpus(X, counted, Products(each_alike(evidence), n_jobs=n_jobs), known, random_state, n_jobs)


def groups(rows: FloatArray, k: int, corpus: Corpus, start: int = 0) -> IntArray:
    """k-means, one start of many, among the documents that have a place; as many groups as different rows, at most k."""
    placed = nonzero_rows(rows) & nonzero_rows(corpus.X)
    labels = np.full(len(rows), -1, dtype=np.int64)
    inside = np.ascontiguousarray(rows[placed])
    k = count_different(inside, k)
    if k > 0:
        fit = best_start(inside, k, draw_seeds(corpus.random_state, start + 1)[start:], corpus.n_jobs)
        labels[placed] = np.unique(fit.labels_, return_inverse=True)[1]
    return labels


def take_views(corpus: Corpus, around: Neighborhoods, k: int, rounds: int = ROUNDS) -> list[View]:
    """Cluster every space into k groups, correct each by its words, and weigh it by how well it explains them (V6)."""
    seen = spaces(corpus.X, around, k, corpus.known, corpus.random_state, corpus.n_jobs)
    views = [_view(space, corpus, k, rounds) for space in seen]
    best = max(view.nats for view in views)
    return [View(v.name, v.labels, v.nats, float(np.exp((v.nats - best) / TEMPERATURE))) for v in views]


def _view(space: Space, corpus: Corpus, k: int, rounds: int) -> View:
    labels = corpus.corrected(groups(space.rows, k, corpus), k, NEARLY, rounds)
    return View(space.name, labels, 0.0 if corpus.alike is None else nats_per_word(corpus.alike, labels, k))


def join(views: list[View]) -> AgreementGraph:
    """The graph of what views agree on."""
    return agreement([view.labels for view in views], shares=[view.share for view in views])


def consensus(
    X: Terms,
    n_clusters: int | str = "auto",
    *,
    labels: IntArray | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> AgreementGraph:
    """Build the graph of what several views of documents x terms agree on (G10).

    Parameters
    ----------
    X : documents x terms
        Weighted. Where no weight is negative, clusterings are corrected and weighed by which words are there.
    n_clusters : int or "auto"
        Groups that each view makes; by default as many as explain the words best.
    labels : int array, optional
        Classes that are known, -1 elsewhere: every view is told of them, and they count as much as all views together.
    random_state : int
    n_jobs : int, optional
    """
    from vicinal._consensus.n_clusters import choose_number

    known = None if labels is None or not np.any(labels >= 0) else labels
    corpus = corpus_of(X, None, known, random_state, n_jobs)
    around = look_around(X, random_state, n_jobs)
    k = int(choose_number(corpus, around).chosen) if isinstance(n_clusters, str) else n_clusters
    views = take_views(corpus, around, max(2, k))
    if known is not None:
        views.append(View("labels", known, 0.0, sum(view.share for view in views)))
    return join(views)
