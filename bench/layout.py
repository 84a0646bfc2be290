"""How good is a layout? Against UMAP, t-SNE and PaCMAP: what two numbers per document keep of neighbours and classes, and its cost.

All have the same 15 neighbours: ours and openTSNE as a graph, UMAP as a list, PaCMAP as pairs beside the largest 50 singular
vectors of X, which it must have. The neighbours are not part of the times. A document that has no point counts as wrong and as not
preserved. Peers that are not installed are left out: ``pip install umap-learn openTSNE pacmap``. To measure anew, remove the
file of results.
"""

from __future__ import annotations

import importlib.util
import json
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.manifold import trustworthiness
from sklearn.neighbors import NearestNeighbors

from bench.data import newsgroups_bm25
from bench.harness import RESULTS, Answer
from corpora import arxiv
from vicinal import Vectorizer
from vicinal._consensus.embeddings import latent_embedding
from vicinal._matrix import unit_rows
from vicinal._typing import FloatArray, IntArray
from vicinal.graph import knn, nearest, repair
from vicinal.uses._layout.layout import layout_of_graph

N_NEIGHBORS, SAMPLE, VOTERS = 15, 2_000, 10
ABSTRACTS = 5_000
QUESTION = "How good is a layout, and what does it cost?"
SETTING = (
    f"Documents with a neighbour, {N_NEIGHBORS} neighbours each; trustworthiness of {SAMPLE:,} drawn; "
    "CPU seconds, all threads together, compiled before. Rows come from several runs on a busy machine, so that times compare "
    "roughly. Our attraction was chosen with a view to these labels, and peers have their defaults"
)


@dataclass(frozen=True, eq=False)
class Corpus:
    """Documents that have neighbours, with what each contender takes."""

    name: str
    X: Any
    labels: IntArray
    neighbors: IntArray
    cosines: FloatArray
    graph: Any
    latent: FloatArray

    def first(self, n: int) -> Corpus:
        """A few documents, to compile and warm up with."""
        return _corpus(self.name, self.X[:n], self.labels[:n])


def _corpus(name: str, X: Any, labels: IntArray) -> Corpus:
    X = unit_rows(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph = repair(knn(X, N_NEIGHBORS), X)
        kept = np.flatnonzero(graph.has_edges)
    X, found = X[kept], nearest(X[kept], N_NEIGHBORS)
    weights = graph.restrict(kept).skeleton()
    return Corpus(name, X, labels[kept], found.documents, found.similarities, weights, latent_embedding(X, 50, 0))


def abstracts() -> tuple[Any, IntArray]:
    """Abstracts of arXiv, and their categories."""
    papers = arxiv.load(("abstract", "category"), limit=ABSTRACTS)
    return Vectorizer("bm25").fit_transform(papers["abstract"]), np.unique(papers["category"], return_inverse=True)[1]


CORPORA: dict[str, Callable[[], tuple[Any, IntArray]]] = {
    f"arXiv, {ABSTRACTS:,} abstracts": abstracts,
    "20 Newsgroups": newsgroups_bm25,
}


def vicinal_layout(corpus: Corpus) -> FloatArray:
    """Ours, from the graph alone."""
    return layout_of_graph(corpus.graph, None, 0)


def umap_layout(corpus: Corpus) -> FloatArray:
    """UMAP with its defaults and our neighbours."""
    from umap import UMAP

    itself, missing = np.arange(len(corpus.neighbors))[:, None], corpus.neighbors < 0
    documents = np.hstack([itself, np.where(missing, itself, corpus.neighbors)]).astype(np.int32)
    distances = np.hstack([np.zeros_like(itself, dtype=float), np.where(missing, 1.0, 1.0 - corpus.cosines)]).clip(0)
    known = documents, distances.astype(np.float32)
    method = UMAP(n_neighbors=N_NEIGHBORS + 1, metric="cosine", precomputed_knn=known, random_state=0, n_jobs=1)
    return np.asarray(method.fit_transform(corpus.X))


def tsne_layout(corpus: Corpus) -> FloatArray:
    """openTSNE with its defaults and our graph."""
    from openTSNE import TSNE
    from openTSNE.affinity import PrecomputedAffinities
    from openTSNE.initialization import pca

    affinities = PrecomputedAffinities(sp.csr_matrix(corpus.graph))
    found = TSNE(random_state=0, n_jobs=1).fit(affinities=affinities, initialization=pca(corpus.latent, random_state=0))
    return np.asarray(found)


def pacmap_layout(corpus: Corpus) -> FloatArray:
    """PaCMAP with its defaults and our neighbours beside the singular vectors."""
    from pacmap import PaCMAP

    queries, _ = np.nonzero(corpus.neighbors >= 0)
    pairs = np.column_stack([queries, corpus.neighbors[corpus.neighbors >= 0]]).astype(np.int32)
    method = PaCMAP(n_neighbors=N_NEIGHBORS, random_state=0, pair_neighbors=pairs, apply_pca=False)
    return np.asarray(method.fit_transform(corpus.latent.astype(np.float32)))


CONTENDERS: dict[str, tuple[str, Callable[[Corpus], FloatArray]]] = {
    "vicinal": ("vicinal", vicinal_layout),
    "UMAP": ("umap", umap_layout),
    "PaCMAP": ("pacmap", pacmap_layout),
    "openTSNE": ("openTSNE", tsne_layout),
}


def measured(corpus: Corpus, points: FloatArray) -> dict[str, Any]:
    """Classes of the nearest points, neighbours among them, and trustworthiness in a sample."""
    kept = np.flatnonzero(np.isfinite(points).all(axis=1))
    near = kept[NearestNeighbors(n_neighbors=N_NEIGHBORS + 1).fit(points[kept]).kneighbors(return_distance=False)[:, :N_NEIGHBORS]]
    votes = np.zeros((len(kept), corpus.labels.max() + 1), dtype=int)
    for rank in range(VOTERS):
        votes[np.arange(len(kept)), corpus.labels[near[:, rank]]] += 1
    right = (votes.argmax(axis=1) == corpus.labels[kept]).sum() / len(points)
    same = sum(len(np.intersect1d(a, b[b >= 0])) for a, b in zip(near, corpus.neighbors[kept], strict=True))
    drawn = kept[np.random.RandomState(0).permutation(len(kept))[:SAMPLE]]
    trusted = trustworthiness(corpus.X[drawn].toarray(), points[drawn], n_neighbors=N_NEIGHBORS, metric="cosine")
    return {
        "class of 10 nearest": f"{right:.1%}",
        f"neighbours kept of {N_NEIGHBORS}": f"{same / N_NEIGHBORS / len(points):.1%}",
        "trustworthiness": f"{trusted:.3f}",
    }


def measure(corpus: Corpus, warm: Corpus, name: str) -> dict[str, Any]:
    """The row of one contender."""
    make = CONTENDERS[name][1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        make(warm)
        began = time.process_time()
        points = make(corpus)
        seconds = time.process_time() - began
    return {"corpus": corpus.name, "who": name, **measured(corpus, points), "CPU seconds": round(seconds, 1)}


def with_ratios(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with how many times our seconds each took on its corpus."""
    ours = {row["corpus"]: row["CPU seconds"] for row in rows if row["who"] == "vicinal"}
    return [{**row, "times ours": round(row["CPU seconds"] / ours[row["corpus"]], 1)} for row in rows if row["corpus"] in ours]


def main() -> None:
    """Measure every contender that is installed on both corpora; what is there already is not measured again."""
    kept = RESULTS / "layout.json"
    rows = json.loads(kept.read_text())["rows"] if kept.exists() else []
    installed = [name for name, (module, _) in CONTENDERS.items() if importlib.util.find_spec(module) is not None]
    for name, load in CORPORA.items():
        missing = [who for who in installed if (name, who) not in {(row["corpus"], row["who"]) for row in rows}]
        if not missing:
            continue
        corpus = _corpus(name, *load())
        warm = corpus.first(600)
        for who in missing:
            rows.append(measure(corpus, warm, who))
            print(rows[-1], flush=True)
            Answer(QUESTION, SETTING, with_ratios(rows)).save("layout")
