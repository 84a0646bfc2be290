"""Which part of the pool of draws is as hard as a paper's own were: `python -m papers.calibrate` prints the seeds of draws.py.

It needs results of ``kmeans`` and ``size`` on the whole pool: `python -m papers --pool`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from papers import journal
from papers.catalogue import PROCEDURES
from papers.draws import NUMBERS, POOL, TESTS, part
from papers.journal import Job
from papers.plan import Results
from papers.printed import cells
from vicinal._typing import FloatArray

CORPORA = ("tdt2", "reuters", "tdt2-small", "reuters-small")
NAMES = {"tdt2": "TDT2", "reuters": "Reuters-21578"}  # in AAAI'08's table of sizes
BASELINES = ("Baseline", "Kmeans")
TABLES = {
    ("aaai08", "tdt2"): "Table 3",
    ("aaai08", "reuters"): "Table 4",
    ("icml05", "tdt2-small"): "Table 2",
    ("icml05", "reuters-small"): "Table 1",
    ("aistats12", "tdt2"): "Table 1",
    ("aistats12", "reuters"): "Table 2",
}
LOOKED_AT = ("size", "kmeans")
POINTS_APART = {"accuracy": 0.5, "nmi": 1.0}  # of difference that are let pass
RELATIVELY_APART = {"documents": 0.01, "terms": 0.015}  # relative difference that is let pass
PATIENCE = 100_000  # seeds after which twice the difference is let pass, and after as many again none is found


def jobs() -> Iterator[Job]:
    """What is looked at: how large the draws of the pool are, and what k-means gets on them."""
    yield from (
        (f"{corpus}/{c}/{number}", name) for corpus in CORPORA for c in NUMBERS for number in range(POOL) for name in LOOKED_AT
    )


@final
@dataclass(frozen=True, eq=False)
class Fact:
    """One printed mean, what each draw of the pool has, and how far the mean of a part may be from it."""

    values: FloatArray
    printed: float
    near: float
    of_kmeans: bool = True


def facts(paper: str, corpus: str, c: int, results: Results) -> Iterator[Fact]:
    """What is printed of a paper's draws of c classes: k-means on them and, in AAAI'08, how large they are."""
    samples = [f"{corpus}/{c}/{number}" for number in range(POOL)]
    for cell in cells(paper, TABLES[paper, corpus]):
        if cell.method in BASELINES and cell.row == c and cell.mean is not None:
            found = [results[sample, "kmeans"].values[""][cell.metric] for sample in samples]
            yield Fact(100.0 * np.array(found), cell.mean, POINTS_APART[cell.metric])
    if paper == "aaai08":
        for cell in cells("aaai08", "Table 2"):
            if cell.method == NAMES[corpus] and cell.row == c and (cell.metric == "documents" or corpus == "tdt2"):
                assert cell.mean is not None
                found = [results[sample, "size"].values[""][cell.metric] for sample in samples]
                yield Fact(np.array(found), cell.mean, RELATIVELY_APART[cell.metric] * cell.mean, of_kmeans=False)


def first_seed(printed: list[Fact], n_tests: int, patience: int = PATIENCE) -> int | None:
    """The first seed whose part of the pool has every printed mean; None where there is none to be found."""
    for seed in range(2 * patience):
        numbers = part(seed, n_tests)
        near = 1.0 + seed // patience
        if all(abs(fact.values[numbers].mean() - fact.printed) <= near * fact.near for fact in printed):
            return seed
    return None


def seed_of(printed: list[Fact], n_tests: int) -> int | None:
    """The first seed that fits everything that is printed; where there is none, what k-means got alone."""
    seed = first_seed(printed, n_tests)
    return first_seed([fact for fact in printed if fact.of_kmeans], n_tests) if seed is None else seed


def main() -> int:
    """Print the seeds of every paper and corpus."""
    results, complaints = journal.read(PROCEDURES)
    print("\n".join(complaints), file=sys.stderr)
    left = [job for job in jobs() if job not in results]
    if left:
        print(f"{len(left)} results of the pool are missing. Run `python -m papers --pool` first.", file=sys.stderr)
        return 1
    for paper, corpus in TABLES:
        seeds = tuple(seed_of(list(facts(paper, corpus, c, results)), TESTS[paper]) for c in NUMBERS)
        print(f'    ("{paper}", "{corpus}"): {seeds},', flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
