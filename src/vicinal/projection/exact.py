"""Ridge regression by a factorisation of the smaller Gram matrix: terms x terms or documents x documents (P6, P7)."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh

from vicinal.projection.products import Products
from vicinal.threads import single_threaded_libraries
from vicinal.typing import FloatArray

RANK = 1e-13  # eigenvalues of the Gram matrix below this share of the largest are rounding, times its size


def exact_ridge(products: Products, Y: FloatArray, alpha: float) -> FloatArray:
    """Minimise ‖X A - Y‖² + α‖A‖² by Cholesky, or with α = 0 by the pseudo-inverse, in whichever form is smaller."""
    n_documents, n_terms = products.shape
    with single_threaded_libraries():
        if n_terms <= n_documents:
            return _invert(products.gram_of_terms(), products.backward(Y), alpha)
        B = _invert(products.gram_of_documents(), Y, alpha)
        return products.backward(B)


def _invert(gram: FloatArray, right: FloatArray, alpha: float) -> FloatArray:
    """(gram + α I)^-1 right; its pseudo-inverse where α is too small to matter."""
    if alpha > RANK * len(gram) * max(float(np.trace(gram)), 1e-300):
        gram[np.diag_indices_from(gram)] += alpha
        return np.asarray(cho_solve(cho_factor(gram, lower=True, overwrite_a=True), right))
    values, vectors = eigh(gram)
    kept = values > RANK * len(gram) * values[-1]
    return np.asarray(vectors[:, kept] @ ((vectors[:, kept].T @ right) / (values[kept] + alpha)[:, None]))
