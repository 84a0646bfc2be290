"""A ridge penalty for given responses, by generalised cross-validation: one factorisation or one Krylov sequence for all (P37).

It asks how well each document's response is foretold by the others, which is the right question for responses that were observed
document by document. The smoothest functions of a graph were not: a document's neighbours, which stay behind when it is left out,
know what it was. For those see ``heldout.py``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vicinal._choice import Choice
from vicinal._matrix import row_norms
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, BoolArray, FloatArray, Terms
from vicinal._validate import check_number
from vicinal.projection._products import Products
from vicinal.projection._solvers.krylov import lanczos
from vicinal.projection._solvers.row_space import row_space

EXACT_SIZE = 800  # documents or terms up to which the Gram matrix is decomposed
POWERS = np.arange(-6, 7) / 2.0  # of ten: a thousandth of the mean squared length of a document to a thousand times that
PROBES = 8  # random columns that stand for all in the trace of the hat matrix: with 800 documents it is off by about 2 %

#: For each response and α ‖(I - H) y‖², and for each α tr(I - H).
Remainders = Callable[[float], tuple[FloatArray, float]]


def ridge_candidates(X: Terms, among: BoolArray | None = None) -> FloatArray:
    """Penalties to try: half powers of ten times :func:`ridge_scale`, which is 1 for rows of length one."""
    return np.asarray(ridge_scale(X, among) * 10.0**POWERS)


def ridge_scale(X: Terms, among: BoolArray | None = None) -> float:
    """The mean squared length of a document, of some or all, in six digits: what a penalty is to be compared with (P2)."""
    lengths = row_norms(X) if among is None else row_norms(X)[among]
    return float(f"{float(np.mean(lengths**2)) or 1.0:.6g}")


def check_penalties(candidates: ArrayLike) -> FloatArray:
    """Return penalties as an array, or say which is none."""
    return np.array([check_number("each candidate of alpha", alpha, above=True) for alpha in candidates])


def choose_alpha(products: Products, Y: FloatArray, candidates: ArrayLike | None = None, *, exact: bool | None = None) -> Choice:
    """Choose the ridge penalty under which each document's response is best foretold by the other documents (P37).

    All responses share one α, by the sum of their errors: another basis of the same responses has the same sum, as it has the same
    projection up to that change of basis.

    Parameters
    ----------
    products : Products
        X, centred or not. Centred, the responses are too, as an intercept would do it.
    Y : array (documents, d)
        The responses, on one scale.
    candidates : array, optional
        Greater than 0.
    exact : bool, optional
        By the eigenvalues of the smaller Gram matrix, or by a Krylov sequence with a few random columns for the trace, the same
        ones each time. By default exact up to 800 documents or terms.

    Returns
    -------
    Choice
        Scores are mean squared errors; the range is what is within one standard error, over the responses, of the best.
    """
    candidates = ridge_candidates(products.X) if candidates is None else check_penalties(candidates)
    exact = min(products.shape) <= EXACT_SIZE if exact is None else exact
    free = 0.0 if products.mean is None else 1.0
    Y = Y if products.mean is None else Y - Y.mean(axis=0)
    with single_threaded_libraries():
        remainders = _exact(products, Y) if exact else _by_probes(products, Y)
        errors = np.array([_cross_validated(*remainders(alpha), products.shape[0], free) for alpha in candidates])
    scores = errors.mean(axis=1)
    return Choice.of(
        "alpha", candidates, scores, score="error of generalised cross-validation", margin=_standard_error(errors, scores)
    )


def _cross_validated(squares: FloatArray, trace: float, n_documents: int, free: float) -> FloatArray:
    left = max(trace - free, 0.0) / n_documents
    return np.asarray(squares / n_documents / left**2 if left > 0 else np.full(len(squares), np.nan))


def _standard_error(errors: FloatArray, scores: FloatArray) -> FloatArray:
    """Of each candidate's difference from the best, over the responses; 0 where there is one response."""
    if errors.shape[1] < 2 or np.isnan(scores).all():
        return np.zeros(len(scores))
    apart = errors - errors[int(np.nanargmin(scores))]
    return np.asarray(apart.std(axis=1, ddof=1) / np.sqrt(errors.shape[1]))


def _exact(products: Products, Y: FloatArray) -> Remainders:
    """By X = U S Vᵀ: I - H shrinks uᵢ by α / (σᵢ² + α) and leaves what is outside of U alone."""
    space = row_space(products)
    projected, squares = space.project(Y), space.singular[:, None] ** 2
    inside, outside = projected**2, np.sum((Y - space.span(projected)) ** 2, axis=0)

    def remainders(alpha: float) -> tuple[FloatArray, float]:
        kept = alpha / (squares + alpha)
        return np.sum(kept**2 * inside, axis=0) + outside, float(np.sum(kept)) + products.shape[0] - len(kept)

    return remainders


def _by_probes(products: Products, Y: FloatArray) -> Remainders:
    """By quadrature: the sequence's nodes stand for σ², and columns z of random signs for the trace, E zᵀ(I - H)z."""
    signs = np.random.RandomState(0).choice([-1.0, 1.0], size=(products.shape[0], PROBES))
    seen = lanczos(products, np.column_stack([Y, signs]))
    inside, probes = seen.start[:, : Y.shape[1]] ** 2, seen.start[:, Y.shape[1] :] ** 2

    def remainders(alpha: float) -> tuple[FloatArray, float]:
        kept = (alpha / (seen.nodes + alpha))[:, None]
        return np.sum(kept**2 * inside, axis=0), float(np.sum(kept * probes)) / PROBES

    return remainders
