"""How many dimensions: as many of a graph's smoothest functions as two halves of the documents find in common (P42, P43)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import final

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from vicinal.choice import Choice
from vicinal.graph.graph import Graph
from vicinal.graph.implicit import ClassGraph
from vicinal.projection.cgls import cgls
from vicinal.projection.choose import ridge_scale
from vicinal.projection.halves import DEPENDENT, FEWEST, GROUPS, PER_DIMENSION, jackknife, largest_pieces, orders
from vicinal.projection.products import Products
from vicinal.spectrum.solve import smoothest
from vicinal.threads import single_threaded_libraries
from vicinal.typing import FloatArray, IntArray, Terms

LOOKED_AT = 50  # functions of each half: with many more, what corpora share in detail outweighs what they are about
FEWEST_FUNCTIONS = 4  # below which there is no telling
MAP_TOL, MAP_LIMIT = 1e-2, 50  # of the regression of a half, which need not be exact
TOLERANCE = 1e-6  # of the functions of a half

NAME = "n_components"
SCORE = "number of functions that two halves share, beyond an even share"


def choose_dimensions(
    X: Terms, graph: Graph, most: int, *, usual: int = 30, apart: bool = False, n_jobs: int | None = None
) -> Choice:
    """Choose how many of the smoothest functions of a graph the words of one half of the documents foretell for the other (P43).

    Parameters
    ----------
    X : documents x terms
    graph : Graph
        Among these documents. Where it joins classes, there is nothing to choose: one function less than there are classes.
    most : int
        No more than this.
    usual : int
        What to take where there are too few documents.
    apart : bool
        The functions vary inside components.
    n_jobs : int, optional
        Threads.
    """
    if isinstance(graph, ClassGraph):
        return _of_classes(int(graph.components.max()), most)
    with single_threaded_libraries():
        meetings = list(_meetings(X, graph, min(LOOKED_AT, most), apart, n_jobs))
        return _judge(meetings) if meetings else _unjudged(most, min(usual, most))


@final
@dataclass(frozen=True, eq=False)
class Meeting:
    """Places F of documents by the words of others, and their own functions V: FᵀDF, VᵀDV and FᵀDV, for each group of documents."""

    places: FloatArray
    functions: FloatArray
    between: FloatArray

    @staticmethod
    def of(F: FloatArray, V: FloatArray, degrees: FloatArray) -> Meeting:
        """Take the mean off the places, and add up by groups."""
        F = F - (degrees @ F) / degrees.sum()
        groups = np.array_split(np.arange(len(degrees)), GROUPS)

        def sums(A: FloatArray, B: FloatArray) -> FloatArray:
            return np.array([(degrees[rows, None] * A[rows]).T @ B[rows] for rows in groups])

        return Meeting(sums(F, F), sums(V, V), sums(F, V))

    def shared(self, left_out: int | None = None) -> FloatArray:
        """How many dimensions the first d places and the first d functions have in common, for every d (P42)."""
        kept = np.arange(len(self.between)) != (-1 if left_out is None else left_out)
        places, functions, between = (part[kept].sum(axis=0) for part in (self.places, self.functions, self.between))
        (scale, L), (other, M) = _factor(places), _factor(functions)
        half = solve_triangular(L, between * np.outer(scale, other), lower=True)
        cosines = solve_triangular(M, half.T, lower=True)
        return np.asarray(np.cumsum(np.cumsum(cosines**2, axis=0), axis=1).diagonal())


def _factor(gram: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Scales that make the diagonal one, and the Cholesky factor of what they make of the rest: its first rows are Gram-Schmidt."""
    lengths = np.sqrt(np.maximum(gram.diagonal(), 0.0))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return scale, cholesky(gram * np.outer(scale, scale) + DEPENDENT * np.eye(len(gram)), lower=True)


@final
@dataclass(frozen=True, eq=False)
class _Side:
    """Half of the documents, without the crumbs that have lost their neighbours to the other half."""

    documents: IntArray
    graph: Graph
    functions: FloatArray

    @staticmethod
    def of(graph: Graph, documents: IntArray, count: int, apart: bool) -> _Side | None:
        among = graph.restrict(documents)
        whole = largest_pieces(among, graph.components[documents])
        count = min(count, len(whole) // PER_DIMENSION)
        if len(whole) < FEWEST or count < 1:
            return None
        core = among.restrict(whole)
        spectrum = smoothest(core, count, disconnected="apart" if apart else "keep", tol=TOLERANCE, quiet=True)
        return _Side(documents[whole], core, spectrum.vectors)


def _meetings(X: Terms, graph: Graph, count: int, apart: bool, n_jobs: int | None) -> Iterator[Meeting]:
    """Both halves of each split: one learns from words, the other knows better."""
    placed, alpha = np.flatnonzero(graph.placed), ridge_scale(X, graph.placed)
    for order in islice(orders(len(placed)), 0, None, 2):  # every other order is the one before it, reversed
        middle = len(order) // 2
        sides = [_Side.of(graph, placed[part], count, apart) for part in (order[:middle], order[middle:])]
        if sides[0] is None or sides[1] is None:
            continue
        for one, other in ((sides[0], sides[1]), (sides[1], sides[0])):
            d = min(one.functions.shape[1], other.functions.shape[1])
            if d >= FEWEST_FUNCTIONS:
                weights = cgls(Products(X[one.documents], None, n_jobs), one.functions[:, :d], alpha, MAP_TOL, MAP_LIMIT).weights
                places = Products(X[other.documents], None, n_jobs).forward(weights)
                yield Meeting.of(places, other.functions[:, :d], other.graph.degrees)


def _judge(meetings: list[Meeting]) -> Choice:
    """The d by which most is shared beyond an even share (P43); the range has what fewer functions looked at would have chosen."""
    d = min(meeting.between.shape[1] for meeting in meetings)
    each = np.array([meeting.shared()[:d] for meeting in meetings])
    shared = each.mean(axis=0)
    scores = _excess(shared)
    best = int(np.argmax(scores))
    apart = np.array([_excess(one) - _excess(one)[best] for one in each])
    groups = np.sum([_uncertainty(meeting, d, best) for meeting in meetings], axis=0) / len(meetings)
    error = np.sqrt(np.maximum(groups, np.var(apart, axis=0, ddof=1)) / len(meetings))
    found = Choice.of(NAME, np.arange(1, d + 1), scores, score=SCORE, higher_is_better=True)
    others = [int(np.argmax(_excess(shared[:end]))) for end in range((d + 1) // 2, d + 1)]
    possible = [*others, *np.flatnonzero(scores >= scores[best] - error)]  # the curve is rugged: there may be gaps between them
    low, high = int(min(possible)) + 1, int(max(possible)) + 1
    why = (
        f"{NAME}={found.chosen} was chosen from 1 to {d}: up to there two halves of the documents find the same functions more "
        f"often than over all {d}; {low} to {high} might do as well."
    )
    return replace(found, low=low, high=high, why=why)


def _excess(shared: FloatArray) -> FloatArray:
    return np.asarray(shared - np.arange(1, len(shared) + 1) * shared[-1] / len(shared))


def _uncertainty(meeting: Meeting, d: int, best: int) -> FloatArray:
    without = np.array([_excess(meeting.shared(group)[:d]) for group in range(GROUPS)])
    return jackknife(without.T, best)


def _of_classes(functions: int, most: int) -> Choice:
    chosen = min(functions, most)
    why = f"{NAME}={chosen}: {functions + 1} classes leave {functions} functions to tell them apart, and words can follow {chosen}."
    return Choice.of(NAME, [chosen], [np.nan], score=SCORE, higher_is_better=True, why=why)


def _unjudged(most: int, chosen: int) -> Choice:
    why = f"{NAME}={chosen} is what is usual: there are too few documents, or too few edges between them, to hold half of them out."
    candidates = np.arange(1, most + 1)
    nothing = Choice.of(NAME, candidates, np.full(most, np.nan), score=SCORE, higher_is_better=True, chosen=chosen, why=why)
    return replace(nothing, low=1, high=most)
