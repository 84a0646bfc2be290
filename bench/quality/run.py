"""What is still to be done is done, draw by draw; every result is kept at once, and the time left is estimated."""

from __future__ import annotations

import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TypeVar, final

import numpy as np
import scipy.sparse as sp

from bench.quality.draws import Draw
from bench.quality.material import Material, prepare
from bench.quality.settings import Setting
from bench.quality.store import Key, Result, Runs, append, keep
from bench.records import attempt, fingerprint, say
from vicinal._typing import IntArray
from vicinal.errors import VicinalWarning
from vicinal.metrics import clustering_accuracy, normalized_mutual_info

T = TypeVar("T")
DIGITS = 4


@final
@dataclass(frozen=True)
class Job:
    """One setting on one draw with one random seed."""

    draw: Draw
    setting: Setting
    seed: int = 0

    @property
    def key(self) -> Key:
        """What its result is found by."""
        return self.draw.name, self.setting.name, self.seed


def all_jobs(draws: Sequence[Draw], settings: Sequence[Setting], seeds: int = 1) -> list[Job]:
    """Every job, the first seed of all draws before the second, those of one draw together; unseeded settings have one."""
    suiting = [(draw, setting) for draw in draws for setting in settings if setting.suits(draw)]
    return [Job(draw, setting, seed) for seed in range(seeds) for draw, setting in suiting if seed == 0 or setting.seeded]


def outstanding(jobs: Sequence[Job], known: Runs, renew: bool, same: Collection[str] = ()) -> list[Job]:
    """Jobs without a result; with ``renew`` also those that another state of the library answered than this one and ``same``.

    A seeded setting of which anything is missing is renewed in any case, as seeds of two states say nothing together.
    """
    states = {fingerprint(), *same}
    incomplete = {job.setting.name for job in jobs if job.setting.seeded and job.key not in known}

    def is_due(job: Job) -> bool:
        if job.key not in known:
            return True
        return (renew or job.setting.name in incomplete) and known[job.key].code not in states

    return [job for job in jobs if is_due(job)]


def run(jobs: Sequence[Job], known: Runs, file: Path, load: Callable[[Draw], Material] = prepare) -> int:
    """Do the jobs and return how many failed; a failed one is said, not kept, and tried again by the next run."""
    _warm_up({job.setting.name: job.setting for job in jobs}.values())
    pace, failed, left = Pace(known.values()), 0, list(jobs)
    for draw, group in groupby(jobs, key=lambda job: job.draw):
        material = attempt(draw.name, partial(load, draw))
        for job in group:
            left.remove(job)
            told = f"{draw.name}, {job.setting.title}, seed {job.seed}"
            result = None if material is None else attempt(told, partial(measure, job, material))
            if result is None:
                failed += 1
                continue
            append(result, file)
            keep(known, result)
            pace.note(result)
            say(_line(result, job.setting, len(jobs) - len(left), len(jobs), pace.left(left)))
    if failed:
        say(f"{failed} of {len(jobs)} failed; the next run tries them again.")
    return failed


def measure(job: Job, material: Material) -> Result:
    """Label the documents of a draw and compare with their classes; those without a label (-1) are one more group."""
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always", VicinalWarning)
        start = time.process_time()
        labels = job.setting.answer(material, job.seed)
        seconds = time.process_time() - start
    return Result(
        corpus=job.draw.name,
        setting=job.setting.name,
        nmi=round(normalized_mutual_info(material.classes, labels), DIGITS),
        accuracy=round(clustering_accuracy(material.classes, labels), DIGITS),
        found=len(np.unique(labels[labels >= 0])),
        classes=material.n_classes,
        documents=int(material.counts.shape[0]),
        terms=int(material.counts.shape[1]),
        seconds=round(seconds, 2),
        counting=round(material.seconds, 2),
        code=fingerprint(),
        warned=sorted({each.category.__name__ for each in given if issubclass(each.category, VicinalWarning)}),
        seed=job.seed,
        largest=_largest(labels),
        largest_class=_largest(material.classes),
    )


def _largest(labels: IntArray) -> float:
    """The share of all documents that the largest group has; documents without a label (-1) are no group."""
    return round(float(np.bincount(labels[labels >= 0], minlength=1).max()) / len(labels), DIGITS)


@final
class Pace:
    """Seconds per document of each setting so far, for an estimate of what is left."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self.spent: dict[str, tuple[float, int]] = defaultdict(lambda: (0.0, 0))
        for result in results:
            self.note(result)

    def note(self, result: Result) -> None:
        """Learn from one more result."""
        seconds, documents = self.spent[result.setting]
        self.spent[result.setting] = seconds + result.seconds, documents + result.documents

    def left(self, jobs: Sequence[Job]) -> float:
        """Seconds that these jobs may take; a setting never seen is taken for an average one."""
        rates = {name: seconds / max(documents, 1) for name, (seconds, documents) in self.spent.items()}
        usual = float(np.mean(list(rates.values()))) if rates else 0.0
        return sum(job.draw.about * rates.get(job.setting.name, usual) for job in jobs)


def _warm_up(settings: Iterable[Setting]) -> None:
    """Compile what is compiled at first use, so that no setting pays for it: each labels a few made-up documents."""
    random = np.random.RandomState(0)
    classes = np.repeat(np.arange(3), 40)
    rates = np.where(np.arange(90) // 30 == classes[:, None], 0.4, 0.05)
    counts = sp.csr_array(random.poisson(rates).astype(np.float64))
    for setting in settings:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VicinalWarning)
            try:
                setting.answer(Material(counts, classes), 0)
            except Exception as error:
                say(f"{setting.title}: failed on made-up documents already ({error})")


def _line(result: Result, setting: Setting, done: int, total: int, left: float) -> str:
    seed = f", seed {result.seed}" if setting.seeded else ""
    groups = f"{result.found} of {result.classes} groups, " if setting.name == "auto" else ""
    figures = f"NMI {result.nmi:.3f}, accuracy {result.accuracy:.3f}, {groups}{result.seconds:.1f} s"
    remaining = f"{left:.0f} s" if left < 120 else f"{left / 60:.0f} min"
    return f"[{done}/{total}, about {remaining} left] {result.corpus}, {setting.title}{seed}: {figures}"
