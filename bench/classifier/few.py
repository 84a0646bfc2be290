"""Few labels: what a classifier says of its own accuracy, beside the truth; ``python -m bench.classifier --few``.

A quarter of the documents is kept for testing. Of the others so many of each class have a label.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from bench.classifier.store import lines
from bench.harness import RESULTS
from bench.quality.draws import parse
from bench.quality.material import Material, prepare
from bench.records import append_line, fingerprint, from_states
from vicinal import Classifier
from vicinal.errors import VicinalWarning

FILE = RESULTS / "few_labels.jsonl"
DRAWN = (
    *("arxiv_abs:10:80:72", "arxiv_abs:8:60:33", "arxiv_titles:6:200:73", "ng:10:150:76", "ng:5:80:77", "ng:6:100:71"),
    *("reuters:6:60:5", "reuters:8:80:75", "tdt2:8:60:74"),
)
PER_CLASS, SEEDS, TESTED = (2, 3, 5), range(2), 4
HEAD = """
## What it says of its own accuracy with few labels

Written from `bench/results/few_labels.jsonl`; `python -m bench.classifier --few` runs what is missing. Small draws, accuracy in %:
on documents of the fit that have no label, on unseen ones, and `accuracy_`; *error* is `accuracy_` less the first, mean and
largest; *inside* is how often the first lies in `accuracy_interval_`. The draws are those of
[decision 26](../../docs/decisions/0026-few-labels.md).

| labels per class | fits | without a label | unseen | `accuracy_` | error | inside |
| --- | --- | --- | --- | --- | --- | --- |
"""


def run(file: Path = FILE) -> None:
    """Fit what is missing, the first seed of all draws before the second, and keep each at once."""
    done = {_key(line) for line in lines(file)}
    for seed in SEEDS:
        for per_class in PER_CLASS:
            for name in DRAWN:
                if (name, per_class, seed) not in done:
                    line = {
                        "corpus": name,
                        "per_class": per_class,
                        "seed": seed,
                        **measure(prepare(parse(name, "")), per_class, seed),
                    }
                    append_line({**line, "code": fingerprint()}, file)
                    print(line, flush=True)


def measure(material: Material, per_class: int, seed: int) -> dict[str, Any]:
    """What one fit says of itself, and how it is."""
    random, y = np.random.RandomState(seed), np.asarray(material.classes)
    order = random.permutation(len(y))
    test, train = order[: len(y) // TESTED], np.sort(order[len(y) // TESTED :])
    labels = np.full(len(y), -1)
    for each in np.unique(y[train]):
        labels[random.permutation(train[y[train] == each])[:per_class]] = each
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        model = Classifier().fit(material.counts[train], labels[train])
    free = train[labels[train] < 0]
    shares = (float(model.score(material.counts[part], y[part])) for part in (free, test))
    without, unseen = (round(each, 4) for each in shares)
    return {"without": without, "unseen": unseen, "said": model.accuracy_, "interval": model.accuracy_interval_}


def section(file: Path = FILE) -> str:
    """The section of the page; nothing where nothing was run."""
    found = {_key(line): line for line in lines(file)}
    rows = [_row(n, [line for (_, per_class, _), line in found.items() if per_class == n]) for n in PER_CLASS]
    wanted = len(DRAWN) * len(PER_CLASS) * len(SEEDS)
    states = from_states(line.get("code") for line in found.values())
    missing = f"\n{wanted - len(found)} of {wanted} fits are still to be made. {states}\n"
    return HEAD + "".join(rows) + missing if any(rows) else ""


def _row(per_class: int, found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    mean = {field: 100 * float(np.mean([line[field] for line in found])) for field in ("without", "unseen", "said")}
    errors = [100 * (line["said"] - line["without"]) for line in found]
    inside = sum(line["interval"][0] <= line["without"] <= line["interval"][1] for line in found)
    figures = f"{mean['without']:.1f} | {mean['unseen']:.1f} | {mean['said']:.1f} | {np.mean(errors):+.1f}, {max(errors):+.1f}"
    return f"| {per_class} | {len(found)} | {figures} | {inside} of {len(found)} |\n"


def _key(line: dict[str, Any]) -> tuple[str, int, int]:
    return line["corpus"], line["per_class"], line["seed"]
