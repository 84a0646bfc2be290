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
from vicinal._typing import BoolArray, FloatArray
from vicinal._warn import warn
from vicinal.errors import Unconverged
from vicinal.projection._products import AnyProducts
from vicinal.projection._solvers.cholesky import exact_ridge
from vicinal.projection._solvers.graded_svd import SIDE

COLUMNS = 64  # responses solved together: the block's own algebra grows with their square
ROWS = 1024  # terms handled together by one thread
CONVERGED = 1e-13  # a gradient below this share of the first is rounding: a further step would divide rounding by rounding
STALLED = 1e-11  # and so is one that has come below this share and grows a hundredfold
NO_CURVATURE = 1e-14  # curvature below this share of the largest is rounding
LOOK_BACK = 2  # iterations whose progress, added up, estimates what is left
SLACK = 4.0  # how far the estimate from all iterations may exceed the tolerance: what it is too careful by on the papers' corpora
RISE = 1e-12  # share of ‖y‖² by which rounding may let the objective rise; a larger rise is divergence
MISSING = 1e-6  # relative error by which the objective may contradict the recurrences before the run counts as diverged
RESTARTS = 3  # from the best weights so far, after a divergence


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


def cgls(products: AnyProducts, Y: FloatArray, alpha: float, tol: float, max_iter: int) -> Solution:
    """Minimise ‖X A - Y‖² + α‖A‖² for all columns of Y, a block of columns at a time.

    Stops when the estimated error of the fit falls below ``tol``; with ``tol=0`` after ``max_iter`` iterations, or when nothing is
    left to gain. With α = 0 the result tends to the solution of smallest norm. The objective is followed as it is, not as the
    recurrences have it: a step that makes it worse is taken back, and the iteration starts again from the best weights. Where that
    does not help either, few documents or terms are solved by factoring (P4').
    """
    products = products.sparse()
    parts = [_solve_block(products, Y[:, c : c + COLUMNS], alpha, tol, max_iter) for c in range(0, Y.shape[1], COLUMNS)]
    return Solution(
        np.concatenate([part.weights for part in parts], axis=1),
        max(part.iterations for part in parts),
        max(part.error for part in parts),
    )


def _solve_block(products: AnyProducts, Y: FloatArray, alpha: float, tol: float, max_iter: int) -> Solution:
    scale = _term_scale(products, alpha)
    with single_threaded_libraries():
        problem = _Problem(products, Y, scale[:, None], alpha * scale**2)
        run = problem.iterate(np.zeros((products.shape[1], Y.shape[1])), tol, max_iter)
        for _ in range(RESTARTS):
            if not run.diverged or run.error <= tol or run.iterations >= max_iter:
                break
            run = run.then(problem.iterate(run.A, tol, max_iter - run.iterations))
    if run.diverged and tol > 0 and min(products.shape) <= SIDE:
        return Solution(exact_ridge(products, Y, alpha), run.iterations, 0.0)
    return Solution(run.A * scale[:, None], run.iterations, run.error)


def _term_scale(products: AnyProducts, alpha: float) -> FloatArray:
    """Per term (‖x_t‖² + α)^-¼; all ones without α, where scaling would change which solution is the smallest."""
    if alpha == 0:
        return np.ones(products.shape[1])
    return np.asarray((products.term_squares() + alpha) ** -0.25)


@final
@dataclass(frozen=True, eq=False)
class _Run:
    """Weights in scaled units, the iterations they took, their estimated error, and whether rounding ended the run."""

    A: FloatArray
    iterations: int
    error: float
    diverged: bool

    def then(self, later: _Run) -> _Run:
        """The run that started from these weights, with the iterations of both."""
        return replace(later, iterations=self.iterations + later.iterations)


@final
@dataclass(frozen=True, eq=False)
class _Problem:
    """N A = XᵀY with X standing for X diag(scale) and N = XᵀX + diag(damping)."""

    products: AnyProducts
    Y: FloatArray
    scale: FloatArray
    damping: FloatArray

    def iterate(self, A: FloatArray, tol: float, max_iter: int) -> _Run:
        """Block conjugate gradients from A on, the residual kept as Q C with Q orthonormal, which survives dependent columns.

        Letters as in (P3): P directions, Q C residual.
        """
        objective = _Objective(self.Y, self.products.forward(self.scale * A) if A.any() else 0.0, self._penalty(A))
        block = _Block(A, self._gradient(A, objective.left), self.damping, self.products.n_jobs)
        C = block.start()
        gains, diverged = list[FloatArray](), False
        first = least = left = float(np.linalg.norm(C))
        error = np.inf if first > 0 else 0.0
        while len(gains) < max_iter and (error > tol or tol == 0) and left > CONVERGED * first:
            XP, NP = self.products.normal(self.scale * block.P)
            solved = _symmetric_inverse(XP.T @ XP + block.penalty)
            step = solved @ C
            gains.append(np.einsum("ij,ij->j", C, step))
            C = block.advance(self.scale * NP, step, solved) @ C
            worse = objective.after(XP @ step, self._penalty(block.A))
            if worse.any():
                block.take_back(worse)
                gains, diverged = gains[:-1], True
                break
            left = float(np.linalg.norm(C))
            least = min(least, left)
            if least < STALLED * first and left > 100 * least:
                left = 0.0
            error = _error(gains, objective.gained, tol) if left > CONVERGED * first else 0.0
        missing = objective.missing(gains)
        return _Run(block.A, len(gains), max(float(error), missing), diverged or missing > max(tol, MISSING))

    def _penalty(self, A: FloatArray) -> FloatArray:
        return np.asarray(self.damping @ (A * A))

    def _gradient(self, A: FloatArray, left: FloatArray) -> FloatArray:
        """XᵀY - N A: what is left of the normal equations."""
        gradient = self.scale * self.products.backward(left)
        return gradient - self.damping[:, None] * A if A.any() else gradient


class _Objective:
    """‖X A - Y‖² + the penalty of A as they are, column by column, beside what the recurrences say of them.

    Attributes
    ----------
    left : Y - X A
    gained : by how much the weights that the run started from are better than none
    """

    def __init__(self, Y: FloatArray, fit: FloatArray | float, penalty: FloatArray) -> None:
        self.left, self.squares = Y - fit, np.sum(Y * Y, axis=0)
        self.first = self.value = self._of(self.left, penalty)
        self.gained = self.squares - self.first

    def after(self, change: FloatArray, penalty: FloatArray) -> BoolArray:
        """Follow a step that changes the fit; return the columns whose objective rose by more than rounding."""
        left = self.left - change
        value = self._of(left, penalty)
        worse = ~(value <= self.value + RISE * self.squares)
        self.left, self.value = np.where(worse, self.left, left), np.where(worse, self.value, value)
        return np.asarray(worse)

    def missing(self, gains: list[FloatArray]) -> float:
        """Relative error that must be there at least, as the objective did not fall by what the recurrences say it did (P4')."""
        if not gains:
            return 0.0
        claimed = np.sum(gains, axis=0)
        short = claimed - (self.first - self.value) - RISE * self.squares
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


def _symmetric_inverse(curvature: FloatArray) -> FloatArray:
    """Inverse of the small curvature matrix; directions without curvature (dependent columns, null space) are left alone."""
    values, vectors = np.linalg.eigh((curvature + curvature.T) / 2)
    kept = values > NO_CURVATURE * values[-1]
    return np.asarray((vectors[:, kept] / values[kept]) @ vectors[:, kept].T)


class _Block:
    """What the iteration carries over terms: weights A, now and one step before, directions P, and Q, the residual's basis.

    All of it is worked on a slice of rows at a time, on several threads, in as few passes as can be: each pass does what it can
    while the rows are in the cache, and small matrices are added up in the order of the slices.
    """

    def __init__(self, A: FloatArray, residual: FloatArray, damping: FloatArray, n_jobs: int | None) -> None:
        self.A, self.before, self.P, self.Q = A.copy(), A.copy(), np.zeros_like(residual), residual
        self.damping, self.n_jobs = damping, n_jobs
        self.penalty = np.zeros((residual.shape[1], residual.shape[1]))  # Pᵀ diag(damping) P

    def start(self) -> FloatArray:
        """Make the residual orthonormal and the first directions; return its factor."""
        return self._renew(self._sum(lambda rows: self.Q[rows].T @ self.Q[rows]), forget=True)

    def advance(self, NP: FloatArray, step: FloatArray, solved: FloatArray) -> FloatArray:
        """Take the step in A, renew the residual's basis and the directions; return the factor S of the new residual."""

        self.A, self.before = self.before, self.A

        def walk(rows: slice) -> FloatArray:
            np.add(self.before[rows], self.P[rows] @ step, out=self.A[rows])
            NP[rows] += self.damping[rows, None] * self.P[rows]
            self.Q[rows] -= NP[rows] @ solved
            return self.Q[rows].T @ self.Q[rows]

        return self._renew(self._sum(walk))

    def take_back(self, columns: BoolArray) -> None:
        """Undo the last step in some columns of A."""
        self.A[:, columns] = self.before[:, columns]

    def _renew(self, gram: FloatArray, forget: bool = False) -> FloatArray:
        """Q = Q' S with Q' orthonormal, and P = Q' + P Sᵀ: by Cholesky of QᵀQ where that is safe, else by Householder."""
        S, inverse = _factor(gram)
        if inverse is None:
            self.Q, S = _rank_revealing(self.Q)
            inverse = np.eye(len(S))
        onward = np.zeros_like(S) if forget else S.T

        def turn(rows: slice) -> FloatArray:
            self.Q[rows] = self.Q[rows] @ inverse
            self.P[rows] = self.Q[rows] + self.P[rows] @ onward
            return self.P[rows].T @ (self.damping[rows, None] * self.P[rows])

        self.penalty = self._sum(turn)
        return S

    def _sum(self, part: Callable[[slice], FloatArray]) -> FloatArray:
        parts: dict[int, FloatArray] = {}
        over_rows(lambda a, b: parts.__setitem__(a, part(slice(a, b))), len(self.A), self.n_jobs, ROWS)
        return np.asarray(sum(parts[start] for start in sorted(parts)))


def _rank_revealing(V: FloatArray) -> tuple[FloatArray, FloatArray]:
    """V = Q S by Householder with pivoting; a column that only repeats others becomes zero in Q, not a direction of rounding."""
    Q, R, order = qr(V, mode="economic", pivoting=True)
    nothing = np.abs(np.diagonal(R)) <= CONVERGED * np.abs(R[0, 0])
    Q[:, nothing], R[nothing] = 0.0, 0.0
    S = np.empty_like(R)
    S[:, order] = R
    return Q, S


def _factor(gram: FloatArray) -> tuple[FloatArray, FloatArray | None]:
    """S with SᵀS = gram and its inverse; no inverse where columns are too nearly dependent for this to be safe."""
    try:
        S = cholesky(gram)
    except LinAlgError:
        return gram, None
    if S.diagonal().min() < 1e-6 * S.diagonal().max():
        return S, None
    return S, solve_triangular(S, np.eye(len(S)))
