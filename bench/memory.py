"""How much memory does a fit take beyond X, and how much do the peers take for the same?

Promised: documents x (neighbours + dimensions) x 24 bytes + terms x dimensions x 24 bytes + 200 MB. Each job runs in a process
of its own, after a small one of its kind has loaded and compiled what it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import scipy.sparse as sp

from bench import data
from bench.fit import composition
from bench.graph import brute_force, top_products
from bench.harness import Answer, peak_memory
from vicinal import RLPI
from vicinal.graph import knn

CORPORA = {"tdt2_tf": ("TDT2 (tf)", 7, 30), "newsgroups_bm25": ("20 Newsgroups (BM25)", 15, 30)}

#: Who does what, given X and the number of neighbours.
JOBS: dict[str, Callable[[Any, int], Any]] = {
    "fit: vicinal.RLPI": lambda X, k: RLPI(30, n_neighbors=k).fit(X),
    "fit: scikit-learn's parts": lambda X, k: composition(X),
    "graph: vicinal.graph.knn": knn,
    "graph: scikit-learn brute force": lambda X, k: brute_force(X, k, "euclidean"),
    "graph: sparse_dot_topn": top_products,
}


def job(corpus: str, name: str) -> Callable[[], Any]:
    """Load X, warm up on a part of it, and return the job to measure."""
    X = sp.csr_matrix(getattr(data, corpus)()[0])
    k = CORPORA[corpus][1]
    JOBS[name](X[:1000], k)
    return lambda: JOBS[name](X, k)


def _row(corpus: str, name: str) -> dict[str, Any]:
    title, k, d = CORPORA[corpus]
    X = getattr(data, corpus)()[0]
    row: dict[str, Any] = {"corpus": title, "job": name, "beyond X, MB": round(peak_memory("bench.memory", "job", corpus, name))}
    if name == "fit: vicinal.RLPI":
        row["promised at most, MB"] = round((X.shape[0] * (k + d) * 24 + X.shape[1] * d * 24) / 2**20 + 200)
    return row


def main() -> None:
    """Everybody on TDT2, our fit on 20 Newsgroups too."""
    rows = [_row("tdt2_tf", name) for name in JOBS]
    rows.append(_row("newsgroups_bm25", "fit: vicinal.RLPI"))
    Answer("How much memory do a fit and a graph take beyond X?", "30 dimensions; peak of a process of its own", rows).save(
        "memory"
    )
