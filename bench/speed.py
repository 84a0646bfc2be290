"""How much CPU time does this tree take, against another checkout of it?

``python -m bench.speed ../before`` starts a process for each of the two trees, lets them take turns, job by job, and compares
medians of CPU seconds of one thread, and the answers. Jobs can be named:
``python -m bench.speed ../before regress-tdt2 topics-newsgroups``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from bench.harness import RESULTS, Answer

ROOT = Path(__file__).parents[1]
REPEATS = 3
COPIES = 10_000
ABSTRACTS = 25_000


@cache
def _responses(name: str) -> tuple[Any, Any, float]:
    """X, the thirty smoothest functions of its neighbour graph, and the ridge penalty."""
    from bench.data import newsgroups_bm25, tdt2_tf
    from vicinal.graph import knn
    from vicinal.spectrum import solve

    X, k, alpha = (tdt2_tf()[0], 7, 0.1) if name == "tdt2" else (newsgroups_bm25()[0], 15, 1.0)
    return X, solve(knn(X, k, n_jobs=1), 30), alpha


def _regress(name: str) -> Callable[[], Any]:
    from vicinal.projection import Ridge, regress

    X, spectrum, alpha = _responses(name)
    return lambda: X @ regress(X, spectrum, Ridge(alpha), n_jobs=1).weights


def _rlpi(name: str) -> Callable[[], Any]:
    from vicinal import RLPI

    X, _, alpha = _responses(name)
    return lambda: RLPI(30, n_neighbors=7 if name == "tdt2" else 15, alpha=alpha, n_jobs=1).fit_transform(X)


@cache
def _texts(name: str) -> list[str]:
    from corpora import arxiv, newsgroups

    return newsgroups.load("all")[0] if name == "newsgroups" else arxiv.load(("abstract",), limit=ABSTRACTS)["abstract"]


def _topics(name: str) -> Callable[[], Any]:
    from vicinal import Topics, Vectorizer

    X = Vectorizer("tf", unit=False).fit_transform(_texts(name))
    return lambda: Topics(n_jobs=1).fit(X).labels_


def _copies(method: str) -> Callable[[], Any]:
    """Ten thousand copies of one post among three hundred others."""
    from bench.data import newsgroups_bm25
    from vicinal import RLPI, Topics

    X = newsgroups_bm25()[0][:301]
    X = sp.csr_array(sp.vstack([X, X[[0] * COPIES]]))
    if method == "rlpi":
        return lambda: RLPI(10, n_jobs=1).fit_transform(X)
    return lambda: Topics(n_jobs=1).fit(X).labels_


JOBS: dict[str, tuple[str, Callable[[str], Callable[[], Any]], str]] = {
    "regress-tdt2": ("regression of RLPI, TDT2", _regress, "tdt2"),
    "regress-newsgroups": ("regression of RLPI, 20 Newsgroups", _regress, "newsgroups"),
    "rlpi-tdt2": ("RLPI, TDT2", _rlpi, "tdt2"),
    "rlpi-newsgroups": ("RLPI, 20 Newsgroups", _rlpi, "newsgroups"),
    "topics-newsgroups": ("Topics, 20 Newsgroups", _topics, "newsgroups"),
    "topics-abstracts": (f"Topics, {ABSTRACTS:,} abstracts", _topics, "abstracts"),
    "copies-rlpi": (f"RLPI, {COPIES:,} copies of one post", _copies, "rlpi"),
    "copies-topics": (f"Topics, {COPIES:,} copies of one post", _copies, "topics"),
}


def work() -> None:
    """Read names of jobs from standard input; print the CPU seconds of each and where its answer is."""
    warnings.simplefilter("ignore")
    ready: dict[str, Callable[[], Any]] = {}
    for line in sys.stdin:
        name = line.strip()
        if name not in ready:
            ready[name] = JOBS[name][1](JOBS[name][2])
            ready[name]()  # compiles
        start = time.process_time()
        answer = ready[name]()
        seconds = time.process_time() - start
        with tempfile.NamedTemporaryFile(suffix=".npy", delete=False) as file:
            np.save(file, np.asarray(answer))
        print(json.dumps({"seconds": seconds, "answer": file.name}), flush=True)


def start_worker(tree: Path) -> subprocess.Popen[str]:
    """A process that runs jobs with the package of a tree, and the jobs of this one."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree / "src"), str(ROOT)]), "OMP_NUM_THREADS": "1"}
    code = "from bench.speed import work; work()"
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    )


def ask_worker(worker: subprocess.Popen[str], job: str) -> tuple[float, Any]:
    """CPU seconds and the answer of one job."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(job + "\n")
    worker.stdin.flush()
    said = json.loads(worker.stdout.readline())
    answer = np.load(said["answer"])
    Path(said["answer"]).unlink()
    return said["seconds"], answer


def difference(before: Any, now: Any) -> str:
    """How far two answers differ: labels by the adjusted Rand index, embeddings by the largest relative error of a component."""
    if before.ndim == 1:
        from sklearn.metrics import adjusted_rand_score

        return f"adjusted Rand index {adjusted_rand_score(before, now):.4f}"
    signs = np.sign(np.sum(before * now, axis=0))
    return f"error {np.max(np.linalg.norm(before - now * signs, axis=0) / np.linalg.norm(before, axis=0)):.1e}"


def compare(job: str, workers: tuple[subprocess.Popen[str], subprocess.Popen[str]]) -> dict[str, Any]:
    """One row of the table."""
    turns = [tuple(ask_worker(worker, job) for worker in workers) for _ in range(REPEATS)]
    before, now = (float(np.median([turn[which][0] for turn in turns])) for which in (0, 1))
    return {
        "job": JOBS[job][0],
        "before, CPU s": round(before, 2),
        "now, CPU s": round(now, 2),
        "times as fast": round(before / now, 2),
        "answers differ by": difference(turns[-1][0][1], turns[-1][1][1]),
    }


def main() -> None:
    """Rows of jobs that were run earlier stay in the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__)
    parser.add_argument("before", type=Path, help="another checkout")
    parser.add_argument("jobs", nargs="*", choices=[*JOBS, []], help="all by default")
    given = parser.parse_args()
    file = RESULTS / "speed.json"
    rows = {row["job"]: row for row in json.loads(file.read_text())["rows"]} if file.exists() else {}
    said = subprocess.run(["git", "-C", given.before, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    setting = f"against commit {said.stdout.strip()}, one thread, medians of {REPEATS} turns"
    workers = start_worker(given.before.resolve()), start_worker(ROOT)
    for job in given.jobs or JOBS:
        rows[JOBS[job][0]] = compare(job, workers)
        print(rows[JOBS[job][0]], flush=True)
        ordered = [rows[name] for name, _, _ in JOBS.values() if name in rows]
        Answer("How much CPU time is saved?", setting, ordered).save("speed")
    for worker in workers:
        worker.communicate()


if __name__ == "__main__":
    main()
