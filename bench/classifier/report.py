"""The page of the classifier: accuracy and calibration error beside the peers', and the curve of labels asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.classifier import curve, few
from bench.classifier.material import CORPORA
from bench.classifier.run import LABELS, PEERS
from bench.classifier.store import lines
from bench.harness import RESULTS
from bench.records import from_states

FILE = RESULTS / "classifier.jsonl"
PAGE = Path(__file__).parent / "README.md"
NAMES = {"newsgroups": "20 Newsgroups by date", "reuters": "Reuters", "tdt2": "TDT2", "arxiv": "arXiv, 20 x 1,000"}
HEAD = """# One classifier at any number of labels

Written by `python -m bench.classifier --report` from `bench/results/classifier.jsonl`; `make classifier` runs what is
missing. Accuracy on unseen documents in %, mean of five draws (with all labels of a corpus that has one split: one). All
documents of the training part are given, so many of each class with a label. Peers: scikit-learn's `LinearSVC()` and
`LogisticRegression(C=10)` on tf-idf of the same terms, labelled documents alone. *Difference*: to the better peer, mean and
worst draw, in points; losses of more than half a point in bold. *ECE*: expected calibration error in 15 bins of confidence, mean
and worst draw. *Seconds*: of the whole fit with the embedding, and how many times those of LinearSVC; the machine was shared.

| corpus | labels per class | vicinal | LinearSVC | logistic regression | difference | ECE | share of the embedding | seconds |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def write(page: Path = PAGE, file: Path = FILE, asked: Path = curve.FILE, said: Path = few.FILE) -> None:
    """Write the page from what there is; of two results of one draw the last counts."""
    found = list({(x["corpus"], x["per_class"], x["draw"]): x for x in lines(file)}.values())
    rows = [
        _row(corpus, n, [x for x in found if (x["corpus"], x["per_class"]) == (corpus, n)]) for corpus in CORPORA for n in LABELS
    ]
    page.write_text(HEAD + "".join(rows) + _summary(found) + few.section(said) + _curves(lines(asked)))


def _row(corpus: str, per_class: int, found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    gaps, errors = [_gap(x) for x in found], [x["vicinal"]["ece"] for x in found]
    worst = f"{min(gaps):+.1f}" if min(gaps) >= -0.5 else f"**{min(gaps):+.1f}**"
    peers = " | ".join(f"{_mean(found, lambda x, p=peer: 100 * x[p]['accuracy']):.1f}" for peer in PEERS)  # type: ignore[misc]
    seconds = _mean(found, lambda x: x["vicinal"]["seconds"])
    ratio = float(np.median([x["vicinal"]["seconds"] / max(x["LinearSVC"]["seconds"], 0.01) for x in found]))
    return (
        f"| {NAMES[corpus]} | {per_class or 'all'} | {_mean(found, lambda x: 100 * x['vicinal']['accuracy']):.1f} | {peers} | "
        f"{np.mean(gaps):+.1f}, {worst} | {np.mean(errors):.3f}, {max(errors):.3f} | "
        f"{_mean(found, lambda x: x['vicinal']['share']):.2f} | {seconds:.1f}, x{ratio:.0f} |\n"
    )


def _gap(line: dict[str, Any]) -> float:
    return float(100 * (line["vicinal"]["accuracy"] - max(line[peer]["accuracy"] for peer in PEERS)))


def _mean(found: list[dict[str, Any]], value: Callable[[dict[str, Any]], float]) -> float:
    return float(np.mean([value(x) for x in found]))


def _summary(found: list[dict[str, Any]]) -> str:
    few = [_gap(x) for x in found if x["per_class"] == LABELS[0]]
    if not few:
        return ""
    behind = sum(_gap(x) < -0.5 for x in found)
    return (
        f"\nWith 5 labels per class: {np.mean(few):+.1f} points on average over the better peer of each draw. Draws more than half "
        f"a point behind the better peer: {behind} of {len(found)}. Mean ECE over all draws: "
        f"{_mean(found, lambda x: x['vicinal']['ece']):.3f}; at most 0.05 in "
        f"{sum(x['vicinal']['ece'] <= 0.05 for x in found)} of {len(found)}. {from_states(x.get('code') for x in found)}\n"
    )


def _curves(found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    head = "".join(f" {size} |" for size in curve.SIZES)
    rows = "".join(_curve_row(way, [x["accuracy"] for x in found if x["way"] == way]) for way in curve.WAYS)
    return (
        "\n## Labels that are asked for\n\nWritten from `bench/results/ask.jsonl`; `python -m bench.classifier --curve` runs what "
        "is missing. 20 Newsgroups by date: accuracy on unseen posts in % after so many labels in all, five seeds, mean (lowest to "
        "highest). *Asked*: twenty at a time, first by clusters alone and then by uncertainty in clusters, as `Index.ask` does.\n\n"
        f"| labels |{head}\n| --- |{' --- |' * len(curve.SIZES)}\n{rows}\n{from_states(x.get('code') for x in found)}\n"
    )


def _curve_row(way: str, found: list[dict[str, float]]) -> str:
    cells = [[100 * each[str(size)] for each in found] for size in curve.SIZES]
    return f"| {way} |" + "".join(f" {np.mean(c):.1f} ({min(c):.1f} to {max(c):.1f}) |" for c in cells if c) + "\n"
