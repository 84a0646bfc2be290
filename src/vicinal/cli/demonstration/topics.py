"""Clusters become topics: the words that set each apart, the modules it comes from, and how far the two agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import numpy as np

from vicinal.cli.demonstration.facts import Agreement, LabelCount, Topic, WordPart
from vicinal.corpus.document import Document
from vicinal.metrics import clustering_accuracy, normalized_mutual_info
from vicinal.typing import BoolArray, FloatArray, IntArray, Terms
from vicinal.uses import Clusters
from vicinal.uses.search import best_first

N_WORDS = 10
N_LABELS = 3
N_EXAMPLES = 3
#: Two words whose common beginning is more than this share of the shorter are forms of one word.
SAME_BEGINNING = 0.75


def describe(found: Clusters, documents: Sequence[Document], X: Terms, vocabulary: Any) -> tuple[Topic, ...]:
    """Describe every cluster that has documents by its own words and by the documents that have most of them."""
    topics = []
    for number in np.flatnonzero(found.sizes):
        inside = found.labels == number
        members = np.flatnonzero(inside)
        difference = _mean(X, inside) - _mean(X, ~inside)
        typical = members[best_first(X[members] @ difference)[:N_EXAMPLES]].tolist()
        counts = Counter(documents[i].label for i in members.tolist()).most_common(N_LABELS)
        topics.append(
            Topic(
                len(members),
                distinctive_words(difference, vocabulary),
                tuple(LabelCount(label, count) for label, count in counts),
                tuple(documents[i].title for i in typical),
            )
        )
    return tuple(topics)


def distinctive_words(difference: FloatArray, vocabulary: Any, limit: int = N_WORDS) -> tuple[WordPart, ...]:
    """The words whose mean weight inside a cluster is furthest above that outside, one form of each word."""
    chosen: list[WordPart] = []
    for term in np.argsort(-difference, kind="stable"):
        if len(chosen) == limit or difference[term] <= 0:
            break
        if not any(_same_word(vocabulary[term], other.word) for other in chosen):
            chosen.append(WordPart(str(vocabulary[term]), float(difference[term])))
    return tuple(chosen)


def _mean(X: Terms, rows: BoolArray) -> FloatArray:
    return np.asarray(rows.astype(np.float64) @ X) / max(int(rows.sum()), 1)


def _same_word(one: str, other: str) -> bool:
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return common > SAME_BEGINNING * min(len(one), len(other))


def agree(clusters: IntArray, documents: Sequence[Document], n_clusters: int, at_least: int, seed: int) -> Agreement | None:
    """Compare clusters with modules, over the modules that have ``at_least`` documents; None if fewer than two have.

    Chance is the same clusters dealt out to the same documents at random.
    """
    sizes = Counter(document.label for document in documents)
    kept = np.array([sizes[document.label] >= at_least for document in documents], dtype=bool)
    labels = np.array([document.label for document in documents])[kept]
    if len(np.unique(labels)) < 2:
        return None
    shuffled = np.random.default_rng(seed).permutation(clusters[kept])
    return Agreement(
        n_clusters,
        len(np.unique(labels)),
        at_least,
        len(labels),
        normalized_mutual_info(labels, clusters[kept]),
        clustering_accuracy(labels, clusters[kept]),
        normalized_mutual_info(labels, shuffled),
        clustering_accuracy(labels, shuffled),
    )
