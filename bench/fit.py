"""How fast is a whole RLPI fit, against the same thing composed of scikit-learn's parts?

The composition: NearestNeighbors (brute force, euclidean on unit rows: its faster metric), cosine weights joined by the union
rule, SpectralEmbedding with ARPACK on that graph, Ridge on its coordinates, with the default solver and with 20 steps of LSQR.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg import subspace_angles
from sklearn.linear_model import Ridge
from sklearn.manifold import SpectralEmbedding
from sklearn.neighbors import NearestNeighbors

from bench.data import tdt2_tf
from bench.harness import Answer, Contender, ratios, take_turns
from vicinal import RLPI

DIMENSIONS, NEIGHBORS, ALPHA = 30, 7, 0.1


def composition(X: Any, **ridge: Any) -> Any:
    """Scikit-learn's parts, one after the other; returns the weights of the words."""
    search = NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="brute", n_jobs=-1).fit(X)
    distances = search.kneighbors_graph(mode="distance")
    distances.data = 1.0 - distances.data**2 / 2
    affinity = distances.maximum(distances.T)
    embedding = SpectralEmbedding(DIMENSIONS, affinity="precomputed", eigen_solver="arpack", random_state=0).fit_transform(affinity)
    return Ridge(ALPHA, fit_intercept=False, **ridge).fit(X, embedding).coef_


def ours(X: Any) -> Any:
    """One estimator."""
    return RLPI(DIMENSIONS, n_neighbors=NEIGHBORS, alpha=ALPHA).fit(X).components_


def main() -> None:
    """TDT2 whole."""
    X = tdt2_tf()[0]
    matrix = sp.csr_matrix(X)
    seconds, weights = take_turns(
        [
            Contender("vicinal.RLPI", lambda: ours(X)),
            Contender("scikit-learn, Ridge()", lambda: composition(matrix)),
            Contender("scikit-learn, Ridge(solver='lsqr', max_iter=20)", lambda: composition(matrix, solver="lsqr", max_iter=20)),
        ],
        repeats=5,
    )
    places = {name: X @ A.T for name, A in weights.items()}
    angle = float(np.max(subspace_angles(places["vicinal.RLPI"], places["scikit-learn, Ridge()"])))
    checks = [f"largest principal angle between the two embeddings of TDT2: {angle:.4f}"]
    Answer("How fast is a whole RLPI fit?", "TDT2, tf, 7 neighbours, 30 dimensions", ratios(seconds, "vicinal.RLPI"), checks).save(
        "fit"
    )
