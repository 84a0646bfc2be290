"""Random draws of classes: a pool that is the same for all, and for each paper the part of it that is as hard as its own was.

The papers drew ``c`` of 30 classes at random, 50 times for each ``c`` (AISTATS'12: 20 times), and their draws are lost. Two sets
of 50 draws differ by several points in what *every* method gets on them, more than methods differ, so any other draws would measure
luck. But how hard theirs were is printed: what plain k-means got on them, and in AAAI'08 how many documents and terms they held. So
from a pool of 100 random draws for each ``c`` a random part is taken, by the first seed for which these numbers come out as printed
(calibrate.py). No other method is looked at. The column of k-means is met by this choice, and not counted as a result.

CIKM'07 used the same draws as AAAI'08, since it prints the same figures for the same methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from vicinal.typing import IntArray

NUMBERS = tuple(range(2, 11))  # of classes
POOL = 100
TESTS = {"aaai08": 50, "cikm07": 50, "icml05": 50, "aistats12": 20}

#: Seeds of the parts of the pool, c = 2..10, found by calibrate.py.
SEEDS: dict[tuple[str, str], tuple[int, ...]] = {
    ("aaai08", "tdt2"): (0, 0, 0, 0, 0, 0, 0, 0, 0),
    ("aaai08", "reuters"): (0, 0, 0, 0, 0, 0, 0, 0, 0),
    ("icml05", "tdt2"): (0, 0, 0, 0, 0, 0, 0, 0, 0),
    ("icml05", "reuters"): (0, 0, 0, 0, 0, 0, 0, 0, 0),
    ("aistats12", "tdt2"): (0, 0, 0, 0, 0, 0, 0, 0, 0),
    ("aistats12", "reuters"): (0, 0, 0, 0, 0, 0, 0, 0, 0),
}


@cache
def drawn(n_all: int, n_classes: int, seed: int, n_tests: int) -> tuple[tuple[int, ...], ...]:
    """Different sets of ``n_classes`` of so many classes, each in increasing order."""
    random = np.random.RandomState([seed, n_classes])
    found: dict[tuple[int, ...], None] = {}
    while len(found) < n_tests:
        found[tuple(sorted(random.permutation(n_all)[:n_classes].tolist()))] = None
    return tuple(found)


def pool(n_classes: int, n_all: int = 30) -> tuple[tuple[int, ...], ...]:
    """All draws there are."""
    return drawn(n_all, n_classes, 0, POOL)


def part(seed: int, n_tests: int) -> list[int]:
    """A random part of the pool: numbers of draws, in increasing order."""
    return sorted(np.random.RandomState(seed).permutation(POOL)[:n_tests].tolist())


def chosen(paper: str, corpus: str, n_classes: int) -> list[int]:
    """Numbers of the draws that a paper's tables are made on."""
    paper = "aaai08" if paper == "cikm07" else paper
    return part(SEEDS[paper, corpus][n_classes - NUMBERS[0]], TESTS[paper])


def members(y: IntArray, classes: Sequence[int]) -> IntArray:
    """The documents of some classes."""
    return np.flatnonzero(np.isin(y, classes))
