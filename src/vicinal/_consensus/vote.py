"""The vote: several answers to the same question, each with luck of its own, and for each document the cluster that most give it.

Views, their consensus and the last k-means begin at random, and small differences at the start can end in other clusters: more
starts of one consensus share the luck of its views. So all of it is done several times, with fewer starts each, and the answers
vote. One that chance has led astray is outvoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import normalized_mutual_info_score

from vicinal._consensus.consensus import (
    Candidate,
    ConsensusClustering,
    cluster_by_consensus,
    direct,
    merged_from_many,
    n_lasting,
    quality,
)
from vicinal._consensus.embeddings import NeighborGraphs
from vicinal._consensus.views import ConsensusInput, View, take_views, terms_embedding
from vicinal._kmeans import draw_seeds
from vicinal._typing import FloatArray, IntArray

FEWEST_ANSWERS, MOST_ANSWERS = 3, 5  # that vote
MANY = 10_000  # documents from which no more than the fewest are asked
SETTLED = 0.01  # disagreement of two answers, divided by the number of answers, below which no more are asked
VIEWS_PER_EMBEDDING = 1  # starts of k-means in each embedding of one answer
CANDIDATES: dict[Candidate, int] = {direct: 2, merged_from_many: 2}  # ways to the clusters of one answer, and starts of each
CASTING = 1.5  # votes of the most typical answer, so that it decides between equals


def cluster_by_vote(data: ConsensusInput, graphs: NeighborGraphs, n_clusters: int) -> ConsensusClustering:
    """Cluster documents until the answers agree enough, and let them vote (V25); where classes are known, once.

    Known classes leave less to luck, and each has to stay one cluster.

    Parameters
    ----------
    data, graphs
        The documents and their neighbour graphs.
    n_clusters : int
    """
    if data.known is not None:
        return cluster_by_consensus(data, graphs, n_clusters)
    answers = _answers(data, graphs, n_clusters)
    typical, labels = lasting_vote(data, [answer.labels for answer in answers], n_clusters)
    qualities = {name_of(number): max(answer.qualities.values()) for number, answer in enumerate(answers)}
    qualities["vote"] = quality(data, graphs.combined, labels, n_clusters)
    views = [_named(view, number) for number, answer in enumerate(answers) for view in answer.views]
    others = {name_of(number): answer.labels for number, answer in enumerate(answers)}
    return ConsensusClustering(labels, answers[typical].projection, tuple(views), qualities, others)


def name_of(number: int) -> str:
    """What an answer is called."""
    return f"answer {number + 1}"


def _named(view: View, number: int) -> View:
    return replace(view, name=f"{view.name}, {name_of(number)}")


def _answers(data: ConsensusInput, graphs: NeighborGraphs, n_clusters: int) -> list[ConsensusClustering]:
    """Answers that vote."""
    by_terms = terms_embedding(data, graphs, n_clusters)
    return until_settled(_answer(here, around, n_clusters, by_terms) for here, around in beginnings(data, graphs))


def until_settled(answers: Iterable[ConsensusClustering]) -> list[ConsensusClustering]:
    """Take answers, one after the other, until more would hardly change the vote."""
    taken: list[ConsensusClustering] = []
    similarities: list[float] = []
    for answer in answers:
        similarities += [similarity(answer.labels, other.labels) for other in taken]
        taken.append(answer)
        if is_settled(len(taken), similarities):
            break
    return taken


def beginnings(data: ConsensusInput, graphs: NeighborGraphs) -> Iterator[tuple[ConsensusInput, NeighborGraphs]]:
    """What each answer begins with: a random seed of its own, and latent neighbours by it; those by terms know no luck."""
    yield data, graphs
    for seed in draw_seeds(data.random_state, most_answers(data.X.shape[0]) - 1):
        yield replace(data, random_state=seed), graphs.with_other_latent(data.X, seed, data.n_jobs)


def most_answers(n_documents: int) -> int:
    """How many answers may be asked of so many documents: fewer of a large corpus, where each takes long."""
    return MOST_ANSWERS if n_documents < MANY else FEWEST_ANSWERS


def is_settled(n_answers: int, similarities: Sequence[float]) -> bool:
    """Whether the vote would hardly change with more answers: as with any mean, what is left to luck falls with their number.

    Parameters
    ----------
    n_answers : int
    similarities : sequence of float
        Of all pairs of them.
    """
    return n_answers >= FEWEST_ANSWERS and 1.0 - float(np.mean(similarities)) <= SETTLED * n_answers


def _answer(data: ConsensusInput, graphs: NeighborGraphs, n_clusters: int, by_terms: FloatArray) -> ConsensusClustering:
    """One answer, from fewer starts than one that has to stand alone."""
    views = take_views(data, graphs, n_clusters, n_starts=VIEWS_PER_EMBEDDING, by_terms=by_terms)
    return cluster_by_consensus(data, graphs, n_clusters, views=views, candidates=CANDIDATES)


def lasting_vote(data: ConsensusInput, answers: Sequence[IntArray], n_clusters: int) -> tuple[int, IntArray]:
    """Which answer is the most typical, and the vote; the typical answer itself where more of its clusters last."""
    typical, labels = vote(answers, n_clusters)
    lost = n_lasting(data, labels, n_clusters) < n_lasting(data, answers[typical], n_clusters)
    return typical, answers[typical] if lost else labels


def vote(answers: Sequence[IntArray], n_clusters: int) -> tuple[int, IntArray]:
    """Which answer is the most typical, and the cluster that most answers give each document.

    Clusters of the others are matched with those of the typical one, so that they have the most documents in common.

    Parameters
    ----------
    answers : sequence of int array (documents,)
        Of the same documents; -1 for a document without a cluster.
    n_clusters : int
    """
    typical = most_typical(answers)
    votes = np.zeros((len(answers[typical]), n_clusters))
    for number, labels in enumerate(answers):
        voting = np.flatnonzero(labels >= 0)
        matched = labels if number == typical else matched_with(answers[typical], labels, n_clusters)
        votes[voting, matched[voting]] += CASTING if number == typical else 1.0
    return typical, np.where(answers[typical] >= 0, np.argmax(votes, axis=1), -1)


def most_typical(answers: Sequence[IntArray]) -> int:
    """The answer that is most similar to all others; the first of equals."""
    similar = np.eye(len(answers))
    for i, one in enumerate(answers):
        for j in range(i):
            similar[i, j] = similar[j, i] = similarity(one, answers[j])
    return int(np.argmax(similar.sum(axis=1)))


def similarity(one: IntArray, other: IntArray) -> float:
    """Mutual information of two answers over the larger entropy."""
    return float(normalized_mutual_info_score(one, other, average_method="max"))


def matched_with(typical: IntArray, labels: IntArray, n_clusters: int) -> IntArray:
    """The same clusters by the numbers of the typical ones that they have most documents in common with, one to one."""
    both = (typical >= 0) & (labels >= 0)
    table: FloatArray = np.zeros((n_clusters, n_clusters))
    np.add.at(table, (labels[both], typical[both]), 1.0)
    number = linear_sum_assignment(table, maximize=True)[1]
    return np.where(labels >= 0, number[labels], -1)
