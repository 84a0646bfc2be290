"""What is still to be done is done, test by test; every result is kept at once, and the time left is estimated."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import final

from bench.records import attempt, fingerprint, say
from papers.journal import FOLDER, Job, Result, append, claimed
from papers.samples import Sample, load, source_of, test_of

Run = Callable[[Sample], dict[str, dict[str, float]]]


def in_order(jobs: Iterable[Job]) -> list[Job]:
    """First tests first, so that a run that is stopped has done as many tests of every row; those of one sample together."""
    unique = list(dict.fromkeys(jobs))
    place = {job: i for i, job in enumerate(unique)}
    rounds = _rounds({sample for sample, _ in unique})
    return sorted(unique, key=lambda job: (rounds[job[0]], job[0], place[job]))


def _rounds(samples: Iterable[str]) -> dict[str, int]:
    """How many samples of the same kind come before each."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for sample in sorted(samples, key=test_of):
        kinds[sample.rpartition("/")[0]].append(sample)
    return {sample: number for alike in kinds.values() for number, sample in enumerate(alike)}


def run(
    jobs: Sequence[Job],
    procedures: Mapping[str, Run],
    known: dict[Job, Result],
    folder: Path = FOLDER,
    load: Callable[[str], Sample] = load,
) -> int:
    """Do the jobs and return how many failed; a failed one is said, not kept, and tried again by the next run.

    A corpus that another run is at work on is left to it.
    """
    with ExitStack() as stack:
        sources = dict.fromkeys(source_of(sample) for sample, _ in jobs)
        ours = {source for source in sources if stack.enter_context(claimed(source, folder))}
        for source in sources.keys() - ours:
            say(f"another run is at work on {source}, which is left to it.")
        return _run([job for job in jobs if source_of(job[0]) in ours], procedures, known, folder, load)


def _run(
    jobs: Sequence[Job],
    procedures: Mapping[str, Run],
    known: dict[Job, Result],
    folder: Path,
    load: Callable[[str], Sample],
) -> int:
    pace, failed, done = Pace(known.values(), jobs), 0, 0
    for name, group in groupby(jobs, key=lambda job: job[0]):
        sample = attempt(name, partial(load, name))
        for job in group:
            pace.take(job)
            done += 1
            result = None if sample is None else attempt(f"{name}, {job[1]}", partial(_measure, job, procedures[job[1]], sample))
            if result is None:
                failed += 1
                continue
            append(result, folder)
            known[job] = result
            pace.note(result)
            say(f"[{done}/{len(jobs)}, about {_lasting(pace.left)} left] {name}, {job[1]}: {result.seconds:.1f} s")
    if failed:
        say(f"{failed} of {len(jobs)} failed; the next run tries them again.")
    return failed


def _measure(job: Job, procedure: Run, sample: Sample) -> Result:
    start = time.perf_counter()
    values = procedure(sample)
    rounded = {name: {metric: round(float(value), 5) for metric, value in each.items()} for name, each in values.items()}
    if not all(math.isfinite(value) for each in rounded.values() for value in each.values()):
        raise ValueError("a result is not a number")
    return Result(*job, rounded, round(time.perf_counter() - start, 3), fingerprint())


@final
class Pace:
    """Mean seconds of each procedure on samples of one kind so far, for an estimate of what the jobs that wait may take.

    All sums are kept as they change, so that an estimate costs the same however many jobs there are.
    """

    def __init__(self, results: Iterable[Result] = (), jobs: Iterable[Job] = ()) -> None:
        self._waiting = Counter(map(_kind, jobs))
        self._spent: dict[Job, tuple[float, int]] = {}
        self._known = 0.0  # seconds that jobs of kinds seen before may take
        self._unseen = self._waiting.total()  # jobs of other kinds
        self._means = 0.0  # added up over kinds
        for result in results:
            self.note(result)

    def note(self, result: Result) -> None:
        """Learn from one more result."""
        kind = _kind(result.job)
        before = self._mean(kind)
        if kind not in self._spent:
            self._unseen -= self._waiting[kind]
        seconds, number = self._spent.get(kind, (0.0, 0))
        self._spent[kind] = seconds + result.seconds, number + 1
        change = self._mean(kind) - before
        self._means += change
        self._known += self._waiting[kind] * change

    def take(self, job: Job) -> None:
        """One job waits no longer."""
        kind = _kind(job)
        self._waiting[kind] -= 1
        self._known -= self._mean(kind)
        self._unseen -= kind not in self._spent

    @property
    def left(self) -> float:
        """Seconds that the jobs that wait may take; a kind never seen is taken for an average one."""
        usual = self._means / len(self._spent) if self._spent else 0.0
        return max(0.0, self._known + self._unseen * usual)

    def _mean(self, kind: Job) -> float:
        seconds, number = self._spent.get(kind, (0.0, 1))
        return seconds / number


def _kind(job: Job) -> Job:
    return job[0].rpartition("/")[0], job[1]


def _lasting(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
