"""Choosing by documents held back: a map is learnt from one half of the documents and judged on the graph of the other (P39).

The functions that a map is regressed on come from a graph of the very documents, so what a document left out would have shown is
still known to its neighbours. Here the half that judges has lent neither its documents nor its edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vicinal._choice import Choice
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, Terms
from vicinal.graph._graph import Graph
from vicinal.projection._products import Products
from vicinal.projection._solvers.krylov import as_sparse
from vicinal.spectrum._solve import smoothest

ENOUGH = 4000  # documents after which one split will do; fewer are split again, up to four times
SPLITS = 4
LARGEST = 20_000  # documents that judge: more would only cost memory
FEWEST = 8  # documents in a half, below which nothing can be judged
PER_DIMENSION = 4  # documents in a half for each dimension, at least
SLACK = 0.02  # of the best smoothness, which fewer words may cost
GROUPS = 10  # of judging documents, each left out in turn to see how much the judgement depends on whom one asks
COLUMNS = 64  # of places handled together
DEPENDENT = 1e-8  # of the size of a dimension: less is no direction of its own
TOLERANCE = 1e-8  # of the eigenvectors of a half

SCORE = "smoothness on the graph of documents held out"

Learn = Callable[["Half"], "list[Moments]"]


@final
@dataclass(frozen=True, eq=False)
class Half:
    """The documents that teach, with their responses, and the documents that judge, with the graph among these."""

    teach: Products
    responses: FloatArray
    judge: Products
    graph: Graph

    def moments(self, places: FloatArray) -> Moments:
        """What the judgement of any combination of these places (judging documents x columns) depends on."""
        degrees, n_columns = self.graph.degrees, places.shape[1]
        groups = np.array_split(np.arange(len(degrees)), GROUPS)
        near, size = (np.empty((len(groups), n_columns, n_columns)) for _ in range(2))
        for start in range(0, n_columns, COLUMNS):
            some = slice(start, start + COLUMNS)
            around, weighted = self.graph.matmul(places[:, some]), degrees[:, None] * places[:, some]
            for g, rows in enumerate(groups):
                near[g, :, some] = places[rows].T @ around[rows]
                size[g, :, some] = places[rows].T @ weighted[rows]
        total = np.array([degrees[rows] @ places[rows] for rows in groups])
        return Moments(near, size, total, np.array([degrees[rows].sum() for rows in groups]))


@final
@dataclass(frozen=True, eq=False)
class Moments:
    """FᵀWF, FᵀDF, FᵀD1 and 1ᵀD1 of places F, for each group of judging documents."""

    near: FloatArray
    size: FloatArray
    total: FloatArray
    volume: FloatArray

    def through(self, C: FloatArray) -> Moments:
        """The same for the places F C."""
        return Moments(C.T @ self.near @ C, C.T @ self.size @ C, self.total @ C, self.volume)

    def locality(self, left_out: int | None = None) -> float:
        """The mean smoothness of all functions the dimensions can make (P39), with one group of documents left out or none."""
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


def halves(
    X: Terms, graph: Graph, n_components: int, *, center: bool = False, apart: bool = False, n_jobs: int | None = None
) -> Iterator[Half]:
    """Split the documents of a graph at random, but each time the same way; nothing where there are too few.

    Of each component of the graph, only the largest piece teaches: the others are pieces because documents are missing.
    """
    placed = np.flatnonzero(graph.placed)
    for order in _orders(len(placed)):
        taught, judging = placed[order[: len(order) // 2]], placed[order[len(order) // 2 :][:LARGEST]]
        among = graph.restrict(taught)
        whole = largest_pieces(among, graph.components[taught])
        d = min(n_components, len(whole) // PER_DIMENSION, len(judging) // PER_DIMENSION)
        judges = graph.restrict(judging)
        if len(whole) < FEWEST or not judges.placed.any() or d < 1:
            continue
        spectrum = smoothest(among.restrict(whole), d, disconnected="apart" if apart else "keep", tol=TOLERANCE, quiet=True)
        rows = X[taught[whole]]
        mean = np.asarray(rows.mean(axis=0, dtype=np.float64)).ravel() if center else None
        if len(spectrum):
            teach, judge = as_sparse(Products(rows, mean, n_jobs)), as_sparse(Products(X[judging], None, n_jobs))
            yield Half(teach, spectrum.vectors, judge, judges)


def _orders(count: int) -> Iterator[IntArray]:
    """Orders of the documents, of which the first half teaches: each order also the other way round."""
    random = np.random.RandomState(0)
    splits = int(np.clip(ENOUGH // max(count, 1), 1, SPLITS)) if count >= 2 * FEWEST else 0
    order = np.arange(count)
    for k in range(splits):
        order = order[::-1] if k % 2 else random.permutation(count)
        yield order


def largest_pieces(among: Graph, components: IntArray) -> IntArray:
    """The documents in the largest piece of each component, in order."""
    pieces = among.components  # numbered by falling size
    kept = [np.min(pieces[(components == c) & (pieces >= 0)], initial=len(pieces)) for c in range(components.max(initial=-1) + 1)]
    return np.flatnonzero((pieces >= 0) & np.isin(pieces, kept))


def judged(name: str, candidates: ArrayLike, parts: Iterator[Half], learn: Learn, *, fewest: bool = False) -> Choice | None:
    """Score candidates by the locality of their maps on held-out documents (P39), the mean over the splits; None without any split.

    Parameters
    ----------
    learn : function
        Given a half, the moments of the places of the judging documents, for each candidate in order: learn a map from
        ``half.teach`` and ``half.responses``, and return ``half.moments(half.judge.forward(weights))``.
    fewest : bool
        Choose not the best candidate but the smallest that keeps 98 % of its smoothness, or is within one standard error of it.
    """
    scores, variances = list[FloatArray](), list[FloatArray]()
    with single_threaded_libraries():
        for half in parts:
            found = learn(half)
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
    """The same evidence, read for the smallest candidate in the range."""
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
