"""Run Topics with evidence besides terms on the draws that have no result yet, and print the table of all results."""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import final

import numpy as np

from bench.evidence.settings import SETTINGS, Setting
from bench.evidence.vectors import vectors_of
from bench.harness import RESULTS
from bench.quality.draws import Draw, parse
from bench.quality.material import Material, prepare
from bench.records import append_line, attempt, fingerprint, read_lines, say, typed
from vicinal import Topics
from vicinal.metrics import clustering_accuracy, normalized_mutual_info

FILE = RESULTS / "evidence.jsonl"
DRAWS = (*(f"arxiv_titles:20:1000:{seed}" for seed in range(5)), "ng")


@final
@dataclass(frozen=True)
class Result:
    """What one setting did on one draw with one random seed."""

    corpus: str
    setting: str
    seed: int
    nmi: float
    accuracy: float
    seconds: float
    code: str
    warned: list[str]


def measure(draw: Draw, setting: Setting, seed: int, material: Material, encoder: str | None) -> Result:
    """Cluster a draw with the true number of clusters, and compare with its classes."""
    given = setting.given(material, vectors_of(draw, encoder) if setting.encoded else None, seed)
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        labels = Topics(material.n_classes, random_state=seed).fit(material.counts, **given).labels_
    return Result(
        corpus=draw.name,
        setting=setting.name,
        seed=seed,
        nmi=round(normalized_mutual_info(material.classes, labels), 4),
        accuracy=round(clustering_accuracy(material.classes, labels), 4),
        seconds=round(time.perf_counter() - start, 1),
        code=fingerprint(),
        warned=sorted({each.category.__name__ for each in raised}),
    )


def table(results: Sequence[Result]) -> list[str]:
    """One line per setting and corpus: mean, smallest and largest NMI, mean accuracy, and over how many runs."""
    lines = [f"{'corpus':24s} {'setting':10s} {'NMI':>6s} {'least':>6s} {'most':>6s} {'AC':>6s} runs"]
    for corpus in sorted({_family(result) for result in results}):
        for setting in SETTINGS:
            found = [result for result in results if (_family(result), result.setting) == (corpus, setting.name)]
            if found:
                nmi, accuracy = [each.nmi for each in found], np.mean([each.accuracy for each in found])
                figures = f"{np.mean(nmi):6.3f} {min(nmi):6.3f} {max(nmi):6.3f} {accuracy:6.3f} {len(found):4d}"
                lines.append(f"{corpus:24s} {setting.name:10s} {figures}")
    return lines


def _family(result: Result) -> str:
    """The draw without its seed."""
    return ":".join(result.corpus.split(":")[:3])


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.evidence", description=__doc__)
    parser.add_argument("--corpus", action="append", metavar="NAME", help=f"a draw of bench/quality; by default {' '.join(DRAWS)}")
    parser.add_argument("--setting", action="append", metavar="NAME", help="a setting, or a pattern; repeatable")
    parser.add_argument("--seed", action="append", type=int, metavar="N", help="random seed; repeatable; by default 0")
    parser.add_argument("--encoder", metavar="NAME_OR_PATH", help="encodes texts whose vectors are not kept yet")
    parser.add_argument("--renew", action="store_true", help="also redo what another state of the library answered")
    parser.add_argument("--report", action="store_true", help="run nothing, print the table")
    parser.add_argument("--results", type=Path, default=FILE, metavar="FILE", help="lines of results to read and to add to")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """Exit 1 where something failed."""
    asked = arguments(given)
    lines, complaints = read_lines(asked.results, partial(typed, Result))
    known = {(each.corpus, each.setting, each.seed): each for each in lines}
    for complaint in complaints:
        say(complaint)
    failed = 0 if asked.report else sum(_run(parse(name, "asked"), asked, known) for name in asked.corpus or DRAWS)
    print("\n".join(table(list(known.values()))))
    return 1 if failed else 0


def _run(draw: Draw, asked: argparse.Namespace, known: dict[tuple[str, str, int], Result]) -> int:
    """Do what is outstanding of one draw; return how much of it failed."""
    failed, material = 0, None
    for setting in SETTINGS:
        if asked.setting and not any(fnmatchcase(setting.name, pattern) for pattern in asked.setting):
            continue
        for seed in asked.seed or [0]:
            key = draw.name, setting.name, seed
            if key in known and not (asked.renew and known[key].code != fingerprint()):
                continue
            material = prepare(draw) if material is None else material
            result = attempt(" ".join(map(str, key)), partial(measure, draw, setting, seed, material, asked.encoder))
            if result is None:
                failed += 1
                continue
            append_line(asdict(result), asked.results)
            known[key] = result
            say(f"{draw.name}, {setting.name}, seed {seed}: NMI {result.nmi:.3f}, {result.seconds:.0f} s, {result.warned}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
