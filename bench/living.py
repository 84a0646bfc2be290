"""What do documents cost that come to an index which is fitted: does it depend on them alone, or on how many are there?

Each row is CPU seconds of one change in a process that has the index open, as `vicinal watch` has; the first also loads the
model. A change from the command line is a process of its own, which starts Python and imports the library besides. Indexes are
made as in `bench.index`; `VICINAL_LIVING` may name some that are there, with `:` between them, and copies of them are used.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import vicinal
from bench.harness import Answer
from bench.index import run
from corpora import arxiv
from corpora.place import locate
from vicinal import Document, Index

SIZES, REPEATS = (20_000, 200_000), 3
TARGET = 2.0


def cpu(task: Callable[[], Any]) -> float:
    """CPU seconds that a task takes in this process."""
    start = time.process_time()
    task()
    return time.process_time() - start


def changes(index: Index, texts: Sequence[str]) -> dict[str, float]:
    """CPU seconds of each kind of change to an open index: the first addition, and medians of later ones."""
    found = {"first 1,000 added, model loaded": cpu(lambda: index.add(_new(texts, 1000, "first")))}
    for n in (1000, 100, 1):
        seconds = [cpu(lambda n=n, k=k: index.add(_new(texts, n, f"{n} {k}"))) for k in range(REPEATS)]  # type: ignore[misc]
        found[f"{n:,} added"] = float(np.median(seconds))
    changed = [Document(f"1000 0 {k}", f"{texts[k % len(texts)]} once more") for k in range(1, 11)]
    found["10 replaced"] = cpu(lambda: index.update(changed))
    found["10 removed"] = cpu(lambda: index.remove([each.id for each in changed]))
    found["10 that are there already"] = cpu(lambda: index.add(_new(texts, 10, "1000 1")))
    return found


def _new(texts: Sequence[str], n: int, name: str) -> list[Document]:
    return [Document(f"{name} {k}", texts[k % len(texts)]) for k in range(n)]


def from_command_line(index: str, folder: Path, texts: Sequence[str]) -> float:
    """CPU seconds of `vicinal add` with 1,000 rows, from the start of Python to its end."""
    import json

    rows = folder / "new.jsonl"
    rows.write_text("".join(json.dumps({"id": f"new {k}", "text": texts[k % len(texts)]}) + "\n" for k in range(1000)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(sys.executable, "-m", "vicinal", "add", index, str(rows))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(index: str, texts: Sequence[str]) -> tuple[int, dict[str, float]]:
    """Documents of an index, and CPU seconds of each change to a copy of it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = str(Path(folder) / "copy.vic")
        shutil.copyfile(index, copy)
        with vicinal.open(copy) as opened:
            n_documents, found = len(opened), changes(opened, texts)
        return n_documents, found | {"1,000 added from the command line": from_command_line(copy, Path(folder), texts)}


def _made(folder: Path, size: int) -> str:
    columns = arxiv.load(("id", "title", "abstract"), limit=size)
    path = str(folder / f"{size}.vic")
    with vicinal.open(path, create=True) as index:
        index.add(
            Document(id, text, title)
            for id, title, text in zip(*(columns[name] for name in ("id", "title", "abstract")), strict=True)
        )
        index.fit()
    return path


def main() -> None:
    """Measure indexes of several sizes."""
    texts = arxiv.load(("abstract",), limit=1000)["abstract"]
    given = [each for each in os.environ.get("VICINAL_LIVING", "").split(os.pathsep) if each]
    with tempfile.TemporaryDirectory() as folder:
        locate("arxiv")
        found = dict(measured(index, texts) for index in given or [_made(Path(folder), size) for size in SIZES])
    rows = [
        {"change": name} | {f"{n:,} documents": round(each[name], 3) for n, each in found.items()}
        for name in next(iter(found.values()))
    ]
    most = max(found)
    seconds = found[most]["first 1,000 added, model loaded"]
    checks = [
        f"1,000 documents added to {most:,}, with their embeddings and lenders: {seconds:.2f} CPU seconds; "
        f"asked for are at most {TARGET:.0f}."
    ]
    print(*rows, *checks, sep="\n")
    Answer("What do documents cost that come later?", "arXiv, titles with abstracts; CPU seconds", rows, checks).save("living")
