"""What does an index of 200,000 abstracts cost from the command line: time of each stage, memory, bytes, and time of a search?

Commands run as a user would run them, each in a process of its own. bm25s indexes the same texts in the same minute, before and
after, in a process of its own too. Questions are the titles of documents of the corpus, one after another, in one process that
has the index open, as a service would; a search from the command line opens the file first, which is measured beside it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import Answer
from corpora import arxiv
from corpora.place import locate

QUESTIONS = 200
LIMITS = {
    "add": "SQLite writes the texts and its own index of words; one thread",
    "terms": "splitting texts into words; one thread",
    "embedding": "exact neighbours, a multiply-add per pair of documents and shared term; then eigenvectors of their graph",
    "clusters": "views of 30,000 documents: neighbours, spectra, k-means; threads over rows",
    "embed": "every document through the projection",
    "save": "SQLite writes the arrays",
}
STEP = re.compile(rf"^({'|'.join(LIMITS)})\b.*\((\d+\.\d) s\)$", re.MULTILINE)
PEER = """
import sys, bm25s, Stemmer
from corpora import arxiv
papers = arxiv.load(("title", "abstract"))
texts = [f"{title}\\n{text}" for title, text in zip(papers["title"], papers["abstract"])]
import time; start = time.perf_counter()
tokens = bm25s.tokenize(texts, stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)
found = bm25s.BM25(); found.index(tokens, show_progress=False)
print(time.perf_counter() - start)
"""


def run(*command: str) -> tuple[str, float, float]:
    """Run a command; return what it said on both streams, its seconds and its peak memory in MB."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([".", os.environ.get("PYTHONPATH", "")])}
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        said.seek(0)
        text = said.read()
    if status:
        raise RuntimeError(f"{' '.join(command)}:\n{text[-2000:]}")
    return text, seconds, usage.ru_maxrss / 1024


def vicinal(*arguments: str) -> tuple[str, float, float]:
    """Run the command line."""
    return run(sys.executable, "-m", "vicinal", *arguments)


def bm25s() -> float:
    """Seconds that bm25s takes for the same texts, from texts to its index."""
    return float(run(sys.executable, "-c", PEER)[0].split()[-1])


def stages(said: str, memory: float) -> list[dict[str, Any]]:
    """A row for each stage that a command has told of."""
    return [
        {"stage": name, "seconds": float(seconds), "peak of its command, MB": round(memory), "limited by": LIMITS[name]}
        for name, seconds in STEP.findall(said)
    ]


def _median_ms(ask: Callable[[str], Any], questions: list[str]) -> float:
    times = []
    for question in questions:
        start = time.perf_counter()
        ask(question)
        times.append(1000 * (time.perf_counter() - start))
    return float(np.median(times))


def searches(index: str, questions: list[str]) -> list[dict[str, Any]]:
    """Median times of questions, in one process and from the command line."""
    import vicinal as library

    with library.open(index) as opened:
        start = time.perf_counter()
        opened.search("graph")
        rows = [{"search": "first in a process: the index is loaded", "ms": round(1000 * (time.perf_counter() - start))}]
        for by in ("both", "terms", "embedding"):
            ms = _median_ms(lambda question, by=by: opened.search(question, by=by), questions)  # type: ignore[misc]
            rows.append({"search": f"by {by}, index open, median of {len(questions)}", "ms": round(ms, 1)})
    seconds = [vicinal("search", index, question)[1] for question in questions[:5]]
    return [*rows, {"search": "from the command line, median of 5", "ms": round(1000 * float(np.median(seconds)))}]


def main() -> None:
    """Index, fit and search."""
    source, questions = str(locate("arxiv")), arxiv.load(("title",), limit=QUESTIONS)["title"]
    with tempfile.TemporaryDirectory() as folder:
        index = str(Path(folder) / "arxiv.vic")
        peer = [bm25s()]
        said, seconds, memory = vicinal(
            *("index", source, "-o", index, "--no-fit", "--text", "abstract", "--title", "title", "--id", "id"),
            *("--metadata", "category", "--metadata", "created"),
        )
        rows, bare = stages(said, memory), os.path.getsize(index)
        peer.append(bm25s())
        n_documents, theirs = len(arxiv.load(("id",))["id"]), float(np.mean(peer))
        said, _, memory = vicinal("fit", index)
        rows += stages(said, memory)
        checks = [
            f"indexing: {n_documents / seconds:,.0f} documents a second from Parquet to the file; bm25s, texts in memory and "
            f"nothing written: {n_documents / theirs:,.0f}. Ours is {theirs / seconds:.2f} of that; asked for is 0.25.",
            f"size: {bare / 2**20:,.0f} MB with texts and full text, {os.path.getsize(index) / 2**20:,.0f} MB with all that was "
            f"learnt; the Parquet file has {os.path.getsize(source) / 2**20:,.0f} MB.",
        ]
        setting = f"arXiv, {n_documents:,} titles with abstracts, commands as a user types them"
        Answer("What does an index of 200,000 abstracts cost?", setting, rows, checks).save("index")
        Answer("How long does a search take?", setting, searches(index, questions)).save("index_search")
