"""From results/*.json to the tables of bench/README.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.harness import RESULTS

HEAD = """# Benchmarks

Speed and memory against peers: one file, one question; contenders take turns within one run, medians, ratios. Ratios hold across
machines better than seconds do. `make bench` runs everything and writes this page from `bench/results/*.json`;
`.venv/bin/python -m bench graph` runs one question. Losses stay in the tables.

How good topics are, on every corpus and against every setting, is a page of its own: [bench/quality](quality/README.md), written by
`make quality`. How good other libraries are on the same texts is another: [bench/leaderboard](leaderboard/README.md), written by
`make leaderboard`. How right the classifier is at any number of labels is a third: [bench/classifier](classifier/README.md),
written by `make classifier`.
"""


def table(rows: list[dict[str, Any]]) -> str:
    """Rows as a Markdown table."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    lines = ["| " + " | ".join(columns) + " |", "| " + " | ".join("---" for _ in columns) + " |"]
    lines += ["| " + " | ".join(str(row.get(column, "")) for column in columns) + " |" for row in rows]
    return "\n".join(lines)


def section(answer: dict[str, Any], source: str) -> str:
    """One answer."""
    head = f"## {answer['question']}\n\n{answer['setting']} ({answer['machine']}; `bench/results/{source}`)"
    checks = "".join(f"\n- {check}" for check in answer["checks"])
    return f"{head}\n\n{table(answer['rows'])}\n{checks}"


def write() -> None:
    """Write bench/README.md."""
    sections = [section(json.loads(path.read_text()), path.name) for path in sorted(RESULTS.glob("*.json"))]
    (Path(__file__).parent / "README.md").write_text(HEAD + "\n" + "\n\n".join(part.rstrip() for part in sections) + "\n")
