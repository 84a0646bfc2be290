"""The singular value decomposition of X itself, accurate for rows and columns of very different lengths.

A Gram matrix squares the condition of X: singular values below about 3e-7 √side of the largest drown in its rounding. Where the
eigenvalues of a Gram matrix come near that limit, X is decomposed directly by one-sided Jacobi rotations after a QR decomposition
with pivoting (LAPACK's dgejsv). For X = D₁ C D₂ with diagonal D₁ and D₂, its relative errors depend on the condition of C, not on
that of X (P11').

References
----------
Drmač and Veselić, New fast and accurate Jacobi SVD algorithm I and II, SIAM J. Matrix Anal. Appl. 29 (2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.linalg.lapack import dgejsv

from vicinal._typing import FloatArray
from vicinal._warn import warn
from vicinal.errors import Unconverged
from vicinal.projection._products import AnyProducts

SIDE = 1000  # documents or terms up to which X is decomposed directly: there it takes five seconds
ENTRIES = 2_000_000  # of X as an array, up to which it is made one: 16 MB
SQUARED = 1e-13  # share of the largest eigenvalue of a Gram matrix, per row, below which one is rounding
ABOVE, BELOW = 100.0, 0.01  # of that share: between them, an eigenvalue of a Gram matrix has few digits, or none
ROUNDING = 4.0 * float(np.finfo(np.float64).eps)  # share of the largest singular value, per row, below which one is rounding


@final
@dataclass(frozen=True, eq=False)
class Svd:
    """X = U diag(singular) Vᵀ, cut to the rank of X; singular values fall."""

    U: FloatArray
    singular: FloatArray
    V: FloatArray


def rounding(products: AnyProducts) -> float:
    """Share of the largest squared singular value, per row, below which one is rounding: that of sums, or of the input's type."""
    return max(SQUARED, 4.0 * float(np.finfo(products.dtype).eps) ** 2)


def is_ambiguous(squares: FloatArray, products: AnyProducts) -> bool:
    """Whether eigenvalues of a Gram matrix are too close to its rounding to be told from zero, or to be exact."""
    cut = rounding(products) * len(squares) * max(float(squares.max(initial=0.0)), 0.0)
    below = BELOW if products.dtype == np.float64 else 1.0  # what is smaller than the rounding of float32 is not in the input
    return bool(np.any((squares > below * cut) & (squares < ABOVE * cut)))


def is_null_space(images: FloatArray, largest: float, products: AnyProducts, share: float = 16.0 * ROUNDING) -> bool:
    """Whether X maps vectors that its Gram matrix maps to rounding to rounding too: ``images``, X v or Xᵀ v of unit vectors.

    A Gram matrix cannot tell: a singular value of 1e-9 of the largest is 1e-18 there.
    """
    if products.dtype != np.float64:
        return True
    limit = share * max(products.shape) * np.sqrt(max(largest, 0.0))
    return bool(np.all(np.linalg.norm(images, axis=0) <= limit))


def graded_svd(products: AnyProducts) -> Svd | None:
    """Decompose X, or X - 1 μᵀ where it is centred; None where X is too large to be decomposed as an array."""
    n_documents, n_terms = products.shape
    if min(products.shape) > SIDE or n_documents * n_terms > ENTRIES:
        return None
    X = products.as_array()
    tall = n_documents >= n_terms
    sizes, left, right, scales, _, info = dgejsv(
        np.asfortranarray(X if tall else X.T), joba=2, jobu=0, jobv=0, jobr=0, jobt=1, jobp=0
    )
    if info != 0:
        return None
    singular = sizes * (scales[0] / scales[1])
    kept = singular > _smallest(products) * singular.max(initial=0.0)
    left, right = left[:, kept], right[:, kept]
    return Svd(left if tall else right, singular[kept], right if tall else left)


def _smallest(products: AnyProducts) -> float:
    """Share of the largest singular value below which one is rounding of the arithmetic, or of the numbers of X."""
    if products.dtype == np.float64:
        return ROUNDING * max(products.shape)
    return float(np.sqrt(rounding(products) * min(products.shape)))


def say_inaccurate(what: str) -> None:
    """Warn that X is too ill-conditioned and too large for an accurate result."""
    warn(
        f"{what} may be inaccurate: singular values of the documents x terms matrix lie near rounding, and it is too large to be "
        f"decomposed directly ({SIDE:,} documents or terms, {ENTRIES:,} entries). Scale documents and terms to similar lengths, or "
        f"use a larger alpha.",
        Unconverged,
    )
