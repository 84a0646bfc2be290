"""Does RLPI fit an X that is several times the memory it may use, and is the answer that of a fit in memory?

X is made on disk: each document joins ten abstracts of arXiv that are drawn from one of the ten largest categories (of the first
20,000 abstracts, BM25 in float32), so that no two are the same. The fit, with the categories as labels, runs in a process of its
own, whose peak counts all of its memory: Python, libraries and data. On the first 20,000 documents it is compared with a fit in
memory. The environment variable OUT_OF_CORE_GB sets the size of X.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

import vicinal
from bench.harness import Answer, _status
from bench.recall import abstracts
from vicinal import RLPI
from vicinal.terms import RowBlocks

GIGABYTES = float(os.environ.get("OUT_OF_CORE_GB", "2"))
BUDGET = "500MB"
ABSTRACTS, CLASSES, JOINED, BATCH, PART = 20_000, 10, 10, 5_000, 20_000


def batches(labels: list[np.ndarray[Any, Any]]) -> Iterator[Any]:
    """Documents as they are made, a batch at a time, until there are enough bytes; their classes are appended to ``labels``."""
    X, y = abstracts(ABSTRACTS)
    base = sp.csr_array(X.astype(np.float32))
    largest = np.argsort(-np.bincount(y), kind="stable")[:CLASSES]
    members = [np.flatnonzero(y == each) for each in largest]
    rng, made = np.random.default_rng(0), 0.0
    while made < GIGABYTES * 1e9:
        classes = rng.integers(0, CLASSES, BATCH)
        drawn = np.concatenate([rng.choice(members[each], JOINED, replace=False) for each in classes])
        chosen = sp.csr_array(
            (np.ones(len(drawn), np.float32), drawn, np.arange(0, len(drawn) + 1, JOINED)), shape=(BATCH, ABSTRACTS)
        )
        batch = sp.csr_array(chosen @ base)
        made += batch.data.nbytes + batch.indices.nbytes + 8 * BATCH
        labels.append(classes)
        yield batch


def fit(folder: str) -> None:
    """The fit from disk, and what it took, as a line of JSON."""
    y = np.load(Path(folder) / "y.npy")
    start = time.process_time()
    model = RLPI(CLASSES - 1, engine=vicinal.engine("disk", n_jobs=2, memory=BUDGET)).fit(folder, y)
    took = {"CPU s": round(time.process_time() - start), "peak, MB": round(_status("VmHWM") / 1024), "iterations": model.n_iter_}
    print(json.dumps(took))


def difference(folder: str) -> float:
    """The largest difference of weights between fits of the first documents in memory and from blocks, relative to the largest."""
    rows = sp.csr_array(sp.vstack([block for block, _ in zip(RowBlocks.open(folder, rows=PART // 4), range(4), strict=False)]))
    y = np.load(Path(folder) / "y.npy")[: rows.shape[0]]
    blocks: Any = RowBlocks.of(rows, 1_234)
    one, other = RLPI(CLASSES - 1).fit(rows, y), RLPI(CLASSES - 1).fit(blocks, y)
    return float(np.abs(one.components_ - other.components_).max() / np.abs(one.components_).max())


def main() -> None:
    """Make X, fit it in a process with a budget, and compare a part."""
    with tempfile.TemporaryDirectory(prefix="vicinal-bench-") as folder:
        labels: list[np.ndarray[Any, Any]] = []
        blocks = RowBlocks.write(folder, batches(labels))
        np.save(Path(folder) / "y.npy", np.concatenate(labels))
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        code = f"from bench.out_of_core import fit; fit({folder!r})"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        took = json.loads(done.stdout.splitlines()[-1])
        row = {
            "documents": blocks.shape[0],
            "terms": blocks.shape[1],
            "X on disk, MB": round(size / 1e6),
            "budget": BUDGET,
            **took,
            "difference from memory, first 20,000": difference(folder),
        }
    Answer("Does RLPI fit an X that is larger than its memory?", f"{CLASSES - 1} components, labels, two threads", [row]).save(
        "out_of_core"
    )
