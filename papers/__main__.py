"""Reproduce the tables and figures of the five papers: do what has no result yet, and write papers/REPORT.md.

Everything in all takes many hours. Stop it at any time: nothing is lost, and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from papers import calibrate, journal, report
from papers.catalogue import FIGURES, PROCEDURES, TABLES, TIMES
from papers.compare import unusable
from papers.draws import POOL
from papers.journal import Job
from papers.plan import Figure, Table, on_all_draws
from papers.run import in_order, run
from papers.samples import DRAWN, source_of
from papers.times import TimeTable

CORPORA = (*DRAWN, "word", "news")
Shown = Table | TimeTable | Figure


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m papers", description=__doc__)
    parser.add_argument(
        "--table", action="append", metavar="NAME", help='"cikm07", "cikm07 Table 2", "* Figure 1", or a pattern; repeatable'
    )
    parser.add_argument(
        "--method", action="append", metavar="NAME", help="a method as the table prints it, a procedure, or a pattern; repeatable"
    )
    parser.add_argument("--corpus", action="append", metavar="NAME", help=f"{', '.join(CORPORA)}; repeatable")
    parser.add_argument(
        "--tests", type=int, default=POOL, metavar="N", help="at most so many tests per row (default: as many as the paper)"
    )
    parser.add_argument(
        "--pool", action="store_true", help="run k-means on the whole pool of draws, which calibrate.py chooses from"
    )
    parser.add_argument(
        "--all-draws",
        action="store_true",
        help="run every method of the tables on the whole pool of draws, chosen or not; many days",
    )
    parser.add_argument("--report", action="store_true", help="run nothing, write the page")
    parser.add_argument("--list", action="store_true", help="run nothing, say what would be run")
    parser.add_argument(
        "--results", type=Path, default=journal.FOLDER, metavar="FOLDER", help="lines of results to read and to add to"
    )
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="where the page is written (default: beside the folder of results)"
    )
    return parser.parse_args(given)


def shown(patterns: Sequence[str] | None) -> list[Shown]:
    """Tables and figures that a pattern fits; a paper stands for all of its own."""
    everything: list[Shown] = [*TABLES, *TIMES, *FIGURES]
    return [each for each in everything if patterns is None or any(_fits(name, patterns) for name in _names(each))]


def _names(each: Shown) -> tuple[str, ...]:
    return each.paper, each.name, f"{each.paper} {each.name}"


def _fits(name: str, patterns: Sequence[str] | None) -> bool:
    return patterns is None or any(fnmatchcase(name.lower(), pattern.lower()) for pattern in patterns)


def wanted(asked: argparse.Namespace) -> Iterator[Job]:
    """Jobs of what was asked for, in the order of the catalogue."""
    if asked.pool:
        yield from calibrate.jobs()
        return
    everything = shown(asked.table)
    for each in map(on_all_draws, (each for each in everything if isinstance(each, Table))) if asked.all_draws else everything:
        columns = each.columns if isinstance(each, Table) else ()
        for sample, procedure in each.jobs(asked.tests):
            names = [procedure, *(column.printed for column in columns if column.procedure == procedure)]
            if any(_fits(name, asked.method) for name in names) and _fits(source_of(sample), asked.corpus):
                yield sample, procedure


def main(given: Sequence[str] | None = None) -> int:
    """Exit 1 where something failed, 2 where nothing fits what was asked for, 130 where the run was stopped."""
    asked = arguments(given)
    if asked.tests < 1:
        print(f"--tests must be at least 1, got {asked.tests}.", file=sys.stderr)
        return 2
    jobs = in_order(wanted(asked))
    if not jobs:
        print("nothing fits. Tables: " + ", ".join(f"{each.paper} {each.name}" for each in shown(None)), file=sys.stderr)
        print(f"Procedures: {', '.join(PROCEDURES)}", file=sys.stderr)
        return 2
    results, complaints = journal.read(PROCEDURES, asked.results)
    for sample, procedure in unusable(TABLES, results):
        del results[sample, procedure]
        complaints.append(f"{source_of(sample)}.jsonl, {sample}, {procedure}: lacks numbers of its table; the line is not used.")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    left = [job for job in jobs if job not in results]
    if asked.list:
        for sample, procedure in left:
            print(f"{sample}\t{procedure}")
        return 0
    failed = _done(left, results, asked)
    page = asked.page or asked.results.parent / report.FILE.name
    print(report.write(TABLES, TIMES, FIGURES, results, PROCEDURES, page))
    return failed


def _done(left: Sequence[Job], results: dict[Job, journal.Result], asked: argparse.Namespace) -> int:
    """Run what is left, and return what to exit with."""
    if asked.report:
        return 0
    try:
        return 1 if run(left, PROCEDURES, results, asked.results) else 0
    except KeyboardInterrupt:
        print("stopped; what was found so far is kept, and the same command goes on from there.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
