"""Candidates: the documents that a first pass ranks highest, and their neighbours, are scored again with all that is known of them.

The first pass scores every document by its own terms. Candidates borrow terms from their neighbours, are compared by embedding with
the query and with the first answers, and are credited for neighbours that match (R6 to R8 of docs/maths/search.md). All other
documents keep the score of the first pass: neither their embeddings nor their neighbours are looked at.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal.uses._kept_rows import AnyLenders, AnyRows
from vicinal.uses._ranking_steps import BY_ARRAYS, RankingSteps
from vicinal.uses._scores import Scale, Surprises, surprise
from vicinal.uses._term_scores import TermScores

#: Documents of the first pass that are candidates, with their neighbours.
N_FIRST = 100
#: First answers whose embeddings are added to that of the query.
N_FEEDBACK = 10
#: How much the embedding counts beside terms that borrow, times the square root of its agreement with the terms (R4).
EMBEDDING_WEIGHT = 1.4
#: How much matching neighbours count, times the agreement; and the z from which a neighbour matches (R8).
NEIGHBOR_WEIGHT, MATCHES = 0.5, 2.0
#: Documents that the spread of cosines is estimated from, and documents with a term for their covariance, where there are more.
SAMPLE, N_HOLDERS = 4096, 2048
NEIGHBORS, FEEDBACK = "(neighbours)", "(first answers)"


@final
@dataclass(frozen=True, eq=False)
class Direction:
    """The embedding of a query as a sum of parts, of unit length in all.

    Attributes
    ----------
    names : tuple of str
    parts : float array (parts, components)
    """

    names: tuple[str, ...]
    parts: FloatArray

    @cached_property
    def whole(self) -> FloatArray:
        """The sum of the parts."""
        return np.asarray(self.parts.sum(axis=0))

    def towards(self, other: FloatArray) -> Direction:
        """The direction of its sum with another embedding, which is one more part."""
        parts = np.vstack([self.parts, other])
        return Direction((*self.names, FEEDBACK), parts / np.linalg.norm(parts.sum(axis=0)))


@final
@dataclass(frozen=True, eq=False)
class Sampled:
    """Embeddings of documents, of which some stand for all where a mean or a spread is wanted.

    Attributes
    ----------
    embeddings : float array (documents, components)
        Rows of unit length, or zero.
    """

    embeddings: AnyRows

    @cached_property
    def some(self) -> FloatArray:
        """Every so many of them; all where there are few."""
        return np.ascontiguousarray(self.embeddings[:: _step(len(self.embeddings), SAMPLE)])

    @cached_property
    def mean(self) -> FloatArray:
        """Of some of them."""
        return np.asarray(self.some.mean(axis=0, dtype=np.float64))

    def scale(self, direction: Direction) -> Scale:
        """Of the cosines with a direction."""
        return Scale(float(self.mean @ direction.whole), Scale.of(_products(self.some, direction)).spread)

    def agreement(self, scores: Surprises, direction: Direction, by_cosine: Scale) -> float:
        """The correlation of scores of terms with cosines, or 0 (R4): only documents with a term add to the covariance."""
        totals, holders = scores.worth, scores.holders
        some = holders[:: _step(len(holders), N_HOLDERS)]
        if not len(some):
            return 0.0
        apart = _products(self.embeddings[some], direction) - by_cosine.mean
        covariance = float(totals[some] @ apart) * len(holders) / len(some) / len(totals)
        return min(max(covariance / (scores.scale.spread * by_cosine.spread), 0.0), 1.0)


def _step(n: int, most: int) -> int:
    return max(-(-n // most), 1)


def _products(embeddings: FloatArray, direction: Direction) -> FloatArray:
    return np.asarray(embeddings @ direction.whole.astype(embeddings.dtype), dtype=np.float64)


@final
@dataclass(frozen=True, eq=False)
class FirstPass:
    """All documents by their own terms, and how far the embedding of the query agrees with these.

    Attributes
    ----------
    terms : TermScores
    scores : Surprises
        Of what all terms are worth in each document.
    direction : Direction or None
        None where embeddings are not asked.
    by_cosine : Scale
    agreement : float
        The correlation of both, or 0 (R4).
    """

    terms: TermScores
    scores: Surprises
    direction: Direction | None
    by_cosine: Scale
    agreement: float

    @property
    def totals(self) -> FloatArray:
        """What all terms are worth in each document."""
        return self.scores.worth

    @property
    def by_terms(self) -> Scale:
        """What standardises it."""
        return self.scores.scale

    @property
    def embedding_weight(self) -> float:
        """How much the embedding counts."""
        return EMBEDDING_WEIGHT * math.sqrt(self.agreement)

    @property
    def neighbor_weight(self) -> float:
        """How much matching neighbours count."""
        return NEIGHBOR_WEIGHT * self.agreement


@final
@dataclass(frozen=True, eq=False)
class Candidates:
    """Some documents with all that is known of them.

    Attributes
    ----------
    rows : int array (k,)
        The documents, rising.
    terms : float array (k, terms)
        What each term is worth in each, or in its neighbours.
    z : float array (k,)
        Of their terms.
    direction : Direction or None
        The query and the first answers.
    cosines : float array (k,)
    by_cosine : Scale
    neighbors : float array (k,)
        The mean surprise of neighbours that match.
    """

    rows: IntArray
    terms: FloatArray
    z: FloatArray
    direction: Direction | None
    cosines: FloatArray
    by_cosine: Scale
    neighbors: FloatArray

    def scores(self, first: FirstPass) -> FloatArray:
        """Of each candidate."""
        total = surprise(self.z)
        if first.agreement > 0:
            total = total + first.embedding_weight * surprise(self.by_cosine.z(self.cosines))
        return np.asarray(total + first.neighbor_weight * self.neighbors)

    def position(self, document: int) -> int:
        """Where a document is among the candidates, -1 where it is not."""
        at = int(np.searchsorted(self.rows, document))
        return at if at < len(self.rows) and self.rows[at] == document else -1


def candidates(
    first: FirstPass,
    lenders: AnyLenders,
    sampled: Sampled,
    among: BoolArray | None = None,
    steps: RankingSteps = BY_ARRAYS,
) -> Candidates:
    """Score the documents that are highest after the first pass, and their neighbours, with all that is known of them.

    Parameters
    ----------
    first : FirstPass
    lenders : AnyLenders
    sampled : Sampled
    among : bool array (documents,), optional
        The documents that may be found; all by default.
    steps : RankingSteps, optional
        How neighbours are looked at.
    """
    rows = _chosen(first.scores, lenders, among, steps)
    around = steps.surroundings(rows, lenders)
    terms = around.terms(first.terms, first.totals)
    z = first.by_terms.z(_sums(terms))
    direction, cosines, by_cosine = first.direction, np.zeros(len(rows)), first.by_cosine
    if direction is not None and first.agreement > 0:
        near = steps.doubles(sampled.embeddings, rows)
        direction, cosines, by_cosine = _with_feedback(first, direction, near, z, sampled)
    matching = around.means(np.where(z > MATCHES, z**2, 0.0), first.terms.n_documents)
    return Candidates(rows, terms, z, direction, cosines, by_cosine, matching)


def _sums(terms: FloatArray) -> FloatArray:
    """The sum of each row, term after term."""
    total = np.zeros(len(terms))
    for column in terms.T:
        total += column
    return total


def _chosen(scores: Surprises, lenders: AnyLenders, among: BoolArray | None, steps: RankingSteps) -> IntArray:
    """The documents with the highest scores, and their neighbours; all, where there are few."""
    n_documents = len(scores.worth)
    if n_documents <= N_FIRST:
        return np.arange(n_documents)
    return steps.with_neighbors(scores.best(N_FIRST, among), lenders)


def _with_feedback(
    first: FirstPass, direction: Direction, near: FloatArray, z: FloatArray, sampled: Sampled
) -> tuple[Direction, FloatArray, Scale]:
    """Compare candidates, given their embeddings, with the query and the first answers (R7)."""
    cosines = near @ direction.whole
    scores = surprise(z) + first.embedding_weight * surprise(first.by_cosine.z(cosines))
    best = np.argsort(-scores, kind="stable")[:N_FEEDBACK]
    weights = np.maximum(scores[best], 0.0)
    if weights.sum() <= 0:
        return direction, cosines, first.by_cosine
    towards = direction.towards(weights / weights.sum() @ near[best])
    return towards, near @ towards.whole, sampled.scale(towards)
