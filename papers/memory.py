"""Memory of CIKM'07, table 1, measured: `python -m papers.memory` prints what LPI and RLPI take beside the documents themselves.

The table gives it in numbers: m(m + n) and more for LPI by the complete decomposition of m documents and n words, mp + (m + 2n) +
d(m + n) for RLPI with p neighbours and d dimensions. Measured is the largest number of bytes that Python and NumPy hold at one time
during a fit (tracemalloc), which does not depend on the machine; divided by eight it is a count of numbers. Made-up documents of
growing number tell by which power of it the memory grows.

Section 3.4 says that RLPI can be fitted too where the documents are on disk and do not fit into memory. `from_disk` writes made-up
documents to a file and fits from blocks of its rows: what is held at most is compared with what the documents themselves take.
"""

from __future__ import annotations

import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from papers.procedures import PUBLISHED, near
from vicinal import LPI, RLPI
from vicinal.terms import RowBlocks, unit_rows

SIZES = {"LPI": (200, 400, 800), "RLPI": (1000, 2000, 4000)}  # documents; fewer are checked by dense solvers in RLPI
WORDS_PER_DOCUMENT, NEIGHBORS, DIMENSIONS = 40, 7, 10
BYTES = 8
LONG_DOCUMENTS, ON_DISK_WORDS, BLOCK = (1000, 2000, 4000), 2000, 200  # numbers of documents of 500 words, and rows at a time
SHARE_OF_WORDS = 0.25  # of all words that a document on disk has


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
    with _traced() as held:
        make().fit(X)
    return Measured(method, m, 2 * m, held[0] / BYTES, table(m, 2 * m))


@contextmanager
def _traced() -> Iterator[list[int]]:
    """A list that gets the largest number of bytes held inside."""
    held: list[int] = []
    tracemalloc.start()
    try:
        yield held
        held.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


class FromDisk(NamedTuple):
    """Bytes of documents on disk, bytes held at most while RLPI is fitted to them, and how far it is from a fit in memory."""

    documents: int
    blocks: int
    on_disk: int
    held: int
    apart: float


def from_disk(m: int) -> FromDisk:
    """RLPI of so many documents that are never in memory together, with half as many dimensions as elsewhere here."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows"
        RowBlocks.write(path, (_long_documents(BLOCK, seed) for seed in range(m // BLOCK)))
        blocks: Any = RowBlocks.open(path, rows=BLOCK)
        _rlpi().fit(blocks.load(0))
        with _traced() as held:
            found = _rlpi().fit(blocks)
        X = sp.csr_array(sp.vstack(list(blocks)))
    known = _rlpi().fit(X)
    apart = np.abs(found.transform(X) - known.transform(X)).max() / np.abs(known.transform(X)).max()
    return FromDisk(m, len(blocks), X.data.nbytes + X.indices.nbytes + X.indptr.nbytes, held[0], float(apart))


def _rlpi() -> RLPI:
    return RLPI(DIMENSIONS // 2, alpha=PUBLISHED, solver="cgls", **near(NEIGHBORS))


def _long_documents(m: int, seed: int) -> Any:
    random = np.random.RandomState(seed)
    rows, columns = np.nonzero(random.random_sample((m, ON_DISK_WORDS)) < SHARE_OF_WORDS)
    return unit_rows(sp.csr_array((1.0 + random.poisson(1.0, len(rows)), (rows, columns)), shape=(m, ON_DISK_WORDS)))


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


def lines_from_disk(sizes: Sequence[int] = LONG_DOCUMENTS) -> list[str]:
    """A table: megabytes on disk and held at most."""
    shown = ["| documents | blocks | MB on disk | MB held | difference from memory |", "| ---: | ---: | ---: | ---: | ---: |"]
    found = map(from_disk, sizes)
    return [
        *shown,
        *(f"| {m:,} | {blocks} | {disk / 1e6:.1f} | {held / 1e6:.1f} | {apart:.1g} |" for m, blocks, disk, held, apart in found),
    ]


if __name__ == "__main__":
    print("\n".join([*lines(), "", *lines_from_disk()]))
    sys.exit(0)
