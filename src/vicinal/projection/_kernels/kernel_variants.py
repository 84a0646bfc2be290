"""The pencil and the lasso in the space of a kernel: orthonormal components (P36'), and components of few documents (P36'')."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from vicinal._threads import single_threaded_libraries
from vicinal._typing import BoolArray, FloatArray, IntArray, RandomState, Terms
from vicinal.graph import Graph
from vicinal.projection._kernels.kernel_functions import Kernel, Landmarks
from vicinal.projection._kernels.kernel_ridge import DualMap
from vicinal.projection._penalty import TermCount
from vicinal.projection._pencil import pencil_of_checked
from vicinal.projection._regress import regress_of_checked
from vicinal.projection._solvers.cholesky import RANK
from vicinal.projection._solvers.repeated_components import REPEATED, independent_columns
from vicinal.spectrum import Spectrum


def root_features(own: FloatArray) -> FloatArray:
    """V S^-½ of landmarks x landmarks = V S Vᵀ: similarities times it are coordinates in an orthonormal basis (P36)."""
    values, V = eigh(own)
    kept = values > RANK * len(values) * values[-1]
    return np.asarray(V[:, kept] / np.sqrt(values[kept]))


def pencil_dual(
    X: Terms,
    graph: Graph,
    kernel: Kernel,
    n_components: int,
    *,
    alpha: float = 0.0,
    landmarks: IntArray | None = None,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> DualMap:
    """Find the smoothest orthonormal functions in the space of a kernel (P36').

    Parameters
    ----------
    X : documents x terms
    graph : Graph
        Documents without an edge do not take part.
    kernel : Kernel
    n_components : int
    alpha : float
        Ridge penalty of the pencil.
    landmarks : int array, optional
        Documents by which alone functions may be written; by default all that take part.
    n_jobs : int, optional
        Threads; the answer does not depend on it.
    random_state : int, RandomState or None
        Of the eigensolver.
    """
    near, K, own, in_graph = _compared(X, graph.has_edges, kernel, landmarks, n_jobs)
    with single_threaded_libraries():
        root = root_features(own)
        features = K @ root
    found = pencil_of_checked(
        features,
        graph.restrict(in_graph),
        n_components,
        alpha=alpha,
        orthogonal=True,
        n_jobs=n_jobs,
        random_state=random_state,
    )
    assert found.eigenvalues is not None
    return DualMap(near, np.asarray(root @ found.weights), found.eigenvalues)


def sparse_dual(
    X: Terms,
    spectrum: Spectrum,
    kernel: Kernel,
    n_documents: int | None,
    *,
    ridge: float = 0.0,
    landmarks: IntArray | None = None,
    n_jobs: int | None = None,
) -> DualMap:
    """Find functions that are sums over few documents each and come closest to each response (P36'').

    Parameters
    ----------
    X : documents x terms
    spectrum : Spectrum
        Responses; documents outside its graph do not take part.
    kernel : Kernel
    n_documents : int or None
        How many documents have a weight in each component; None is 50, or as many as there can be.
    ridge : float
        Ridge penalty on the weights of documents.
    landmarks : int array, optional
        Documents that may have a weight; by default all that take part.
    n_jobs : int, optional
        Threads; the answer does not depend on it.
    """
    near, K, _, in_graph = _compared(X, spectrum.has_edges, kernel, landmarks, n_jobs)
    found = regress_of_checked(K, spectrum.vectors[in_graph], TermCount(n_documents, ridge), n_jobs=n_jobs)
    kept = independent_columns(K @ found.weights, REPEATED[X.dtype])
    return DualMap(near, found.weights[:, kept], spectrum.values[kept])


def _compared(
    X: Terms, has_edges: BoolArray, kernel: Kernel, landmarks: IntArray | None, n_jobs: int | None
) -> tuple[Landmarks, FloatArray, FloatArray, IntArray]:
    """Landmarks; similarities of the documents that take part to them, and among them; and which documents these are."""
    in_graph = np.flatnonzero(has_edges)
    rows = X[in_graph]
    kernel = kernel.scaled(rows)
    own = rows if landmarks is None else X[landmarks]
    near = Landmarks.of(own, kernel)
    with single_threaded_libraries():
        K = near.similarities(rows, n_jobs)
        return near, K, K if landmarks is None else near.similarities(own, n_jobs), in_graph
