"""Does a plan predict what an index costs, by stage, before it is made?

Abstracts of arXiv in four sizes, and 20 Newsgroups, which no coefficient was measured on. Each index is made and fitted in a
process of its own; a plan from a sample of its documents is made before. The CPU seconds of all threads are compared, since the
machine is shared; what a stage would take on a machine with nothing else to do is the CPU time of the first thread, and that of
the others divided by their number. Memory is the peak of the process in that stage, disk the size of the index file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from unittest import mock

import vicinal
from bench.harness import Answer, _status
from corpora import arxiv, newsgroups
from vicinal._threads import count_threads
from vicinal.planning import plan_of

SIZES = (2_500, 10_000, 25_000, 50_000)
NEWSGROUPS = "20 Newsgroups"
#: Parts of the step "embedding", by the function that each of them is.
PARTS = {
    "neighbours": ("vicinal.methods._graph_method", "knn_of_checked"),
    "spectrum": ("vicinal.methods._graph_method", "smoothest"),
    "regression": ("vicinal.methods._ridge_method", "regress_of_checked"),
}
SMALL = 0.5  # CPU seconds of a stage below which its ratio says nothing


class Meter:
    """CPU seconds, elapsed seconds of an idle machine, and peak memory, by stage."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, float]] = {}
        self._stage, self._inside = "", 0
        self._since = self._now()

    @staticmethod
    def _now() -> tuple[float, float]:
        return time.process_time(), time.thread_time()

    def enter(self, stage: str) -> None:
        """End the stage that was under way, and begin another."""
        now, first = self._now()
        if self._stage:
            row = self.rows.setdefault(self._stage, {"CPU s": 0.0, "s": 0.0, "MB": 0.0})
            spent, here = now - self._since[0], first - self._since[1]
            row["CPU s"] += spent
            row["s"] += here + max(0.0, spent - here) / count_threads(None)
            row["MB"] = max(row["MB"], _status("VmHWM") / 1024)
        Path("/proc/self/clear_refs").write_text("5")
        self._stage, self._since = stage, (now, first)

    def told(self, step: str, done: int, total: int) -> None:
        """The progress of a fit."""
        stage = "regression" if step == "embedding" else step
        if stage != self._stage:
            self.enter(stage)

    @contextmanager
    def parts(self) -> Iterator[None]:
        """Tell the parts of the embedding apart; what is between them counts for the regression."""
        with ExitStack() as stack:
            for stage, (module, name) in PARTS.items():
                stack.enter_context(mock.patch(f"{module}.{name}", self._part(stage, module, name)))
            yield

    def _part(self, stage: str, module: str, name: str) -> Callable[..., Any]:
        function = getattr(__import__(module, fromlist=[name]), name)

        def measured(*arguments: Any, **named: Any) -> Any:
            before = self._stage
            self.enter(stage)
            try:
                return function(*arguments, **named)
            finally:
                self.enter(before)

        return measured


def documents(corpus: str) -> list[vicinal.Document]:
    """The documents of a corpus: a number of abstracts, or 20 Newsgroups."""
    if corpus == NEWSGROUPS:
        return [vicinal.Document(str(i), text) for i, text in enumerate(newsgroups.load("all")[0])]
    papers = arxiv.load(("title", "abstract"), limit=int(corpus))
    both = zip(papers["title"], papers["abstract"], strict=True)
    return [vicinal.Document(str(i), text, title=title) for i, (title, text) in enumerate(both)]


def measure(corpus: str) -> dict[str, Any]:
    """What was predicted and what was measured of one corpus."""
    given = documents(corpus)
    meter, planned = Meter(), plan_of(given)
    with tempfile.TemporaryDirectory(prefix="vicinal-bench-") as folder:
        file = Path(folder) / "a.vic"
        with vicinal.open(file, create=True) as index:
            meter.enter("add")
            index.add(given)
        bare = file.stat().st_size
        with vicinal.open(file) as index, meter.parts():
            index.fit(progress=meter.told)
            meter.enter("")
        disk = file.stat().st_size
    predicted = {each.name: asdict(each) for each in planned.stages}
    return {"corpus": corpus, "documents": len(given), "measured": meter.rows, "predicted": predicted, "disk": disk, "bare": bare}


def main() -> None:
    """Write results/plan.json, and the stages in results/plan_stages.json."""
    rows: list[dict[str, Any]] = []
    stages: list[dict[str, Any]] = []
    for corpus in (*map(str, SIZES), NEWSGROUPS):
        found = json.loads(_in_a_process(corpus))
        rows.append(_whole(found))
        stages += _by_stage(found)
    outside = [row for row in stages if not 0.5 <= row["ratio"] <= 2.0]
    checks = [f"stages of {SMALL} CPU s or more outside a factor of two: {len(outside)} of {len(stages)}"]
    checks += [f"outside: {row['corpus']}, {row['stage']}, {row['ratio']} times the time" for row in outside]
    setting = (
        f"predicted from a sample of the documents, and measured; seconds of an idle machine with {count_threads(None)} threads"
    )
    Answer("Does a plan predict what an index costs?", setting, rows, checks).save("plan")
    Answer("Which stages does a plan predict?", "CPU seconds, predicted and measured; small stages left out", stages).save(
        "plan_stages"
    )


def _in_a_process(corpus: str) -> str:
    done = subprocess.run([sys.executable, "-m", "bench.plan", corpus], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()[-1]


def _whole(found: dict[str, Any]) -> dict[str, Any]:
    """One row: time, memory and disk of all stages together."""
    predicted, measured = found["predicted"].values(), found["measured"].values()
    pairs = {
        "CPU s": (sum(each["cpu_seconds"] for each in predicted), sum(each["CPU s"] for each in measured)),
        "s": (sum(each["seconds"] for each in predicted), sum(each["s"] for each in measured)),
        "MB of memory": (max(each["memory"] for each in predicted) / 1e6, max(each["MB"] for each in measured) * 1.048576),
        "MB on disk": (sum(each["disk"] for each in predicted) / 1e6, found["disk"] / 1e6),
    }
    row: dict[str, Any] = {"corpus": _named(found), "documents": found["documents"]}
    for name, (said, was) in pairs.items():
        row |= {f"{name}, predicted": round(said, 1), f"{name}, measured": round(was, 1), f"{name}, ratio": round(said / was, 2)}
    return row


def _by_stage(found: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for name, was in found["measured"].items():
        said = found["predicted"][name]["cpu_seconds"]
        if max(said, was["CPU s"]) >= SMALL:
            row = {"corpus": _named(found), "stage": name, "predicted": round(said, 2), "measured": round(was["CPU s"], 2)}
            rows.append({**row, "ratio": round(said / max(was["CPU s"], 0.01), 2)})
    return rows


def _named(found: dict[str, Any]) -> str:
    return str(found["corpus"]) if found["corpus"] == NEWSGROUPS else "arXiv"


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))
