"""Memory of CIKM'07, table 1, measured: `python -m papers.memory` prints what LPI and RLPI take beside the documents themselves.

The table gives it in numbers: m(m + n) and more for LPI by the complete decomposition of m documents and n words, mp + (m + 2n) +
d(m + n) for RLPI with p neighbours and d dimensions. Measured is the largest number of bytes that Python and NumPy hold at one time
during a fit (tracemalloc), which does not depend on the machine; divided by eight it is a count of numbers. Made-up documents of
growing number tell by which power of it the memory grows.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from papers.procedures import PUBLISHED, near
from vicinal import LPI, RLPI
from vicinal.terms import unit_rows

SIZES = {"LPI": (200, 400, 800), "RLPI": (1000, 2000, 4000)}  # documents; fewer are checked by dense solvers in RLPI
WORDS_PER_DOCUMENT, NEIGHBORS, DIMENSIONS = 40, 7, 10
BYTES = 8


class Measured(NamedTuple):
    """Numbers held at most during a fit beside X, and what the table says."""

    method: str
    documents: int
    words: int
    held: float
    printed: float


def _lpi_table(m: int, n: int) -> float:
    return m * (m + n) + m * NEIGHBORS + n * DIMENSIONS


def _rlpi_table(m: int, n: int) -> float:
    return m * NEIGHBORS + (m + 2 * n) + DIMENSIONS * (m + n)


METHODS: dict[str, tuple[Callable[[], Any], Callable[[int, int], float]]] = {
    "LPI": (lambda: LPI(DIMENSIONS, solver="dense", **near(NEIGHBORS)), _lpi_table),
    "RLPI": (lambda: RLPI(DIMENSIONS, alpha=PUBLISHED, solver="cgls", **near(NEIGHBORS)), _rlpi_table),
}


def documents(m: int, n: int, seed: int = 0) -> Any:
    """Made-up documents of so many words each, of a Zipfian vocabulary, with length one."""
    random = np.random.RandomState(seed)
    share = 1.0 / np.arange(1, n + 1)
    rows = np.repeat(np.arange(m), WORDS_PER_DOCUMENT)
    columns = random.choice(n, len(rows), p=share / share.sum())
    return unit_rows(sp.csr_array((np.ones(len(rows)), (rows, columns)), shape=(m, n)))


def measured(method: str, m: int) -> Measured:
    """One fit, with twice as many words as documents."""
    make, table = METHODS[method]
    X = documents(m, 2 * m)
    make().fit(X[: NEIGHBORS + DIMENSIONS + 20])  # what is compiled and imported at first is no part of it
    tracemalloc.start()
    try:
        make().fit(X)
        held = tracemalloc.get_traced_memory()[1] / BYTES
    finally:
        tracemalloc.stop()
    return Measured(method, m, 2 * m, held, table(m, 2 * m))


def power(found: Sequence[Measured]) -> float:
    """By which power of the number of documents memory grows."""
    return float(np.polyfit(np.log([each.documents for each in found]), np.log([each.held for each in found]), 1)[0])


def lines(sizes: Mapping[str, Sequence[int]] = SIZES) -> list[str]:
    """A table: numbers held, numbers printed, and the power by which each method grows."""
    shown = ["| method | documents | words | numbers held | by the table | ratio |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    powers = []
    for method in METHODS:
        found = [measured(method, m) for m in sizes[method]]
        shown += [
            f"| {method} | {each.documents:,} | {each.words:,} | {each.held:,.0f} | {each.printed:,.0f} | "
            f"{each.held / each.printed:.1f} |"
            for each in found
        ]
        powers.append(f"{method} grows by power {power(found):.2f} of the documents")
    return [*shown, "", f"{'; '.join(powers)}. The table has 2 for LPI and 1 for RLPI."]


if __name__ == "__main__":
    print("\n".join(lines()))
    sys.exit(0)
