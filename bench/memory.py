"""How much memory does a fit take beyond X?

Promised: documents x (neighbours + dimensions) x 24 bytes + terms x dimensions x 24 bytes + 200 MB.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench import data
from bench.harness import Answer, peak_memory
from vicinal import RLPI

CORPORA = {"tdt2_tf": ("TDT2 (tf)", 7, 30), "newsgroups_bm25": ("20 Newsgroups (BM25)", 15, 30)}


def fit_job(corpus: str) -> Callable[[], Any]:
    """Load X, compile the kernels on a part of it, and return the fit to measure."""
    X = getattr(data, corpus)()[0]
    _, k, d = CORPORA[corpus]
    RLPI(d, n_neighbors=k, solver="cgls", max_iter=2, tol=0).fit(X[:1000])
    return lambda: RLPI(d, n_neighbors=k).fit(X)


def main() -> None:
    """Both corpora, each in a fresh process."""
    rows = []
    for corpus, (name, k, d) in CORPORA.items():
        X = getattr(data, corpus)()[0]
        allowed = (X.shape[0] * (k + d) * 24 + X.shape[1] * d * 24) / 2**20 + 200
        used = peak_memory("bench.memory", "fit_job", corpus)
        held = (X.data.nbytes + X.indices.nbytes + X.indptr.nbytes) / 2**20
        rows.append({"corpus": name, "X, MB": round(held), "fit beyond X, MB": round(used), "promised at most, MB": round(allowed)})
    Answer("How much memory does a fit take beyond X?", "RLPI, 30 dimensions", rows).save("memory")
