"""How quick is the app, and what does it need? Many points in a browser, many clients of the API, the size of the page.

``python -m bench.app --minutes 10`` is the whole question: ten minutes with each number of clients. ``python -m bench app``
asks for one minute each. The index has abstracts of arXiv; ``--index`` takes one that is there already. ``--only page`` or
``--only load`` asks one half; a number of points that has a row already is not measured again. Needs Playwright, chromium and the
built page (``make app``).
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import vicinal
from bench import app_load, app_page
from bench.harness import RESULTS, Answer
from bench.report import write
from corpora import arxiv

ABSTRACTS = 20_000
POINTS = (20_000, 200_000, 1_000_000)
CLIENTS = (1, 50)
MOST_ASSETS = 400_000


def make_index(path: Path) -> Path:
    """An index of abstracts, fitted."""
    papers = arxiv.load(("id", "title", "abstract", "category", "created"), limit=ABSTRACTS)
    rows = zip(papers["id"], papers["title"], papers["abstract"], papers["category"], papers["created"], strict=True)
    with vicinal.open(path, create=True) as index:
        index.add(vicinal.Document(i, text, title=title, metadata={"category": c, "created": d}) for i, title, text, c, d in rows)
        index.fit(random_state=0)
    return path


def page(index: Path) -> None:
    """The page with each number of points that has no row yet, fewest first."""
    kept = RESULTS / "app_page.json"
    rows: list[dict[str, Any]] = json.loads(kept.read_text())["rows"] if kept.exists() else []
    setting = (
        "Chromium without a graphics card (WebGL by the processor), 1400 x 900; points of an index, again and again beside "
        "themselves; medians of seven, with what else the machine does at the time"
    )
    for n_points in POINTS:
        if f"{n_points:,}" in {row["points"] for row in rows}:
            continue
        rows.append({**app_page.measure(index, n_points), "load of the machine": round(os.getloadavg()[0])})
        print(rows[-1], flush=True)
        check = f"All files of the page have {app_page.assets() / 1000:.0f} kB compressed; {MOST_ASSETS / 1000:.0f} are allowed."
        Answer("How quick is the map in a browser?", setting, rows, [check]).save("app_page")


def load(index: Path, minutes: float) -> None:
    """The API with each number of clients."""
    with vicinal.open(index) as opened:
        n_documents = opened.info().documents
        found = opened.table()
    asked = app_load.questions(found["title"].tolist()[:200], found["id"].tolist()[:200])
    rows: list[dict[str, Any]] = []
    setting = (
        f"An index of {n_documents:,} documents; every client asks without a pause: searches, documents, neighbours, suggestions, "
        f"clusters, selections and all points; memory from {app_load.WARM:.0%} of the time to its end; clients on the same machine"
    )
    for n_clients in CLIENTS:
        rows.append(app_load.measure(index, asked, n_clients, minutes))
        print(rows[-1], flush=True)
        load_average = f"The machine had {os.cpu_count()} cores and a load of {os.getloadavg()[1]:.0f} at the end."
        Answer("How quick is the API, and does it hold?", setting, rows, [load_average]).save("app_load")


def main(minutes: float = 1.0, index: Path | None = None, only: str = "") -> None:
    """Ask both halves."""
    with tempfile.TemporaryDirectory() as folder:
        served = index or make_index(Path(folder) / "abstracts.vic")
        if only != "load":
            page(served)
        if only != "page":
            load(served, minutes)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.app", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--only", choices=("page", "load"), default="")
    main(**vars(parser.parse_args()))
    write()
