"""Kills: a writer, or a server, is ended by SIGKILL at any moment, again and again, and what it had acknowledged must be there.

``python -m tools.kills --kills 10000``. A writer adds, removes, labels, fits, compacts and follows a folder; every tenth time it
is the server that is killed, while labels are given. After each kill the index is checked and compared with what was acknowledged:
nothing is missing, nothing is there that was not asked for, and what was begun is there whole or not at all. The run goes on where
it was ended; after a failure it prints the seed of the kill and keeps the folder.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

import vicinal
from tools.killed_server import serve_and_ask
from vicinal import Document, Index
from vicinal._store import Labels

SUBJECTS = (
    "car engine wheel road driver brake motor",
    "rose tulip garden flower soil spring",
    "bread oven flour salt butter dough",
)
BATCH, MOST_BATCHES, SLOTS = 6, 30, 5
KINDS = ("add", "add", "add", "remove", "label", "sync", "fit", "compact")
#: Every so many kills it is the server.
SERVER = 10
Step: TypeAlias = tuple[str, int]
#: What a writer said: "begins" or "done", the kind of step, and its number.
Said: TypeAlias = list[tuple[str, str, int]]


@dataclass
class Progress:
    """How far a run is, kept in its folder: kills that were verified, and how many of them landed inside a step of each kind."""

    seed: int
    kills: int = 0
    landed: dict[str, int] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        """Keep it, whole or not at all."""
        put(folder, folder / "progress.json", json.dumps(asdict(self)))

    @classmethod
    def load(cls, folder: Path, seed: int) -> Progress:
        """That of a folder, or a new one."""
        file = folder / "progress.json"
        return cls(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else cls(seed)


@dataclass(frozen=True)
class Contents:
    """What an index has: batches of documents, those of them with labels, the file of each slot of the folder, and fits."""

    batches: frozenset[int]
    labelled: frozenset[int]
    slots: tuple[tuple[int, int], ...]
    fits: int

    def after(self, step: Step, slots: tuple[tuple[int, int], ...]) -> Contents:
        """What it has after a step; a folder that is followed has the files of ``slots``."""
        kind, number = step
        batches = self.batches | {number} if kind == "add" else self.batches - {number} if kind == "remove" else self.batches
        labelled = self.labelled | ({number} & batches) if kind == "label" else self.labelled
        return Contents(batches, labelled & batches, slots if kind == "sync" else self.slots, self.fits + (kind == "fit"))


def batch(number: int) -> list[Document]:
    """The documents of a batch, always the same."""
    chance = random.Random(number)
    return [
        Document(f"{number}-{i}", " ".join([*chance.choices(SUBJECTS[i % 3].split(), k=8), "day", "house"]), f"{number} {i}")
        for i in range(BATCH)
    ]


def label_of(number: int) -> dict[str, str]:
    """The labels of a batch, always the same."""
    return {document.id: f"class {number % 2}" for document in batch(number)}


def slot_text(number: int) -> str:
    """The text of a file of the folder."""
    return f"slot number {number} has {SUBJECTS[number % 3]}"


def put(folder: Path, file: Path, text: str) -> None:
    """Write a file whole or not at all; what a kill leaves of it lies beside the folder that is followed."""
    unfinished = folder / "unfinished"
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(file)


def do(index: Index, folder: Path, kind: str, number: int) -> None:
    """One step of a writer."""
    if kind == "add":
        index.add(batch(number))
    elif kind == "remove":
        index.remove([document.id for document in batch(number)])
    elif kind == "label":
        index.label(label_of(number))
    elif kind == "compact":
        index.compact()
    elif kind == "sync":
        put(folder, folder / "files" / f"{number % SLOTS}.txt", slot_text(number))
        index.sync(folder / "files", remove=True)
    else:
        index.fit(n_clusters=3, n_components=4, n_neighbors=3)


def steps(seed: int, batches: list[int]) -> Iterator[Step]:
    """What a writer does, without end."""
    chance = random.Random(seed)
    number = seed * 1000
    while True:
        kind = chance.choice(KINDS)
        if kind in ("add", "sync") or not batches:
            yield ("add" if kind != "sync" else kind), number
            batches = [*batches, number] if kind != "sync" else batches
            number += 1
        else:
            chosen = chance.choice(batches)
            yield kind, chosen
            batches = [each for each in batches if kind != "remove" or each != chosen]


def write(folder: Path, seed: int, batches: list[int], pipe: Connection) -> None:
    """The process that is killed: says what it begins and what it has done."""
    with vicinal.open(folder / "killed.vic") as index:
        for kind, number in steps(seed, batches):
            pipe.send(("begins", kind, number))
            do(index, folder, kind, number)
            pipe.send(("done", kind, number))


def killed_writer(folder: Path, seed: int, batches: list[int], after: float, target: Callable[..., None] = write) -> Said:
    """Let a writer work for a while, kill it, and return what it said."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=target, args=(folder, seed, batches, theirs))
    process.start()
    theirs.close()
    time.sleep(after)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert process.exitcode == -signal.SIGKILL, f"the writer ended by itself, with {process.exitcode}"
    said: Said = []
    while ours.poll():
        try:
            said.append(ours.recv())
        except EOFError:
            break
    return said


def killed_server(folder: Path, batches: list[int], after: float) -> Said:
    """Label batches through a server for a while, kill it, and return what was asked and answered."""
    said: Said = []
    for number, answered in serve_and_ask(folder / "killed.vic", {number: label_of(number) for number in batches}, after):
        said.append(("done" if answered else "begins", "label", number))
    return said


def files_of(folder: Path) -> tuple[tuple[int, int], ...]:
    """The number of the text in each file of the folder that is followed."""
    found = ((int(file.stem), int(file.read_text().split()[2])) for file in (folder / "files").glob("*.txt"))
    return tuple(sorted(found))


def contents(index: Index) -> Contents:
    """What an index has; AssertionError where a batch or its labels are there in part, or a text is another."""
    documents = {id: index[id].text for id in index}
    slots = {id: text for id, text in documents.items() if id.startswith("files/")}
    numbers = frozenset(int(id.partition("-")[0]) for id in documents.keys() - slots.keys())
    expected = {document.id: document.text for number in numbers for document in batch(number)}
    assert {id: text for id, text in documents.items() if id not in slots} == expected, (
        "documents of a batch are missing or changed"
    )
    placed = tuple(sorted((int(Path(id).stem), int(text.split()[2])) for id, text in slots.items()))
    assert all(text == slot_text(number) for (_, number), (_, text) in zip(placed, sorted(slots.items()), strict=True))
    return Contents(numbers, _labelled(index), placed, index.info().generation)


def _labelled(index: Index) -> frozenset[int]:
    names: dict[int, str] = dict(index._store.rows("SELECT number, id FROM documents"))
    found = {names[number]: label.label for number, label in Labels(index._store).get().items()}
    numbers = frozenset(int(id.partition("-")[0]) for id in found)
    assert found == {id: label for number in numbers for id, label in label_of(number).items()}, "labels are there in part"
    return numbers


def expected_after(before: Contents, said: Said, slots: tuple[tuple[int, int], ...]) -> tuple[list[Contents], Step | None]:
    """The contents that may be there: after all that was done, and after the step that was begun besides."""
    now, begun = before, None
    for what, kind, number in said:
        begun = (kind, number) if what == "begins" else None
        if what == "done":
            written = dict(now.slots) | {number % SLOTS: number} if kind == "sync" else dict(now.slots)
            now = now.after((kind, number), tuple(sorted(written.items())))
    return [now, *([now.after(begun, slots)] if begun else [])], begun


def verify(folder: Path, before: Contents, said: Said) -> tuple[Contents, Step | None]:
    """Compare an index after a kill with what was acknowledged; what it has, and the step that the kill landed in."""
    allowed, begun = expected_after(before, said, files_of(folder))
    with vicinal.open(folder / "killed.vic") as index:
        assert index.check(1) == []
        found = contents(index)
        assert found in allowed, f"after {said[-3:]} there is {found}, and allowed is {allowed}"
        ids = set(index)
        assert {hit.id for hit in index.search("bread oven", 500)} <= ids
        assert index.add([]).embedded + len(index) >= len(ids)  # what was left without an embedding gets it now
        assert index.info().unembedded in (0, len(ids))
    return found, begun


def trimmed(folder: Path) -> Contents:
    """What the index has before the next kill: few batches, and a folder that was followed to its end."""
    with vicinal.open(folder / "killed.vic", create=True) as index:
        (folder / "files").mkdir(exist_ok=True)
        if files_of(folder):
            index.sync(folder / "files", remove=True)
        numbers = sorted(contents(index).batches)
        for number in numbers[:-MOST_BATCHES]:
            do(index, folder, "remove", number)
        for number in range(4 if not numbers else 0):
            do(index, folder, "add", number)
        if not index.info().generation:
            do(index, folder, "fit", 0)
        return contents(index)


def one_kill(folder: Path, seed: int) -> str:
    """Kill once and verify; the kind of step that the kill landed in, empty for none."""
    chance, before = random.Random(seed), trimmed(folder)
    after = chance.uniform(0.0, 0.25)
    if seed % SERVER == 0:
        said = killed_server(folder, chance.sample(sorted(before.batches), min(12, len(before.batches))), after)
        _, begun = verify(folder, before, said)
        return "server" if begun else ""
    _, begun = verify(folder, before, killed_writer(folder, seed, sorted(before.batches), after))
    return begun[0] if begun else ""


def run(folder: Path, kills: int, seed: int = 0, minutes: float = float("inf")) -> Progress:
    """Kill until there were so many kills, or for so many minutes; goes on where the folder ended."""
    folder.mkdir(parents=True, exist_ok=True)
    progress, end = Progress.load(folder, seed), time.monotonic() + 60 * minutes
    while progress.kills < kills and time.monotonic() < end:
        number = progress.seed + progress.kills + 1
        try:
            landed = one_kill(folder, number)
        except BaseException:
            print(f"kill {progress.kills + 1:,} with seed {number}: its folder is kept as {folder}", flush=True)
            raise
        progress.kills += 1
        progress.landed[landed] = progress.landed.get(landed, 0) + 1
        progress.save(folder)
    with vicinal.open(folder / "killed.vic") as index:
        assert index.check() == []
    return progress


def summary(progress: Progress) -> str:
    """What a run found, with the bound on the share of kills that lose something."""
    inside = {kind: count for kind, count in sorted(progress.landed.items()) if kind}
    told = ", ".join(f"{kind} {count:,}" for kind, count in inside.items())
    return (
        f"{progress.kills:,} kills (seeds from {progress.seed + 1}), {sum(inside.values()):,} of them inside a step ({told}): "
        f"0 lost or half done; below {3 / max(1, progress.kills):.3%} at 95 %"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run, or go on with a run; 1 where something was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--folder", type=Path, default=Path(".kills"))
    given = parser.parse_args(arguments)
    print(summary(run(given.folder, given.kills, given.seed, given.minutes)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
