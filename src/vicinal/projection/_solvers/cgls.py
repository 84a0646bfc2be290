"""Ridge regression with many responses: block conjugate gradients on the normal equations, never formed.

All responses share one block Krylov space, so directions found for one serve the others, and the number of iterations falls
with the size of the block (P3). Terms are scaled by (‖x_t‖² + α)^-¼, half-way to the diagonal preconditioner: measured on TDT2
(α = 0.1, 30 responses) an error of 1e-3 takes 17 iterations this way, 24 with the whole diagonal, 25 with none, and over 70
when each response has a Krylov space of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.linalg import LinAlgError, cholesky, qr, solve_triangular

from vicinal._threads import over_rows, single_threaded_libraries
from vicinal._typing import BoolArray, FloatArray, Floats
from vicinal._warn import warn
from vicinal.errors import Unconverged
from vicinal.projection._products import AnyProducts
from vicinal.projection._solvers.cholesky import exact_ridge
from vicinal.projection._solvers.graded_svd import SIDE
from vicinal.projection._solvers.scaled_products import (
    DOUBLE,
    DoubleProducts,
    Precision,
    ScaledProducts,
    SingleProducts,
    fits_single,
)

COLUMNS = 64  # responses solved together: the block's own algebra grows with their square
ROWS = 1024  # terms handled together by one thread
SINGLE_TOL = 1e-4  # error asked for from which on the iteration may be one of single precision, whose own error is 1e-6 or so
LOOK_BACK = 2  # iterations whose progress, added up, estimates what is left
SLACK = 4.0  # how far the estimate from all iterations may exceed the tolerance: what it is too careful by on the papers' corpora
MISSING = 1e-6  # relative error by which the objective may contradict the recurrences before the run counts as diverged
RESTARTS = 3  # from the best weights so far, after a divergence; in double precision
PROBES = 4  # random sums of columns by which the rounding of single precision is measured


@final
@dataclass(frozen=True, eq=False)
class Solution:
    """Weights A, with how many iterations they took and the estimated relative error of X A in the energy norm (P4)."""

    weights: FloatArray
    iterations: int
    error: float


def say_unconverged(solution: Solution, tol: float) -> None:
    """Warn that the limit on iterations came before the tolerance."""
    warn(
        f"the regression stopped after {solution.iterations} iterations at an estimated error of {solution.error:.1e} where "
        f"{tol:.1e} was asked for. Raise max_iter, raise tol, or use a larger alpha.",
        Unconverged,
    )


def cgls(
    products: AnyProducts, Y: FloatArray, alpha: float, tol: float, max_iter: int, start: FloatArray | None = None
) -> Solution:
    """Minimise ‖X A - Y‖² + α‖A‖² for all columns of Y, a block of columns at a time, from weights ``start`` or from none.

    Stops when the estimated error of the fit falls below ``tol``; with ``tol=0`` after ``max_iter`` iterations, or when nothing is
    left to gain. With α = 0 the result tends to the solution of smallest norm. The objective is followed as it is, not as the
    recurrences have it: a step that makes it worse is taken back, and the iteration starts again from the best weights. Where that
    does not help either, few documents or terms are solved by factoring (P4').
    """
    products = products.sparse()
    start = np.zeros((products.shape[1], Y.shape[1])) if start is None else start
    blocks = [slice(first, first + COLUMNS) for first in range(0, Y.shape[1], COLUMNS)]
    parts = [_solve_block(products, Y[:, block], alpha, tol, max_iter, start[:, block]) for block in blocks]
    return Solution(
        np.concatenate([part.weights for part in parts], axis=1),
        max(part.iterations for part in parts),
        max(part.error for part in parts),
    )


def _solve_block(products: AnyProducts, Y: FloatArray, alpha: float, tol: float, max_iter: int, start: FloatArray) -> Solution:
    squares = products.term_squares()
    # All ones without α, where scaling would change which solution is the smallest.
    scale = np.ones(len(squares)) if alpha == 0 else np.asarray((squares + alpha) ** -0.25)
    with single_threaded_libraries():
        problem = _RidgeProblem(DoubleProducts(products, scale), Y, alpha * scale**2, products.n_jobs)
        begin = start / scale[:, None]
        if products.single and tol >= SINGLE_TOL and fits_single(Y, squares, alpha):
            single = replace(problem, X=SingleProducts(products, scale, Y.shape[1]))
            run = problem.checked(single.iterate(begin, tol, max_iter), tol)
        else:
            run = problem.iterate(begin, tol, max_iter)
        for _ in range(RESTARTS):
            if not run.diverged or run.error <= tol or run.iterations >= max_iter:
                break
            run = run.then(problem.iterate(run.A, tol, max_iter - run.iterations))
    if run.diverged and tol > 0 and min(products.shape) <= SIDE:
        return Solution(exact_ridge(products, Y, alpha), run.iterations, 0.0)
    return Solution(run.A * scale[:, None], run.iterations, run.error)


@final
@dataclass(frozen=True, eq=False)
class _Run:
    """Weights in scaled units, the iterations they took, their estimated error, and whether rounding ended the run.

    By its recurrences the run has gained so much in each column, and what is left of the normal equations is Q C.
    """

    A: FloatArray
    iterations: int
    error: float
    diverged: bool
    gained: FloatArray
    residual: tuple[Floats, FloatArray]

    def then(self, later: _Run) -> _Run:
        """The run that started from these weights, with the iterations of both."""
        return replace(later, iterations=self.iterations + later.iterations)


@final
@dataclass(frozen=True, eq=False)
class _RidgeProblem:
    """N A = XᵀY with X standing for X diag(scale) and N = XᵀX + diag(damping)."""

    X: ScaledProducts
    Y: FloatArray
    damping: FloatArray
    n_jobs: int | None

    def iterate(self, A: FloatArray, tol: float, max_iter: int) -> _Run:
        """Block conjugate gradients from A on, the residual kept as Q C with Q orthonormal, which survives dependent columns.

        Letters as in (P3): P directions, Q C residual.
        """
        limits = self.X.precision
        objective = _Objective(self.Y, self.X.forward(A) if A.any() else 0.0, self._penalty(A), limits.rise)
        block = _Block(A, self._gradient(A, objective.left), self.damping, limits, self.n_jobs)
        C = block.start()
        gains, diverged = list[FloatArray](), False
        first = least = left = float(np.linalg.norm(C))
        error = np.inf if first > 0 else 0.0
        while len(gains) < max_iter and (error > tol or tol == 0) and left > limits.converged * first:
            XP = self.X.forward(block.P)
            solved = _symmetric_inverse(XP.T @ XP + block.penalty, limits.no_curvature)
            step = solved @ C
            gains.append(np.einsum("ij,ij->j", C, step))
            C = block.advance(self.X.backward(XP), step, solved) @ C
            worse = objective.after(XP @ step.astype(XP.dtype), block.cost)
            if worse.any():
                block.take_back(worse)
                gains, diverged = gains[:-1], True
                break
            left = float(np.linalg.norm(C))
            least = min(least, left)
            if least < limits.stalled * first and left > 100 * least:
                left = 0.0
            error = _error(gains, objective.gained, tol) if left > limits.converged * first else 0.0
        missing = objective.missing(gains)
        diverged = diverged or missing > max(tol, MISSING)
        gained = np.sum(gains, axis=0) if gains else np.zeros(self.Y.shape[1])
        gained = gained + np.maximum(objective.gained, 0.0)
        return _Run(block.A.astype(np.float64), len(gains), max(float(error), missing), diverged, gained, (block.Q, C))

    def checked(self, run: _Run, tol: float) -> _Run:
        """A run of single precision; it has diverged if rounding may have added more than ``tol`` to its error (P4'').

        The gradient as it is differs from that of the recurrences by g, and N is at least diag(damping): the energy of N⁻¹g is at
        most Σ g²/damping. Of a few random sums of columns this is about what it is of all columns together.
        """
        signs = np.random.RandomState(0).choice([-1.0, 1.0], (self.Y.shape[1], PROBES))
        sums = signs / np.sqrt(np.where(run.gained > 0, run.gained, np.inf))[:, None]
        A = run.A @ sums
        Q, C = run.residual
        wrong = self._gradient(A, self.Y @ sums - self.X.forward(A)) - Q @ (C @ sums).astype(Q.dtype)
        rounding = float(np.sqrt(np.max(np.sum(wrong * wrong / self.damping[:, None], axis=0))))
        return run if rounding <= tol else replace(run, error=max(run.error, rounding), diverged=True)

    def _penalty(self, A: FloatArray) -> FloatArray:
        return np.asarray(self.damping @ (A * A))

    def _gradient(self, A: FloatArray, left: FloatArray) -> Floats:
        """XᵀY - N A: what is left of the normal equations."""
        gradient = self.X.backward(left)
        return (gradient - self.damping[:, None] * A).astype(gradient.dtype, copy=False) if A.any() else gradient


class _Objective:
    """‖X A - Y‖² + the penalty of A as they are, column by column, beside what the recurrences say of them.

    Attributes
    ----------
    left : Y - X A
    gained : by how much the weights that the run started from are better than none
    """

    def __init__(self, Y: FloatArray, fit: Floats | float, penalty: FloatArray, rise: float = DOUBLE.rise) -> None:
        self.left, self.squares, self.rise = Y - fit, np.sum(Y * Y, axis=0), rise
        self.first = self.value = self._of(self.left, penalty)
        self.gained = self.squares - self.first

    def after(self, change: Floats, penalty: FloatArray) -> BoolArray:
        """Follow a step that changes the fit; return the columns whose objective rose by more than rounding."""
        left = self.left - change
        value = self._of(left, penalty)
        worse = ~(value <= self.value + self.rise * self.squares)
        self.left, self.value = np.where(worse, self.left, left), np.where(worse, self.value, value)
        return np.asarray(worse)

    def missing(self, gains: list[FloatArray]) -> float:
        """Relative error that must be there at least, as the objective did not fall by what the recurrences say it did (P4')."""
        if not gains:
            return 0.0
        claimed = np.sum(gains, axis=0)
        short = claimed - (self.first - self.value) - self.rise * self.squares
        total = np.maximum(self.gained, 0.0) + claimed
        return float(np.sqrt(np.max(np.where(total > 0, np.maximum(short, 0.0) / np.where(total > 0, total, 1.0), 0.0))))

    @staticmethod
    def _of(left: FloatArray, penalty: FloatArray) -> FloatArray:
        return np.asarray(np.einsum("ij,ij->j", left, left) + penalty)


def _error(gains: list[FloatArray], before: FloatArray, tol: float) -> float:
    """Each step's gain is what the squared energy error lost, so the last gains bound what later ones can bring (P4)."""
    total = np.sum(gains, axis=0) + np.maximum(before, 0.0)
    recent = np.sum(gains[-LOOK_BACK:], axis=0)
    worth = total > 0
    if len(gains) < LOOK_BACK or not worth.any():
        return np.inf if worth.any() else 0.0
    error = float(np.sqrt(np.max(recent[worth] / total[worth])))
    if error > tol:
        return error
    careful = _careful_error(np.array(gains)[:, worth], total[worth])
    return error if careful <= SLACK * tol else careful


def _careful_error(gains: FloatArray, total: FloatArray) -> float:
    """The error if what is left is as many times the last gain as it was, at worst, of any gain so far (P4')."""
    tails = np.cumsum(gains[::-1], axis=0)[::-1]
    times = np.max(tails / np.where(gains > 0, gains, np.inf), axis=0)
    return float(np.sqrt(np.max(times * gains[-LOOK_BACK:].max(axis=0) / total)))


def _symmetric_inverse(curvature: FloatArray, nothing: float) -> FloatArray:
    """Inverse of the small curvature matrix; directions without curvature (dependent columns, null space) are left alone."""
    values, vectors = np.linalg.eigh((curvature + curvature.T) / 2)
    kept = values > nothing * values[-1]
    return np.asarray((vectors[:, kept] / values[kept]) @ vectors[:, kept].T)


class _Block:
    """What the iteration carries over terms: weights A, now and one step before, directions P, and Q, the residual's basis.

    All of it is worked on a slice of rows at a time, on several threads, in as few passes as can be: each pass does what it can
    while the rows are in the cache, and small matrices are added up in double precision, in the order of the slices.
    """

    def __init__(self, A: FloatArray, residual: Floats, damping: FloatArray, limits: Precision, n_jobs: int | None) -> None:
        self.type = residual.dtype.type
        self.Q = residual.copy()
        self.A, self.before, self.P = A.astype(self.type), A.astype(self.type), np.zeros_like(self.Q)
        self.damping, self.limits, self.n_jobs = damping.astype(self.type), limits, n_jobs
        self.penalty = np.zeros((residual.shape[1], residual.shape[1]))  # Pᵀ diag(damping) P
        self.cost = np.zeros(residual.shape[1])  # diagonal of Aᵀ diag(damping) A

    def start(self) -> FloatArray:
        """Make the residual orthonormal and the first directions; return its factor."""
        return self._renew(self._sum(lambda rows: self.Q[rows].T @ self.Q[rows]), forget=True)

    def advance(self, NP: Floats, step: FloatArray, solved: FloatArray) -> FloatArray:
        """Take the step in A, renew the residual's basis and the directions; return the factor S of the new residual."""
        self.A, self.before = self.before, self.A
        step, solved = step.astype(self.type), solved.astype(self.type)

        def walk(rows: slice) -> Floats:
            """Take the step in some of the terms, and return what their residuals add to the Gram matrix."""
            np.add(self.before[rows], self.P[rows] @ step, out=self.A[rows])
            NP[rows] += self.damping[rows, None] * self.P[rows]
            self.Q[rows] -= NP[rows] @ solved
            cost = self.damping[rows] @ (self.A[rows] * self.A[rows])
            return np.vstack([self.Q[rows].T @ self.Q[rows], cost])

        sums = self._sum(walk)
        self.cost = sums[-1]
        return self._renew(sums[:-1])

    def take_back(self, columns: BoolArray) -> None:
        """Undo the last step in some columns of A."""
        self.A[:, columns] = self.before[:, columns]

    def _renew(self, gram: FloatArray, forget: bool = False) -> FloatArray:
        """Q = Q' S with Q' orthonormal, and P = Q' + P Sᵀ: by Cholesky of QᵀQ where that is safe, else by Householder."""
        S, inverse = _factor(gram, self.limits.dependent)
        if inverse is None:
            self.Q, S = _rank_revealing(self.Q, self.limits.converged)
            inverse = np.eye(len(S))
        onward = (np.zeros_like(S) if forget else S.T).astype(self.type)
        inverse = inverse.astype(self.type)

        def turn(rows: slice) -> Floats:
            """Turn the directions of some of the terms, and return what these add to the Gram matrix."""
            self.Q[rows] = self.Q[rows] @ inverse
            self.P[rows] = self.Q[rows] + self.P[rows] @ onward
            return self.P[rows].T @ (self.damping[rows, None] * self.P[rows])

        self.penalty = self._sum(turn)
        return S

    def _sum(self, part: Callable[[slice], Floats]) -> FloatArray:
        parts: dict[int, Floats] = {}
        over_rows(lambda a, b: parts.__setitem__(a, part(slice(a, b))), len(self.A), self.n_jobs, ROWS)
        return np.asarray(sum(parts[start].astype(np.float64) for start in sorted(parts)))


def _rank_revealing(V: Floats, nothing: float) -> tuple[Floats, FloatArray]:
    """V = Q S by Householder with pivoting; a column that only repeats others becomes zero in Q, not a direction of rounding."""
    Q, R, order = qr(V, mode="economic", pivoting=True)
    repeated = np.abs(np.diagonal(R)) <= nothing * np.abs(R[0, 0])
    Q[:, repeated], R[repeated] = 0.0, 0.0
    S = np.empty(R.shape)
    S[:, order] = R
    return np.ascontiguousarray(Q), S


def _factor(gram: FloatArray, dependent: float) -> tuple[FloatArray, FloatArray | None]:
    """S with SᵀS = gram and its inverse; no inverse where columns are too nearly dependent for this to be safe."""
    try:
        S = cholesky(gram)
    except LinAlgError:
        return gram, None
    if S.diagonal().min() < dependent * S.diagonal().max():
        return S, None
    return S, solve_triangular(S, np.eye(len(S)))
