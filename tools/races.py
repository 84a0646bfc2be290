"""Races: three processes write one index at once, while others read, check and serve it, and nothing that was acknowledged is lost.

``python -m tools.races --races 500``. In half of the races the index lies inside the folder that the writers read. In each race
every writer adds documents a few at a time, and in between does with the index what people do: opens it, checks it, reads the
folder; and this process opens and closes it without end. A writer may be told that another is writing; what it was told is kept
must be there, and nothing else. Half of the races have a server at work that answers while they run. The run goes on where it was
ended.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path

import vicinal
from tools.killed_server import answered, served
from vicinal import Document
from vicinal.errors import IndexLocked

WRITERS, ADDS, EACH = 3, 4, 3


@dataclass
class Races:
    """How far a run is: races that were verified, documents that were acknowledged, and adds that were told to wait."""

    races: int = 0
    kept: int = 0
    refused: int = 0
    asked: int = 0


def documents(race: int, writer: int, number: int) -> list[Document]:
    """What one add of a writer adds."""
    return [Document(f"{race}-{writer}-{number}-{i}", f"text {i} of writer {writer} in race {race}") for i in range(EACH)]


def meanwhile(path: Path, folder: Path, chance: random.Random) -> None:
    """What people do with an index between two changes; a lock on the file must outlive it."""
    what = chance.choice(("nothing", "open", "check", "read", "check the file"))
    if what == "open":
        vicinal.open(path).close()
    elif what == "check":
        with vicinal.open(path) as index:
            index.check(1)
    elif what == "check the file":
        vicinal.index.check(path)
    elif what == "read":
        assert [document.text for document in vicinal.read(folder)] == ["a note in the folder"]


def write(path: Path, folder: Path, writer: int, pipe: Connection) -> None:
    """A writer: for each number of a race that it is told, adds documents and tells which were kept."""
    while (race := pipe.recv()) is not None:
        chance, kept, refused = random.Random(race * WRITERS + writer), list[str](), 0
        with vicinal.open(path) as index:
            for number in range(ADDS):
                batch = documents(race, writer, number)
                try:
                    index.add(batch)
                    kept += [document.id for document in batch]
                except IndexLocked:
                    refused += 1
                meanwhile(path, folder, chance)
        pipe.send((kept, refused))


class Writers:
    """The processes that race."""

    def __init__(self, path: Path, folder: Path) -> None:
        self._path, context = path, multiprocessing.get_context("fork")
        self._members: list[tuple[ForkProcess, Connection]] = []
        for writer in range(WRITERS):
            ours, theirs = context.Pipe()
            process = context.Process(target=write, args=(path, folder, writer, theirs))
            process.start()
            theirs.close()
            self._members.append((process, ours))

    def race(self, number: int) -> tuple[set[str], int]:
        """Ids that were acknowledged in one race, and how many adds were told to wait."""
        for _, pipe in self._members:
            pipe.send(number)
        while not all(pipe.poll() for _, pipe in self._members):
            vicinal.open(self._path).close()  # who believes to be the last one puts the journal away
            time.sleep(0.01)
        told = [pipe.recv() for _, pipe in self._members]
        return {id for kept, _ in told for id in kept}, sum(refused for _, refused in told)

    def end(self) -> None:
        """Let all of them end."""
        for process, pipe in self._members:
            with suppress(OSError):  # of one that has ended
                pipe.send(None)
            process.join()


def verify(path: Path, kept: set[str]) -> None:
    """Compare an index after a race with what was acknowledged, and empty it for the next."""
    with vicinal.open(path) as index:
        found = set(index)
        assert index.check(1) == []
        assert found == kept, f"missing {sorted(kept - found)[:9]}, not acknowledged {sorted(found - kept)[:9]}"
        index.remove(found)


def stretch(folder: Path, first: int, last: int, inside: bool, end: float) -> Races:
    """Races with one place of the index; a server answers during the later half of them."""
    (folder / "notes").mkdir(parents=True, exist_ok=True)
    (folder / "notes" / "note.txt").write_text("a note in the folder")
    path = (folder / "notes" if inside else folder) / "raced.vic"
    with vicinal.open(path, create=True) as index:
        index.remove(list(index))
    done, writers = Races(), Writers(path, folder / "notes")
    try:
        for number in range(first, last):
            if time.monotonic() >= end:
                break
            _one(path, writers, number, done, asks=number >= (first + last) // 2)
    finally:
        writers.end()
    return done


def _one(path: Path, writers: Writers, number: int, done: Races, asks: bool) -> None:
    if asks:
        with served(path) as connection:
            kept, refused = writers.race(number)
            assert answered(connection, "/api/v1/info")["documents"] >= 0
            done.asked += 1
    else:
        kept, refused = writers.race(number)
    verify(path, kept)
    done.races, done.kept, done.refused = done.races + 1, done.kept + len(kept), done.refused + refused


def run(folder: Path, races: int, minutes: float = float("inf")) -> Races:
    """Race until there were so many races, or for so many minutes; goes on where the folder ended."""
    folder.mkdir(parents=True, exist_ok=True)
    file, end = folder / "races.json", time.monotonic() + 60 * minutes
    total = Races(**json.loads(file.read_text())) if file.exists() else Races()
    while total.races < races and time.monotonic() < end:
        last = min(races, total.races + 20)
        try:
            more = stretch(folder, total.races, last, inside=total.races // 20 % 2 == 0, end=end)
        except BaseException:
            print(f"race {total.races + 1:,} or one of the next 20: its folder is kept as {folder}", flush=True)
            raise
        total = Races(**{name: value + getattr(more, name) for name, value in asdict(total).items()})
        file.write_text(json.dumps(asdict(total)))
    return total


def summary(total: Races) -> str:
    """What a run found, with the bound on the share of races that lose something."""
    return (
        f"{total.races:,} races of {WRITERS} writers, {total.asked:,} of them beside a server: {total.kept:,} documents "
        f"acknowledged, {total.refused:,} adds told to wait, 0 lost; below {3 / max(1, total.races):.3%} at 95 %"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run, or go on with a run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", type=int, default=500)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--folder", type=Path, default=Path(".races"))
    given = parser.parse_args(arguments)
    print(summary(run(given.folder, given.races, given.minutes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
