"""How fast is a whole RLPI fit, against the same thing composed of scikit-learn's parts?

The composition: NearestNeighbors (brute force, euclidean on unit rows), cosine weights joined by the union rule, SpectralEmbedding
with ARPACK on that graph, Ridge on its coordinates: with the default solver, and with 20 steps of LSQR, which is fast because it
stops early. How far each regression is from its own exact solution stands beside the times.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg import subspace_angles
from sklearn.linear_model import Ridge
from sklearn.manifold import SpectralEmbedding
from sklearn.neighbors import NearestNeighbors

import vicinal
from bench.data import tdt2_tf
from bench.harness import Answer, Contender, ratios, take_turns
from vicinal import RLPI
from vicinal.graph import Graph
from vicinal.projection import regress
from vicinal.spectrum import solve

DIMENSIONS, NEIGHBORS, ALPHA = 30, 7, 0.1


def composition(X: Any, **ridge: Any) -> tuple[Any, Any]:
    """Scikit-learn's parts, one after the other; returns the responses and the weights of the words."""
    search = NearestNeighbors(n_neighbors=NEIGHBORS, algorithm="brute", n_jobs=-1).fit(X)
    distances = search.kneighbors_graph(mode="distance")
    distances.data = 1.0 - distances.data**2 / 2
    affinity = distances.maximum(distances.T)
    embedding = SpectralEmbedding(DIMENSIONS, affinity="precomputed", eigen_solver="arpack", random_state=0).fit_transform(affinity)
    return embedding, Ridge(ALPHA, fit_intercept=False, **ridge).fit(X, embedding).coef_.T


def ours(X: Any, **options: Any) -> tuple[Any, Any]:
    """One estimator; the responses are solved for again outside the clock."""
    method = RLPI(DIMENSIONS, n_neighbors=NEIGHBORS, alpha=ALPHA, **options).fit(X)
    return method.graph_, method.components_.T


def _error(X: Any, responses: Any, weights: Any) -> float:
    """How far the places are from those of the exact regression onto the same responses, relatively."""
    Y = solve(responses, DIMENSIONS).vectors if isinstance(responses, Graph) else responses
    exact = X @ regress(X, Y, vicinal.Ridge(ALPHA), solver="cgls", tol=1e-10, max_iter=1000).weights
    return float(np.linalg.norm(X @ weights - exact) / np.linalg.norm(exact))


def main() -> None:
    """TDT2 whole."""
    X = tdt2_tf()[0]
    matrix = sp.csr_matrix(X)
    seconds, found = take_turns(
        [
            Contender("vicinal.RLPI()", lambda: ours(X)),
            Contender("vicinal.RLPI(tol=0.01)", lambda: ours(X, tol=0.01)),
            Contender("scikit-learn, Ridge()", lambda: composition(matrix)),
            Contender("scikit-learn, Ridge(solver='lsqr', max_iter=20)", lambda: composition(matrix, solver="lsqr", max_iter=20)),
        ]
    )
    rows = ratios(seconds, "vicinal.RLPI()")
    for row, (responses, weights) in zip(rows, found.values(), strict=True):
        row["error of the regression"] = f"{_error(X, responses, weights):.0e}"
    ours_and_theirs = (X @ found[name][1] for name in ("vicinal.RLPI()", "scikit-learn, Ridge()"))
    angle = float(np.max(subspace_angles(*ours_and_theirs)))
    early = rows[3]["times ours"] / rows[1]["times ours"]
    checks = [
        f"largest principal angle between our embedding of TDT2 and that of the composition: {angle:.4f}",
        f"stopping early on both sides, LSQR with 20 steps takes {early:.1f} times as long as RLPI(tol=0.01)",
    ]
    Answer("How fast is a whole RLPI fit?", "TDT2, tf, 7 neighbours, 30 dimensions", rows, checks).save("fit")
