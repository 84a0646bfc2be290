"""How good and how fast is search, against engines that people use? One run; at each query everybody is asked in turn.

``python -m bench.search --documents 20000`` makes a smaller run, and ``--index FILE`` takes an index of the abstracts that exists
already (as `bench.index` makes it). Quality is MAP and nDCG@10 on collections with judged answers. Speed is measured on titles with
abstracts, by processor time, as the machine is shared; titles are the queries. For us an answer is hits with passages and reasons,
for the others ids and scores. A peer that is not installed is left out, and said. Last, another process adds documents to a
duplicate of the index while it is searched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

import vicinal
from bench.harness import Answer
from bench.report import write
from bench.retrieval import Task, judged, measures
from corpora import arxiv
from vicinal.errors import VicinalWarning

OURS, BESIDE = "vicinal", "vicinal, while another process adds"
COLLECTIONS = ("cranfield", "med", "cisi")


class Engine(Protocol):
    """An engine with documents in it."""

    def search(self, query: str, limit: int) -> list[int]:
        """Positions of documents, best first."""


class Ours:
    """`vicinal.Index`, fitted."""

    def __init__(self, folder: Path, texts: Sequence[str]) -> None:
        self.path = folder / "ours.vic"
        self._index = vicinal.open(self.path, create=True)
        if not texts:
            return
        self._index.add(vicinal.Document(str(i), text) for i, text in enumerate(texts))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VicinalWarning)
            self._index.fit()

    def search(self, query: str, limit: int) -> list[int]:
        """Positions of documents, best first."""
        return [int(id) for id in _told(self._index.search(query, limit, plain=True))]

    def search_many(self, queries: Sequence[str], limit: int) -> list[list[int]]:
        """The same for several queries in one call."""
        return [[int(id) for id in _told(hits)] for hits in self._index.search_many(queries, limit, plain=True)]


class Made(Ours):
    """An index that exists already, of which a duplicate is searched."""

    def __init__(self, folder: Path, path: Path) -> None:
        shutil.copy(path, folder / "ours.vic")
        super().__init__(folder, ())

    def search(self, query: str, limit: int) -> list[int]:
        """As many zeros as there are hits: ids are those of the file."""
        return [0 for _ in _told(self._index.search(query, limit, plain=True))]

    def search_many(self, queries: Sequence[str], limit: int) -> list[list[int]]:
        """The same for several queries in one call."""
        return [[0 for _ in _told(hits)] for hits in self._index.search_many(queries, limit, plain=True)]


def _told(hits: vicinal.index.Hits) -> list[str]:
    """The ids of hits, after their scores, reasons and passages were asked for, which are made then."""
    return [hit.id for hit in hits if hit.why.total == hit.score and hit.snippet is not None]


class FullText:
    """SQLite's FTS5 by itself: BM25 of Porter's stems."""

    def __init__(self, folder: Path, texts: Sequence[str]) -> None:
        self._connection = sqlite3.connect(folder / "fts5.db")
        self._connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize='porter unicode61')")
        self._connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", enumerate(texts))
        self._connection.commit()

    def search(self, query: str, limit: int) -> list[int]:
        """Positions of documents, best first."""
        asked = " OR ".join(f'"{word}"' for word in dict.fromkeys(_words(query)))
        statement = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?"
        return [row for (row,) in self._connection.execute(statement, (asked, limit))] if asked else []


class Bm25s:
    """bm25s with English stop words and stems, saved and in memory."""

    def __init__(self, folder: Path, texts: Sequence[str]) -> None:
        import bm25s
        import Stemmer

        def tokenize(given: list[str]) -> Any:
            return bm25s.tokenize(given, stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)

        self._tokenize: Callable[[list[str]], Any] = tokenize
        self._engine, self._n = bm25s.BM25(), len(texts)
        self._engine.index(self._tokenize(list(texts)), show_progress=False)
        self._engine.save(folder / "bm25s")

    def search(self, query: str, limit: int) -> list[int]:
        """Positions of documents, best first."""
        found, _ = self._engine.retrieve(self._tokenize([query]), k=min(limit, self._n), show_progress=False)
        return [int(each) for each in found[0]]


class Tantivy:
    """tantivy with its English analyser."""

    def __init__(self, folder: Path, texts: Sequence[str]) -> None:
        import tantivy

        fields = tantivy.SchemaBuilder()
        fields.add_integer_field("row", stored=True)
        fields.add_text_field("text", tokenizer_name="en_stem")
        (folder / "tantivy").mkdir()
        self._index = tantivy.Index(fields.build(), path=str(folder / "tantivy"))
        writer = self._index.writer()
        for row, text in enumerate(texts):
            writer.add_document(tantivy.Document(row=row, text=text))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, query: str, limit: int) -> list[int]:
        """Positions of documents, best first."""
        asked = self._index.parse_query(" ".join(_words(query)).lower(), ["text"])
        return [self._searcher.doc(address)["row"][0] for _, address in self._searcher.search(asked, limit).hits]


ENGINES: dict[str, tuple[str, Callable[[Path, Sequence[str]], Engine]]] = {
    OURS: ("vicinal", Ours),
    "bm25s": ("bm25s", Bm25s),
    "tantivy": ("tantivy", Tantivy),
    "SQLite FTS5": ("sqlite3", FullText),
}


def _words(query: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in query).split()


def installed() -> list[str]:
    """Engines that can be asked here."""
    return [name for name, (module, _) in ENGINES.items() if find_spec(module) is not None]


def quality(tasks: dict[str, Task], depth: int) -> list[dict[str, Any]]:
    """MAP and nDCG@10 of everyone on every collection; what is below ``depth`` is not found."""
    rows = []
    for name in installed():
        row: dict[str, Any] = {"who": name}
        for title, task in tasks.items():
            with tempfile.TemporaryDirectory() as folder:
                engine = ENGINES[name][1](Path(folder), task.documents)
                found = [_judged(engine, each, task, depth) for each in range(len(task.questions))]
            row[title] = " / ".join(f"{100 * value:.1f}" for value in np.mean(found, axis=0) / 100)
        rows.append(row)
    return rows


def _judged(engine: Engine, question: int, task: Task, depth: int) -> tuple[float, float]:
    scores, best = np.zeros(len(task.documents)), engine.search(task.questions[question], depth)
    scores[best] = np.arange(len(best), 0, -1)
    return measures(scores, task.relevant[question])


def speed(texts: Sequence[str], queries: Sequence[str], limit: int = 10, made: Path | None = None) -> list[dict[str, Any]]:
    """Processor seconds to index, times of queries asked in turn, and bytes on the disk; ratios to ours."""
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as place:
        engines: dict[str, Engine] = {}
        for name in installed():
            folder = Path(place) / _words(name)[0]
            folder.mkdir()
            start, known = time.process_time(), made is not None and name == OURS
            engines[name] = Made(folder, made) if known and made is not None else ENGINES[name][1](folder, texts)
            took = "" if known else round(time.process_time() - start, 2)
            rows[name] = {"who": name, "index, s": took, "MB": round(_bytes(folder) / 2**20, 3)}
        times = _taking_turns(engines, queries, limit)
        ours = engines[OURS]
        assert isinstance(ours, Ours)
        start = time.process_time()
        ours.search_many(queries, limit)
        together = (time.process_time() - start) / len(queries)
        times[BESIDE] = beside_writer(ours, queries, limit)
    for name, seconds in times.items():
        middle, row = float(np.median(seconds)), rows.setdefault(name, {"who": name})
        row |= {"p50, ms": round(1000 * middle, 2), "p99, ms": round(1000 * float(np.percentile(seconds, 99)), 2)}
        row |= {"queries a second": round(1 / float(np.mean(seconds))), "p50, times ours": _ratio(middle, times[OURS])}
    rate = {"who": f"{OURS}, all in one call", "queries a second": round(1 / together)}
    return [*rows.values(), {**rate, "p50, times ours": _ratio(together, times[OURS])}]


#: Adds ten documents at a time, each time in a transaction of its own, until its standard input is closed.
WRITER = """
import select, sys, vicinal
with vicinal.open(sys.argv[1]) as index:
    n = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        index.add(vicinal.Document(f"new {n + i}", f"document {n + i} that came while others searched") for i in range(10))
        n += 10
        print(n, flush=True)
"""


def beside_writer(engine: Ours, queries: Sequence[str], limit: int) -> list[float]:
    """Processor seconds of each query while another process adds documents to the same file."""
    command = [sys.executable, "-c", WRITER, str(engine.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdout.readline()
        times = [_seconds(engine, query, limit) for query in queries]
        writer.stdin.close()
        writer.stdout.read()
    return times


def _seconds(engine: Engine, query: str, limit: int) -> float:
    start = time.process_time()
    engine.search(query, limit)
    return time.process_time() - start


def _taking_turns(engines: dict[str, Engine], queries: Sequence[str], limit: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in engines}
    for engine in engines.values():
        engine.search(queries[0], limit)
    for query in queries:
        for name, engine in engines.items():
            times[name].append(_seconds(engine, query, limit))
    return times


def _ratio(seconds: float, ours: list[float]) -> float:
    return round(seconds / float(np.median(ours)), 3)


def _bytes(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


def report(
    tasks: dict[str, Task], texts: Sequence[str], queries: Sequence[str], depth: int, made: Path | None = None
) -> list[Answer]:
    """Both answers."""
    left_out = [name for name in ENGINES if name not in installed()]
    checks = [f"not installed here, and left out: {', '.join(left_out)}"] if left_out else []
    how = f"{len(texts):,} abstracts, {len(queries)} titles as queries, asked in turn, by processor time on a busy machine; "
    how += "ours are hits with passages and reasons"
    good = f"MAP / nDCG@10, %, of the first {depth:,}; each engine with its English stems"
    return [
        Answer("How good is search beside other engines?", good, quality(tasks, depth), checks),
        Answer("How fast is search beside other engines?", how, speed(texts, queries, made=made), checks),
    ]


def main(arguments: Sequence[str] = ()) -> None:
    """Run, print and save."""
    parser = argparse.ArgumentParser(prog="python -m bench.search", description=__doc__)
    parser.add_argument("--documents", type=int, default=200_000, help="abstracts for the measurement of speed")
    parser.add_argument("--queries", type=int, default=200, help="titles that are asked")
    parser.add_argument("--depth", type=int, default=1000, help="documents of each answer that are judged")
    parser.add_argument("--index", type=Path, help="a fitted index of all abstracts, which is then not made")
    asked = parser.parse_args(arguments)
    papers = arxiv.load(("title", "abstract"), limit=asked.documents)
    tasks = {name.title(): judged(name) for name in COLLECTIONS}
    texts = [f"{title}\n{text}" for title, text in zip(papers["title"], papers["abstract"], strict=True)]
    answers = report(tasks, texts, papers["title"][: asked.queries], asked.depth, asked.index)
    for answer, name in zip(answers, ("search_quality", "search"), strict=True):
        for row in answer.rows:
            print(row)
        answer.save(name)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main(sys.argv[1:])
    write()
