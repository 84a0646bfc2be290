"""The row lasso, with few terms shared by all responses: min ½‖X A - Y‖² + α Σ‖A_t‖ + ½ρ‖A‖² (P21).

By penalty, or by number of terms. As for the lasso, a few terms are active and one product with Xᵀ shows whether a term outside
violates the optimality conditions (P22): no matrix is larger than X, or than the weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import final

import numpy as np

from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray
from vicinal._warn import warn
from vicinal.errors import EmptyComponents, FewerTerms
from vicinal.projection._made_by import MadeBy
from vicinal.projection._products import Products
from vicinal.projection._row_penalty import RowLasso, RowLassoCount
from vicinal.projection._solvers.cgls import Solution, say_unconverged
from vicinal.projection._solvers.coordinate_descent import SMALL_ALPHA, ActiveTerms
from vicinal.projection._solvers.newton import newton, row_lengths
from vicinal.projection._solvers.reweighted_rows import reweighted_rows

FIRST = 256  # terms that become active at one time, at least; twice as many as are active otherwise
BURST = 5  # sweeps between two attempts to jump ahead
NEWTON = 800  # terms up to which Newton's method is tried
ROUND = 60  # sweeps after which all terms are checked again
DOWN = 0.6  # α of the next step of the path, as a share of that before
END = 1e-3  # share of the largest α at which the path ends
NARROW = 1e-9  # α known to this share: terms that are still not told apart tie
ROUGH, NEAR = 1e-2, 0.1  # tolerance for solutions whose number of terms is off by more than this share
ROUGH_LIMIT = 500  # sweeps for one α where only the number of terms is to be chosen
STEPS = 60  # solutions computed, at most, for a number of terms


def by_row_penalty(
    products: Products, Y: FloatArray, penalty: RowLasso, *, solver: str = "auto", tol: float, max_iter: int
) -> tuple[Solution, MadeBy]:
    """Solve for one penalty; α is a share of the largest correlation where it is relative (P22)."""
    with single_threaded_libraries():
        problem = _RowLassoProblem.of(products, Y, penalty.ridge, tol, max_iter)
        alpha = penalty.alpha * ((problem.largest or 1.0) if penalty.relative else 1.0)
        if solver == "reweighted":
            return reweighted_rows(products, Y, alpha, penalty.ridge, tol=tol, max_iter=max_iter)
        solution = problem.solve(alpha, np.zeros((products.shape[1], Y.shape[1])))
    if problem.largest > 0 and not solution.weights.any():
        _say_no_term(penalty, problem.largest)
    if solution.error > problem.tol:
        say_unconverged(solution, problem.tol)
    return solution, _made_by(solution, alpha)


def by_row_count(
    products: Products, Y: FloatArray, penalty: RowLassoCount, *, solver: str, tol: float, max_iter: int
) -> tuple[Solution, MadeBy]:
    """Look for the α that leaves the number of terms asked for, by descent, whatever ``solver`` says (P23)."""
    with single_threaded_libraries():
        problem = _RowLassoProblem.of(products, Y, penalty.ridge, tol, max_iter)
        solution, alpha = _Search(problem, min(penalty.limit, products.shape[1])).run()
    found = count_terms(solution.weights)
    if penalty.n_terms is not None and not penalty.at_most and found < penalty.n_terms:
        _say_fewer(penalty.n_terms, found, alpha / (problem.largest or 1.0))
    if solution.error > problem.tol:
        say_unconverged(solution, problem.tol)
    return solution, _made_by(solution, alpha)


def count_terms(A: FloatArray) -> int:
    """How many terms have a weight in any component."""
    return int(np.count_nonzero(A.any(axis=1)))


def _made_by(solution: Solution, alpha: float) -> MadeBy:
    return {"solver": "row descent", "iterations": solution.iterations, "error": solution.error, "alpha": alpha}


@final
@dataclass(frozen=True, eq=False)
class _RowLassoProblem:
    """The responses, and how well they are to be solved for."""

    products: Products
    Y: FloatArray
    ridge: float
    tol: float
    max_iter: int
    largest: float

    @staticmethod
    def of(products: Products, Y: FloatArray, ridge: float, tol: float, max_iter: int) -> _RowLassoProblem:
        """The problem of some products and responses, centred where the products are."""
        if products.mean is not None:
            Y = Y - Y.mean(axis=0)  # changes nothing, as for the lasso
        largest = float(row_lengths(products.backward(Y)).max())
        return _RowLassoProblem(products, np.ascontiguousarray(Y), ridge, max(tol, 1e-9), max_iter, largest)

    def solve(self, alpha: float, A: FloatArray) -> Solution:
        """Solve from ``A`` on an active set, with violating terms added until none outside violates (P22)."""
        A, sweeps = A.copy(), 0
        scale = max(alpha, SMALL_ALPHA * self.largest)
        while True:
            excess = self._violation(A, alpha) / scale
            error = float(excess.max(initial=0.0))
            if error <= self.tol or sweeps >= self.max_iter:
                return Solution(A, sweeps, error)
            terms = np.flatnonzero(A.any(axis=1))
            terms = np.union1d(terms, _worst(excess, self.tol, max(FIRST, 2 * len(terms))))
            part = _ActiveRows(ActiveTerms.of(self.products.of_terms(terms)), self.Y, alpha, self.ridge)
            A[terms], taken = part.descend(A[terms], 0.3 * self.tol * scale, min(ROUND, self.max_iter - sweeps))
            sweeps += taken

    def _violation(self, A: FloatArray, alpha: float) -> FloatArray:
        """The violation of the optimality conditions by each term: correlations no longer than α, or α along its weights (P22)."""
        left = self.products.backward(self.Y - self.products.forward(A))
        excess = row_lengths(left) - alpha
        terms = np.flatnonzero(A.any(axis=1))
        pull = alpha / row_lengths(A[terms]) + self.ridge
        excess[terms] = row_lengths(left[terms] - pull[:, None] * A[terms])
        return excess


@final
@dataclass(frozen=True, eq=False)
class _ActiveRows:
    """The active terms, and the sweeps over them."""

    terms: ActiveTerms
    Y: FloatArray
    alpha: float
    ridge: float

    def descend(self, A: FloatArray, least: float, max_iter: int) -> tuple[FloatArray, int]:
        """Sweep until no correlation changes by more than ``least``, with extrapolation in between."""
        from vicinal.projection._product_loops import sweep_rows

        columns = self.terms.columns
        store = (columns.indptr, columns.indices, columns.data, self.terms.mean, self.terms.squares, self.alpha, self.ridge)
        A, row = np.ascontiguousarray(A), np.empty(A.shape[1])
        left, sweeps, worst, trail = self._left(A), 0, np.inf, [A.copy()]
        while sweeps < max_iter and worst > least:
            worst = sweep_rows(*store, A, left, row)
            sweeps += 1
            trail.append(A.copy())
            if len(trail) > BURST and worst > least:
                A, left = self._jump(trail, A, left)
                trail = [A.copy()]
        return (self._settle(A) if worst > least else A), sweeps

    def _left(self, A: FloatArray) -> FloatArray:
        """The residual, and below it what centring adds to every row of it."""
        return np.vstack([self.Y - self.terms.columns.T @ A, self.terms.mean @ A])

    def _jump(self, trail: list[FloatArray], A: FloatArray, left: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Anderson's extrapolation of the last sweeps, accepted where it lowers the objective."""
        moves = np.array([(later - earlier).ravel() for earlier, later in pairwise(trail)])
        gram = moves @ moves.T
        try:
            shares = np.linalg.solve(gram + 1e-12 * np.trace(gram) * np.eye(len(gram)), np.ones(len(gram)))
        except np.linalg.LinAlgError:
            return A, left
        ahead = np.tensordot(shares / shares.sum(), np.array(trail[1:]), axes=1)
        ahead[~A.any(axis=1)] = 0.0  # extrapolation gives no weight to a term without one
        there = self._left(ahead)
        return (ahead, there) if self._objective(ahead, there) < self._objective(A, left) else (A, left)

    def _settle(self, A: FloatArray) -> FloatArray:
        """Newton's method for the terms with a weight, if they are few: sweeps converge slowly for nearly dependent terms."""
        chosen = np.flatnonzero(A.any(axis=1))
        if not 0 < len(chosen) <= NEWTON:
            return A
        part = self.terms.products.of_terms(chosen)
        gram, against = part.gram_of_terms(), part.backward(self.Y)
        gram[np.diag_indices_from(gram)] += self.ridge
        settled = A.copy()
        settled[chosen] = newton(gram, against, self.alpha, A[chosen])
        return settled

    def _objective(self, A: FloatArray, left: FloatArray) -> float:
        residual = left[:-1] + left[-1]
        return float(0.5 * np.sum(residual**2) + self.alpha * row_lengths(A).sum() + 0.5 * self.ridge * np.sum(A * A))


Seen = tuple[float, int, Solution]  # α, how many terms it leaves, and their weights


def rough_path(products: Products, Y: FloatArray, counts: IntArray, ridge: float) -> Iterator[FloatArray]:
    """Weights with about so many terms, for rising numbers of them: within a tenth, each solution the start of the next (P41)."""
    problem = _RowLassoProblem.of(products, Y, ridge, ROUGH, ROUGH_LIMIT)
    seen = None
    for count in counts:
        search = _Search(problem, int(count), seen, NEAR)
        yield search.run()[0].weights
        seen = search.best


class _Search:
    """The path from no term downwards, in steps, until there are too many; then between the last two.

    It may start further down, and end when only the ``slack``-th part of the terms is missing.
    """

    def __init__(self, problem: _RowLassoProblem, wanted: int, start: Seen | None = None, slack: float = 0.0) -> None:
        self.problem, self.wanted, self.sweeps, self.slack = problem, wanted, 0, slack
        nothing = np.zeros((problem.products.shape[1], problem.Y.shape[1]))
        self.above: Seen = (problem.largest, 0, Solution(nothing, 0, 0.0)) if start is None else start
        self.best = self.above
        self.below: Seen | None = None
        self._rough = replace(problem, tol=max(problem.tol, ROUGH))

    def run(self) -> tuple[Solution, float]:
        """The solution with the number of terms wanted, or the most below it."""
        for _ in range(STEPS):
            alpha = self._next()
            if alpha is None or self.best[1] >= (1.0 - self.slack) * self.wanted:
                break
            self._look(alpha)
        alpha, _, solution = self.best
        if solution.error > self.problem.tol:
            solution = self.problem.solve(alpha, solution.weights)
            self.sweeps += solution.iterations
        return replace(solution, iterations=self.sweeps), alpha

    def _next(self) -> float | None:
        """The next α to try; None at the end of the path, or where no α is left to try."""
        high = self.above[0]
        if self.below is None:
            end = END * self.problem.largest
            return max(DOWN * high, end) if high > end else None
        low = self.below[0]
        if high <= low * (1.0 + NARROW):
            return None
        over, under = np.log1p(self.below[1]), np.log1p(self.above[1])
        share = np.clip((np.log1p(self.wanted) - under) / max(over - under, 1e-12), 0.1, 0.9)
        return float(high * (low / high) ** share)

    def _near(self, terms: int) -> bool:
        return abs(terms - self.wanted) <= NEAR * self.wanted + 1

    def _look(self, alpha: float) -> None:
        solution = self._rough.solve(alpha, self.above[2].weights)
        self.sweeps += solution.iterations
        if self._near(count_terms(solution.weights)) or alpha <= END * self.problem.largest:
            solution = self.problem.solve(alpha, solution.weights)
            self.sweeps += solution.iterations
        seen = (alpha, count_terms(solution.weights), solution)
        if seen[1] > self.wanted:
            self.below = seen
        else:
            self.above = seen
            self.best = seen if seen[1] >= self.best[1] else self.best


def _worst(excess: FloatArray, above: float, limit: int) -> IntArray:
    worst = np.argsort(-excess, kind="stable")[:limit]
    return np.asarray(worst[excess[worst] > above])


def _say_no_term(penalty: RowLasso, largest: float) -> None:
    enough = 1.0 if penalty.relative else largest
    warn(
        f"no term is left, so every embedding is zero: alpha={penalty.alpha:g} is at least the largest correlation of a term."
        f" Use an alpha below {enough:.3g}.",
        EmptyComponents,
    )


def _say_fewer(asked: int, found: int, share: float) -> None:
    warn(
        f"asked for {asked} terms in all but {found} have a weight at alpha={share:.3g}, as a share of that which leaves none: the "
        f"path ends there, or the next terms tie. Continuing with {found}.",
        FewerTerms,
    )
