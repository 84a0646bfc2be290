"""Kernel ridge regression: weights of documents instead of terms, min ‖f - Y‖² + α‖f‖² (P34)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.linalg import eigh

from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal._warn import warn
from vicinal.errors import BadData, BadParameter, ZeroEmbeddings
from vicinal.projection._kernels.kernel_functions import Kernel, Landmarks
from vicinal.projection._products import Products
from vicinal.projection._projection import NOTHING
from vicinal.projection._solvers.cholesky import RANK, REFINEMENTS, exact_ridge, shifted_inverse
from vicinal.projection._solvers.repeated_components import REPEATED, independent_columns
from vicinal.spectrum import Spectrum

LARGEST = 10_000  # documents whose kernel is factored whole: two matrices of 0.8 GB


@final
@dataclass(frozen=True, eq=False)
class DualMap:
    """An embedding that is linear in the similarities to landmarks: f(x) = Σ_j k(x, z_j) c_j (P34).

    Attributes
    ----------
    landmarks : Landmarks
        The documents z_j, and the kernel.
    weights : float array (landmarks, d)
        c_j.
    eigenvalues : ndarray of shape (n_components,)
        λ of the response that each component was fitted to.
    """

    landmarks: Landmarks
    weights: FloatArray
    eigenvalues: FloatArray

    @property
    def n_components(self) -> int:
        """How many numbers a document becomes."""
        return int(self.weights.shape[1])

    def transform(self, X: Terms, n_jobs: int | None = None) -> FloatArray:
        """Embed documents, each by itself; the embedding of one without terms is zero."""
        embeddings = self.landmarks.sums(X, self.weights, n_jobs)
        if not np.isfinite(embeddings).all():
            row = int(np.flatnonzero(~np.isfinite(embeddings).all(axis=1))[0])
            raise BadData(
                f"the {self.landmarks.kernel.name} kernel of document {row} is too large for a number. Scale it as the documents "
                f"learnt from were, or use a smaller degree."
            )
        return embeddings


def regress_dual(
    X: Terms, spectrum: Spectrum, kernel: Kernel, alpha: float, *, landmarks: IntArray | None = None, n_jobs: int | None = None
) -> DualMap:
    """Find the function in the space of a kernel that comes closest to each response.

    Parameters
    ----------
    X : documents x terms
    spectrum : Spectrum
        Responses Y; documents outside its graph do not take part.
    kernel : Kernel
    alpha : float
        Penalty of a rough function.
    landmarks : int array, optional
        Documents by which alone the function may be written, out of those that take part (P36). By default all, which is exact
        (P35) and cubic in their number.
    n_jobs : int, optional
        Threads; the answer does not depend on it.
    """
    rows, Y = X[spectrum.has_edges], spectrum.vectors[spectrum.has_edges]
    kernel = kernel.scaled(rows)
    own = rows if landmarks is None else X[landmarks]
    near = Landmarks.of(own, kernel)
    with single_threaded_libraries():
        K = near.similarities(rows, n_jobs)
        weights = _exact(K, Y, alpha) if landmarks is None else _nystrom(K, near.similarities(own, n_jobs), Y, alpha)
        found = DualMap(near, weights, spectrum.values)
        embeddings = found.transform(rows, n_jobs)
        kept = independent_columns(embeddings, REPEATED[X.dtype])
    _say_zero(embeddings, Y, alpha)
    return replace(found, weights=weights[:, kept], eigenvalues=spectrum.values[kept])


def refuse_many(n_documents: int) -> None:
    """Raise BadParameter where a kernel of all pairs would take too much memory and time."""
    if n_documents > LARGEST:
        raise BadParameter(
            f"a kernel of all pairs of {n_documents:,} documents needs {16e-9 * n_documents**2:.0f} GB of memory and time that is "
            f"cubic in their number; up to {LARGEST:,} are taken. Give n_landmarks, such as n_landmarks=2000."
        )


def _exact(K: FloatArray, Y: FloatArray, alpha: float) -> FloatArray:
    """(K + αI)^-1 Y, with the pseudo-inverse where α drowns in rounding (P35)."""
    invert = shifted_inverse(K.copy(), alpha)
    C = invert(Y)
    for _ in range(REFINEMENTS):
        C = C + invert(Y - K @ C - alpha * C)
    return C


def _nystrom(K: FloatArray, own: FloatArray, Y: FloatArray, alpha: float) -> FloatArray:
    """The ridge on the features K V S^-½ that landmarks give, K documents x landmarks and V S Vᵀ landmarks x landmarks (P36)."""
    values, V = eigh(own)
    kept = values > RANK * len(values) * values[-1]
    root = V[:, kept] / np.sqrt(values[kept])
    return np.asarray(root @ exact_ridge(Products(K @ root), Y, alpha))


def _say_zero(embeddings: FloatArray, Y: FloatArray, alpha: float) -> None:
    expected = np.abs(Y).max(initial=0.0)
    if expected > 0 and np.abs(embeddings).max(initial=0.0) <= NOTHING * expected:
        warn(
            f"every embedding is zero, to {NOTHING:.0e}: alpha={alpha:g} leaves no landmark any weight. Use a smaller alpha.",
            ZeroEmbeddings,
        )
