"""What is the bound of each stage of a fit, and how close does it come?

The bound of a stage is its multiply-adds, and the time of those alone in the same kernels: posting lists added up with nothing
selected, products with the graph, products with X.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from bench.data import newsgroups_bm25, tdt2_tf
from bench.harness import Answer
from vicinal._compiled import compiled
from vicinal._threads import over_rows
from vicinal.graph import knn
from vicinal.graph._inverted_index import _accumulate
from vicinal.projection import Ridge, regress
from vicinal.projection._products import Products
from vicinal.spectrum import solve
from vicinal.spectrum._operator import Symmetric

REPEATS = 5


@compiled
def _accumulate_only(start: Any, stop: Any, rows: Any, terms: Any, weights: Any, starts: Any, documents: Any, posted: Any) -> None:
    scores = np.zeros(rows.shape[0] - 1, np.float32)
    for i in range(start, stop):
        _accumulate(i, rows, terms, weights, starts, documents, posted, scores)


def _median(job: Callable[[], Any]) -> tuple[float, Any]:
    times, result = [], job()
    for _ in range(REPEATS):
        start = time.perf_counter()
        result = job()
        times.append(time.perf_counter() - start)
    return float(np.median(times)), result


def _bare_graph(X: Any) -> float:
    postings = sp.csr_array(X.T.astype(np.float32))
    arrays = (
        *(X.indptr.astype(np.uint64), X.indices.astype(np.uint32), X.data),
        *(postings.indptr.astype(np.uint64), postings.indices.astype(np.uint32), postings.data),
    )
    return _median(lambda: over_rows(lambda a, b: _accumulate_only(a, b, *arrays), X.shape[0], None, 128))[0]


def _row(stage: str, madds: float, bare: float, whole: float) -> dict[str, Any]:
    return {
        "stage": stage,
        "multiply-adds (G)": round(madds / 1e9, 3),
        "alone, s": round(bare, 3),
        "whole stage, s": round(whole, 3),
        "share of the bound": round(bare / whole, 2),
    }


def ask(name: str, X: Any, k: int, d: int, alpha: float) -> Answer:
    """Each stage of one fit."""
    frequencies = np.bincount(X.indices).astype(float)
    graph_time, graph = _median(lambda: knn(X, k))
    rows = [_row("graph", float((frequencies**2).sum()), _bare_graph(X), graph_time)]

    counted = _CountedProducts(Symmetric(graph.restrict(np.flatnonzero(graph.has_edges))))
    spectrum_time, spectrum = _median(lambda: solve(graph, d))
    products = counted.count(graph, d)
    bare = _median(lambda: counted.operator.apply(np.ones((counted.operator.size, 1))))[0] * products
    rows.append(_row(f"spectrum, {products} products with W", float(products * graph.weights.nnz), bare, spectrum_time))

    regress_time, projection = _median(lambda: regress(X, spectrum, Ridge(alpha)))
    steps = projection.made_by["iterations"]
    both = Products(X)
    there = _median(lambda: both.forward(projection.weights))[0]
    back = _median(lambda: both.backward(spectrum.vectors))[0]
    rows.append(_row(f"regress, {steps} steps", 2.0 * steps * X.nnz * d, steps * (there + back), regress_time))
    return Answer("How close does each stage come to its bound?", f"{name}, {k} neighbours, {d} dimensions", rows)


class _CountedProducts:
    """Counts products with W during one solve."""

    def __init__(self, operator: Symmetric) -> None:
        self.operator = operator

    def count(self, graph: Any, d: int) -> int:
        """Solve once more, counting columns multiplied."""
        columns = 0
        plain = Symmetric.apply

        def counting(operator: Symmetric, V: Any) -> Any:
            nonlocal columns
            columns += V.shape[1]
            return plain(operator, V)

        setattr(Symmetric, "apply", counting)  # noqa: B010
        try:
            solve(graph, d)
        finally:
            setattr(Symmetric, "apply", plain)  # noqa: B010
        return columns


def main() -> None:
    """Both corpora."""
    ask("TDT2 (tf)", tdt2_tf()[0], 7, 30, 0.1).save("stages_tdt2")
    ask("20 Newsgroups (BM25)", newsgroups_bm25()[0], 15, 30, 1.0).save("stages_newsgroups")
