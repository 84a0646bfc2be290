"""The row lasso by reweighted ridges, the second stage of FSSL as it was published (P23')."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, is_sparse
from vicinal._typing import FloatArray
from vicinal.projection._made_by import MadeBy
from vicinal.projection._products import Products
from vicinal.projection._solvers.cgls import Solution
from vicinal.projection._solvers.cholesky import exact_ridge

LEFT = 1e-6  # share of the longest row below which a row is on its way to zero
TURNS = 200  # ridges at most, whatever max_iter of the sweeps is


def reweighted_rows(
    products: Products, Y: FloatArray, alpha: float, ridge: float, *, tol: float, max_iter: int
) -> tuple[Solution, MadeBy]:
    """Minimise ½‖X A - Y‖² + α Σ‖A_t‖ + ½ρ‖A‖² by ridges whose penalty on a term is α over the length of its row before.

    The objective falls with each ridge and tends to that of the minimum; rows that should be zero become shorter and shorter, and
    those below a millionth of the longest are set to zero at the end.
    """
    A = exact_ridge(products, Y, alpha + ridge)
    objectives = [_objective(products, Y, A, alpha, ridge)]
    for _ in range(min(max_iter, TURNS)):
        A = _reweighted(products, Y, A, alpha, ridge)
        objectives.append(_objective(products, Y, A, alpha, ridge))
        if objectives[-2] - objectives[-1] <= tol * objectives[-1]:
            break
    gained = (objectives[-2] - objectives[-1]) / (objectives[-1] or 1.0) if len(objectives) > 1 else np.inf
    lengths = _lengths(A)
    A[lengths <= LEFT * lengths.max(initial=0.0)] = 0.0
    solution = Solution(A, len(objectives) - 1, float(gained))
    return solution, {"solver": "reweighted", "iterations": solution.iterations, "error": solution.error, "alpha": alpha}


def _reweighted(products: Products, Y: FloatArray, A: FloatArray, alpha: float, ridge: float) -> FloatArray:
    """(XᵀX + ρI + α diag(1/‖A_t‖))⁻¹ XᵀY, as a ridge of strength 1 on columns divided by the roots of that diagonal."""
    lengths = _lengths(A)
    scale = np.sqrt(lengths / (alpha + ridge * lengths))
    X = csr(products.X @ sp.diags_array(scale)) if is_sparse(products.X) else products.X * scale
    mean = None if products.mean is None else products.mean * scale
    return np.asarray(scale[:, None] * exact_ridge(Products(X, mean, products.n_jobs), Y, 1.0))


def _objective(products: Products, Y: FloatArray, A: FloatArray, alpha: float, ridge: float) -> float:
    left = Y - products.forward(A)
    return float(0.5 * np.sum(left * left) + alpha * np.sum(_lengths(A)) + 0.5 * ridge * np.sum(A * A))


def _lengths(A: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.norm(A, axis=1))
