"""What is still to be done is done, test by test; every result is kept at once, and the time left is estimated."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import final

import numpy as np

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
    pace, failed, done = Pace(known.values()), 0, 0
    left = list(jobs)
    for name, group in groupby(jobs, key=lambda job: job[0]):
        sample = attempt(name, partial(load, name))
        for job in group:
            left.remove(job)
            done += 1
            result = None if sample is None else attempt(f"{name}, {job[1]}", partial(_measure, job, procedures[job[1]], sample))
            if result is None:
                failed += 1
                continue
            append(result, folder)
            known[job] = result
            pace.note(result)
            say(f"[{done}/{len(jobs)}, about {_lasting(pace.left(left))} left] {name}, {job[1]}: {result.seconds:.1f} s")
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
    """Mean seconds of each procedure on samples of one kind so far, for an estimate of what is left."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self.spent: dict[Job, list[float]] = defaultdict(list)
        for result in results:
            self.note(result)

    def note(self, result: Result) -> None:
        """Learn from one more result."""
        self.spent[_kind(result.job)].append(result.seconds)

    def left(self, jobs: Sequence[Job]) -> float:
        """Seconds that these jobs may take; a kind never seen is taken for an average one."""
        means = {kind: float(np.mean(seconds)) for kind, seconds in self.spent.items()}
        usual = float(np.mean(list(means.values()))) if means else 0.0
        return sum(means.get(_kind(job), usual) for job in jobs)


def _kind(job: Job) -> Job:
    return job[0].rpartition("/")[0], job[1]


def _lasting(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
