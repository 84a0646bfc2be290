"""What does a target recall cost and save, in CPU seconds by size, and does it change the answers that come out of the graph?

Seconds are of the processor, one thread. The exact search of a large corpus is timed on a twentieth of its documents, each of which
costs the same, and multiplied. The recall is that of documents which the search has not measured itself by.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier

from bench.data import newsgroups_bm25
from bench.harness import Answer
from corpora import arxiv
from vicinal import RLPI, Vectorizer
from vicinal._matrix import unit_rows
from vicinal._typing import IntArray
from vicinal.graph import SparseGraph, knn, nearest
from vicinal.graph._build import _either
from vicinal.graph._edges import EdgeWeight
from vicinal.graph._neighbors import Neighbors, nearest_of_all, nearest_of_checked
from vicinal.graph._pruned_neighbors import Effort, PrunedSearch
from vicinal.graph._ties import TICK

N_NEIGHBORS = 15
SIZES = (50_000, 200_000)
TARGETS = (0.9, 0.95, 0.98)
CHECKED = 1_000  # documents whose true neighbours are found, to measure the recall
TWENTIETH = 20
MILLION = 1_000_000
SAMPLE = 20_000  # abstracts whose clusters and classes are compared
SEEDS = (0, 1, 2)
NEAR_COPY = 0.9  # cosine of near-duplicates


def abstracts(size: int) -> tuple[Any, IntArray]:
    """Abstracts of arXiv in BM25, rows of length one; their categories."""
    papers = arxiv.load(("abstract", "category"), limit=size)
    return unit_rows(Vectorizer().fit_transform(papers["abstract"])), np.unique(papers["category"], return_inverse=True)[1]


def recall_of(found: Neighbors, queries: IntArray, true: Neighbors, least: float = 0.0) -> float:
    """The share of the true neighbours of some documents that were found, of those at least so similar."""
    counted = (true.documents >= 0) & (true.similarities >= least)
    last = np.where(counted, np.round(true.similarities * TICK), np.inf).min(axis=1, keepdims=True)
    good = (np.round(found.similarities[queries] * TICK) >= last).sum(axis=1)
    return float(np.minimum(good, counted.sum(axis=1)).sum() / max(1, counted.sum()))


def timed(job: Any) -> tuple[float, Any]:
    """CPU seconds, and what was returned."""
    start = time.process_time()
    result = job()
    return time.process_time() - start, result


def measure(size: int, target: float) -> dict[str, Any]:
    """One size and target; 1.0 is the exact search, of a twentieth of the documents."""
    U = abstracts(size)[0]
    drawn = np.random.RandomState(1).permutation(size)
    part, checked = np.sort(drawn[: size // TWENTIETH]), np.sort(drawn[:CHECKED])
    if target == 1.0:
        seconds, _ = timed(lambda: nearest_of_checked(U, N_NEIGHBORS, queries=part, n_jobs=1))
        return {"abstracts": size, "target": "exact", "CPU s": round(seconds * TWENTIETH, 1), "recall@15": 1.0}
    true = nearest_of_checked(U, N_NEIGHBORS, queries=checked, n_jobs=1)
    seconds, found = timed(lambda: nearest_of_all(U, N_NEIGHBORS, recall=target, n_jobs=1))
    return {
        "abstracts": size,
        "target": target,
        "CPU s": round(seconds, 1),
        "recall@15": round(recall_of(found, checked, true), 4),
        "recall that the search measured": round(found.recall, 4),
        "near-duplicates found": round(recall_of(found, checked, true, NEAR_COPY), 4),
    }


def _with_shares(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With each row's share of the CPU seconds of the exact search."""
    exact = {row["abstracts"]: row["CPU s"] for row in rows if row["target"] == "exact"}
    return [{**row, "share of exact": round(row["CPU s"] / exact[row["abstracts"]], 2)} for row in rows]


def _extrapolated(rows: list[dict[str, Any]]) -> list[str]:
    """CPU seconds for a million by the exponent from the smaller size to the larger."""
    said = []
    for target in dict.fromkeys(row["target"] for row in rows):
        by_size = {row["abstracts"]: row["CPU s"] for row in rows if row["target"] == target}
        if set(SIZES) <= set(by_size):
            small, large = (by_size[size] for size in SIZES)
            exponent = np.log(large / small) / np.log(SIZES[1] / SIZES[0])
            million = large * (MILLION / SIZES[1]) ** exponent
            said.append(f"{target}: exponent {exponent:.2f}; extrapolated, not measured: {million:,.0f} CPU s for a million")
    return said


def compile_searches() -> None:
    """Both searches of a small corpus."""
    U = abstracts(4_000)[0]
    nearest(U, N_NEIGHBORS, n_jobs=1)
    PrunedSearch(U, N_NEIGHBORS, 1).all_rounds(Effort(2_000, 90), lambda found: False)


def ask_cost(rows: list[dict[str, Any]] | None = None) -> Answer:
    """By size and target; rows may have been measured one by one."""
    if rows is None:
        compile_searches()
        rows = [measure(size, target) for size in SIZES for target in (1.0, *TARGETS)]
    rows = _with_shares(rows)
    return Answer(
        "What does a target recall cost?", f"arXiv abstracts, {N_NEIGHBORS} neighbours, one thread", rows, _extrapolated(rows)
    )


def graph_of_recall(U: Any, wanted: float) -> tuple[SparseGraph, float]:
    """The graph of a pruned search whose recall over all documents is near a number, however large the corpus is."""
    if wanted == 1.0:
        return knn(U, N_NEIGHBORS), 1.0
    true, search = nearest(U, N_NEIGHBORS), PrunedSearch(U, N_NEIGHBORS, None)
    everyone, low, high = np.arange(U.shape[0]), 20.0, 20_000.0
    for _ in range(7):
        budget = float(np.sqrt(low * high))
        found = Neighbors(*search.first_round(everyone, Effort(budget, 6 * N_NEIGHBORS)))
        recall = recall_of(found, everyone, true)
        low, high = (budget, high) if recall < wanted else (low, budget)
    rows, columns, cosines = found.pairs()
    return SparseGraph(_either(rows, columns, cosines, U.shape[0], EdgeWeight("cosine")), recall), recall


def _quality(name: str, U: Any, y: IntArray, n_components: int) -> list[dict[str, Any]]:
    rows = []
    for wanted in (0.85, 0.9, 0.95, 1.0):
        graph, recall = graph_of_recall(U, wanted)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Z = unit_rows(RLPI(n_components, graph=graph, alpha=1.0).fit(U).transform(U))
        rows.append({"corpus": name, "recall": round(recall, 3), **_answers(Z, y)})
        print(rows[-1], flush=True)
    return rows


def _answers(Z: Any, y: IntArray) -> dict[str, float]:
    """NMI of k-means with as many clusters as classes, and 10-nearest-neighbour accuracy of the second half by the first."""
    from vicinal.metrics import normalized_mutual_info

    k, half = len(np.unique(y)), len(y) // 2
    order = np.random.RandomState(0).permutation(len(y))
    train, test = order[:half], order[half:]
    found = [KMeans(k, n_init=1, random_state=seed).fit_predict(Z) for seed in SEEDS]
    accuracy = KNeighborsClassifier(10, metric="cosine").fit(Z[train], y[train]).score(Z[test], y[test])
    return {
        "NMI (mean of 3 seeds)": round(float(np.mean([normalized_mutual_info(y, labels) for labels in found])), 4),
        "kNN accuracy": round(float(accuracy), 4),
    }


def ask_quality() -> Answer:
    """20 Newsgroups, and a sample of arXiv."""
    rows = _quality("20 Newsgroups", *newsgroups_bm25(), 30) + _quality(f"arXiv, {SAMPLE:,}", *abstracts(SAMPLE), 89)
    setting = "RLPI on the graph of a search held to a recall; k-means with as many clusters as classes, 10 nearest neighbours"
    return Answer("What does a target recall change in the answers?", setting, rows)


def main() -> None:
    """Cost, then answers."""
    ask_cost().save("recall_cost")
    ask_quality().save("recall_answers")
