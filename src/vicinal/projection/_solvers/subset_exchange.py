"""Selection of a few terms in all: forward and backward selection in batches, then exchanges that lower the objective (P25, P26).

Weights are solved for exactly, so only *which* terms matters. The gain of adding a term and the loss of removing one follow in
closed form from the inverse of the selected terms' Gram matrix; beyond a few thousand terms bounds are used instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
from scipy.linalg import cho_solve, cholesky
from scipy.linalg.lapack import dpotri

from vicinal._matrix import is_sparse
from vicinal._typing import FloatArray, IntArray
from vicinal.projection._products import Products
from vicinal.projection._solvers.cgls import cgls

LARGEST_GRAM = 4000  # terms whose Gram matrix is formed: 128 MB
CANDIDATES = 512  # terms outside that are considered for an exchange
BATCHES = 8  # in which terms are added
JITTER = 1e-10  # added to the Gram matrix, as a share of its largest entry: without a ridge terms may depend on each other
NOTHING = 1e-14  # a gain, or an objective, below this share of ‖Y‖² is rounding


@final
@dataclass(frozen=True, eq=False)
class Fit:
    """The best weights for given terms: min ‖X A - Y‖² + ρ‖A‖² over these alone."""

    terms: IntArray
    weights: FloatArray
    left: FloatArray
    objective: float
    part: Products
    factor: FloatArray | None

    @cached_property
    def inverse(self) -> FloatArray:
        """(X_Sᵀ X_S + ρI)⁻¹ of the terms."""
        lower = np.tril(dpotri(self.factor, lower=1)[0])
        return np.asarray(lower + np.tril(lower, -1).T)

    @cached_property
    def losses(self) -> FloatArray:
        """By how much the objective would grow without each term, the others being solved for again (P26)."""
        return np.asarray(np.einsum("td,td->t", self.weights, self.weights) / self.inverse.diagonal())


@final
@dataclass(frozen=True, eq=False)
class Fitting:
    """Responses to be fitted with at most so many terms."""

    products: Products
    Y: FloatArray
    ridge: float

    @cached_property
    def squares(self) -> FloatArray:
        """The squared length of each term's column, ρ added."""
        X, n = self.products.X, self.products.shape[0]
        if is_sparse(X):
            squares = np.bincount(X.indices, weights=X.data.astype(np.float64) ** 2, minlength=X.shape[1])
        else:
            squares = np.einsum("nt,nt->t", X, X, dtype=np.float64)
        if self.products.mean is not None:
            squares = np.maximum(squares - n * self.products.mean**2, 0.0)
        return np.asarray(squares + self.ridge)

    @cached_property
    def total(self) -> float:
        """The objective without any term."""
        return float(np.sum(self.Y * self.Y))

    def rank(self, found: Fit) -> float:
        """The key that fits are compared by: their objectives, where all with a residual of zero are equal."""
        return max(found.objective, NOTHING * self.total)

    def fit(self, terms: IntArray) -> Fit:
        """Solve for the weights of these terms alone: by their Gram matrix, or where there are very many by iterating."""
        part = self.products.of_terms(terms)
        if len(terms) > LARGEST_GRAM:
            weights, factor = cgls(part, self.Y, self.ridge, 1e-4, 500).weights, None
        else:
            weights, factor = self._solve(part)
        left = self.Y - part.forward(weights)
        objective = float(np.sum(left * left) + self.ridge * np.sum(weights * weights))
        return Fit(terms, weights, left, objective, part, factor)

    def _solve(self, part: Products) -> tuple[FloatArray, FloatArray]:
        if part.shape[1] == 0:
            return np.zeros((0, self.Y.shape[1])), np.zeros((0, 0))
        gram, against = part.gram_of_terms(), part.backward(self.Y)
        gram[np.diag_indices_from(gram)] += max(self.ridge, JITTER * float(gram.diagonal().max()))
        factor = cholesky(gram, lower=True, overwrite_a=True)
        weights = cho_solve((factor, True), against)
        short = against - part.backward(part.forward(weights)) - self.ridge * weights
        return weights + cho_solve((factor, True), short), factor

    def gains(self, left: FloatArray, terms: IntArray) -> tuple[FloatArray, FloatArray]:
        """Correlations of all terms with the residual, and a lower bound of the gain of adding each; 0 for those selected."""
        against = self.products.backward(left)
        gains = np.einsum("td,td->t", against, against)
        np.divide(gains, self.squares, out=gains, where=self.squares > 0)
        gains[terms] = 0.0
        return against, gains

    def forward(self, n_terms: int) -> Fit:
        """Forward selection in batches, by the correlation with the residual relative to length (P25)."""
        sizes = np.unique(np.ceil(n_terms * np.linspace(0, 1, min(BATCHES, n_terms) + 1)[1:] ** 1.5).astype(int))
        return list(self.joining(sizes))[-1]

    def joining(self, sizes: Iterable[int]) -> Iterator[Fit]:
        """The fits after each batch, with so many terms or, where no more lower the objective, fewer."""
        found = self.fit(np.empty(0, dtype=np.int64))
        for size in sizes:
            _, gains = self.gains(found.left, found.terms)
            best = _largest(gains, size - len(found.terms), NOTHING * self.total)
            found = found if len(best) == 0 else self.fit(np.union1d(found.terms, best))
            yield found

    def backward(self, n_terms: int) -> Fit:
        """Backward selection: from all terms, those with the smallest loss are removed, half of the surplus at a time (P25)."""
        found = self.fit(np.flatnonzero(self.squares > self.ridge))
        while len(found.terms) > n_terms:
            go = (len(found.terms) - n_terms + 1) // 2
            found = self.fit(np.delete(found.terms, np.argsort(found.losses, kind="stable")[:go]))
        return found

    def starts(self, n_terms: int) -> list[Fit]:
        """The starts: no term, and where there are not too many, all of them."""
        few = self.products.shape[1] <= CANDIDATES
        return [self.forward(n_terms), *([self.backward(n_terms)] if few else [])]

    def exchange(self, start: Fit, tol: float, max_iter: int) -> tuple[Fit, int, float]:
        """Exchange terms until that gains less than ``tol`` of the objective; returns the number of fits and the last gain too."""
        found, fits, gain = start, 0, np.inf
        while fits < max_iter and gain > tol and found.objective > NOTHING * self.total:
            better, taken = self._round(found, max_iter - fits)
            gain = 1.0 - better.objective / found.objective
            found, fits = better, fits + taken
        return found, fits, gain

    def _round(self, found: Fit, max_iter: int) -> tuple[Fit, int]:
        """Exchange as many terms at once as gain more than they lose, half as many if the objective rises, or the best pair."""
        swap = _Swap.of(self, found)
        fits, count = 0, swap.worthwhile
        while fits < max_iter and count > 0:
            fits += 1
            other = self.fit(swap.terms(count))
            if other.objective < found.objective:
                return other, fits
            count //= 2
        best = swap.best_pair()
        if best is None or fits >= max_iter:
            return found, fits
        other = self.fit(best)
        return (other if other.objective < found.objective else found), fits + 1


@final
@dataclass(frozen=True, eq=False)
class _Swap:
    """The losses of the selected terms, and the best ones outside with their gains (P26)."""

    found: Fit
    outside: IntArray
    against: FloatArray
    shared: FloatArray | None
    rest: FloatArray
    gains: FloatArray
    losses: FloatArray

    @staticmethod
    def of(fitting: Fitting, found: Fit) -> _Swap:
        """What may be exchanged: the best terms outside, and the least ones inside."""
        against, gains = fitting.gains(found.left, found.terms)
        outside = _largest(gains, CANDIDATES if found.factor is not None else len(found.terms), NOTHING * fitting.total)
        against, gains, rest = against[outside], gains[outside], fitting.squares[outside]
        if found.factor is None or len(outside) == 0:
            bounds = np.einsum("td,td->t", found.weights, found.weights) * fitting.squares[found.terms]
            return _Swap(found, outside, against, None, rest, gains, bounds)
        between = cross_gram(fitting.products.of_terms(outside), found.part)
        shared = between @ found.inverse
        left = np.maximum(rest - np.einsum("ts,ts->t", shared, between), JITTER * rest)
        return _Swap(found, outside, against, shared, left, gains * rest / left, found.losses)

    @cached_property
    def _order(self) -> tuple[IntArray, IntArray]:
        return np.argsort(-self.gains, kind="stable"), np.argsort(self.losses, kind="stable")

    @property
    def worthwhile(self) -> int:
        """How many terms outside gain more than as many inside lose, each taken by itself."""
        outside, inside = self._order
        size = min(len(outside), len(inside))
        return int(np.count_nonzero(self.gains[outside[:size]] > self.losses[inside[:size]]))

    def terms(self, count: int) -> IntArray:
        """The terms after so many exchanges."""
        outside, inside = self._order
        return self._exchanged(outside[:count], inside[:count])

    def best_pair(self) -> IntArray | None:
        """The terms after the one exchange that gains most of all, computed exactly; None where none gains."""
        if self.shared is None or len(self.found.terms) == 0:
            return None
        weights, diagonal = self.found.weights, self.found.inverse.diagonal()
        move = self.shared / diagonal
        lengths = np.einsum("td,td->t", weights, weights)
        gain = np.einsum("td,td->t", self.against, self.against)[:, None] + 2.0 * move * (self.against @ weights.T)
        gain += move**2 * lengths
        gain /= self.rest[:, None] + self.shared * move
        gain -= self.losses
        outside, inside = divmod(int(np.argmax(gain)), gain.shape[1])
        return self._exchanged([outside], [inside]) if gain[outside, inside] > 0 else None

    def _exchanged(self, outside: IntArray | list[int], inside: IntArray | list[int]) -> IntArray:
        return np.union1d(np.delete(self.found.terms, inside), self.outside[outside])


def cross_gram(one: Products, other: Products) -> FloatArray:
    """The products of the terms of one part with those of another, as an array."""
    product = one.X.T @ other.X
    cross = np.asarray(product.toarray() if is_sparse(product) else product, dtype=np.float64)
    if one.mean is not None and other.mean is not None:
        cross -= one.shape[0] * np.outer(one.mean, other.mean)
    return cross


def _largest(values: FloatArray, count: int, above: float) -> IntArray:
    """Which entries are largest, the first of equals, of those above a limit."""
    best = np.argsort(-values, kind="stable")[:count]
    return np.asarray(best[values[best] > above])
