"""Random draws of classes: the same for every method of a table, seeded, and as large on average as the papers say theirs were.

The papers drew ``c`` of 30 classes at random, 50 times for each ``c``, and their draws are lost. How many documents they held on
average is printed, though (AAAI'08, table 2), and difficulty goes with it: on Reuters-21578 a draw with the largest class is
another task than one without. So seeds 0, 1, 2, ... are tried, and the first whose draws hold as many documents is taken. Results
are never looked at. CIKM'07 used the same draws as AAAI'08, since it prints the same figures for the same methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import count

import numpy as np

from vicinal.typing import IntArray

TESTS = 50
NUMBERS = tuple(range(2, 11))  # of classes
NEAR = 0.005  # relative difference from the printed average that is let pass

#: Documents per draw on average, c = 2..10 (AAAI'08, table 2).
PRINTED = {
    "tdt2": (605, 939, 1180, 1660, 1650, 2255, 2557, 2725, 2987),
    "reuters": (641, 1099, 1401, 1101, 1360, 1794, 2602, 2840, 2488),
}


@cache
def drawn(sizes: tuple[int, ...], n_classes: int, seed: int, n_tests: int = TESTS) -> tuple[tuple[int, ...], ...]:
    """Different sets of classes, each in increasing order.

    Parameters
    ----------
    sizes : tuple of int
        Documents per class.
    n_classes, seed, n_tests : int
    """
    random = np.random.RandomState([seed, n_classes])
    found: dict[tuple[int, ...], None] = {}
    while len(found) < n_tests:
        found[tuple(sorted(random.permutation(len(sizes))[:n_classes].tolist()))] = None
    return tuple(found)


def mean_size(sizes: Sequence[int], sets: Sequence[Sequence[int]]) -> float:
    """Documents per draw on average."""
    return float(np.mean([sum(sizes[each] for each in classes) for classes in sets]))


@cache
def matched(corpus: str, sizes: tuple[int, ...], n_classes: int) -> tuple[tuple[int, ...], ...]:
    """The draws of the first seed that hold as many documents on average as the paper's did."""
    wanted = PRINTED[corpus][n_classes - NUMBERS[0]]
    for seed in count():
        sets = drawn(sizes, n_classes, seed)
        if abs(mean_size(sizes, sets) - wanted) <= NEAR * wanted:
            return sets
    raise AssertionError("there is always another seed")


def members(y: IntArray, classes: Sequence[int]) -> IntArray:
    """The documents of some classes."""
    return np.flatnonzero(np.isin(y, classes))
