"""How fast is the exact neighbour graph, against scikit-learn's brute force and sparse_dot_topn, and are the neighbours the same?

Ours is all of ``vicinal.graph.knn``: rows scaled, neighbours found, edges joined. The peers only find neighbours, of rows that have
length one already.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors
from sparse_dot_topn import sp_matmul_topn

from bench.data import newsgroups_bm25, tdt2_tf
from bench.harness import Answer, Contender, ratios, take_turns
from vicinal.graph import knn
from vicinal.graph._neighbors import nearest

TIE = 1e-6  # similarities closer than this may be ordered either way by code that works in float32


def brute_force(X: Any, k: int, metric: str) -> Any:
    """Neighbours by scikit-learn, each document among its own."""
    search = NearestNeighbors(n_neighbors=k + 1, algorithm="brute", metric=metric, n_jobs=-1).fit(X)
    return search.kneighbors(X, return_distance=False)


def top_products(X: Any, k: int) -> Any:
    """Neighbours by sparse_dot_topn, each document among its own."""
    return sp_matmul_topn(X, sp.csr_matrix(X.T), top_n=k + 1, n_threads=2)


def same_neighbors(X: Any, ours: Any, found: Any) -> tuple[int, int]:
    """How many documents have the same neighbours, and how many differ by more than a tie at the edge."""
    same = unexplained = 0
    for i, row in enumerate(ours.documents):
        mine, theirs = {int(j) for j in row if j >= 0}, {int(j) for j in found[i] if j != i}
        extra = [j for j in theirs - mine if j != i]
        if not mine - theirs and len(extra) <= 1:
            same += 1
            continue
        edge = ours.similarities[i][row >= 0].min(initial=1.0)
        cosines = (X[sorted(mine ^ theirs)] @ X[[i]].T).toarray().ravel()
        unexplained += bool(np.any(np.abs(cosines[cosines > edge] - edge) > TIE))
    return same, unexplained


def ask(name: str, X: Any, k: int) -> Answer:
    """Measure one corpus."""
    matrix = sp.csr_matrix(X)
    single = matrix.astype(np.float32)
    seconds, found = take_turns(
        [
            Contender("vicinal.graph.knn", lambda: knn(X, k)),
            Contender("scikit-learn brute force, euclidean", lambda: brute_force(matrix, k, "euclidean")),
            Contender("scikit-learn brute force, cosine", lambda: brute_force(matrix, k, "cosine")),
            Contender("sparse_dot_topn, float32", lambda: top_products(single, k)),
            Contender("sparse_dot_topn, float64", lambda: top_products(matrix, k)),
        ]
    )
    ours = nearest(X, k)
    lists = {
        "scikit-learn": found["scikit-learn brute force, cosine"],
        "sparse_dot_topn": [row.indices for row in found["sparse_dot_topn, float64"]],
    }
    checks = []
    for peer, neighbors in lists.items():
        same, unexplained = same_neighbors(X, ours, neighbors)
        checks.append(
            f"{name}: same neighbours as {peer} for {same:,} of {X.shape[0]:,} documents; not explained by ties: {unexplained}"
        )
    frequencies = np.bincount(X.indices).astype(float)
    bound = (frequencies**2).sum() / 1e9
    checks.append(
        f"{name}: bound Σ df² = {bound:.2f} G multiply-adds, done at {bound / seconds['vicinal.graph.knn']:.2f} G per second"
    )
    return Answer("How fast is the exact neighbour graph?", f"{name}, {k} neighbours", ratios(seconds, "vicinal.graph.knn"), checks)


def main() -> None:
    """Both corpora."""
    ask("TDT2 (tf)", tdt2_tf()[0], 7).save("graph_tdt2")
    ask("20 Newsgroups (BM25)", newsgroups_bm25()[0], 15).save("graph_newsgroups")
