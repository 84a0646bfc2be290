"""The whole path of the lasso for one response, from a Gram matrix: least angle regression with terms that may leave again (P18).

Between two events the weights are straight lines in α, so only the events are computed. Every event is found from the Gram matrix
afresh, not from the event before, so that errors do not add up along the path.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import final

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal._warn import warn
from vicinal.errors import Unconverged

TIE = 1e-10  # events closer than this, relatively, happen at once, in term order
DEPENDENT = 1e-9  # a term with less than this share of its length outside the span of the others adds nothing
END = 1e-12  # a correlation below this share of the first is rounding: the path has come to its end
EVENTS = 20  # a path may have so many events per term that can be chosen before it is given up


@final
@dataclass(frozen=True, eq=False)
class Knot:
    """A knot of the path, where its slope changes: α, and the terms with their weights."""

    alpha: float
    terms: IntArray
    weights: FloatArray


def homotopy(gram: FloatArray, against: FloatArray, n_terms: int, alpha_min: float = 0.0) -> list[Knot]:
    """Follow the path from the first term until one more than ``n_terms`` would enter, or α reaches ``alpha_min``.

    Parameters
    ----------
    gram : (terms, terms)
        XᵀX + ρI.
    against : (terms,)
        Xᵀy.

    Returns
    -------
    list of Knot
        By falling α, from the one at which no term has a weight yet; the last one holds the answer.
    """
    walk = _Walk(gram, against)
    knots = [Knot(walk.alpha, np.empty(0, dtype=np.int64), np.empty(0))]
    if walk.alpha <= alpha_min:
        return knots
    walk.enter(walk.first())
    for _ in range(EVENTS * min(len(against), n_terms + 100)):
        alpha, newcomer, leaver = walk.next_event()
        over = alpha <= max(alpha_min, END * walk.start)
        knots.append(walk.knot(alpha_min if over else alpha, -1 if over else leaver))
        walk.alpha = alpha
        if over:
            break
        if leaver >= 0:
            walk.leave(leaver)
        elif len(walk.active) < n_terms:
            walk.enter(newcomer)
        elif np.count_nonzero(knots[-1].weights) == n_terms:
            break
        else:  # it ties with the last that entered, which has no weight yet
            walk = walk.instead(newcomer)
            knots.pop()
    else:
        _say_lost(len(knots), knots[-1])
    return knots


def _say_lost(events: int, last: Knot) -> None:
    warn(
        f"the lasso path was given up after {events} events at alpha={last.alpha:.3g} with {len(last.terms)} terms: tied terms "
        f"keep entering and leaving. Use ridge=0.01.",
        Unconverged,
    )


@dataclass(eq=False)
class _Walk:
    """The state on the path: α, the active terms with the signs of their correlation, and the factor of their Gram matrix."""

    gram: FloatArray
    against: FloatArray
    active: list[int] = field(default_factory=list)
    signs: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start = self.alpha = float(np.abs(self.against).max(initial=0.0))
        self.factor = np.empty((0, 0))
        self.barred: BoolArray = np.zeros(len(self.against), dtype=bool)
        self.dependent: BoolArray = np.zeros(len(self.against), dtype=bool)

    def first(self) -> int:
        """The first term that enters; of tied ones the first in the vocabulary."""
        return int(np.argmax(np.abs(self.against) >= (1.0 - TIE) * self.start))

    def next_event(self) -> tuple[float, int, int]:
        """The largest α below at which a term enters or leaves, with that term; -1 for the one that does not happen."""
        self._solve()
        outside = self.against - self.gram[:, self.active] @ self.free
        slope = self.gram[:, self.active] @ self.pull
        enters = np.maximum(_crossing(outside, 1.0 - slope), _crossing(-outside, 1.0 + slope))
        waits = self.barred & (enters >= (1.0 - TIE) * self.alpha)
        enters[self.active] = enters[waits] = enters[self.dependent] = 0.0
        signs = np.array(self.signs)
        leaves = _crossing(-signs * self.free, -signs * self.pull)
        departure = min(self.alpha, float(leaves.max(initial=0.0)))
        while True:
            arrival = min(self.alpha, float(enters.max()))
            if departure >= arrival and departure > 0:
                return departure, -1, int(np.argmax(leaves >= (1.0 - TIE) * departure))
            if arrival == 0:
                return 0.0, -1, -1
            newcomer = int(np.argmax(enters >= (1.0 - TIE) * arrival))
            if self._pivot(newcomer)[1] > DEPENDENT * self.gram[newcomer, newcomer]:
                return arrival, newcomer, -1
            self.dependent[newcomer], enters[newcomer] = True, 0.0

    def _solve(self) -> None:
        """The weights are free - α pull."""
        right = np.column_stack([self.against[self.active], self.signs])
        solved = self._lower(self._lower(right), trans=1)
        self.free, self.pull = solved[:, 0], solved[:, 1]

    def _lower(self, right: FloatArray, trans: int = 0) -> FloatArray:
        return np.asarray(solve_triangular(self.factor, right, lower=True, trans=trans, check_finite=False))

    def knot(self, alpha: float, leaver: int) -> Knot:
        """The point of the path at an alpha, without a term that leaves there."""
        weights = self.free - alpha * self.pull
        weights[np.array(self.signs) * weights < 0] = 0.0  # rounding around a term that has just come, or is about to go
        if leaver >= 0:
            weights[leaver] = 0.0
        order = np.argsort(self.active)
        return Knot(alpha, np.array(self.active, dtype=np.int64)[order], weights[order])

    def _pivot(self, term: int) -> tuple[FloatArray, float]:
        """The part of a term in the span of the active ones, in their factor, and the squared length of the rest."""
        shared = self._lower(self.gram[self.active, term]) if self.active else np.empty(0)
        return shared, float(self.gram[term, term] - shared @ shared)

    def enter(self, term: int) -> None:
        """Let a term into the active ones."""
        outside = self.against[term] - (self.gram[term, self.active] @ (self.free - self.alpha * self.pull) if self.active else 0.0)
        shared, rest = self._pivot(term)
        size = len(self.active)
        grown = np.zeros((size + 1, size + 1))
        grown[:size, :size], grown[size, :size], grown[size, size] = self.factor, shared, np.sqrt(rest)
        self.factor = grown
        self.active.append(term)
        self.signs.append(1.0 if outside > 0 else -1.0)

    def instead(self, newcomer: int) -> _Walk:
        """The walk on which a tied newcomer replaces a term that its coming drives out at once; else it waits behind that term."""
        other = deepcopy(self)
        other.enter(newcomer)
        alpha, _, leaver = other.next_event()
        if leaver >= 0 and alpha >= (1.0 - TIE) * self.alpha:
            gone, barred = other.active[leaver], self.barred.copy()
            other.leave(leaver)
            barred[gone] = True  # each of those that tie drives out another once
            other.barred = barred
            return other
        self.barred[newcomer] = True
        return self

    def leave(self, position: int) -> None:
        """Remove a term; terms that depended on it may be independent now, and there is room for one that waited."""
        del self.active[position], self.signs[position]
        self.dependent[:] = self.barred[:] = False
        tail = self.factor[position + 1 :, position:]
        kept = np.delete(np.delete(self.factor, position, axis=0), position, axis=1)
        try:
            kept[position:, position:] = cholesky(tail @ tail.T, lower=True)
        except LinAlgError:
            kept = cholesky(self.gram[np.ix_(self.active, self.active)], lower=True)
        self.factor = kept


def _crossing(height: FloatArray, slope: FloatArray) -> FloatArray:
    """Where α · slope falls to ``height``, for those that start above it; 0 where it never does."""
    meets = (height > 0) & (slope > 0)
    return np.divide(height, slope, out=np.zeros_like(height), where=meets)
