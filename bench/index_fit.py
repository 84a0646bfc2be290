"""What does an index fit of 20 Newsgroups cost, in seconds of CPU by stage, and what does one neighbour graph for two save?

The embedding and the clusters of an index need the neighbours of the same documents, by terms that are the same but for those in
more than half of them. One graph serves both; beside it is a fit whose clusters search for neighbours of their own. Both take turns
in processes of their own, and CPU seconds are counted, of all threads, since the machine is shared.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import vicinal
from bench.harness import Answer
from corpora import newsgroups
from vicinal.index._fit import fit_model
from vicinal.metrics import normalized_mutual_info

TURNS = 3
CONTENDERS = {"one graph for both": True, "a graph of the clusters' own": False}


def fit(shared: bool) -> dict[str, Any]:
    """CPU seconds of each stage of one fit, and how well its clusters agree with the newsgroups."""
    texts, classes, _ = newsgroups.load("all")
    spent: dict[str, float] = {}
    stage, since = "terms", 0.0

    def told(step: str, done: int, total: int) -> None:
        nonlocal stage, since
        now = time.process_time()
        spent[stage] = spent.get(stage, 0.0) + now - since
        stage, since = step, now

    with tempfile.TemporaryDirectory() as folder, vicinal.open(Path(folder) / "news.vic", create=True) as index:
        index.add(vicinal.Document(str(i), text) for i, text in enumerate(texts))
        with mock.patch.object(fit_model, "_serves_clusters", return_value=shared):
            since = start = time.process_time()
            index.fit(n_clusters=20, progress=told)
        told("", 0, 0)
        seconds = time.process_time() - start
        by_id = {str(row["id"]): row["cluster"] for row in index.table(output="polars").iter_rows(named=True)}
    there = [i for i in range(len(texts)) if by_id[str(i)] is not None]
    agreement = normalized_mutual_info(np.asarray(classes)[there], np.array([by_id[str(i)] for i in there]))
    return {"CPU s": seconds, **spent, "NMI": agreement, "documents": len(texts)}


def main() -> None:
    """Write results/index_fit.json."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in CONTENDERS}
    for _ in range(TURNS):
        for name, shared in CONTENDERS.items():
            command = [sys.executable, "-m", "bench.index_fit", str(int(shared))]
            runs[name].append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    rows: list[dict[str, Any]] = [{"neighbour graphs": name, **_median(found)} for name, found in runs.items()]
    one, two = (row["CPU s"] for row in rows)
    checks = [f"one graph for both saves {two - one:.1f} of {two:.1f} CPU seconds ({1 - one / two:.0%})"]
    question = "What does an index fit of 20 Newsgroups cost, and what does one neighbour graph for two save?"
    setting = (
        f"{runs['one graph for both'][0]['documents']:,} posts, 20 clusters, medians of {TURNS} fits that take turns, CPU seconds"
    )
    Answer(question, setting, rows, checks).save("index_fit")


def _median(found: list[dict[str, Any]]) -> dict[str, float]:
    names = [name for name in found[0] if name != "documents"]
    return {name: round(float(np.median([each[name] for each in found])), 3 if name == "NMI" else 1) for name in names}


if __name__ == "__main__":
    print(json.dumps(fit(bool(int(sys.argv[1])))))
