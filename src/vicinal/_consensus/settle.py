"""From many views to one answer: the consensus clustered directly, and clustered finely and merged; the better one is kept."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.optimize import linear_sum_assignment

from vicinal._consensus.consensus import Corpus, View, groups, join, take_views
from vicinal._consensus.judge import quality
from vicinal._consensus.merge import edges_between, merged
from vicinal._consensus.spaces import PENALTY, Neighborhoods, with_constant
from vicinal._consensus.word_model import NEARLY, refine
from vicinal._typing import FloatArray, IntArray
from vicinal.errors import VicinalWarning
from vicinal.graph._graph import number_by_size
from vicinal.projection import Projection, Ridge
from vicinal.projection._projection import embed
from vicinal.projection._regress import regress_of_checked
from vicinal.spectrum._solve import smoothest

STARTS = 3  # of the last k-means, each judged
FINER = 3  # groups per topic before merging


Way = Callable[[Corpus, Neighborhoods, FloatArray, int, int], IntArray]


@final
@dataclass(frozen=True, eq=False)
class Answer:
    """One clustering of the documents, and what it was chosen from.

    Attributes
    ----------
    labels : int array (documents,)
        Topics, -1 for a document without words.
    projection : Projection
        Coordinates in which views agree, from weighted terms.
    views : tuple of View
    judged : dict from candidate to quality (V10)
    """

    labels: IntArray
    projection: Projection
    views: tuple[View, ...]
    judged: dict[str, float]


def settle(
    corpus: Corpus, around: Neighborhoods, k: int, *, views: list[View] | None = None, ways: Sequence[Way] | None = None
) -> Answer:
    """Ask every view, join what they agree on, regress it onto words, and cluster there (V7).

    Parameters
    ----------
    corpus, around
        The documents and their neighbourhoods.
    k : int
        How many topics.
    views, ways : optional
        What is joined, and how it is clustered: :func:`take_views`, and :func:`direct` and :func:`merged_from_many` by default.
    """
    views = take_views(corpus, around, k) if views is None else views
    ways = (direct, merged_from_many) if ways is None else ways
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        spectrum = smoothest(join(views), max(2, round(1.5 * k)), random_state=corpus.random_state)
        if len(spectrum) == 0:  # all views agree that there is one group, and neighbours must place documents within it
            spectrum = smoothest(around.both, 2, random_state=corpus.random_state)
        projection = regress_of_checked(corpus.X, spectrum, Ridge(PENALTY), n_jobs=corpus.n_jobs)
    Z = embed(projection, corpus.X)
    candidates = {
        f"{way.__name__.replace('_', ' ')}, start {start + 1}": way(corpus, around, Z, k, start)
        for way in ways
        for start in range(STARTS)
    }
    judged = {name: quality(corpus.alike, around.both, labels, k) for name, labels in candidates.items()}
    labels = candidates[max(judged, key=lambda name: judged[name])]
    return Answer(_as_known(corpus, labels, k), projection, tuple(views), judged)


def direct(corpus: Corpus, around: Neighborhoods, Z: FloatArray, k: int, start: int) -> IntArray:
    """k groups at once."""
    return corpus.corrected(groups(with_constant(Z[:, :k]), k, corpus, start), k)


def merged_from_many(corpus: Corpus, around: Neighborhoods, Z: FloatArray, k: int, start: int) -> IntArray:
    """Several times as many groups, merged where they cling to one another: for topics of very different sizes."""
    fine = number_by_size(corpus.corrected(groups(with_constant(Z), FINER * k, corpus, start), FINER * k, NEARLY))
    between = edges_between(around.both, fine, int(fine.max(initial=0)) + 1)
    return corpus.corrected(merged(fine, between, k), k)


def _as_known(corpus: Corpus, labels: IntArray, k: int) -> IntArray:
    """Give topics the numbers of the classes they hold, let labelled documents keep theirs, and ask the words once more."""
    if corpus.known is None or not (corpus.known >= 0).any():
        return labels
    taught = (corpus.known >= 0) & (labels >= 0)
    n_classes = int(corpus.known.max()) + 1
    held = np.zeros((k, n_classes))
    np.add.at(held, (labels[taught], corpus.known[taught]), 1.0)
    topics, classes = linear_sum_assignment(held, maximize=True)
    number = np.full(k, -1, dtype=np.int64)
    number[topics] = classes
    number[number < 0] = np.arange(n_classes, k)
    named = np.where(labels >= 0, number[np.maximum(labels, 0)], -1)
    named = np.where(corpus.known >= 0, corpus.known, named)
    return named if corpus.evidence is None else refine(corpus.evidence, named, k, fixed=corpus.known)
