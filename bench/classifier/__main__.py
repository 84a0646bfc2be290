"""Run the draws that have no result yet, add a line per draw to bench/results/classifier.jsonl, and write the page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.classifier import curve, few, report
from bench.classifier.material import CORPORA
from bench.classifier.run import DRAWS, LABELS, Job, do
from bench.classifier.store import lines
from bench.records import append_line


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.classifier", description=__doc__)
    parser.add_argument("--corpus", action="append", choices=CORPORA, help="only this one; repeatable")
    parser.add_argument("--labels", action="append", type=int, choices=LABELS, help="per class, 0 for all; repeatable")
    parser.add_argument("--curve", action="store_true", help="instead: labels that are asked for against random ones")
    parser.add_argument("--few", action="store_true", help="instead: the accuracy that is said with few labels, beside the truth")
    parser.add_argument("--renew", action="store_true", help="also run what has a result already; the last one counts")
    parser.add_argument("--report", action="store_true", help="run nothing, write the page")
    return parser.parse_args(given)


def jobs(asked: argparse.Namespace) -> list[Job]:
    """The draws of one corpus together: its documents are read once per split."""
    wanted = [(c, d, n) for c in asked.corpus or CORPORA for d in DRAWS for n in asked.labels or LABELS]
    return [job for c, d, n in wanted if not (job := Job(c, n, d)).is_repeated]


def main(given: Sequence[str] | None = None) -> int:
    """Exit 130 where the run was stopped; what was found is kept."""
    asked = arguments(given)
    try:
        if not asked.report:
            _run_asked(asked)
    except KeyboardInterrupt:
        return 130
    finally:
        report.write()
    return 0


def _run_asked(asked: argparse.Namespace) -> None:
    if asked.curve:
        curve.run()
    elif asked.few:
        few.run()
    else:
        _run(jobs(asked), report.FILE, asked.renew)


def _run(wanted: list[Job], file: Path, renew: bool = False) -> None:
    done = set() if renew else {(line["corpus"], line["per_class"], line["draw"]) for line in lines(file)}
    for job in wanted:
        if (job.corpus, job.per_class, job.draw) not in done:
            line = do(job)
            append_line(line, file)
            print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
