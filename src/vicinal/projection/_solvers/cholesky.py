"""Ridge regression by a factorisation of the smaller Gram matrix: terms x terms or documents x documents (P6, P7).

A Gram matrix squares the condition of X, which costs half of the digits. Two steps of refinement, in which only residuals pass
through the factors, bring them back.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh

from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray
from vicinal.projection._products import Products

RANK = 1e-13  # eigenvalues of the Gram matrix below this share of the largest are rounding, times its size
REFINEMENTS = 2

Inverse = Callable[[FloatArray], FloatArray]


def exact_ridge(products: Products, Y: FloatArray, alpha: float) -> FloatArray:
    """Minimise ‖X A - Y‖² + α‖A‖² by Cholesky, or with α = 0 by the pseudo-inverse, in whichever form is smaller."""
    n_documents, n_terms = products.shape
    with single_threaded_libraries():
        return _by_terms(products, Y, alpha) if n_terms <= n_documents else _by_documents(products, Y, alpha)


def _by_terms(products: Products, Y: FloatArray, alpha: float) -> FloatArray:
    invert = shifted_inverse(products.gram_of_terms(), alpha)
    A = invert(products.backward(Y))
    for _ in range(REFINEMENTS):
        A = A + invert(products.backward(Y - products.forward(A)) - alpha * A)
    return A


def _by_documents(products: Products, Y: FloatArray, alpha: float) -> FloatArray:
    invert = shifted_inverse(products.gram_of_documents(), alpha)
    B = invert(Y)
    for _ in range(REFINEMENTS):
        B = B + invert(Y - products.forward(products.backward(B)) - alpha * B)
    return products.backward(B)


def shifted_inverse(gram: FloatArray, alpha: float) -> Inverse:
    """(gram + α I)^-1 as a function; the pseudo-inverse where α is too small to matter."""
    if alpha > RANK * len(gram) * max(float(np.trace(gram)), 1e-300):
        gram[np.diag_indices_from(gram)] += alpha
        factor = cho_factor(gram, lower=True, overwrite_a=True)
        return lambda right: np.asarray(cho_solve(factor, right))
    values, vectors = eigh(gram)
    kept = values > RANK * len(gram) * values[-1]
    values, vectors = values[kept] + alpha, vectors[:, kept]
    return lambda right: np.asarray(vectors @ ((vectors.T @ right) / values[:, None]))
