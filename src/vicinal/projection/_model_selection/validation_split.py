"""Held-out validation for maps of a graph: trained on one half of the documents, scored on the graph of the other (P39).

The responses of a regression come from the neighbour graph of the same documents, so ordinary cross-validation leaks: the
neighbours of a document that is left out still carry its response. Here the validation set contributes neither documents nor edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vicinal._choice import Choice
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, Terms
from vicinal.graph import Graph
from vicinal.projection._products import Products
from vicinal.projection._solvers.krylov import as_sparse
from vicinal.spectrum._solve import smoothest

ENOUGH = 4000  # documents in all splits together, of which there are one to four: more documents need fewer splits
SPLITS = 4
LARGEST = 20_000  # documents in a validation set: more would only cost memory
FEWEST = 8  # documents in a training set, below which there is no split
PER_COMPONENT = 4  # documents in a training or validation set for each component, at least
SLACK = 0.02  # of the best smoothness, which fewer terms may cost
GROUPS = 10  # of validation documents, each left out in turn: the jackknife's standard error
COLUMNS = 64  # of embeddings handled together
DEPENDENT = 1e-8  # share of a component's variance below which it is a combination of others
TOLERANCE = 1e-8  # of the eigenvectors of a training set

SCORE = "smoothness on the graph of documents held out"

Learn = Callable[["Split"], "list[Moments]"]


@final
@dataclass(frozen=True, eq=False)
class Split:
    """A training set with its responses, and a validation set with the neighbour graph among its documents."""

    train: Products
    responses: FloatArray
    validation: Products
    graph: Graph

    def moments(self, embeddings: FloatArray) -> Moments:
        """The sums that the score of any linear combination of these columns (validation documents x columns) depends on."""
        degrees, n_columns = self.graph.degrees, embeddings.shape[1]
        groups = np.array_split(np.arange(len(degrees)), GROUPS)
        near, size = (np.empty((len(groups), n_columns, n_columns)) for _ in range(2))
        for start in range(0, n_columns, COLUMNS):
            some = slice(start, start + COLUMNS)
            around, weighted = self.graph.matmul(embeddings[:, some]), degrees[:, None] * embeddings[:, some]
            for g, rows in enumerate(groups):
                near[g, :, some] = embeddings[rows].T @ around[rows]
                size[g, :, some] = embeddings[rows].T @ weighted[rows]
        total = np.array([degrees[rows] @ embeddings[rows] for rows in groups])
        return Moments(near, size, total, np.array([degrees[rows].sum() for rows in groups]))


@final
@dataclass(frozen=True, eq=False)
class Moments:
    """FᵀWF, FᵀDF, FᵀD1 and 1ᵀD1 of embeddings F, for each group of validation documents."""

    near: FloatArray
    size: FloatArray
    total: FloatArray
    volume: FloatArray

    def through(self, C: FloatArray) -> Moments:
        """The same for the embeddings F C."""
        return Moments(C.T @ self.near @ C, C.T @ self.size @ C, self.total @ C, self.volume)

    def locality(self, left_out: int | None = None) -> float:
        """The mean smoothness of all functions in the span of the components (P39), with or without one group of documents."""
        kept = np.arange(len(self.volume)) != (-1 if left_out is None else left_out)
        near, size, total, volume = (part[kept].sum(axis=0) for part in (self.near, self.size, self.total, self.volume))
        if not volume > 0:
            return np.nan
        around = np.outer(total, total) / volume  # D-centring: W and D agree on the constant, up to documents left out
        near, size = (near + near.T) / 2 - around, size - around
        lengths = np.sqrt(np.maximum(np.diagonal(size), 0.0))
        scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        spread, turn = np.linalg.eigh(size * np.outer(scale, scale))
        own = spread > DEPENDENT
        smooth = np.einsum("ji,jk,ki->i", turn[:, own], near * np.outer(scale, scale), turn[:, own])
        return float(np.sum(smooth / spread[own]) / len(lengths)) if own.any() else np.nan


def train_validation_splits(
    X: Terms, graph: Graph, n_components: int, *, center: bool, apart: bool, n_jobs: int | None
) -> Iterator[Split]:
    """Split the documents of a graph at random with a fixed seed; no split where there are too few.

    Of each component of the graph only the largest piece is trained on: the others are apart because documents are missing.
    """
    members = np.flatnonzero(graph.has_edges)
    for order in _orders(len(members)):
        training, validating = members[order[: len(order) // 2]], members[order[len(order) // 2 :][:LARGEST]]
        among = graph.restrict(training)
        whole = largest_pieces(among, graph.connected_components[training])
        d = min(n_components, len(whole) // PER_COMPONENT, len(validating) // PER_COMPONENT)
        held_out = graph.restrict(validating)
        if len(whole) < FEWEST or not held_out.has_edges.any() or d < 1:
            continue
        spectrum = smoothest(among.restrict(whole), d, disconnected="apart" if apart else "keep", tol=TOLERANCE, quiet=True)
        rows = X[training[whole]]
        mean = np.asarray(rows.mean(axis=0, dtype=np.float64)).ravel() if center else None
        if len(spectrum):
            train, validation = as_sparse(Products(rows, mean, n_jobs)), as_sparse(Products(X[validating], None, n_jobs))
            yield Split(train, spectrum.vectors, validation, held_out)


def _orders(count: int) -> Iterator[IntArray]:
    """Orders of the documents, of which the first half is the training set: each order also the other way round."""
    random = np.random.RandomState(0)
    splits = int(np.clip(ENOUGH // max(count, 1), 1, SPLITS)) if count >= 2 * FEWEST else 0
    order = np.arange(count)
    for k in range(splits):
        order = order[::-1] if k % 2 else random.permutation(count)
        yield order


def largest_pieces(among: Graph, components: IntArray) -> IntArray:
    """The documents in the largest piece of each component, in order."""
    pieces = among.connected_components  # numbered by falling size
    kept = [np.min(pieces[(components == c) & (pieces >= 0)], initial=len(pieces)) for c in range(components.max(initial=-1) + 1)]
    return np.flatnonzero((pieces >= 0) & np.isin(pieces, kept))


def validated(name: str, candidates: ArrayLike, splits: Iterator[Split], learn: Learn, *, fewest: bool = False) -> Choice | None:
    """Score candidates by the locality of their maps on validation sets (P39), the mean over the splits; None without any split.

    Parameters
    ----------
    learn : function
        Given a split, the moments of the embeddings of the validation documents, for each candidate in order: learn a map from
        ``split.train`` and ``split.responses``, and return ``split.moments(split.validation.forward(weights))``.
    fewest : bool
        Choose not the best candidate but the smallest that keeps 98 % of its smoothness, or is within one standard error of it.
    """
    scores, variances = list[FloatArray](), list[FloatArray]()
    with single_threaded_libraries():
        for split in splits:
            found = learn(split)
            whole = np.array([each.locality() for each in found])
            without = np.array([[each.locality(g) for g in range(GROUPS)] for each in found])
            scores.append(whole)
            variances.append(_jackknife(without, whole))
    if not scores or np.isnan(np.mean(scores, axis=0)).all():
        return None
    mean, error = np.mean(scores, axis=0), np.sqrt(np.sum(variances, axis=0)) / len(scores)
    margin = np.maximum(error, SLACK * max(np.nanmax(mean), 0.0)) if fewest else error
    choice = Choice.of(name, candidates, mean, score=SCORE, higher_is_better=True, margin=margin)
    return choice if not fewest else _smallest(choice)


def _smallest(choice: Choice) -> Choice:
    """The same scores with the smallest candidate of the range chosen."""
    why = (
        f"{choice.name}={choice.low} is the least of {len(choice.candidates)} candidates up to {choice.candidates[-1]} that keeps "
        f"{1 - SLACK:.0%} of the best {SCORE}, which {choice.name}={choice.best} has."
    )
    return replace(choice, chosen=choice.low, why=why)


def _jackknife(without: FloatArray, whole: FloatArray) -> FloatArray:
    """Squared standard error of each candidate's difference from the best, from leaving out one group of documents at a time."""
    if np.isnan(whole).all():
        return np.zeros(len(whole))
    apart = without - without[int(np.nanargmax(whole))]
    return np.array([(GROUPS - 1) * np.var(each[np.isfinite(each)]) if np.isfinite(each).any() else 0.0 for each in apart])
