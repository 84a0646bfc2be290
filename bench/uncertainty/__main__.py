"""Run the draws that have no result yet, add a line per draw to bench/results/uncertainty.jsonl, and write the page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import numpy as np

from bench.quality.draws import Draw, draws
from bench.records import append_line, attempt, from_states, read_lines, say, typed
from bench.uncertainty import stability
from bench.uncertainty.measure import Honesty, measure

FILE = Path(__file__).parents[1] / "results" / "uncertainty.jsonl"
PAGE = Path(__file__).parent / "README.md"
HEAD = """# Is the uncertainty of clusters honest?

Written by `python -m bench.uncertainty --report` from `bench/results/uncertainty.jsonl`; `python -m bench.uncertainty` runs what
is missing, the smallest draws first. `Topics(k)` with the true number of clusters, matched one to one with the classes. *Right*:
share of documents whose cluster is matched with their class. *Confidence*: mean of the largest probability of `predict_proba`.
*ECE*: expected calibration error of it, 15 bins; at most 0.10 is asked for. *Found*: share of the wrong documents among the tenth
with the largest `uncertainty_`; a third is asked for. What was chosen was chosen on other draws of the same corpora; the tuning
draws were in view, the held-back ones were not.
"""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.uncertainty", description=__doc__)
    parser.add_argument("--corpus", action="append", metavar="NAME", help="a draw of bench/quality, or a pattern; repeatable")
    parser.add_argument("--most", type=int, default=30_000, metavar="N", help="only draws of about so many documents at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stability", action="store_true", help="measure what stability_ tells, of two seeds of each draw")
    parser.add_argument("--report", action="store_true", help="run nothing, write the page")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None, file: Path = FILE, page: Path = PAGE, of_stability: Path = stability.FILE) -> int:
    """Exit 130 where the run was stopped; what was found is kept."""
    asked = arguments(given)
    try:
        if asked.stability:
            _run_stability(asked, of_stability)
        elif not asked.report:
            _run(asked, file)
    except KeyboardInterrupt:
        return 130
    finally:
        text = written(_known(file)) + "\n" + stability.written(_known_stability(of_stability))
        page.write_text(text, encoding="utf-8")
    return 0


def _known(file: Path) -> list[Honesty]:
    found, complaints = read_lines(file, lambda values: typed(Honesty, values))
    for each in complaints:
        say(each)
    return list({(result.corpus, result.seed): result for result in found}.values())


def _known_stability(file: Path) -> list[stability.Agreement]:
    found, complaints = read_lines(file, lambda values: typed(stability.Agreement, values))
    for each in complaints:
        say(each)
    return list({result.corpus: result for result in found}.values())


def _run_stability(asked: argparse.Namespace, file: Path) -> None:
    done = {result.corpus for result in _known_stability(file)}
    for draw in _wanted(asked):
        if draw.name not in done:
            result = attempt(draw.name, partial(stability.measure, draw))
            if result is not None:
                append_line(asdict(result), file)
                say(f"{draw.name}: told {result.overall_told:.2f}, happened {result.overall_happened:.2f}")


def _wanted(asked: argparse.Namespace) -> list[Draw]:
    """Draws that were asked for, the smallest first."""
    fitting = [draw for draw in draws() if draw.about <= asked.most and _fits(draw, asked.corpus)]
    return sorted(fitting, key=lambda draw: draw.about)


def _run(asked: argparse.Namespace, file: Path) -> None:
    done = {(result.corpus, result.seed) for result in _known(file)}
    for draw in _wanted(asked):
        if (draw.name, asked.seed) not in done:
            result = attempt(draw.name, partial(measure, draw, asked.seed))
            if result is not None:
                append_line(asdict(result), file)
                say(f"{draw.name}: ECE {result.error:.3f}, found {result.found:.2f}")


def _fits(draw: Draw, patterns: Sequence[str] | None) -> bool:
    return patterns is None or any(fnmatchcase(draw.name, pattern) for pattern in patterns)


def written(results: Sequence[Honesty]) -> str:
    """The page."""
    parts = [HEAD]
    for part, title in (("tuning", "Tuning"), ("held", "Held back")):
        names = {draw.name: draw for draw in draws() if draw.part == part}
        rows = [result for name in names for result in results if result.corpus == name]
        parts.append(f"## {title}\n\n" + (_table(rows, names) if rows else "No results yet."))
    return "\n".join([*parts, from_states(result.code for result in results)]) + "\n"


def _table(rows: Sequence[Honesty], names: dict[str, Draw]) -> str:
    lines = ["| corpus | seed | right | confidence | ECE | found |", "| --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        figures = f"{row.right:.3f} | {row.confidence:.3f} | {row.error:.3f} | {row.found:.2f}"
        lines.append(f"| {names[row.corpus].title} | {row.seed} | {figures} |")
    means = [float(np.mean([getattr(row, name) for row in rows])) for name in ("right", "confidence", "error", "found")]
    right, confidence, error, found = means
    lines.append(f"| **mean of {len(rows)}** |  | {right:.3f} | {confidence:.3f} | {error:.3f} | {found:.2f} |")
    met = sum(row.error <= 0.10 for row in rows), sum(row.found >= 1 / 3 for row in rows)
    return "\n".join(lines) + f"\n\nECE at most 0.10 in {met[0]} of {len(rows)}; a third of the wrong ones found in {met[1]}.\n"


if __name__ == "__main__":
    sys.exit(main())
