"""A soak: an index is used for minutes or hours, and handles, memory, size of the file and latency are printed as they go.

``python -m tools.soak --minutes 120``. Every round adds, searches, removes and brings a folder in step, and now and then it fits,
labels and compacts; the number of documents stays. It ends with 1 where something grew beyond its target.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import vicinal
from vicinal import Document, Index

SUBJECTS = (
    "car engine wheel road driver brake motor",
    "rose tulip garden flower soil spring",
    "bread oven flour salt butter dough",
)
BATCH, KEPT = 30, 300
#: Rounds from which on the figures are compared: two compactions are in each third.
FEWEST = 120
#: How much memory, the median latency and the file may grow from the first measured third to the last.
TARGETS = {"memory": 1.02, "latency": 1.10, "size": 2.0}


@dataclass(frozen=True)
class Figures:
    """What is measured after a round: open files, bytes of memory and of the file, and the time of a search.

    The time is in pieces of work that is always the same, done right before: on a machine that others use, too, processor time
    itself goes up and down with their work.
    """

    handles: int
    memory: int
    size: int
    latency: float

    def __str__(self) -> str:
        sizes = f"memory {self.memory / 1e6:.1f} MB  file {self.size / 1e6:.2f} MB"
        return f"handles {self.handles}  {sizes}  search {self.latency:.2f} pieces of work"


def a_text(chance: random.Random) -> str:
    """A text of one of the subjects."""
    return " ".join([*chance.choices(chance.choice(SUBJECTS).split(), k=12), "day", "house"])


def one_round(index: Index, folder: Path, number: int) -> None:
    """Change the index as people do; the number of documents stays about the same."""
    chance = random.Random(number)
    index.add([Document(f"{number}-{i}", a_text(chance)) for i in range(BATCH)])
    index.remove(f"{number - KEPT // BATCH}-{i}" for i in range(BATCH) if f"{number - KEPT // BATCH}-{i}" in index)
    (folder / f"{number % 5}.txt").write_text(a_text(chance))
    index.sync(folder, remove=True)
    if number % 10 == 0:
        index.fit(n_clusters=3, n_components=4, n_neighbors=3)
        index.label({f"{number}-{i}": f"class {i % 2}" for i in range(10)})
    if number % 20 == 0:
        index.compact()


def measured(index: Index, path: Path) -> Figures:
    """The figures after a round."""
    times = []
    for query in ("bread oven", "garden soil", "engine road", "day house", "tulip butter"):
        piece = _seconds(_piece_of_work)
        times.append(_seconds(partial(index.search, query)) / piece)
    return Figures(_handles(), _memory(), path.stat().st_size, statistics.median(times))


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _piece_of_work() -> None:
    """Words that are split, counted and sorted: some milliseconds."""
    words = " ".join(SUBJECTS * 400).split()
    sorted({word: words.count(word) for word in set(words)}.items())


def _handles() -> int:
    return len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0


def _memory() -> int:
    """Bytes in memory now; the most there were where the system does not say."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def misses(figures: list[Figures]) -> list[str]:
    """What grew beyond its target between the second third of the rounds and the last; the first warms up.

    Of few rounds nothing is said.
    """
    third = len(figures) // 3
    if len(figures) < FEWEST:
        return []
    early, late = figures[third : 2 * third], figures[2 * third :]
    found = []
    if max(each.handles for each in late) > max(each.handles for each in early):
        found.append(f"handles: {max(each.handles for each in early)} became {max(each.handles for each in late)}")
    for name, most in TARGETS.items():
        before, after = (statistics.median(getattr(each, name) for each in part) for part in (early, late))
        if after > most * before:
            found.append(f"{name}: {before:.6g} became {after:.6g}, more than {most:g} times as much")
    return found


def soak(folder: Path, minutes: float, every: int = 20) -> list[Figures]:
    """Use an index for so long, at least for three rounds; print the figures of every so many rounds."""
    files, path, figures = folder / "files", folder / "soak.vic", list[Figures]()
    files.mkdir()
    end = time.monotonic() + 60 * minutes
    with vicinal.open(path, create=True) as index:
        while len(figures) < 3 or time.monotonic() < end:
            one_round(index, files, len(figures))
            figures.append(measured(index, path))
            if len(figures) % every == 1:
                print(f"round {len(figures):,}: {figures[-1]}", flush=True)
        assert index.check() == []
    return figures


def main(arguments: list[str] | None = None) -> int:
    """Run a soak; 1 where a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120.0)
    with tempfile.TemporaryDirectory() as folder:
        figures = soak(Path(folder), parser.parse_args(arguments).minutes)
    found = misses(figures)
    print(f"{len(figures):,} rounds; last: {figures[-1]}")
    print("\n".join(found) or "nothing grew beyond its target")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
