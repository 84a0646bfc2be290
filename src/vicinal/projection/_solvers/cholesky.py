"""Ridge regression by a factorisation of the smaller Gram matrix: terms x terms or documents x documents (P6, P7).

A Gram matrix squares the condition of X, which costs half of the digits. Two steps of iterative refinement, in which only residuals
pass through the factors, bring them back. How much the last step still changes is measured; where that is too much, or where
singular values are too close to the rounding of the Gram matrix, X itself is decomposed (P7').
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh

from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray
from vicinal.projection._products import AnyProducts
from vicinal.projection._solvers.graded_svd import graded_svd, is_ambiguous, is_null_space, say_inaccurate

RANK = 1e-13  # eigenvalues of the Gram matrix below this share of the largest are rounding, times its size
REFINEMENTS = 2
ACCURATE = 1e-9  # share of the weights, or of the fit, that the last refinement may change

Inverse = Callable[[FloatArray], FloatArray]


def exact_ridge(products: AnyProducts, Y: FloatArray, alpha: float) -> FloatArray:
    """Minimise ‖X A - Y‖² + α‖A‖² by factoring the smaller Gram matrix, or by decomposing X where that is not accurate.

    With α = 0 the result is the solution of smallest norm. Warns :class:`Unconverged` where X is too ill-conditioned for the Gram
    matrix and too large to be decomposed.
    """
    n_documents, n_terms = products.shape
    with single_threaded_libraries():
        A, is_accurate = (_by_terms if n_terms <= n_documents else _by_documents)(products, Y, alpha)
        if is_accurate:
            return A
        svd = graded_svd(products)
        if svd is None:
            say_inaccurate("the regression")
            return A
        return np.asarray(svd.V @ ((svd.singular / (svd.singular**2 + alpha))[:, None] * (svd.U.T @ Y)))


def _by_terms(products: AnyProducts, Y: FloatArray, alpha: float) -> tuple[FloatArray, bool]:
    """(P6), and whether it is accurate."""
    invert, is_sure = _factored(products.gram_of_terms(), alpha, products)
    A = change = invert(products.backward(Y))
    for _ in range(REFINEMENTS):
        change = invert(products.backward(Y - products.forward(A)) - alpha * A)
        A = A + change
    return A, is_sure and _is_small(products, change, A)


def _by_documents(products: AnyProducts, Y: FloatArray, alpha: float) -> tuple[FloatArray, bool]:
    """(P7), and whether it is accurate."""
    invert, is_sure = _factored(products.gram_of_documents(), alpha, products)
    B = change = invert(Y)
    for _ in range(REFINEMENTS):
        change = invert(Y - products.forward(products.backward(B)) - alpha * B)
        B = B + change
    A = products.backward(B)
    return A, is_sure and _is_small(products, products.backward(change), A)


def _is_small(products: AnyProducts, change: FloatArray, A: FloatArray) -> bool:
    """Whether the last refinement changed next to nothing, response by response, of the weights and of the fit."""
    sizes = [(change, A), (products.forward(change), products.forward(A))]
    return all(np.all(np.linalg.norm(left, axis=0) <= ACCURATE * np.linalg.norm(whole, axis=0)) for left, whole in sizes)


def shifted_inverse(gram: FloatArray, alpha: float) -> Inverse:
    """(gram + α I)^-1 as a function; the pseudo-inverse where α is too small to matter. ``gram`` is overwritten."""
    return _factored(gram, alpha)[0]


def _factored(gram: FloatArray, alpha: float, products: AnyProducts | None = None) -> tuple[Inverse, bool]:
    """The inverse and, where ``products`` are given, whether rounding did not decide which singular values are zero."""
    if alpha > RANK * len(gram) * max(float(np.trace(gram)), 1e-300):
        gram[np.diag_indices_from(gram)] += alpha
        factor = cho_factor(gram, lower=True, overwrite_a=True)
        return lambda right: np.asarray(cho_solve(factor, right)), True
    squares, vectors = eigh(gram)
    kept = squares > RANK * len(gram) * squares[-1]
    is_sure = products is None or not (is_ambiguous(squares, products) or _hides_rank(products, vectors[:, ~kept], squares[-1]))
    values, vectors = squares[kept] + alpha, vectors[:, kept]
    return lambda right: np.asarray(vectors @ ((vectors.T @ right) / values[:, None])), is_sure


def _hides_rank(products: AnyProducts, dropped: FloatArray, largest: float) -> bool:
    """Whether X has singular values above rounding in the directions that the eigenvalues of its Gram matrix call zero."""
    by_terms = products.shape[1] <= products.shape[0]
    return not is_null_space((products.forward if by_terms else products.backward)(dropped), largest, products)
