"""The route by regression: functions on documents become weights on words, min ‖X A - Y‖² + penalty(A) (P1)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from vicinal.errors import BadData, Unconverged
from vicinal.projection.cgls import Solution, cgls
from vicinal.projection.exact import exact_ridge
from vicinal.projection.penalty import Ridge
from vicinal.projection.products import Products
from vicinal.projection.projection import Projection, say_zero_map
from vicinal.spectrum.spectrum import Spectrum
from vicinal.typing import ArrayLike, FloatArray, Terms
from vicinal.validate import check_choice, check_count, check_number, check_terms

SOLVERS = ("auto", "cholesky", "cgls")
EXACT_SIZE = 800  # documents or terms up to which the Gram matrix is factored: there both solvers take about as long


def regress(
    X: ArrayLike,
    responses: Spectrum | ArrayLike,
    penalty: Ridge | None = None,
    *,
    center: bool = False,
    solver: str = "auto",
    tol: float = 1e-3,
    max_iter: int = 200,
    n_jobs: int | None = None,
    vocabulary: Any = None,
) -> Projection:
    """Find the words whose weighted sum comes closest to each response.

    Parameters
    ----------
    X : documents x terms, sparse or dense
    responses : Spectrum, or array (documents, d)
        Y. Documents outside the graph of a spectrum do not take part.
    penalty : Ridge, optional
        ``Ridge(0.1)`` by default.
    center : bool
        Take the mean document off first, without making X dense.
    solver : {"auto", "cholesky", "cgls"}
        "cholesky" factors the smaller Gram matrix; "cgls" iterates and needs only products with X. Both give the same answer.
    tol : float
        For "cgls": relative error of the fit at which to stop; 0 to run ``max_iter`` iterations exactly. The same machine gives the
        same bits; another one may differ by as much as this.
    max_iter : int
        For "cgls": after so many iterations the result is returned with an :class:`Unconverged` warning.
    n_jobs : int, optional
        Threads; the answer does not depend on it.
    vocabulary : array of str, optional
        A name for each term.
    """
    X = check_terms(X, "the regression")
    penalty = Ridge() if penalty is None else penalty
    check_choice("solver", solver, SOLVERS)
    check_number("tol", tol)
    check_count("max_iter", max_iter)
    rows, Y, values = _training(X, responses)
    mean = np.asarray(rows.mean(axis=0, dtype=np.float64)).ravel() if center and rows.shape[0] > 1 else None
    solution, made_by = _solve(Products(rows, mean, n_jobs), Y, penalty.alpha, solver, tol, max_iter)
    say_zero_map(rows, solution.weights, float(np.abs(Y).max(initial=0.0)), penalty.alpha)
    offset = None if mean is None else mean @ solution.weights
    projection = Projection(solution.weights, values, offset, None, {"route": "regress", **made_by})
    return projection if vocabulary is None else projection.named(vocabulary)


def _training(X: Terms, responses: Any) -> tuple[Terms, FloatArray, FloatArray]:
    """The documents that take part, their responses, and the eigenvalues these stand for."""
    spectral = isinstance(responses, Spectrum)
    Y = responses.vectors if spectral else np.asarray(responses, dtype=np.float64)
    if Y.ndim != 2 or Y.shape[0] != X.shape[0]:
        raise BadData(f"responses must have one row per document: expected ({X.shape[0]}, d), got {Y.shape}.")
    if not spectral:
        return X, Y, np.full(Y.shape[1], np.nan)
    if responses.placed.all():
        return X, Y, responses.values
    return X[responses.placed], Y[responses.placed], responses.values


def _solve(
    products: Products, Y: FloatArray, alpha: float, solver: str, tol: float, max_iter: int
) -> tuple[Solution, dict[str, Any]]:
    if solver == "cholesky" or (solver == "auto" and min(products.shape) <= EXACT_SIZE):
        return Solution(exact_ridge(products, Y, alpha), 0, 0.0), {"solver": "cholesky"}
    solution = cgls(products, Y, alpha, tol, max_iter)
    if solution.error > tol > 0:
        warnings.warn(
            f"the regression stopped after {solution.iterations} iterations at an estimated error of {solution.error:.1e} where "
            f"{tol:.1e} was asked for. Raise max_iter, raise tol, or use a larger alpha.",
            Unconverged,
            stacklevel=4,
        )
    return solution, {"solver": "cgls", "iterations": solution.iterations, "error": solution.error}
