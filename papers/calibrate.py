"""Which part of the pool of draws is as hard as a paper's own were: `python -m papers.calibrate` prints the seeds of draws.py.

It needs results of ``kmeans`` and ``size`` on the whole pool: `python -m papers --pool`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import final

import numpy as np

from papers import journal
from papers.draws import NUMBERS, POOL, TESTS, part
from papers.plan import Results
from papers.printed import cells
from papers.procedures import PROCEDURES
from vicinal.typing import FloatArray

NAMES = {"tdt2": "TDT2", "reuters": "Reuters-21578"}
TABLES = {
    ("aaai08", "tdt2"): "Table 3",
    ("aaai08", "reuters"): "Table 4",
    ("icml05", "tdt2"): "Table 2",
    ("icml05", "reuters"): "Table 1",
    ("aistats12", "tdt2"): "Table 1",
    ("aistats12", "reuters"): "Table 2",
}
POINTS = {"accuracy": 0.5, "nmi": 1.0}  # of difference that are let pass
SIZES = {"documents": 0.01, "terms": 0.015}  # relative difference that is let pass
PATIENCE = 200_000  # seeds after which twice the difference is let pass


@final
@dataclass(frozen=True, eq=False)
class Fact:
    """One printed mean, what each draw of the pool has, and how far the mean of a part may be from it."""

    values: FloatArray
    printed: float
    near: float


def facts(paper: str, corpus: str, c: int, results: Results) -> Iterator[Fact]:
    """What is printed of a paper's draws of c classes: k-means on them and, in AAAI'08, how large they are."""
    samples = [f"{corpus}/{c}/{number}" for number in range(POOL)]
    baseline = "Kmeans" if paper == "icml05" else "Baseline"
    for cell in cells(paper, TABLES[paper, corpus]):
        if cell.method == baseline and cell.row == c and cell.mean is not None:
            found = [results[sample, "kmeans"].values["best" if paper == "icml05" else ""][cell.metric] for sample in samples]
            yield Fact(100.0 * np.array(found), cell.mean, POINTS[cell.metric])
    if paper == "aaai08":
        for cell in cells("aaai08", "Table 2"):
            if cell.method == NAMES[corpus] and cell.row == c and (cell.metric == "documents" or corpus == "tdt2"):
                assert cell.mean is not None
                found = [results[sample, "size"].values[""][cell.metric] for sample in samples]
                yield Fact(np.array(found), cell.mean, SIZES[cell.metric] * cell.mean)


def first_seed(printed: list[Fact], n_tests: int) -> tuple[int, int]:
    """The first seed whose part of the pool has every printed mean, and how often what is let pass had to be doubled."""
    for seed in count():
        doubled = seed // PATIENCE
        numbers = part(seed, n_tests)
        if all(abs(fact.values[numbers].mean() - fact.printed) <= fact.near * 2**doubled for fact in printed):
            return seed, doubled
    raise AssertionError("what is let pass grows without end")


def main() -> None:
    """Print the seeds of every paper and corpus."""
    results, complaints = journal.read(PROCEDURES)
    print("\n".join(complaints))
    for paper, corpus in TABLES:
        found = [first_seed(list(facts(paper, corpus, c, results)), TESTS[paper]) for c in NUMBERS]
        print(
            f'    ("{paper}", "{corpus}"): {tuple(seed for seed, _ in found)},  # doubled: {[doubled for _, doubled in found]}',
            flush=True,
        )


if __name__ == "__main__":
    main()
