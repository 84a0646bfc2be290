"""What does a layout of many documents cost? Graphs of groups of documents with a few edges between groups, and embeddings.

The graph is made up, so that a million documents can be measured without a corpus of a million: each document has 13 neighbours
drawn from its group and two from the groups beside it. In an index the fit has graph and embeddings already; they are not part
of the times. Sizes are measured one after the other; what is there already is not measured again.
"""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import scipy.sparse as sp

from bench.harness import RESULTS, Answer
from vicinal._typing import FloatArray, SparseMatrix
from vicinal.uses._layout.layout import layout_of_graph

SIZES = (50_000, 200_000, 1_000_000)
GROUP, INSIDE, BESIDE, N_COMPONENTS = 200, 13, 2, 20
QUESTION = "What does a layout of many documents cost?"
SETTING = (
    f"Graphs of groups of {GROUP} documents, {INSIDE + BESIDE} neighbours each, drawn at random; CPU seconds of all threads "
    "together, compiled before, without graph and embeddings"
)


def drawn(n_documents: int) -> tuple[SparseMatrix, FloatArray]:
    """The graph and embeddings of documents in groups."""
    random = np.random.default_rng(0)
    documents = np.arange(n_documents)
    inside = (documents[:, None] // GROUP) * GROUP + random.integers(0, GROUP, (n_documents, INSIDE))
    beside = documents[:, None] + random.integers(-5 * GROUP, 5 * GROUP, (n_documents, BESIDE))
    others = np.clip(np.hstack([inside, beside]), 0, n_documents - 1)
    weights = random.uniform(0.1, 1.0, others.shape)
    rows = np.repeat(documents, others.shape[1])
    graph = sp.csr_array((weights.ravel(), (rows, others.ravel())), shape=(n_documents, n_documents))
    graph = sp.csr_array(graph + graph.T)
    graph.setdiag(0)
    graph.eliminate_zeros()
    middles = random.standard_normal((n_documents // GROUP + 1, N_COMPONENTS)).cumsum(axis=0)
    return graph, middles[documents // GROUP] + random.standard_normal((n_documents, N_COMPONENTS))


def near(points: FloatArray) -> float:
    """Of a thousand documents, the share of the ten nearest points that are of the same group."""
    from sklearn.neighbors import NearestNeighbors

    asked = np.random.default_rng(0).integers(0, len(points), 1000)
    found = NearestNeighbors(n_neighbors=11).fit(points).kneighbors(points[asked], return_distance=False)[:, 1:]
    return float((found // GROUP == asked[:, None] // GROUP).mean())


def measure(n_documents: int) -> dict[str, Any]:
    """The row of one size."""
    graph, embeddings = drawn(n_documents)
    began = time.process_time()
    points = layout_of_graph(graph, embeddings, 0)
    seconds = time.process_time() - began
    return {"documents": f"{n_documents:,}", "CPU seconds": round(seconds, 1), "of the same group": f"{near(points):.0%}"}


def main() -> None:
    """Measure the sizes that have no row yet, smallest first."""
    kept = RESULTS / "layout_size.json"
    rows = json.loads(kept.read_text())["rows"] if kept.exists() else []
    layout_of_graph(*drawn(2_000), 0)  # compiles
    for size in SIZES:
        if f"{size:,}" not in {row["documents"] for row in rows}:
            rows.append(measure(size))
            print(rows[-1], flush=True)
            Answer(QUESTION, SETTING, rows).save("layout_size")
