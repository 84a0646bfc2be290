"""Run what has no result yet, the cheapest first, and write bench/leaderboard/README.md and its summary in README.md."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from bench.leaderboard import report, store
from bench.leaderboard.contestants import needed
from bench.leaderboard.run import CACHE, PYTHON, VARIABLE, Job, Place, able, installed, jobs, outstanding, run


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.leaderboard", description=__doc__)
    parser.add_argument(
        "--only", action="append", metavar="PATTERN", help="jobs as --list names them, such as 'search/*'; repeatable"
    )
    parser.add_argument("--list", action="store_true", help="run nothing, say what would be run")
    parser.add_argument("--report", action="store_true", help="run nothing, write the pages")
    parser.add_argument("--renew", action="store_true", help="also redo what another state of the library answered")
    parser.add_argument("--retry", action="store_true", help="also redo what failed or took too long")
    parser.add_argument(
        "--timeout", type=float, default=3600.0, metavar="SECONDS", help="after which a job is stopped, and that is its result"
    )
    parser.add_argument("--cores", type=int, default=0, metavar="N", help="cores that a job may use; all by default")
    parser.add_argument("--python", type=Path, metavar="FILE", help=f"interpreter that has the peers; {VARIABLE}, else .venv-peers")
    parser.add_argument("--cache", type=Path, default=CACHE, metavar="FILE", help="where vectors of texts are kept between jobs")
    parser.add_argument("--results", type=Path, default=store.FILE, metavar="FILE", help="lines of results to read and to add to")
    parser.add_argument("--page", type=Path, default=report.PAGE, metavar="FILE", help="where the page is written")
    parser.add_argument("--readme", type=Path, default=report.README, metavar="FILE", help="whose part between markers is written")
    return parser.parse_args(given)


def chosen_jobs(patterns: Sequence[str] | None) -> list[Job]:
    """Jobs that a pattern fits, the cheapest first."""
    return [job for job in jobs() if patterns is None or any(fnmatchcase(job.name, pattern) for pattern in patterns)]


def interpreter(asked: Path | None) -> Path:
    """The one named on the command line, in the environment, the one that make makes, or this one."""
    named = os.environ.get(VARIABLE)
    return asked or (Path(named) if named else PYTHON if PYTHON.exists() else Path(sys.executable))


def main(given: Sequence[str] | None = None) -> int:
    """Exit 1 where a job came to nothing, 2 where nothing fits or can be run, 130 where the run was stopped."""
    asked = arguments(given)
    chosen = chosen_jobs(asked.only)
    if not chosen:
        print("nothing fits. Jobs are named contest/task/who, as in: " + jobs()[0].name, file=sys.stderr)
        return 2
    known, complaints = store.read(asked.results, [job.key for job in jobs()])
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    left = [] if asked.report else outstanding(chosen, known, asked.renew, asked.retry)
    if asked.list:
        print("\n".join(f"{job.name}\tabout {job.estimate:.0f} s" for job in left))
        return 0
    try:
        return _run(left, known, asked)
    except KeyboardInterrupt:
        print("stopped; what was found so far is kept, and the same command goes on from there.", file=sys.stderr)
        return 130
    finally:
        report.write(known, asked.page, asked.readme)


def _run(left: list[Job], known: dict[store.Key, store.Result], asked: argparse.Namespace) -> int:
    if not left:
        return 0
    python = interpreter(asked.python)
    try:
        versions = installed(python, needed())
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{python} cannot be run ({error}). `make leaderboard` makes it; or name one with --python.", file=sys.stderr)
        return 2
    place = Place(python, asked.cache.resolve(), asked.cores, asked.timeout)
    return 1 if run(able(left, versions), known, asked.results, place, versions) else 0


if __name__ == "__main__":
    sys.exit(main())
