"""Run the settings that have no result yet on the corpora chosen, and write bench/quality/README.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from bench.quality import numbers, report, store
from bench.quality.draws import Draw, draws
from bench.quality.run import all_jobs, outstanding, run
from bench.quality.seeds import SEEDS
from bench.quality.settings import SETTINGS, Setting


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("--corpus", action="append", metavar="NAME", help="a draw as named in draws.py, or a pattern; repeatable")
    parser.add_argument("--setting", action="append", metavar="NAME", help="a setting, or a pattern; repeatable")
    parser.add_argument("--part", choices=("tuning", "held"), help="only the draws that choices were, or were not, made with")
    parser.add_argument("--seeds", type=_count, default=SEEDS, metavar="N", help="random seeds of Topics (default: %(default)s)")
    parser.add_argument(
        "--same", action="append", default=[], metavar="CODE", help="a state of the library that answers as this one"
    )
    parser.add_argument("--renew", action="store_true", help="also redo what another state of the library answered")
    parser.add_argument("--report", action="store_true", help="run nothing, write the page")
    parser.add_argument("--numbers", action="store_true", help="find the numbers of clusters alone, without clustering")
    parser.add_argument("--list", action="store_true", help="run nothing, say what would be run")
    parser.add_argument("--results", type=Path, default=store.FILE, metavar="FILE", help="lines of results to read and to add to")
    parser.add_argument("--page", type=Path, default=report.PAGE, metavar="FILE", help="where the page is written")
    return parser.parse_args(given)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, got {text!r}")
    return int(text)


def chosen_draws(patterns: Sequence[str] | None, part: str | None) -> list[Draw]:
    """Draws that a pattern fits, of one part if asked, corpus by corpus."""
    fitting = [draw for draw in draws() if _fits(draw.name, patterns) and part in (None, draw.part)]
    order = list(dict.fromkeys(draw.source for draw in draws()))
    return sorted(fitting, key=lambda draw: order.index(draw.source))


def chosen_settings(patterns: Sequence[str] | None) -> list[Setting]:
    """Settings that a pattern fits; without patterns those that need not be asked for."""
    return [setting for setting in SETTINGS if (setting.unasked if patterns is None else _fits(setting.name, patterns))]


def _fits(name: str, patterns: Sequence[str] | None) -> bool:
    return patterns is None or any(fnmatchcase(name, pattern) for pattern in patterns)


def known_so_far(asked: argparse.Namespace) -> tuple[store.Runs, list[str]]:
    """Results that count, and a complaint per line and per setting of which some do not."""
    runs, complaints = store.read(asked.results, [draw.name for draw in draws()], [setting.name for setting in SETTINGS])
    seeded = [setting.name for setting in SETTINGS if setting.seeded]
    counted = store.of_one_state(runs, seeded, asked.same)
    for name in seeded:
        older = [runs[key] for key in runs if key[1] == name and key not in counted]
        states = " ".join(sorted({result.code for result in older}))
        if older:
            complaints.append(
                f"{name}: {len(older)} results are of an older state of the library ({states}); they are not counted."
            )
    return counted, complaints


def found_numbers(asked: argparse.Namespace, chosen: Sequence[Draw]) -> int:
    """Find the numbers of clusters that are not known yet, and write the page; exit 130 where the run was stopped."""
    try:
        numbers.run(chosen, asked.seeds)
    except KeyboardInterrupt:
        print("stopped; what was found so far is kept, and the same command goes on from there.", file=sys.stderr)
        return 130
    finally:
        report.write(known_so_far(asked)[0], draws(), SETTINGS, asked.page)
    return 0


def main(given: Sequence[str] | None = None) -> int:
    """Exit 1 where something failed, 2 where nothing fits what was asked for, 130 where the run was stopped."""
    asked = arguments(given)
    chosen, settings = chosen_draws(asked.corpus, asked.part), chosen_settings(asked.setting)
    if not chosen or not settings:
        print(f"nothing fits. Corpora: {' '.join(draw.name for draw in draws())}", file=sys.stderr)
        print(f"Settings: {' '.join(setting.name for setting in SETTINGS)}", file=sys.stderr)
        return 2
    if asked.numbers:
        return found_numbers(asked, chosen)
    known, complaints = known_so_far(asked)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    jobs = [] if asked.report else outstanding(all_jobs(chosen, settings, asked.seeds), known, asked.renew, asked.same)
    if asked.list:
        print("\n".join(f"{job.draw.name}\t{job.setting.name}\t{job.seed}" for job in jobs))
        return 0
    try:
        failed = run(jobs, known, asked.results)
    except KeyboardInterrupt:
        print("stopped; what was found so far is kept, and the same command goes on from there.", file=sys.stderr)
        return 130
    finally:
        report.write(known_so_far(asked)[0], draws(), SETTINGS, asked.page)  # read again: another run may have added lines
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
