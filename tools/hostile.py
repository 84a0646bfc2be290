"""Hostile documents, measured: each lies between two good ones in a folder that ``vicinal add`` reads, in processes of its own.

``python -m tools.hostile`` prints processor time and the memory of the largest process for each, and ends with 1 where reading took
more than 20 s or any process more than 512 MB, or a good document is not there. Names of documents, or parts of them, measure these
alone. What was read is also added to the index, whose time goes with the documents that came out: it is printed beside.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import vicinal
from tools.hostile_documents import DOCUMENTS
from vicinal.corpus import read
from vicinal.corpus._cage import CAGES

MOST_SECONDS, MOST_MEGABYTES = 20, 512
GOOD = {"0 good.txt": "first good words", "z good.txt": "last good words"}


def _read(folder: Path) -> list[str]:
    """Read a folder as ``vicinal add`` does, and keep nothing: what would be skipped."""
    reading = read(folder)
    good = sum(document.text in GOOD.values() for document in reading)
    return [f"{good} good", *(skipped.reason[:200] for skipped in reading.skipped[:9])]


def _added(folder: Path) -> list[str]:
    with vicinal.open(folder.parent / "hostile.vic", create=True) as index:
        return [f"{index.add(read(folder)).added:,} added"]


def measured(work: Callable[[Path], list[str]], folder: Path) -> tuple[float, float, list[str]]:
    """Seconds of processor time and megabytes of the largest process, with all that it started; and what it says."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        try:
            told = work(folder)
        except BaseException as error:
            told = [f"{type(error).__name__}: {error}"]
        CAGES.end()  # waited for, they are counted
        os.write(theirs, json.dumps(told)[:60_000].encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        said = pipe.read()
    _, _, usage = os.wait4(child, 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, json.loads(said) if said else ["it ended"]


def one(name: str) -> bool:
    """Measure one document, print it, and say whether it keeps within the limits."""
    file, make = DOCUMENTS[name]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "files"
        folder.mkdir()
        for good, text in GOOD.items():
            (folder / good).write_text(text)
        size = (folder / file).write_bytes(make())
        seconds, megabytes, told = measured(_read, folder)
        all_seconds, all_megabytes, added = measured(_added, folder)
    within = seconds <= MOST_SECONDS + 2 and max(megabytes, all_megabytes) <= MOST_MEGABYTES and told[0] == "2 good"
    sys.stdout.write(
        f"{'  ' if within else '! '}{name} ({size / 1e6:.2f} MB): read {seconds:.1f} s, {megabytes:.0f} MB; "
        f"added {all_seconds:.1f} s, {all_megabytes:.0f} MB; {added[0]}; {'; '.join(told)[:200]}\n"
    )
    sys.stdout.flush()
    return within


def main(arguments: list[str]) -> int:
    """Measure all, or those whose names have one of some texts."""
    names = [name for name in DOCUMENTS if not arguments or any(each in name for each in arguments)]
    beyond = [name for name in names if not one(name)]
    print(f"{len(names)} hostile documents, {len(beyond)} beyond {MOST_SECONDS} s, {MOST_MEGABYTES} MB or in the way of others")
    return int(bool(beyond))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
