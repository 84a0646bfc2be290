"""The lasso for a given penalty: coordinate descent on an active set of terms, checked against all terms (P17, P20)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import scipy.sparse as sp
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.projection._products import Products
from vicinal.projection._solvers.cgls import Solution
from vicinal.projection._solvers.lars import homotopy

FIRST = 128  # terms a response starts with, at least
SMALL_ALPHA = 1e-3  # an α below this share of the largest correlation is asked for to the digits of that share
BURST = 50  # sweeps before the active terms are solved for exactly, which is the solution once the active set is right
SMALL_GRAM = 512  # active terms up to which their whole path is followed where sweeps do not converge
LARGEST_GRAM = 2000  # chosen terms up to which the last digits come from solving for them exactly


def descend(
    products: Products, Y: FloatArray, alphas: FloatArray, largest: FloatArray, ridge: float, tol: float, max_iter: int
) -> Solution:
    """Minimise ½‖X a - y‖² + α‖a‖₁ + ½ρ‖a‖² for every column y of Y and its own α.

    A term is added to those of its response when its correlation with the residual exceeds α by more than ``tol`` α, or, for small
    α, by ``tol`` times a thousandth of the ``largest`` correlation with the response. The error of the solution is the largest such
    violation left; each response has ``max_iter`` sweeps.
    """
    scales = np.maximum(alphas, SMALL_ALPHA * largest)
    if products.mean is not None:
        Y = Y - Y.mean(axis=0)  # changes nothing, as centred terms have no part in a constant, and keeps the residuals' sum at zero
    terms = [np.empty(0, dtype=np.int64) for _ in alphas]
    A, error, sweeps = np.zeros((products.shape[1], len(alphas))), np.zeros(len(alphas)), np.zeros(len(alphas), dtype=np.int64)
    todo = np.arange(len(alphas))
    with single_threaded_libraries():
        while len(todo):
            excess = _violation(products, Y[:, todo], A[:, todo], alphas[todo], ridge) / scales[todo]
            error[todo] = excess.max(axis=0, initial=0.0)
            going = (error[todo] > tol) & (sweeps[todo] < max_iter)
            todo, excess = todo[going], excess[:, going]
            for j, beyond in zip(todo, excess.T, strict=True):
                terms[j] = np.union1d(terms[j], _worst(beyond, tol, max(FIRST, len(terms[j]))))
                part = ActiveTerms.of(products.of_terms(terms[j]))
                A[terms[j], j], taken = part.solve(
                    Y[:, j], A[terms[j], j], alphas[j], ridge, 0.1 * tol * scales[j], max_iter - sweeps[j]
                )
                sweeps[j] += taken
    return Solution(A, int(sweeps.max(initial=0)), float(error.max(initial=0.0)))


def _violation(products: Products, Y: FloatArray, A: FloatArray, alphas: FloatArray, ridge: float) -> FloatArray:
    """The violation of the optimality conditions by each term: its correlation is at most α, or ±α where it has a weight (P17)."""
    left = products.backward(Y - products.forward(A)) - ridge * A
    return np.asarray(np.where(A == 0, np.abs(left) - alphas, np.abs(left - np.sign(A) * alphas)))


def _worst(excess: FloatArray, above: float, limit: int) -> IntArray:
    worst = np.argsort(-excess, kind="stable")[:limit]
    return np.asarray(worst[excess[worst] > above])


@final
@dataclass(frozen=True, eq=False)
class ActiveTerms:
    """The active terms, column by column, with what a sweep over them needs."""

    products: Products
    columns: SparseMatrix
    mean: FloatArray
    squares: FloatArray

    @staticmethod
    def of(products: Products) -> ActiveTerms:
        """The terms of a matrix, column by column."""
        columns = sp.csr_array(products.X.T).astype(np.float64)
        n_documents, n_terms = products.shape
        mean = np.zeros(n_terms) if products.mean is None else products.mean
        return ActiveTerms(products, columns, mean, np.asarray((columns**2).sum(axis=1)) - n_documents * mean**2)

    def solve(
        self, y: FloatArray, a: FloatArray, alpha: float, ridge: float, least: float, max_iter: int
    ) -> tuple[FloatArray, int]:
        """Sweep from ``a`` on for a while, or until no correlation is off by more than ``least``, then try for the last digits."""
        from vicinal.projection._product_loops import sweep_terms

        a = a.copy()
        left = np.append(y - self.columns.T @ a, self.mean @ a)
        store = (self.columns.indptr, self.columns.indices, self.columns.data)
        sweeps, worst = 0, np.inf
        while sweeps < min(BURST, max_iter) and worst > least:
            worst = sweep_terms(*store, self.mean, self.squares, alpha, ridge, a, left)
            sweeps += 1
        settled = self._settled(y, a, alpha, ridge)
        if settled is None and len(a) <= SMALL_GRAM:
            settled = self._by_path(y, alpha, ridge)
        return (a if settled is None else settled), sweeps

    def _settled(self, y: FloatArray, a: FloatArray, alpha: float, ridge: float) -> FloatArray | None:
        """Solve for the terms with a weight, given their signs; None where the solution has other signs."""
        chosen = np.flatnonzero(a)
        if not 0 < len(chosen) <= LARGEST_GRAM:
            return None
        gram, against = self._gram(chosen, y, ridge)
        signs, exact = np.sign(a[chosen]), np.zeros_like(a)
        try:
            exact[chosen] = cho_solve(cho_factor(gram), against - alpha * signs)
        except LinAlgError:
            return None
        return exact if np.all(exact[chosen] * signs > 0) else None

    def _by_path(self, y: FloatArray, alpha: float, ridge: float) -> FloatArray:
        """Follow the path of these few terms down to α: where they depend on each other, sweeps take too long."""
        gram, against = self._gram(np.arange(len(self.mean)), y, ridge)
        last = homotopy(gram, against, len(against), alpha)[-1]
        exact = np.zeros(len(against))
        exact[last.terms] = last.weights
        return exact

    def _gram(self, terms: IntArray, y: FloatArray, ridge: float) -> tuple[FloatArray, FloatArray]:
        part = self.products.of_terms(terms)
        gram = part.gram_of_terms()
        gram[np.diag_indices_from(gram)] += ridge
        return gram, part.backward(y[:, None])[:, 0]
