"""Scores of all documents: which are highest, and how many are above zero, without computing those that cannot matter.

`Plain` scores are an array. `Surprises` are computed, when they are asked for, from what each document is worth, and since they
rise with it, the highest are found by comparing alone. `Rescored` are surprises of which those of some documents were replaced.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, final

import numpy as np

from vicinal._typing import BoolArray, FloatArray, IntArray

#: Scores that agree to so many decimals are equal, and equals are taken in document order.
TIE_DECIMALS = 12
#: A standard deviation below this, relative to the largest score, is none.
SMALLEST = 1e-12
#: A score that is rounded to more than zero is above this.
_ABOVE_ZERO = 0.5 * 10.0**-TIE_DECIMALS
#: Scores above which the highest are looked for, before all are; and by how much a score must exceed one to leave no equal below.
_BOUNDS, _MARGIN = (64.0, 16.0, 4.0, 1.0), 1e-9
#: Scores whose deviations are squared at once, so that they stay in the cache.
_AT_ONCE = 1 << 14


@final
@dataclass(frozen=True, eq=False)
class Scale:
    """What standardises a score: mean and standard deviation over all documents (R3).

    Attributes
    ----------
    mean : float
    spread : float
        Infinite where all documents have one score, so that no deviation counts.
    """

    mean: float
    spread: float

    @classmethod
    def of(cls, scores: FloatArray) -> Scale:
        """Of the scores of all documents."""
        mean = float(scores.mean(dtype=np.float64))
        parts = (scores[start : start + _AT_ONCE] - mean for start in range(0, len(scores), _AT_ONCE))
        spread = math.sqrt(math.fsum(float(part @ part) for part in parts) / max(len(scores), 1))
        largest = 1.0 + abs(mean) + math.sqrt(len(scores)) * spread  # or less
        return cls(mean, spread if spread >= SMALLEST * largest else math.inf)

    def z(self, scores: FloatArray) -> FloatArray:
        """Numbers of standard deviations above the mean."""
        return np.asarray((scores - self.mean) / self.spread)

    def ideal(self, score: float) -> float:
        """The largest z that a document could have."""
        return max((score - self.mean) / self.spread, 0.0)


def surprise(z: FloatArray) -> FloatArray:
    """z |z|: about twice the nats that a deviation carries, with its sign (R3)."""
    found = np.abs(z)
    found *= z
    return found


class Scores(Protocol):
    """A score of every document."""

    @property
    def whole(self) -> FloatArray:
        """Of every document."""

    def of(self, rows: IntArray) -> FloatArray:
        """Of some documents."""

    def best(self, limit: int, among: BoolArray | None = None) -> IntArray:
        """The documents with the highest scores above 0, best first, equals in document order; only those that ``among`` marks."""

    def n_above_zero(self, among: BoolArray | None = None) -> int:
        """How many documents `best` could return in all."""

    def n_near(self, among: BoolArray | None = None) -> int:
        """How many of them have no term of the query, and are found by their neighbours or embeddings alone."""

    def matching(self, among: BoolArray | None = None) -> IntArray:
        """The documents that `best` could return and that have a term of the query, in order; all it could where none has one."""


@final
@dataclass(frozen=True, eq=False)
class Plain:
    """Scores that are computed.

    Attributes
    ----------
    whole : float array (documents,)
    """

    whole: FloatArray

    def of(self, rows: IntArray) -> FloatArray:
        """Of some documents."""
        return self.whole[rows]

    def best(self, limit: int, among: BoolArray | None = None) -> IntArray:
        """The documents with the highest scores above 0, best first, equals in document order; only those that ``among`` marks."""
        return highest(self.whole if among is None else np.where(among, self.whole, 0.0), limit)

    def n_above_zero(self, among: BoolArray | None = None) -> int:
        """How many documents `best` could return in all."""
        return len(self.matching(among))

    def n_near(self, among: BoolArray | None = None) -> int:
        """None: these scores are of one kind of evidence."""
        return 0

    def matching(self, among: BoolArray | None = None) -> IntArray:
        """The documents that `best` could return, in order."""
        above = self.whole > _ABOVE_ZERO
        return np.flatnonzero(above if among is None else above & among)


@final
@dataclass(frozen=True, eq=False)
class Surprises:
    """Scores that are the surprise of what each document is worth.

    Attributes
    ----------
    worth : float array (documents,)
    scale : Scale
    """

    worth: FloatArray
    scale: Scale

    @cached_property
    def whole(self) -> FloatArray:
        """Of every document."""
        return surprise(self.scale.z(self.worth))

    def of(self, rows: IntArray) -> FloatArray:
        """Of some documents."""
        return surprise(self.scale.z(self.worth[rows]))

    def above(self, score: float, among: BoolArray | None = None) -> IntArray:
        """The documents with a score above one that is above zero, in order; a few that are not above it may be among them."""
        return self._worth_more(self._worth_of(score) * (1.0 - _MARGIN), among)

    def _worth_more(self, worth: float, among: BoolArray | None) -> IntArray:
        """The documents that are worth more than so much, which is not below zero, in order."""
        rows = self.holders[self._worth_of_holders > worth]
        return rows if among is None else rows[among[rows]]

    @cached_property
    def holders(self) -> IntArray:
        """The documents that are worth anything, in order: most are not, and need not be looked at again."""
        return np.flatnonzero(self.worth != 0)

    @cached_property
    def _worth_of_holders(self) -> FloatArray:
        return self.worth[self.holders]

    def _worth_of(self, score: float) -> float:
        return self.scale.mean + self.scale.spread * math.sqrt(score)

    def best(self, limit: int, among: BoolArray | None = None) -> IntArray:
        """The documents with the highest scores above 0, best first, equals in document order; only those that ``among`` marks."""
        for bound in (*_BOUNDS, _ABOVE_ZERO):
            rows = self.above(bound, among)
            if len(rows) >= limit:
                scores = self.of(rows)
                if bound == _ABOVE_ZERO or np.count_nonzero(scores > bound + _MARGIN) >= limit:
                    break
        return rows[highest(self.of(rows), limit)]

    def n_above_zero(self, among: BoolArray | None = None) -> int:
        """How many documents `best` could return in all."""
        return len(self._worth_more(self._worth_of(_ABOVE_ZERO), among))

    @property
    def is_above_zero(self) -> BoolArray:
        """Whether the score of each document is above zero."""
        return np.asarray(self.worth > self._worth_of(_ABOVE_ZERO))


@final
@dataclass(frozen=True, eq=False)
class Rescored:
    """Surprises of which those of some documents were replaced.

    Attributes
    ----------
    first : Surprises
    rows : int array (k,)
        The documents that were scored again, rising.
    values : float array (k,)
        Their scores.
    """

    first: Surprises
    rows: IntArray
    values: FloatArray

    @cached_property
    def whole(self) -> FloatArray:
        """Of every document."""
        found = self.first.whole.copy()
        found[self.rows] = self.values
        return found

    def of(self, rows: IntArray) -> FloatArray:
        """Of some documents."""
        at, there = self._positions(rows)
        return np.where(there, self.values[np.where(there, at, 0)], self.first.of(rows)) if len(self.rows) else self.first.of(rows)

    def _positions(self, rows: IntArray) -> tuple[IntArray, BoolArray]:
        """Where documents are among those scored again, and whether they are."""
        at = np.searchsorted(self.rows, rows)
        there = at < len(self.rows)
        there[there] = self.rows[at[there]] == rows[there]
        return at, there

    def best(self, limit: int, among: BoolArray | None = None) -> IntArray:
        """The documents with the highest scores above 0, best first, of those that ``among`` marks; equals with a term first."""
        rows = self._those_with_terms_first(self.rows)
        values = self.values[np.searchsorted(self.rows, rows)]
        again = highest(values if among is None else np.where(among[rows], values, 0.0), limit)
        least = float(values[again[-1]]) if len(again) == limit else _ABOVE_ZERO
        others = self.first.above(max(least - _MARGIN, _ABOVE_ZERO), among)
        others = others[~self._positions(others)[1]]
        rows = self._those_with_terms_first(np.union1d(rows[again], others) if len(others) else np.sort(rows[again]))
        return rows[highest(self.of(rows), limit)]

    def _those_with_terms_first(self, rows: IntArray) -> IntArray:
        """Some documents in the order in which equals are taken: a document may borrow all that a neighbour has."""
        without = self.first.worth[rows] == 0
        return np.concatenate([rows[~without], rows[without]])

    def n_above_zero(self, among: BoolArray | None = None) -> int:
        """How many documents `best` could return in all."""
        rows, values = (self.rows, self.values) if among is None else (self.rows[among[self.rows]], self.values[among[self.rows]])
        changed = np.count_nonzero(values > _ABOVE_ZERO) - Surprises(self.first.worth[rows], self.first.scale).n_above_zero()
        return self.first.n_above_zero(among) + int(changed)

    def n_near(self, among: BoolArray | None = None) -> int:
        """How many of them have no term of the query: only documents that were scored again can be found without one."""
        near = (self.values > _ABOVE_ZERO) & (self.first.worth[self.rows] == 0)
        return int(np.count_nonzero(near if among is None else near & among[self.rows]))

    def matching(self, among: BoolArray | None = None) -> IntArray:
        """The documents that `best` could return and that have a term of the query, in order; all it could where none has one."""
        above = self.first.is_above_zero
        above[self.rows] = self.values > _ABOVE_ZERO
        found = np.flatnonzero(above if among is None else above & among)
        matching = found[self.first.worth[found] != 0]
        return matching if len(matching) else found


def highest(scores: FloatArray, limit: int) -> IntArray:
    """The positions of the highest scores above 0, best first; scores that agree to 12 decimals in order of position."""
    among = _certainly(scores, limit)
    rounded = np.round(scores[among], TIE_DECIMALS)
    least = np.partition(rounded, -limit)[-limit] if limit < len(rounded) else -np.inf
    kept = np.flatnonzero((rounded >= least) & (rounded > 0))
    return among[kept[np.argsort(-rounded[kept], kind="stable")[:limit]]].astype(np.int64)


def _certainly(scores: FloatArray, limit: int) -> IntArray:
    """Positions among which the highest scores are, with those equal to them: few, where few scores are high."""
    for bound in _BOUNDS:
        among = np.flatnonzero(scores > bound)
        if len(among) >= limit and np.count_nonzero(scores[among] > bound + _MARGIN) >= limit:
            return among
    return np.flatnonzero(scores > 0)
